//! What a marker is told and what it answers.

use congestree_units::{Bytes, Rate, Span, Time};

use super::shared::level::MarksAbove;

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

impl HoldView {
    /// Nothing holds it.
    pub const NONE: HoldView = HoldView { swing: Bytes(0), feedback: Span::ZERO };
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
    /// Whether it leaves a set-aside queue, in which congested flows are isolated.
    pub isolated: bool,
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

    /// Whether it must be notified of packets without data that leave, too.
    fn follows_all(&self) -> bool {
        false
    }

    /// A packet without data starts to leave by this output (and is out of its queue), and the marker follows all.
    fn on_other_departure(&mut self, _output: OutputView) {}

    /// A packet that `on_departure` did not mark leaves. Returns whether flow control has blocked the output recently,
    /// so that its queue proves nothing.
    fn is_undetermined(&self, _output: OutputView) -> bool {
        false
    }

    /// The level up to which it marks nothing, if there is one: whatever else happens. Called after `at_port`.
    fn marks_above(&self) -> Option<MarksAbove> {
        None
    }

    /// Departures that are still to be marked. For probes.
    fn due(&self) -> u32 {
        0
    }
}
