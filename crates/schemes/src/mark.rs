//! Which packets a switch marks, and when.
//!
//! A marker sits at an output (and lane). It hears of three things: an input buffer that holds packets for its output
//! has become full; a packet for its output has come in; a packet starts to leave by its output.

use congestree_units::{Span, Time};

/// What a marker may see of its output.
#[derive(Clone, Copy, Debug)]
pub struct OutputView {
    /// The instant.
    pub now: Time,
    /// Data packets for this output in the switch, the one being sent included.
    pub present: u32,
    /// When flow control last held this output while a packet waited (`now` if it does at this instant).
    pub last_blocked: Option<Time>,
}

impl OutputView {
    /// Flow control has held this output within the last `span`.
    pub fn blocked_within(&self, span: Span) -> bool {
        self.last_blocked.is_some_and(|at| self.now.since(at) <= span)
    }
}

/// What a marker wants done at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
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
    /// How many packets in an input buffer with room for `capacity` count as full, for `on_full`; `None` if it has
    /// nothing to say then, which saves the switch from looking.
    fn full_at(&self, capacity: u32) -> Option<u32> {
        Some(capacity)
    }

    /// A buffer became full in which packets wait for this output.
    fn on_full(&mut self, _output: OutputView) -> Action {
        Action::None
    }

    /// A data packet for this output came in (and is counted in `present`).
    fn on_arrival(&mut self, _output: OutputView) -> Action {
        Action::None
    }

    /// A data packet starts to leave by this output: is it marked?
    fn on_departure(&mut self, _output: OutputView) -> bool {
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
        /// Marks every packet that waits in a buffer when it becomes full.
        Naive = naive::Naive(NaiveParams),
        /// Marks the packets for every output that has a packet in a buffer that became full.
        InputTriggered = input_triggered::InputTriggered(InputTriggeredParams),
        /// The same, and also when more packets than a threshold are in the switch for an output.
        InputOutputTriggered = input_output_triggered::InputOutputTriggered(InputOutputTriggeredParams),
        /// Marks only when more packets than a threshold are in the switch for an output.
        OutputTriggered = output_triggered::OutputTriggered(OutputTriggeredParams),
    }
}

mod counter;

impl Marker for AnyMarker {
    fn full_at(&self, capacity: u32) -> Option<u32> {
        each!(self, part => part.full_at(capacity))
    }

    fn on_full(&mut self, output: OutputView) -> Action {
        each!(self, part => part.on_full(output))
    }

    fn on_arrival(&mut self, output: OutputView) -> Action {
        each!(self, part => part.on_arrival(output))
    }

    fn on_departure(&mut self, output: OutputView) -> bool {
        each!(self, part => part.on_departure(output))
    }

    fn due(&self) -> u32 {
        each!(self, part => part.due())
    }
}

impl MarkParams {
    /// There is a marker at all: switches must count what they hold.
    pub fn marks(&self) -> bool {
        !matches!(self, MarkParams::None(_))
    }

    /// How many packets in an input buffer of `capacity` packets count as full; `None` if nobody asks.
    pub fn full_at(&self, capacity: u32) -> Option<u32> {
        self.build().full_at(capacity)
    }
}
