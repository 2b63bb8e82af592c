//! Which of many paths the next packet of a flow takes, if senders spread packets over paths.
//!
//! The sender writes a number into every packet, its *entropy*; switches hash it together with the flow, so that
//! packets with equal entropy take the same path and others most likely a different one (`scheme.route = "ecmp"`). The
//! path of a number is not known; only its feedback is: the entropy of a packet that was delivered, marked or trimmed.
//!
//! Ultra Ethernet Specification 1.0, section 3.6 (multipath path selection); `uec_mp.cpp` of the consortium's simulator.

use congestree_units::Time;

use crate::check::{Check, Diagnostics};

/// What happened to a packet with some entropy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fared {
    /// It came in, unmarked.
    Good,
    /// It came in marked.
    Marked,
    /// It lost its payload on the way.
    Trimmed,
}

/// Chooses the entropy of every packet of one flow.
pub trait Paths {
    /// Called once, before anything else, with a number that is unique to this flow in the run, and that differs with
    /// the seed.
    fn at_flow(&mut self, _salt: u64) {}

    /// The entropy of the next packet. `window` is the number of packets that may be in flight, as far as the sender
    /// knows.
    fn next(&mut self, now: Time, window: u32) -> u16;

    /// An answer reports a packet with this entropy.
    fn on_answer(&mut self, _entropy: u16, _fared: Fared) {}

    /// A packet is assumed to be lost, and it is not known where.
    fn on_timeout(&mut self, _now: Time) {}

    /// Bytes of its state that it keeps outside itself, before anything has happened: for estimates of memory.
    fn boxed(&self) -> usize {
        0
    }
}

parts! {
    /// Any choice of paths a scenario can name.
    AnyPaths / PathsParams: Paths {
        /// All paths in turn, without regard to feedback.
        Oblivious = oblivious::Oblivious(ObliviousParams),
        /// All paths in turn, but those with penalties for marks and losses are skipped.
        Bitmap = bitmap::Bitmap(BitmapParams),
        /// REPS: paths whose packets were acknowledged without a mark are used again.
        Reps = reps::Reps(RepsParams),
        /// Paths whose packets were acknowledged without a mark are used again; if there are none, paths are chosen by
        /// penalties, as by `bitmap`.
        Mixed = mixed::Mixed(MixedParams),
    }
}

impl Paths for AnyPaths {
    fn at_flow(&mut self, salt: u64) {
        each!(self, part => part.at_flow(salt));
    }

    fn next(&mut self, now: Time, window: u32) -> u16 {
        each!(self, part => part.next(now, window))
    }

    fn on_answer(&mut self, entropy: u16, fared: Fared) {
        each!(self, part => part.on_answer(entropy, fared));
    }

    fn on_timeout(&mut self, now: Time) {
        each!(self, part => part.on_timeout(now));
    }

    fn boxed(&self) -> usize {
        each!(self, part => part.boxed())
    }
}

/// Checks the number of paths: those taken in turn by exclusive or must be a power of two.
fn check_turns(count: u16, found: &mut Diagnostics) {
    if !count.is_power_of_two() {
        let fact = format!("paths take their turns by exclusive or, and {count} is not a power of two");
        found.report("paths", fact, "take 1, 2, 4, ... up to 256");
    }
}

/// Pseudo-random numbers from the salt of a flow: `route::mixed` of a counter.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Draws {
    salt: u64,
    count: u64,
}

impl Draws {
    pub(crate) fn of(salt: u64) -> Self {
        Self { salt, count: 0 }
    }

    /// One of this many.
    pub(crate) fn below(&mut self, many: u16) -> u16 {
        self.count += 1;
        let bits = crate::switch::route::mixed(self.salt ^ crate::switch::route::mixed(self.count));
        crate::switch::route::one_of(bits, u32::from(many.max(1))) as u16
    }
}
