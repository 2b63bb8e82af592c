//! Linear inter-packet delay (LIPD).
//!
//! A mark makes the source wait one packet time more between packets, so n sources that each receive one mark make room
//! for exactly one more.
//!
//! | here     | HPL-2002-4         | unit          |
//! |----------|--------------------|---------------|
//! | `x`      | R_max/r            | packet times  |
//! | `floor`  | R_max/R_min        | packet times  |
//!
//! f_dec(r) = R_max/(R_max/r + 1), f_inc(r) = r/(1 - R_min/R_max) (HPL-2002-4 section 6.2).

use serde::{Deserialize, Serialize};

use super::Feedback;
use super::shared::steps::{Limit, Response, Stepped, check_range};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of LIPD.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LipdParams {
    /// How many times slower than the link a source can become, R_max/R_min. Default 256 (HPL-2002-4 section 6).
    pub floor: f64,
    /// Initial rate limit of a flow, as R_max/r: 1 is line rate (the default), `floor` the lowest rate.
    pub start: f64,
    /// Use only the rates R_max/1, R_max/2, R_max/3, ...: the nearest of them (an inter-packet delay of whole packets).
    pub discrete: bool,
}

impl Default for LipdParams {
    fn default() -> Self {
        Self { floor: 256.0, start: 1.0, discrete: false }
    }
}

impl Check for LipdParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        check_range(self.start, self.floor, found);
    }
}

/// One source under LIPD.
pub type Lipd = Stepped<LipdParams>;

impl Response for LipdParams {
    fn first(&self) -> Limit {
        Limit::new(self.start, self.floor, self.discrete)
    }

    fn answer(&self, x: f64, feedback: Feedback) -> f64 {
        match feedback {
            Feedback::Congested => x + 1.0,
            Feedback::Undetermined => x,
            Feedback::Clear => x * (1.0 - 1.0 / self.floor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ReactionPoint;
    use super::super::shared::steps::after;
    use super::*;
    use congestree_units::{Span, Time};

    #[test]
    fn a_mark_adds_one_packet_time() {
        assert_eq!(after(&LipdParams::default(), 9.0, Feedback::Congested), 10.0);
    }

    #[test]
    fn recovery_from_the_floor_takes_1417_clear_acks() {
        let mut source = Lipd::new(&LipdParams { start: 256.0, ..Default::default() });
        let mut acks = 0;
        while source.limit(Time::START, Span::ZERO) > 1.0 {
            source.on_feedback(Time::START, Feedback::Clear);
            acks += 1;
        }
        assert_eq!(acks, 1417);
    }
}
