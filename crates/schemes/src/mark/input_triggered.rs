//! Input-triggered marking: a full input buffer points at the outputs its packets wait for, and whoever sends to one
//! of those outputs is marked, from whichever input.
//!
//! | here      | HPL-2002-4 section 5 | unit    |
//! |-----------|----------------------|---------|
//! | `present` | cnt1                 | packets |
//! | `due`     | cnt2                 | packets |

use congestree_units::Span;
use serde::{Deserialize, Serialize};

use super::{Action, Departing, Marker, OutputView, counter::MarkingCredit};

/// Parameters of input-triggered marking.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct InputTriggeredParams {
    /// Packets in a buffer that count as full. Default: when no further packet fits.
    pub trigger: Option<u32>,
    /// How the marks are brought about.
    pub feedback: FeedbackBy,
    /// A trigger spares outputs that flow control has held within this time. Default: none are spared.
    pub exempt_blocked: Option<Span>,
}

/// How a trigger becomes marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FeedbackBy {
    /// The next departures are marked, as many as packets are present (cnt1 and cnt2).
    #[default]
    Counters,
    /// The packets that wait at the instant of the trigger are found and marked.
    Scan,
}

/// The marker of one output.
#[derive(Clone, Debug)]
pub struct InputTriggered {
    credit: MarkingCredit,
    trigger: Option<u32>,
    feedback: FeedbackBy,
    exempt_blocked: Option<Span>,
}

impl InputTriggered {
    /// A marker with nothing due.
    pub fn new(params: &InputTriggeredParams) -> Self {
        Self {
            credit: MarkingCredit::default(),
            trigger: params.trigger,
            feedback: params.feedback,
            exempt_blocked: params.exempt_blocked,
        }
    }
}

impl Marker for InputTriggered {
    fn full_at(&self, capacity: u32) -> Option<u32> {
        Some(self.trigger.unwrap_or(capacity))
    }

    fn on_full(&mut self, output: OutputView) -> Action {
        if self.exempt_blocked.is_some_and(|span| output.blocked_within(span)) {
            return Action::None;
        }
        match self.feedback {
            FeedbackBy::Scan => Action::MarkWaiting,
            FeedbackBy::Counters => {
                self.credit.reload(output.present);
                Action::Noted
            }
        }
    }

    fn on_departure(&mut self, _output: OutputView, _packet: Departing, _die: impl FnOnce() -> f64) -> bool {
        self.credit.spend()
    }

    fn due(&self) -> u32 {
        self.credit.due
    }
}
