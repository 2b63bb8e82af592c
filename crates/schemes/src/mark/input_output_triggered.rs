//! Input-output-triggered marking: a full input buffer marks as in input-triggered marking, and so does an output for
//! which more packets are in the switch than a threshold.
//!
//! The second trigger sees bursts from several inputs at once, which no single full buffer would show: it penalises
//! flows with a buffer to themselves, as the first one penalises flows that share one (HPL-2002-4 section 5).

use serde::{Deserialize, Serialize};

use super::{Action, Departing, Marker, OutputView, counter::MarkingCredit};

/// Parameters of input-output-triggered marking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct InputOutputTriggeredParams {
    /// Packets in a buffer that count as full. Default: when no further packet fits.
    pub trigger: Option<u32>,
    /// An arrival that makes the packets for an output more than this many is a trigger. Default 8.
    pub output_threshold: u32,
}

impl Default for InputOutputTriggeredParams {
    fn default() -> Self {
        Self { trigger: None, output_threshold: 8 }
    }
}

/// The marker of one output.
#[derive(Clone, Debug)]
pub struct InputOutputTriggered {
    credit: MarkingCredit,
    trigger: Option<u32>,
    output_threshold: u32,
}

impl InputOutputTriggered {
    /// A marker with nothing due.
    pub fn new(params: &InputOutputTriggeredParams) -> Self {
        Self { credit: MarkingCredit::default(), trigger: params.trigger, output_threshold: params.output_threshold }
    }
}

impl Marker for InputOutputTriggered {
    fn full_at(&self, capacity: u32) -> Option<u32> {
        Some(self.trigger.unwrap_or(capacity))
    }

    fn on_full(&mut self, output: OutputView) -> Action {
        self.credit.reload(output.present);
        Action::Noted
    }

    fn on_arrival(&mut self, output: OutputView) -> Action {
        if output.present <= self.output_threshold {
            return Action::None;
        }
        self.credit.reload(output.present);
        Action::Noted
    }

    fn on_departure(&mut self, _output: OutputView, _packet: Departing, _die: impl FnOnce() -> f64) -> bool {
        self.credit.spend()
    }

    fn due(&self) -> u32 {
        self.credit.due
    }
}
