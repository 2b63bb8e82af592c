//! How a source reacts to feedback: the rate at which it may send.

use congestree_units::{Bytes, Rate, Span, Time};

use crate::check::Check;
use crate::host::bounds::MostWindow;
use crate::switch::telemetry::{Seen, Telemetry};

/// The feedback about a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feedback {
    /// A packet was delivered that met no congestion.
    #[default]
    Clear,
    /// A packet was delivered that was marked.
    Congested,
    /// A packet was delivered that certainly met no congestion, but left an output that flow control had blocked
    /// recently, so its queue proves nothing. The source keeps its rate.
    Undetermined,
}

/// What an ACK tells.
#[derive(Clone, Copy, Debug)]
pub struct Acked<'a> {
    /// Feedback about the packets that it acknowledges; the same for all of them.
    pub feedback: Feedback,
    /// Time since the start of the packet that caused it.
    pub round_trip: Span,
    /// Packets that are newly known to have arrived; none if all were known before.
    pub packets: u32,
    /// Packets that were sent and are not known to have arrived.
    pub outstanding: u32,
    /// The telemetry that switches on the path have written into the packet that caused it, if it carries telemetry.
    pub telemetry: Option<Seen<'a>>,
}

impl Acked<'_> {
    /// The ACK of a single packet that was alone in flight.
    pub fn one(feedback: Feedback, round_trip: Span) -> Self {
        Self { feedback, round_trip, packets: 1, outstanding: 0, telemetry: None }
    }
}

/// How a transport detected a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossSignal {
    /// By packets after them that have arrived.
    Told,
    /// By a timeout without any answer.
    Timeout,
}

/// The inputs that a reaction point needs: each declares them beside its mechanism, and the fabric uses nothing else.
///
/// Inputs that are not needed cost nothing, so a reaction point requests no more than it uses. One that fails to
/// request an input is detected by the common checks in `crates/schemes/tests`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Needs {
    /// It reacts to marks: they must be reported to the source.
    pub marks: bool,
    /// Whether a packet is marked makes no difference to it: its ACKs bring it other signs of congestion.
    pub ignores_marks: bool,
    /// `at_link` tells it its position, so that reaction points of different hosts differ.
    pub placement: bool,
    /// `on_sent` is called for every packet, from the first on, and not only after the first feedback.
    pub every_packet: bool,
    /// `on_ack` is called for every ACK, marked or not: notifications of marks are not enough.
    pub acks: bool,
    /// `window` limits the unacknowledged packets.
    pub window: bool,
    /// The flows of a host and service level share one.
    pub shared: bool,
    /// ACKs return the telemetry that switches have written into packets.
    pub telemetry: Telemetry,
}

impl Needs {
    /// It needs only marks, and notifications may report them.
    pub const MARKS: Needs = Needs {
        marks: true,
        ignores_marks: false,
        placement: false,
        every_packet: false,
        acks: false,
        window: false,
        shared: false,
        telemetry: Telemetry::None,
    };
    /// Every ACK, marked or not.
    pub const ACKS: Needs = Needs { acks: true, ..Needs::MARKS };

    /// Whether every source needs one of its own from the start, because those without feedback are not all equal.
    pub fn differs(self) -> bool {
        self.placement || self.every_packet || self.window
    }
}

/// The packet that a source sent last.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// When it started.
    pub start: Time,
    /// Its time on the source's link.
    pub time: Span,
    /// The time of a full packet there.
    pub full: Span,
    /// The rate of that link when the packet started; a failing link changes it.
    pub line: Rate,
}

impl Sent {
    /// From its start to that of the next packet at this rate (bit/s): none if the link is no faster.
    pub fn gap(&self, rate: f64) -> Span {
        let line = self.line.0 as f64;
        if rate >= line { Span::ZERO } else { self.time.scaled(line / rate) }
    }
}

/// The pace of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// As fast as the link accepts packets.
    LineRate,
    /// A packet may start this many packet times after the previous one started; at least one.
    Every(f64),
}

/// Decides the pace of one source.
pub trait ReactionPoint {
    /// What it needs. Called before the run, on one without feedback.
    fn needs(&self) -> Needs;

    /// Called once, before anything else: its position, if it needs that.
    fn at_link(&mut self, _link: LinkView) {}

    /// An ACK or a notification has arrived.
    fn on_feedback(&mut self, now: Time, feedback: Feedback);

    /// An ACK has arrived. By default, every packet that it acknowledges counts.
    fn on_ack(&mut self, now: Time, ack: &Acked<'_>) {
        (0..ack.packets.max(1)).for_each(|_| self.on_feedback(now, ack.feedback));
    }

    /// The transport of its flow has lost packets, and sends them again. Most reaction points use other signs of
    /// congestion.
    fn on_loss(&mut self, _now: Time, _loss: LossSignal) {}

    /// A packet starts, with this many bytes on the wire. Called before the first feedback only if it needs every
    /// packet.
    fn on_sent(&mut self, _now: Time, _size: Bytes) {}

    /// The allowed number of unacknowledged packets, if it sets one; called if it needs a window.
    fn window(&self) -> Option<u32> {
        None
    }

    /// Bytes of its state that it keeps outside itself, before anything has happened: for estimates of memory.
    fn boxed(&self) -> usize {
        0
    }

    /// Its largest window, if a parameter bounds that whatever the path. Called after `at_link`.
    fn most_window(&self) -> Option<MostWindow> {
        None
    }

    /// Whether it behaves from now on as in its initial state, before any feedback.
    fn at_initial_state(&self, _now: Time) -> bool {
        false
    }

    /// The earliest start of the packet after `last`, if there is no further feedback.
    fn next_start(&self, last: Sent) -> Time;

    /// The rate limit as R_max/r: 1 at line rate, 256 at a 256th of it; `full` is the time of a full packet. For probes.
    fn limit(&self, now: Time, full: Span) -> f64;

    /// From the start of a packet to that of the next, as the limit at `now` has it. For probes: it says what is allowed
    /// now, and `next_start` when something will be.
    fn gap(&self, now: Time, last: Sent) -> Span {
        last.time.scaled(self.limit(now, last.full))
    }
}

impl Pace {
    /// The earliest start of the packet after `last`.
    fn next_start(self, last: Sent) -> Time {
        match self {
            Pace::LineRate => last.start + last.time,
            Pace::Every(times) => last.start + last.time.scaled(times),
        }
    }
}

parts! {
    /// Any reaction point a scenario can name.
    AnyReaction / ReactParams: ReactionPoint {
        /// Ignores marks: sources are not throttled.
        None = none::Unthrottled(NoParams),
        /// Linear inter-packet delay (LIPD): each mark makes the delay longer by one packet time.
        Lipd = lipd::Lipd(LipdParams),
        /// Fast increase, multiplicative decrease (FIMD).
        Fimd = fimd::Fimd(FimdParams),
        /// Additive increase, multiplicative decrease (AIMD).
        Aimd = aimd::Aimd(AimdParams),
        /// InfiniBand's congestion control table (CCT): inter-packet delays by an index that BECNs raise and a timer
        /// lowers.
        Cct = cct::Cct(CctParams),
        /// DCQCN, the rate control of RoCE adapters: CNPs cut the rate, a timer and a byte counter raise it again.
        Dcqcn = dcqcn::Dcqcn(DcqcnParams),
        /// DCTCP: a window that shrinks in proportion to the share of marked packets.
        Dctcp = dctcp::Dctcp(DctcpParams),
        /// TIMELY: a rate that follows the gradient of the round-trip time.
        Timely = timely::Timely(TimelyParams),
        /// HPCC: a window and a rate computed from telemetry (INT), which keep the busiest link just below full
        /// utilisation.
        Hpcc = hpcc::Hpcc(HpccParams),
        /// PowerTCP: a window and a rate that follow the power (current times voltage) of the busiest link.
        PowerTcp = power_tcp::PowerTcp(PowerTcpParams),
        /// Swift: a window that keeps the round-trip time at a target.
        Swift = swift::Swift(SwiftParams),
        /// PCN: the rate of a congested flow falls to the rate at which its packets arrive, and then rises slowly.
        Pcn = pcn::Pcn(PcnParams),
    }
}

mod shared;

pub use crate::host::link_view::LinkView;
pub use shared::WindowBound;

impl ReactionPoint for AnyReaction {
    fn needs(&self) -> Needs {
        each!(self, part => part.needs())
    }

    fn at_link(&mut self, link: LinkView) {
        each!(self, part => part.at_link(link));
    }

    fn on_feedback(&mut self, now: Time, feedback: Feedback) {
        each!(self, part => part.on_feedback(now, feedback));
    }

    fn on_ack(&mut self, now: Time, ack: &Acked<'_>) {
        each!(self, part => part.on_ack(now, ack));
    }

    fn on_loss(&mut self, now: Time, loss: LossSignal) {
        each!(self, part => part.on_loss(now, loss));
    }

    #[inline]
    fn on_sent(&mut self, now: Time, size: Bytes) {
        each!(self, part => part.on_sent(now, size));
    }

    fn window(&self) -> Option<u32> {
        each!(self, part => part.window())
    }

    fn boxed(&self) -> usize {
        each!(self, part => part.boxed())
    }

    fn most_window(&self) -> Option<MostWindow> {
        each!(self, part => part.most_window())
    }

    #[inline]
    fn at_initial_state(&self, now: Time) -> bool {
        each!(self, part => part.at_initial_state(now))
    }

    fn next_start(&self, last: Sent) -> Time {
        each!(self, part => part.next_start(last))
    }

    fn limit(&self, now: Time, full: Span) -> f64 {
        each!(self, part => part.limit(now, full))
    }

    fn gap(&self, now: Time, last: Sent) -> Span {
        each!(self, part => part.gap(now, last))
    }
}

impl ReactParams {
    /// The inputs that a reaction point with these parameters needs. They need not have been checked.
    pub fn needs(&self) -> Needs {
        self.build().needs()
    }

    /// The largest window of a flow at this position, if a parameter bounds that whatever the path.
    pub fn most_window(&self, link: LinkView) -> Option<MostWindow> {
        let mut source = self.build();
        source.at_link(link);
        source.most_window()
    }
}
