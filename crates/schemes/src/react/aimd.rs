//! Additive increase, multiplicative decrease (AIMD).
//!
//! The rule of TCP in terms of rates: a mark divides the rate, a clear ACK adds to it in inverse proportion, so
//! that the rate grows linearly in time.
//!
//! | here     | HPL-2002-4         | unit          |
//! |----------|--------------------|---------------|
//! | `x`      | R_max/r            | packet times  |
//! | `floor`  | R_max/R_min        | packet times  |
//! | `factor` | m                  | 1             |
//!
//! f_dec(r) = r/m, f_inc(r) = r + (m-1) R_min^2/r (HPL-2002-4 section 6.2; the decrease is printed there with a
//! minimum where only the maximum with R_min makes sense).

use congestree_units::{Span, Time};
use serde::{Deserialize, Serialize};

use super::{Feedback, ReactionPoint, Sent, steps::Limit};

/// Parameters of AIMD.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AimdParams {
    /// How many times slower than the link a source may become, R_max/R_min. Default 256 (HPL-2002-4 section 6).
    pub floor: f64,
    /// The limit a new flow starts with, as R_max/r: 1 starts at line rate (the default), `floor` at the lowest.
    pub start: f64,
    /// Send at the nearest of the rates R_max/1, R_max/2, R_max/3, ... (an inter-packet delay of whole packets).
    pub discrete: bool,
    /// By how much a mark divides the rate (m). Default 2.
    pub factor: f64,
}

impl Default for AimdParams {
    fn default() -> Self {
        Self { floor: 256.0, start: 1.0, discrete: false, factor: 2.0 }
    }
}

/// One source's rate limit.
#[derive(Clone, Debug)]
pub struct Aimd {
    limit: Limit,
    floor: f64,
    factor: f64,
}

impl Aimd {
    /// A source at its starting rate.
    pub fn new(params: &AimdParams) -> Self {
        Self { limit: Limit::new(params.start, params.floor, params.discrete), floor: params.floor, factor: params.factor }
    }
}

impl ReactionPoint for Aimd {
    fn on_feedback(&mut self, _now: Time, feedback: Feedback) {
        let x = self.limit.x;
        self.limit.set(match feedback {
            Feedback::Congested => x * self.factor,
            Feedback::Clear => 1.0 / (1.0 / x + (self.factor - 1.0) * x / (self.floor * self.floor)),
        });
    }

    fn next_start(&self, last: Sent) -> Time {
        self.limit.pace().next_start(last)
    }

    fn limit(&self, _now: Time, _full: Span) -> f64 {
        self.limit.x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: f64, feedback: Feedback) -> f64 {
        let mut source = Aimd::new(&AimdParams { start, ..Default::default() });
        source.on_feedback(Time::START, feedback);
        source.limit.x
    }

    #[test]
    fn a_mark_halves_the_rate() {
        assert_eq!(after(8.0, Feedback::Congested), 16.0);
    }

    #[test]
    fn one_clear_ack_at_the_floor_undoes_one_mark() {
        assert!((after(256.0, Feedback::Clear) - 128.0).abs() < 1e-9);
    }
}
