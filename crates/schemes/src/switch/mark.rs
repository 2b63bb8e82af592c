//! Which packets a switch marks, and when.
//!
//! A marker belongs to an output (and lane). It is notified of four things: an input buffer that holds packets for its
//! output has become full; a packet for its output has arrived; a queue that feeds its output has grown or shrunk; a
//! packet starts to leave by its output.

use congestree_units::{Bytes, Rate, Span, Time};

use crate::check::{Check, Complaints, QueuedBy, Setting};
use shared::sample::Sampling;

/// What a marker may know of its output.
#[derive(Clone, Copy, Debug)]
pub struct OutputView {
    /// The instant.
    pub now: Time,
    /// Data packets for this output in the switch, including the one being sent.
    pub present: u32,
    /// Bytes that wait for this output in the lane, without a packet that starts to leave. Zero if no marker needs it.
    pub waiting: u64,
    /// When flow control last blocked this output while a packet waited (`now` if it does at this time).
    pub last_blocked: Option<Time>,
}

impl HoldView {
    /// Nothing holds it.
    pub const NONE: HoldView = HoldView { swing: Bytes(0), feedback: Span::ZERO };
}

impl OutputView {
    /// Whether flow control has blocked this output within the last `span`.
    pub fn blocked_within(&self, span: Span) -> bool {
        self.last_blocked.is_some_and(|at| self.now.since(at) <= span)
    }
}

/// Where a marker sits.
#[derive(Clone, Copy, Debug)]
pub struct PortView {
    /// Number of the output at its switch: the one printed on it, or otherwise counted from 1.
    pub number: u16,
    /// Whether a host is at the other end of its link.
    pub to_host: bool,
    /// Input buffer of the switch, per port and lane.
    pub buffer: Bytes,
    /// The lane.
    pub lane: u8,
    /// Rate of its link.
    pub rate: Rate,
    /// How flow control blocks it.
    pub hold: HoldView,
}

/// How flow control blocks an output, for a marker that distinguishes a blocked output from a congested one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HoldView {
    /// Bytes by which the buffer behind its link fills between releasing it and stopping it again: between the end of a
    /// pause and the next one (XOFF - XON), or the whole buffer if credits report the free space.
    pub swing: Bytes,
    /// From the filling of that buffer until the output is notified and its last packet has arrived.
    pub feedback: Span,
}

/// A queue of one input for this output has changed: wire bytes that wait to start, before and after.
#[derive(Clone, Copy, Debug)]
pub struct FillView {
    /// Before the change.
    pub before: u32,
    /// After it.
    pub after: u32,
}

/// A data packet that starts to leave.
#[derive(Clone, Copy, Debug)]
pub struct Departing {
    /// Bytes on the wire.
    pub size: u32,
    /// Whether it leaves a queue that was set aside for congested flows.
    pub aside: bool,
}

/// A change of the congestion state of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateChange {
    /// Nothing.
    None,
    /// It was entered.
    Entered,
    /// It was left.
    Left,
}

/// What a marker requests to be done at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkAction {
    /// Nothing.
    None,
    /// The marker will mark future departures.
    Noted,
    /// Mark the packets for this output in the buffer that became full.
    MarkBuffer,
    /// Mark all packets that wait for this output in the switch.
    MarkWaiting,
}

/// Decides which packets are marked at one output.
pub trait Marker {
    /// It marks at all.
    fn marks(&self) -> bool {
        true
    }

    /// The number of packets in an input buffer with room for `capacity` that counts as full, for `on_full`; `None` if
    /// the marker ignores full buffers, which saves the switch the check.
    fn full_at(&self, capacity: u32) -> Option<u32> {
        Some(capacity)
    }

    /// A buffer became full in which packets wait for this output.
    fn on_full(&mut self, _output: OutputView) -> MarkAction {
        MarkAction::None
    }

    /// A data packet for this output arrived (and is counted in `present`).
    fn on_arrival(&mut self, _output: OutputView) -> MarkAction {
        MarkAction::None
    }

    /// Called once, before anything else: its position.
    fn at_port(&mut self, _port: PortView) {}

    /// Whether it must be notified of queues that grow and shrink; otherwise no bytes are counted.
    fn watches_fill(&self) -> bool {
        false
    }

    /// Whether it uses the sum of all queues for its output, and must be notified when a packet leaves.
    fn watches_waiting(&self) -> bool {
        false
    }

    /// If it uses that sum: it need not be notified of departures while fewer bytes wait.
    fn asks_from(&self) -> u64 {
        0
    }

    /// A queue for this output has grown or shrunk. `has_credit` says whether a full packet could be sent now, `above`
    /// how many of the queues for this output hold more than this many bytes.
    fn on_fill(
        &mut self,
        _fill: FillView,
        _has_credit: impl FnOnce() -> bool,
        _above: impl FnOnce(u32) -> u16,
    ) -> StateChange {
        StateChange::None
    }

    /// It need not be notified of a queue that stays at or below this many bytes, until it has been notified of another
    /// change.
    fn low_watermark(&self) -> u32 {
        0
    }

    /// It need not be notified of a queue that stays above this many bytes, until it has been notified of another
    /// change.
    fn high_watermark(&self) -> u32 {
        u32::MAX
    }

    /// It need not be notified of departures, until it has been notified of another change of a queue.
    fn ignores_departures(&self) -> bool {
        false
    }

    /// Whether it must be notified of queues that isolation considers roots of trees.
    fn follows_roots(&self) -> bool {
        false
    }

    /// A queue of which this output is the root counts as congested from now on, or no longer does.
    fn on_root(&mut self, _counts: bool) -> StateChange {
        StateChange::None
    }

    /// A data packet starts to leave by this output (and is out of its queue). Returns whether it is marked. `draw`
    /// draws a number in [0, 1).
    fn on_departure(&mut self, _output: OutputView, _packet: Departing, _die: impl FnOnce() -> f64) -> bool {
        false
    }

    /// A packet that `on_departure` did not mark leaves. Returns whether flow control has blocked the output recently,
    /// so that its queue proves nothing.
    fn is_undetermined(&self, _output: OutputView) -> bool {
        false
    }

    /// Departures that are still to be marked. For probes.
    fn due(&self) -> u32 {
        0
    }
}

parts! {
    /// Any marker a scenario can name.
    AnyMarker / MarkParams: Marker {
        /// Marks nothing.
        None = none::Unmarked(NoParams),
        /// Marks every packet that waits in an input buffer at the moment it becomes full.
        Naive = naive::Naive(NaiveParams),
        /// When an input buffer becomes full: marks the packets for every output that has a packet in it.
        InputTriggered = input_triggered::InputTriggered(InputTriggeredParams),
        /// As input-triggered, and also marks the packets for an output when more of them than a threshold are in the
        /// switch.
        InputOutputTriggered = input_output_triggered::InputOutputTriggered(InputOutputTriggeredParams),
        /// Marks the packets for an output when more of them than a threshold are in the switch.
        OutputTriggered = output_triggered::OutputTriggered(OutputTriggeredParams),
        /// FECN marking of InfiniBand switches: marks while the queues for an output hold more than a threshold.
        Fecn = fecn::Fecn(FecnParams),
        /// ECN marking with RED: the marking probability grows with the queue of the output.
        Red = red::Red(RedParams),
        /// Marks at the roots of the congestion trees that an isolation scheme detects.
        Root = root::Root(RootParams),
        /// Ternary congestion detection (TCD): an output that flow control blocks is undetermined, not congested.
        Tcd = tcd::Tcd(TcdParams),
        /// NP-ECN, the marker of PCN: packets that a pause has held are not marked; after those, a packet is marked if
        /// another one waits behind it.
        NpEcn = np_ecn::NpEcn(NpEcnParams),
    }
}

mod shared;

impl Marker for AnyMarker {
    fn marks(&self) -> bool {
        each!(self, part => part.marks())
    }

    fn full_at(&self, capacity: u32) -> Option<u32> {
        each!(self, part => part.full_at(capacity))
    }

    fn on_full(&mut self, output: OutputView) -> MarkAction {
        each!(self, part => part.on_full(output))
    }

    fn on_arrival(&mut self, output: OutputView) -> MarkAction {
        each!(self, part => part.on_arrival(output))
    }

    fn at_port(&mut self, port: PortView) {
        each!(self, part => part.at_port(port));
    }

    fn watches_fill(&self) -> bool {
        each!(self, part => part.watches_fill())
    }

    fn watches_waiting(&self) -> bool {
        each!(self, part => part.watches_waiting())
    }

    fn asks_from(&self) -> u64 {
        each!(self, part => part.asks_from())
    }

    #[inline]
    fn on_fill(
        &mut self,
        fill: FillView,
        has_credit: impl FnOnce() -> bool,
        above: impl FnOnce(u32) -> u16,
    ) -> StateChange {
        each!(self, part => part.on_fill(fill, has_credit, above))
    }

    #[inline]
    fn low_watermark(&self) -> u32 {
        each!(self, part => part.low_watermark())
    }

    #[inline]
    fn high_watermark(&self) -> u32 {
        each!(self, part => part.high_watermark())
    }

    #[inline]
    fn ignores_departures(&self) -> bool {
        each!(self, part => part.ignores_departures())
    }

    fn follows_roots(&self) -> bool {
        each!(self, part => part.follows_roots())
    }

    fn on_root(&mut self, counts: bool) -> StateChange {
        each!(self, part => part.on_root(counts))
    }

    #[inline]
    fn on_departure(&mut self, output: OutputView, packet: Departing, draw: impl FnOnce() -> f64) -> bool {
        each!(self, part => part.on_departure(output, packet, draw))
    }

    #[inline]
    fn is_undetermined(&self, output: OutputView) -> bool {
        each!(self, part => part.is_undetermined(output))
    }

    fn due(&self) -> u32 {
        each!(self, part => part.due())
    }
}

impl MarkParams {
    /// There is a marker at all.
    pub fn marks(&self) -> bool {
        self.build().marks()
    }

    /// Switches must count the bytes of every queue.
    pub fn watches_fill(&self) -> bool {
        self.build().watches_fill()
    }

    /// Switches must count the bytes that wait for every output.
    pub fn watches_waiting(&self) -> bool {
        self.build().watches_waiting()
    }

    /// Switches must count the packets that they hold, from the time they can be routed until their tail has left.
    pub fn counts_packets(&self) -> bool {
        self.marks() && !self.watches_fill() && !self.watches_waiting() && !self.follows_roots()
    }

    /// Whether it marks at the roots that isolation finds.
    pub fn follows_roots(&self) -> bool {
        self.build().follows_roots()
    }

    /// The number of packets in an input buffer of `capacity` packets that counts as full; `None` if it is not needed.
    pub fn full_at(&self, capacity: u32) -> Option<u32> {
        self.build().full_at(capacity)
    }
}

/// Checks the number of packets that counts as full: at least one, and no more than the buffer holds.
fn check_trigger(trigger: Option<u32>, setting: &Setting, found: &mut Complaints) {
    match (trigger, setting.buffer_packets) {
        (Some(0), _) => found.complain("trigger", "an empty buffer would count as full", "make it at least 1"),
        (Some(trigger), Some(units)) if trigger > units => found.complain(
            "trigger",
            format!("a buffer never holds {trigger} packets: it has room for {units} at most"),
            "make it smaller, or switches.buffer larger",
        ),
        _ => {}
    }
}

/// Checks the threshold of packets in the switch for an output without marks.
fn check_output_threshold(threshold: u32, found: &mut Complaints) {
    if threshold == 0 {
        found.complain("output_threshold", "every packet would be marked", "make it at least 1");
    }
}

/// A share replaces a rate, and only packets chosen at random can have any share.
fn check_share(share: Option<f64>, choice: Sampling, found: &mut Complaints) {
    if share.is_some() && choice == Sampling::EveryNth {
        let fact = "a share of packets is marked at random, and here every n-th packet is marked";
        found.complain("share", fact, "leave it out, or write choice = \"random\"");
    }
}

/// Requirements of a marker that distinguishes blocked from congested outputs: a queue for each output, which flow
/// control may block.
fn check_holds(setting: &Setting, found: &mut Complaints) {
    if setting.queues != QueuedBy::Output {
        let fact = "it observes the queues for one output, and there are no such queues";
        found.complain("", fact, "write switches.queues = \"voq\"");
    }
    if !setting.holds {
        let fact = "it distinguishes held outputs from congested ones, and links without flow control hold none";
        found.complain("", fact, "take links.flow_control = \"pfc\" or credits, or scheme.mark = \"red\"");
    }
    if setting.output_buffers {
        let fact = "what waits in the buffer of an output would not be seen";
        found.complain_of("switches.output_buffer", fact, "leave it out, or take another scheme.mark");
    }
}
