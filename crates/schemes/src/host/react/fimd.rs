//! Fast increase, multiplicative decrease (FIMD).
//!
//! A mark divides the rate; unmarked ACKs multiply it so that recovery takes the same time from every rate.
//!
//! | here     | HPL-2002-4         | unit          |
//! |----------|--------------------|---------------|
//! | `x`      | R_max/r            | packet times  |
//! | `floor`  | R_max/R_min        | packet times  |
//! | `factor` | m                  | 1             |
//!
//! f_dec(r) = r/m, f_inc(r) = r m^(R_min/r) (HPL-2002-4 section 6.2).

use serde::{Deserialize, Serialize};

use super::Feedback;
use super::shared::steps::{Limit, Response, Stepped, check_factor, check_range};
use crate::check::{Check, Diagnostics, Setting};

// The fields are those of AIMD, repeated in both: the type distinguishes the two rules, and with serde's `flatten` an
// unknown key would not be refused.
/// Parameters of FIMD.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FimdParams {
    /// How many times slower than the link a source can become, R_max/R_min. Default 256 (HPL-2002-4 section 6).
    pub floor: f64,
    /// Initial rate limit of a flow, as R_max/r: 1 is line rate (the default), `floor` the lowest rate.
    pub start: f64,
    /// Use only the rates R_max/1, R_max/2, R_max/3, ...: the nearest of them (an inter-packet delay of whole packets).
    pub discrete: bool,
    /// A mark divides the rate by this (m). Default 2.
    pub factor: f64,
}

impl Default for FimdParams {
    fn default() -> Self {
        Self { floor: 256.0, start: 1.0, discrete: false, factor: 2.0 }
    }
}

impl Check for FimdParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        check_range(self.start, self.floor, found);
        check_factor(self.factor, found);
    }
}

/// One source under FIMD.
pub type Fimd = Stepped<FimdParams>;

impl Response for FimdParams {
    fn first(&self) -> Limit {
        Limit::new(self.start, self.floor, self.discrete)
    }

    fn answer(&self, x: f64, feedback: Feedback) -> f64 {
        match feedback {
            Feedback::Congested => x * self.factor,
            Feedback::Undetermined => x,
            Feedback::Clear => x * libm::pow(self.factor, -x / self.floor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shared::steps::after;
    use super::*;

    #[test]
    fn a_mark_halves_the_rate_down_to_the_floor() {
        assert_eq!(after(&FimdParams::default(), 8.0, Feedback::Congested), 16.0);
        assert_eq!(after(&FimdParams::default(), 200.0, Feedback::Congested), 256.0);
    }

    #[test]
    fn one_clear_ack_at_the_floor_undoes_one_mark() {
        assert!((after(&FimdParams::default(), 256.0, Feedback::Clear) - 128.0).abs() < 1e-9);
    }
}
