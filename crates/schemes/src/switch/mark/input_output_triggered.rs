//! Input-output-triggered marking: a full input buffer marks as in input-triggered marking, and so does an output for
//! which more packets are in the switch than a threshold.
//!
//! The second trigger detects bursts from several inputs at once, which no single full buffer would show: it penalises
//! flows with an input buffer of their own, as the first one penalises flows that share one (HPL-2002-4 section 5).

use serde::{Deserialize, Serialize};

use super::shared::counter::{MarkingTrigger, Triggered};
use super::{MarkAction, OutputView, check_output_threshold, check_trigger};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of input-output-triggered marking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct InputOutputTriggeredParams {
    /// Number of packets at which a buffer counts as full. Default: as many full ones as fit into the lane's buffer, or
    /// with pfc below its XOFF threshold. Where an input has no buffer of its own, none is ever full.
    pub trigger: Option<u32>,
    /// The trigger: a packet arrives and more than this many packets for its output are in the switch. Default 8.
    pub output_threshold: u32,
}

impl Default for InputOutputTriggeredParams {
    fn default() -> Self {
        Self { trigger: None, output_threshold: 8 }
    }
}

impl Check for InputOutputTriggeredParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        check_trigger(self.trigger, setting, found);
        check_output_threshold(self.output_threshold, found);
    }
}

/// The marker of one output.
pub type InputOutputTriggered = Triggered<InputOutputTriggeredParams>;

impl MarkingTrigger for InputOutputTriggeredParams {
    fn full_at(&self, capacity: u32) -> Option<u32> {
        Some(self.trigger.unwrap_or(capacity))
    }

    fn at_full(&self, _output: OutputView) -> MarkAction {
        MarkAction::Noted
    }

    fn threshold(&self) -> Option<u32> {
        Some(self.output_threshold)
    }
}
