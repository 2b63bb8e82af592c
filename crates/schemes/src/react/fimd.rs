//! Fast increase, multiplicative decrease (FIMD).
//!
//! A mark divides the rate; clear ACKs multiply it so that the time back is the same from every rate.
//!
//! | here     | HPL-2002-4         | unit          |
//! |----------|--------------------|---------------|
//! | `x`      | R_max/r            | packet times  |
//! | `floor`  | R_max/R_min        | packet times  |
//! | `factor` | m                  | 1             |
//!
//! f_dec(r) = r/m, f_inc(r) = r m^(R_min/r) (HPL-2002-4 section 6.2).

use congestree_units::{Span, Time};
use serde::{Deserialize, Serialize};

use super::{Feedback, ReactionPoint, Sent, steps::Limit};

/// Parameters of FIMD.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FimdParams {
    /// How many times slower than the link a source may become, R_max/R_min. Default 256 (HPL-2002-4 section 6).
    pub floor: f64,
    /// The limit a new flow starts with, as R_max/r: 1 starts at line rate (the default), `floor` at the lowest.
    pub start: f64,
    /// Send at the nearest of the rates R_max/1, R_max/2, R_max/3, ... (an inter-packet delay of whole packets).
    pub discrete: bool,
    /// By how much a mark divides the rate (m). Default 2.
    pub factor: f64,
}

impl Default for FimdParams {
    fn default() -> Self {
        Self { floor: 256.0, start: 1.0, discrete: false, factor: 2.0 }
    }
}

/// One source's rate limit.
#[derive(Clone, Debug)]
pub struct Fimd {
    limit: Limit,
    floor: f64,
    factor: f64,
}

impl Fimd {
    /// A source at its starting rate.
    pub fn new(params: &FimdParams) -> Self {
        Self { limit: Limit::new(params.start, params.floor, params.discrete), floor: params.floor, factor: params.factor }
    }
}

impl ReactionPoint for Fimd {
    fn on_feedback(&mut self, _now: Time, feedback: Feedback) {
        let x = self.limit.x;
        self.limit.set(match feedback {
            Feedback::Congested => x * self.factor,
            Feedback::Clear => x * libm::pow(self.factor, -x / self.floor),
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
        let mut source = Fimd::new(&FimdParams { start, ..Default::default() });
        source.on_feedback(Time::START, feedback);
        source.limit.x
    }

    #[test]
    fn a_mark_halves_the_rate_down_to_the_floor() {
        assert_eq!(after(8.0, Feedback::Congested), 16.0);
        assert_eq!(after(200.0, Feedback::Congested), 256.0);
    }

    #[test]
    fn one_clear_ack_at_the_floor_undoes_one_mark() {
        assert!((after(256.0, Feedback::Clear) - 128.0).abs() < 1e-9);
    }
}
