//! No reaction: the source sends as fast as window and link allow.

use congestree_units::{Span, Time};

use super::{Feedback, Needs, ReactionPoint, Sent};
pub use crate::check::NoParams;

/// A source that ignores feedback.
#[derive(Clone, Debug)]
pub struct Unthrottled;

impl Unthrottled {
    /// A source that always sends at line rate.
    pub fn new(_params: &NoParams) -> Self {
        Self
    }
}

impl ReactionPoint for Unthrottled {
    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn on_feedback(&mut self, _now: Time, _feedback: Feedback) {}

    fn next_start(&self, last: Sent) -> Time {
        last.start
    }

    fn limit(&self, _now: Time, _full: Span) -> f64 {
        1.0
    }
}
