//! No transport: lost packets stay lost. Flows of this kind are handled by the fabric alone, with a window if there is
//! one; this part only represents them, and for completeness it sends its numbers in order, once.

use congestree_units::{Bytes, Time};

use super::numbers::Numbers;
use super::{Ack, Gauges, HostLink, Next, ReceiverParams, Transport, TransportKind};
pub use crate::check::NoParams;

impl TransportKind for NoParams {
    fn receiver(&self) -> Option<ReceiverParams> {
        None
    }

    fn leaves_the_rate(&self) -> bool {
        true
    }
}

/// Sends everything once.
#[derive(Clone, Debug, Default)]
pub struct Unrepeated {
    numbers: Numbers,
}

impl Unrepeated {
    /// Nothing sent yet.
    pub fn new(_params: &NoParams) -> Self {
        Self::default()
    }
}

impl Transport for Unrepeated {
    fn on_work(&mut self, _now: Time, end: u32, _link: HostLink) {
        self.numbers.extend(end);
    }

    fn on_cut(&mut self, _now: Time) -> u32 {
        self.numbers.cut()
    }

    fn on_sent(&mut self, _now: Time, _size: Bytes, _link: HostLink) {
        self.numbers.sent();
    }

    fn on_ack(&mut self, _now: Time, ack: Ack, _link: HostLink) {
        self.numbers.acknowledge(ack.number);
    }

    fn on_timer(&mut self, _now: Time, _link: HostLink) {}

    fn next_timer(&self) -> Time {
        Time::NEVER
    }

    fn next(&self) -> Option<Next> {
        self.numbers.due().map(|sequence| Next::at_once(sequence, false))
    }

    fn sent(&self) -> u32 {
        self.numbers.top
    }

    fn acknowledged(&self) -> u32 {
        self.numbers.first
    }

    fn in_flight(&self) -> u32 {
        self.numbers.flight()
    }

    fn gauges(&self) -> Gauges {
        Gauges::default()
    }
}
