//! Which packets a switch marks, and when.
//!
//! A marker sits at an output (and lane). It hears of four things: an input buffer that holds packets for its output
//! has become full; a packet for its output has come in; a queue that feeds its output has grown or shrunk; a packet
//! starts to leave by its output.

use congestree_units::{Bytes, Rate, Span, Time};

use crate::check::{Check, Complaints, QueuedBy, Setting};
use shared::sample::Sampling;

/// What a marker may see of its output.
#[derive(Clone, Copy, Debug)]
pub struct OutputView {
    /// The instant.
    pub now: Time,
    /// Data packets for this output in the switch, the one being sent included.
    pub present: u32,
    /// Bytes that wait for this output in the lane, without a packet that starts to leave. Zero where no marker asks for it.
    pub waiting: u64,
    /// When flow control last held this output while a packet waited (`now` if it does at this instant).
    pub last_blocked: Option<Time>,
}

impl HoldView {
    /// Nothing holds it.
    pub const NONE: HoldView = HoldView { swing: Bytes(0), feedback: Span::ZERO };
}

impl OutputView {
    /// Flow control has held this output within the last `span`.
    pub fn blocked_within(&self, span: Span) -> bool {
        self.last_blocked.is_some_and(|at| self.now.since(at) <= span)
    }
}

/// Where a marker sits.
#[derive(Clone, Copy, Debug)]
pub struct PortView {
    /// Number of the output at its switch: the one printed on it, or else counted from 1.
    pub number: u16,
    /// A host is at the other end of its link.
    pub to_host: bool,
    /// Input buffer of the switch, per port and lane.
    pub buffer: Bytes,
    /// The lane.
    pub lane: u8,
    /// Rate of its link.
    pub rate: Rate,
    /// How flow control holds it.
    pub hold: HoldView,
}

/// How flow control holds an output, for a marker that tells a held output from a congested one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HoldView {
    /// Bytes that the buffer behind its link fills from letting it go until it stops it again: between the end of a pause
    /// and the next one (XOFF - XON), or all of it where credits say how much room there is.
    pub swing: Bytes,
    /// From the filling of that buffer until the output hears of it and its last packet is there.
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
    /// It leaves a queue that was set aside for congested flows.
    pub aside: bool,
}

/// What became of the congestion state of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateChange {
    /// Nothing.
    None,
    /// It was entered.
    Entered,
    /// It was left.
    Left,
}

/// What a marker wants done at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkAction {
    /// Nothing.
    None,
    /// The marker has taken note and will mark departures to come.
    Noted,
    /// Mark what waits for this output in the buffer that became full.
    MarkBuffer,
    /// Mark whatever waits for this output in the switch.
    MarkWaiting,
}

/// Decides which packets are marked at one output.
pub trait Marker {
    /// It marks at all.
    fn marks(&self) -> bool {
        true
    }

    /// How many packets in an input buffer with room for `capacity` count as full, for `on_full`; `None` if it has
    /// nothing to say then, which saves the switch from looking.
    fn full_at(&self, capacity: u32) -> Option<u32> {
        Some(capacity)
    }

    /// A buffer became full in which packets wait for this output.
    fn on_full(&mut self, _output: OutputView) -> MarkAction {
        MarkAction::None
    }

    /// A data packet for this output came in (and is counted in `present`).
    fn on_arrival(&mut self, _output: OutputView) -> MarkAction {
        MarkAction::None
    }

    /// Told once, before anything else: where it sits.
    fn at_port(&mut self, _port: PortView) {}

    /// It has to be told of queues that grow and shrink, which saves others from counting bytes.
    fn watches_fill(&self) -> bool {
        false
    }

    /// It goes by what waits for its output in all queues together, and has to be told when a packet leaves.
    fn watches_waiting(&self) -> bool {
        false
    }

    /// One that watches what waits: it need not be told of departures while fewer bytes wait.
    fn asks_from(&self) -> u64 {
        0
    }

    /// A queue for this output has grown or shrunk. `has_credit` tells whether a full packet could be sent now, `above`
    /// how many of the queues for this output hold more than so many bytes.
    fn on_fill(
        &mut self,
        _fill: FillView,
        _has_credit: impl FnOnce() -> bool,
        _above: impl FnOnce(u32) -> u16,
    ) -> StateChange {
        StateChange::None
    }

    /// It need not be told of a queue that stays at or below so many bytes, until it has been told of another change.
    fn low_watermark(&self) -> u32 {
        0
    }

    /// It need not be told of a queue that stays above so many bytes, until it has been told of another change.
    fn high_watermark(&self) -> u32 {
        u32::MAX
    }

    /// It need not be told of departures, until it has been told of another change of a queue.
    fn ignores_departures(&self) -> bool {
        false
    }

    /// It has to be told of queues that isolation takes for roots of trees.
    fn follows_roots(&self) -> bool {
        false
    }

    /// A queue of which this output is the root counts as congested from now on, or no longer.
    fn on_root(&mut self, _counts: bool) -> StateChange {
        StateChange::None
    }

    /// A data packet starts to leave by this output (and is out of its queue): is it marked? `draw` draws a number in
    /// [0, 1).
    fn on_departure(&mut self, _output: OutputView, _packet: Departing, _die: impl FnOnce() -> f64) -> bool {
        false
    }

    /// A packet that `on_departure` did not mark leaves: has flow control held the output of late, so that its queue
    /// proves nothing?
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

    /// Switches must count the packets that they hold, from routable to tail gone.
    pub fn counts_packets(&self) -> bool {
        self.marks() && !self.watches_fill() && !self.watches_waiting() && !self.follows_roots()
    }

    /// It marks where isolation finds roots.
    pub fn follows_roots(&self) -> bool {
        self.build().follows_roots()
    }

    /// How many packets in an input buffer of `capacity` packets count as full; `None` if nobody asks.
    pub fn full_at(&self, capacity: u32) -> Option<u32> {
        self.build().full_at(capacity)
    }
}

/// How many packets in a buffer count as full: some, and no more than it holds.
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

/// How many packets may be in the switch for an output that marks nothing.
fn check_output_threshold(threshold: u32, found: &mut Complaints) {
    if threshold == 0 {
        found.complain("output_threshold", "every packet would be marked", "make it at least 1");
    }
}

/// A share takes the place of a rate, and only packets chosen at random come in any share.
fn check_share(share: Option<f64>, choice: Sampling, found: &mut Complaints) {
    if share.is_some() && choice == Sampling::EveryNth {
        let fact = "a share of packets is marked at random, and here every n-th packet is marked";
        found.complain("share", fact, "leave it out, or write choice = \"random\"");
    }
}

/// What tells a held output from a congested one asks of switches and links: a queue for each output, which flow control
/// may hold.
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
