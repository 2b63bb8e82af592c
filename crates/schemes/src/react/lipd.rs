//! Linear inter-packet delay (LIPD).
//!
//! A mark makes the source wait one packet time more between packets, so n sources that each hear one mark
//! make room for exactly one more.
//!
//! | here     | HPL-2002-4         | unit          |
//! |----------|--------------------|---------------|
//! | `x`      | R_max/r            | packet times  |
//! | `floor`  | R_max/R_min        | packet times  |
//!
//! f_dec(r) = R_max/(R_max/r + 1), f_inc(r) = r/(1 - R_min/R_max) (HPL-2002-4 section 6.2).

use congestree_units::{Span, Time};
use serde::{Deserialize, Serialize};

use super::{Feedback, ReactionPoint, Sent, steps::Limit};

/// Parameters of LIPD.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LipdParams {
    /// How many times slower than the link a source may become, R_max/R_min. Default 256 (HPL-2002-4 section 6).
    pub floor: f64,
    /// The limit a new flow starts with, as R_max/r: 1 starts at line rate (the default), `floor` at the lowest.
    pub start: f64,
    /// Send at the nearest of the rates R_max/1, R_max/2, R_max/3, ... (an inter-packet delay of whole packets).
    pub discrete: bool,
}

impl Default for LipdParams {
    fn default() -> Self {
        Self { floor: 256.0, start: 1.0, discrete: false }
    }
}

/// One source's rate limit.
#[derive(Clone, Debug)]
pub struct Lipd {
    limit: Limit,
    floor: f64,
}

impl Lipd {
    /// A source at its starting rate.
    pub fn new(params: &LipdParams) -> Self {
        Self { limit: Limit::new(params.start, params.floor, params.discrete), floor: params.floor }
    }
}

impl ReactionPoint for Lipd {
    fn on_feedback(&mut self, _now: Time, feedback: Feedback) {
        let x = self.limit.x;
        self.limit.set(match feedback {
            Feedback::Congested => x + 1.0,
            Feedback::Clear => x * (1.0 - 1.0 / self.floor),
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
    use super::super::Pace;
    use super::*;

    fn after(start: f64, feedback: Feedback) -> f64 {
        let mut source = Lipd::new(&LipdParams { start, ..Default::default() });
        source.on_feedback(Time::START, feedback);
        source.limit.x
    }

    #[test]
    fn a_mark_adds_one_packet_time() {
        assert_eq!(after(9.0, Feedback::Congested), 10.0);
    }

    #[test]
    fn recovery_from_the_floor_takes_1417_clear_acks() {
        let mut source = Lipd::new(&LipdParams { start: 256.0, ..Default::default() });
        let mut acks = 0;
        while source.limit.pace() != Pace::LineRate {
            source.on_feedback(Time::START, Feedback::Clear);
            acks += 1;
        }
        assert_eq!(acks, 1417);
    }
}
