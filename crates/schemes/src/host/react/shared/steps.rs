//! Common parts of the three response functions of HPL-2002-4 section 6: a rate limit between R_max/floor and R_max,
//! kept as its inverse x = R_max/r, and the choice of 256 discrete inter-packet delays (section 6.3.1).

use std::fmt::Debug;

use congestree_units::{Span, Time};

use crate::check::Diagnostics;
use crate::host::react::{Feedback, Needs, Pace, ReactionPoint, Sent};

/// How a source responds to an ACK.
pub trait Response: Clone + Debug {
    /// The limit of a new flow.
    fn first(&self) -> Limit;

    /// R_max/r after this feedback, from its previous value; values outside [1, floor] are limited to it.
    fn answer(&self, x: f64, feedback: Feedback) -> f64;
}

/// A source whose rate limit takes a step with every ACK.
#[derive(Clone, Debug)]
pub struct Stepped<R> {
    limit: Limit,
    response: R,
}

impl<R: Response> Stepped<R> {
    /// A source at its starting rate.
    pub fn new(response: &R) -> Self {
        Self { limit: response.first(), response: response.clone() }
    }
}

impl<R: Response> ReactionPoint for Stepped<R> {
    fn needs(&self) -> Needs {
        Needs::ACKS
    }

    fn on_feedback(&mut self, _now: Time, feedback: Feedback) {
        self.limit.set(self.response.answer(self.limit.x, feedback));
    }

    fn next_start(&self, last: Sent) -> Time {
        self.limit.pace().next_start(last)
    }

    fn limit(&self, _now: Time, _full: Span) -> f64 {
        self.limit.x
    }

    fn gap(&self, _now: Time, last: Sent) -> Span {
        self.limit.pace().next_start(last).since(last.start)
    }
}

/// The inverse rate limit of one source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// R_max/r, in [1, floor].
    x: f64,
    floor: f64,
    discrete: bool,
}

impl Limit {
    pub(in crate::host::react) fn new(start: f64, floor: f64, discrete: bool) -> Self {
        Self { x: start.clamp(1.0, floor.max(1.0)), floor, discrete }
    }

    pub(in crate::host::react) fn set(&mut self, x: f64) {
        self.x = x.clamp(1.0, self.floor);
    }

    /// The state stays continuous; only the sending follows the nearest discrete delay (halves up).
    pub(in crate::host::react) fn pace(self) -> Pace {
        if self.x <= 1.0 {
            Pace::LineRate
        } else if self.discrete {
            Pace::Every((self.x + 0.5).floor())
        } else {
            Pace::Every(self.x)
        }
    }
}

/// The range of a rate, and where in it a flow starts.
pub(in crate::host::react) fn check_range(start: f64, floor: f64, found: &mut Diagnostics) {
    if !(1.0..=1e9).contains(&floor) {
        let fact = format!("{floor} is not a ratio of the rate of a link to the least rate of its source");
        found.report("floor", fact, "write R_max/R_min, a number of at least 1 such as 256");
    } else if !(1.0..=floor).contains(&start) {
        let fact = format!("a flow cannot start at R_max/{start} when the range is 1 to {floor}");
        found.report("start", fact, format!("write a number from 1 (line rate) to {floor}"));
    }
}

/// By how much a mark divides the rate.
pub(in crate::host::react) fn check_factor(factor: f64, found: &mut Diagnostics) {
    if !(factor > 1.0 && factor <= 1e6) {
        let fact = format!("a rate divided by {factor} is not a sensible decrease");
        found.report("factor", fact, "write a number above 1 such as 2.0");
    }
}

/// For tests: a source that starts at `x` and hears one piece of feedback.
#[cfg(test)]
pub(in crate::host::react) fn after<R: Response>(response: &R, x: f64, feedback: Feedback) -> f64 {
    let mut source = Stepped::new(response);
    source.limit.set(x);
    source.on_feedback(Time::START, feedback);
    source.limit.x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discrete_pace_is_the_nearest_whole_delay_and_the_state_stays_what_it_is() {
        let paces = |discrete| {
            [1.0, 1.4, 2.49, 2.5, 7.0].map(|x| {
                let limit = Limit::new(x, 256.0, discrete);
                assert_eq!(limit.x, x);
                limit.pace()
            })
        };
        assert_eq!(
            paces(false),
            [Pace::LineRate, Pace::Every(1.4), Pace::Every(2.49), Pace::Every(2.5), Pace::Every(7.0)]
        );
        assert_eq!(
            paces(true),
            [Pace::LineRate, Pace::Every(1.0), Pace::Every(2.0), Pace::Every(3.0), Pace::Every(7.0)]
        );
    }
}
