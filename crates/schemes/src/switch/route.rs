//! Which of several equally short paths a packet takes.
//!
//! A router belongs to a switch and is called for every packet that could leave by more than one port. Without one,
//! routes are fixed for the whole run. Some routers send packets on a detour over another host's switch instead: they
//! are called once for every packet, at the switch of its host.

use congestree_units::{Bytes, Time};

use crate::check::{Diagnostics, Setting};

/// A packet that may take several paths.
#[derive(Clone, Copy, Debug)]
pub struct Passing {
    /// The instant.
    pub now: Time,
    /// What all packets of its flow and direction have in common, like the 5-tuple.
    pub label: u64,
}

/// A complete path to the destination.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathLoad {
    /// Links between switches.
    pub hops: u32,
    /// Bytes that wait for its first output.
    pub waiting: Bytes,
    /// Bytes that wait for all its outputs, for routers that know them.
    pub along: Bytes,
}

impl PathLoad {
    /// This path, and another one from its end.
    pub fn then(self, other: PathLoad) -> PathLoad {
        PathLoad { hops: self.hops + other.hops, along: Bytes(self.along.0 + other.along.0), ..self }
    }
}

/// Chooses among equally short paths, at one switch.
pub trait Router {
    /// Called once, before anything else, with a number that is unique to this switch in the run, and that differs with
    /// the seed.
    fn at_switch(&mut self, _salt: u64) {}

    /// Which of this many paths (at least two) the packet takes. `waiting` gives the bytes that wait for each of them,
    /// `draw` draws a number in [0, 1). A router that does not choose, since its packets follow fixed routes between
    /// the ends of a detour, takes the first.
    #[inline]
    fn choose(
        &mut self,
        _packet: Passing,
        _candidates: u32,
        _waiting: impl Fn(u32) -> u64,
        _draw: impl FnOnce() -> f64,
    ) -> u32 {
        0
    }

    /// What `choose` will return for a packet with this label, if it depends on nothing else: then the fabric can
    /// prefetch the data of the next hop before the packet arrives.
    fn foretell(&self, _label: u64, _candidates: u32) -> Option<u32> {
        None
    }

    /// Which of several detours a packet takes instead of the direct path; none if it takes the direct one. Only
    /// routers with `detours` are asked.
    fn round(&mut self, _direct: PathLoad, _rounds: &[PathLoad]) -> Option<usize> {
        None
    }
}

/// What a router declares beside its parameters: the fabric and the checks of a scenario use nothing else.
pub trait RouterKind {
    /// Reports everything that cannot work, each at its field.
    fn check(&self, _setting: &Setting, _found: &mut Diagnostics) {}

    /// Whether it uses the number of waiting bytes. One that uses them and returns false sees no bytes; the common
    /// checks in `crates/schemes/tests` detect that.
    fn goes_by_queues(&self) -> bool;

    /// Switches choose at all.
    fn chooses(&self) -> bool {
        true
    }

    /// Detours over other switches that are drawn for every packet; none if packets take shortest paths.
    fn detours(&self) -> u32 {
        0
    }

    /// How often a packet may start a new path before its last switch: at the intermediate switch of a detour, and
    /// before that where it is asked again.
    fn turns(&self) -> u8 {
        u8::from(self.detours() > 0)
    }

    /// Whether it knows what waits at all switches of a path.
    fn knows_all_queues(&self) -> bool {
        false
    }

    /// Whether packets of a flow may overtake each other.
    fn reorders(&self) -> bool {
        self.chooses()
    }

    /// Whether links of different rates are the same to it, as to hardware that uses a hash.
    fn ignores_rates(&self) -> bool {
        false
    }
}

parts! {
    /// Any router a scenario can name.
    AnyRouter / RouteParams: Router {
        /// Packets always take the fixed routes.
        None = none::Fixed(NoParams),
        /// ECMP: a flow keeps the path that its hash selects.
        Ecmp = ecmp::Ecmp(EcmpParams),
        /// Packet spraying: every packet may take another path.
        Spray = spray::Spray(SprayParams),
        /// Flowlet switching: a flow may change its path after a gap between its packets.
        Flowlet = flowlet::Flowlet(FlowletParams),
        /// Adaptive routing: every packet takes the port for which the fewest bytes wait.
        LeastQueue = least_queue::LeastQueue(LeastQueueParams),
        /// Valiant routing: every packet first goes to the switch of a host drawn among all, so that a switch is drawn
        /// as often as it has hosts. If that is its own or the last switch, it goes directly.
        Valiant = valiant::Valiant(ValiantParams),
        /// UGAL: the minimal path, or a non-minimal path through an intermediate switch if the queues show that it is
        /// faster.
        Ugal = ugal::Ugal(UgalParams),
        /// Progressive adaptive routing, on a dragonfly: as ugal, but a packet on the minimal path may still change to
        /// a non-minimal one at the second switch of its group.
        Par = par::Par(ParParams),
    }
}

impl Router for AnyRouter {
    fn at_switch(&mut self, salt: u64) {
        each!(self, part => part.at_switch(salt));
    }

    #[inline]
    fn choose(
        &mut self,
        packet: Passing,
        candidates: u32,
        waiting: impl Fn(u32) -> u64,
        draw: impl FnOnce() -> f64,
    ) -> u32 {
        each!(self, part => part.choose(packet, candidates, waiting, draw))
    }

    #[inline]
    fn foretell(&self, label: u64, candidates: u32) -> Option<u32> {
        each!(self, part => part.foretell(label, candidates))
    }

    fn round(&mut self, direct: PathLoad, rounds: &[PathLoad]) -> Option<usize> {
        each!(self, part => part.round(direct, rounds))
    }
}

impl RouteParams {
    /// Switches choose at all.
    pub fn chooses(&self) -> bool {
        each_of!(self, kind => kind.chooses())
    }

    /// Whether they use the number of waiting bytes.
    pub fn goes_by_queues(&self) -> bool {
        each_of!(self, kind => kind.goes_by_queues())
    }

    /// Detours over other switches that are drawn for every packet; none if packets take shortest paths.
    pub fn detours(&self) -> u32 {
        each_of!(self, kind => kind.detours())
    }

    /// How often a packet may start a new path before its last switch.
    pub fn turns(&self) -> u8 {
        each_of!(self, kind => kind.turns())
    }

    /// Whether they know what waits at all switches of a path.
    pub fn knows_all_queues(&self) -> bool {
        each_of!(self, kind => kind.knows_all_queues())
    }

    /// Whether packets of a flow may overtake each other.
    pub fn reorders(&self) -> bool {
        each_of!(self, kind => kind.reorders())
    }

    /// Whether links of different rates are the same to them.
    pub fn ignores_rates(&self) -> bool {
        each_of!(self, kind => kind.ignores_rates())
    }
}

/// Every bit of the input affects every bit of the output (the finaliser of SplitMix64).
pub(crate) fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// One of `count` choices, by 64 uniformly distributed bits.
pub(crate) fn one_of(bits: u64, count: u32) -> u32 {
    ((u128::from(bits) * u128::from(count)) >> 64) as u32
}

/// One of `count` choices, by a number in [0, 1).
pub(crate) fn drawn(draw: f64, count: u32) -> u32 {
    ((draw * f64::from(count)) as u32).min(count - 1)
}
