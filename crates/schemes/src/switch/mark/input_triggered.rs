//! Input-triggered marking: a full input buffer identifies the outputs that its packets wait for, and flows to these
//! outputs are marked, from any input.
//!
//! | here      | HPL-2002-4 section 5 | unit    |
//! |-----------|----------------------|---------|
//! | `present` | cnt1                 | packets |
//! | `due`     | cnt2                 | packets |

use congestree_units::Span;
use serde::{Deserialize, Serialize};

use super::shared::counter::{MarkingTrigger, Triggered};
use super::{MarkAction, OutputView, check_fullness, check_trigger};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of input-triggered marking.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct InputTriggeredParams {
    /// Number of packets at which a buffer counts as full. Default: as many full ones as fit into the lane's buffer, or
    /// with pfc below its XOFF threshold. Required where an input has no buffer of its own.
    pub trigger: Option<u32>,
    /// How marks are applied.
    pub feedback: FeedbackBy,
    /// Outputs that flow control has blocked within this time are not marked. Default: no exception.
    pub exempt_blocked: Option<Span>,
}

impl Check for InputTriggeredParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        check_trigger(self.trigger, setting, found);
        check_fullness(self.trigger, setting, found);
    }
}

/// How a trigger becomes marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FeedbackBy {
    /// As many of the next departures are marked as packets are present (counters cnt1 and cnt2).
    #[default]
    Counters,
    /// The packets that wait at the instant of the trigger are searched for and marked.
    Scan,
}

/// The marker of one output.
pub type InputTriggered = Triggered<InputTriggeredParams>;

impl MarkingTrigger for InputTriggeredParams {
    fn full_at(&self, capacity: u32) -> Option<u32> {
        Some(self.trigger.unwrap_or(capacity))
    }

    fn at_full(&self, output: OutputView) -> MarkAction {
        if self.exempt_blocked.is_some_and(|span| output.blocked_within(span)) {
            return MarkAction::None;
        }
        match self.feedback {
            FeedbackBy::Scan => MarkAction::MarkWaiting,
            FeedbackBy::Counters => MarkAction::Noted,
        }
    }
}
