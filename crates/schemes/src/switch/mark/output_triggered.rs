//! Output-triggered marking: only the number of packets for an output counts.
//!
//! The policy that the ECN evaluation (section IV.C) rejects: with few competing inputs, an input buffer can fill and
//! spread congestion although the threshold of no output is exceeded.

use serde::{Deserialize, Serialize};

use super::check_output_threshold;
use super::shared::counter::{MarkingTrigger, Triggered};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of output-triggered marking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OutputTriggeredParams {
    /// The trigger: a packet arrives and more than this many packets for its output are in the switch. Default 8.
    pub output_threshold: u32,
}

impl Default for OutputTriggeredParams {
    fn default() -> Self {
        Self { output_threshold: 8 }
    }
}

impl Check for OutputTriggeredParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        check_output_threshold(self.output_threshold, found);
    }
}

/// The marker of one output.
pub type OutputTriggered = Triggered<OutputTriggeredParams>;

impl MarkingTrigger for OutputTriggeredParams {
    fn threshold(&self) -> Option<u32> {
        Some(self.output_threshold)
    }
}
