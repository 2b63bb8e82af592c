//! Output-triggered marking: only the number of packets for an output counts.
//!
//! The policy that the ECN evaluation (section IV.C) rejects: with few inputs competing, an input buffer can fill and
//! spread congestion while no output ever sees its threshold passed.

use serde::{Deserialize, Serialize};

use super::{Action, Departing, Marker, OutputView, counter::MarkingCredit};

/// Parameters of output-triggered marking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OutputTriggeredParams {
    /// An arrival that makes the packets for an output more than this many is a trigger. Default 8.
    pub output_threshold: u32,
}

impl Default for OutputTriggeredParams {
    fn default() -> Self {
        Self { output_threshold: 8 }
    }
}

/// The marker of one output.
#[derive(Clone, Debug)]
pub struct OutputTriggered {
    credit: MarkingCredit,
    output_threshold: u32,
}

impl OutputTriggered {
    /// A marker with nothing due.
    pub fn new(params: &OutputTriggeredParams) -> Self {
        Self { credit: MarkingCredit::default(), output_threshold: params.output_threshold }
    }
}

impl Marker for OutputTriggered {
    fn full_at(&self, _capacity: u32) -> Option<u32> {
        None
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
