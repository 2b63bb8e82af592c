//! Additive increase, multiplicative decrease (AIMD).
//!
//! The rule of TCP in terms of rates: a mark divides the rate, an unmarked ACK adds to it in inverse proportion, so
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

use serde::{Deserialize, Serialize};

use super::Feedback;
use super::shared::steps::{Limit, Response, Stepped, check_factor, check_range};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of AIMD.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AimdParams {
    /// How many times slower than the link a source can become, R_max/R_min. Default 256 (HPL-2002-4 section 6).
    pub floor: f64,
    /// Initial rate limit of a flow, as R_max/r: 1 is line rate (the default), `floor` the lowest rate.
    pub start: f64,
    /// Use only the rates R_max/1, R_max/2, R_max/3, ...: the nearest of them (an inter-packet delay of whole packets).
    pub discrete: bool,
    /// A mark divides the rate by this (m). Default 2.
    pub factor: f64,
}

impl Default for AimdParams {
    fn default() -> Self {
        Self { floor: 256.0, start: 1.0, discrete: false, factor: 2.0 }
    }
}

impl Check for AimdParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        check_range(self.start, self.floor, found);
        check_factor(self.factor, found);
    }
}

/// One source under AIMD.
pub type Aimd = Stepped<AimdParams>;

impl Response for AimdParams {
    fn first(&self) -> Limit {
        Limit::new(self.start, self.floor, self.discrete)
    }

    fn answer(&self, x: f64, feedback: Feedback) -> f64 {
        match feedback {
            Feedback::Congested => x * self.factor,
            Feedback::Undetermined => x,
            Feedback::Clear => 1.0 / (1.0 / x + (self.factor - 1.0) * x / (self.floor * self.floor)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shared::steps::after;
    use super::*;

    #[test]
    fn a_mark_halves_the_rate() {
        assert_eq!(after(&AimdParams::default(), 8.0, Feedback::Congested), 16.0);
    }

    #[test]
    fn one_clear_ack_at_the_floor_undoes_one_mark() {
        assert!((after(&AimdParams::default(), 256.0, Feedback::Clear) - 128.0).abs() < 1e-9);
    }
}
