//! Parameters of HPCC, by the names of the settings of its authors' simulator (`config.txt`).

use congestree_units::{Rate, Span};
use serde::{Deserialize, Serialize};

use crate::check::{Check, Complaints, Setting};

/// Parameters of HPCC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HpccParams {
    /// The utilisation that sources aim at (U_TARGET; eta). Default 0.95 (HPCC, section 5.1).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub u_target: f64,
    /// Additive increases in a row after which the utilisation is followed again even if it is below the target (MI_THRESH;
    /// maxStage). Default 5 (HPCC, section 5.1); with 0 it is always followed, as in the settings that its simulator ships.
    pub mi_thresh: u32,
    /// What every computation adds to the rate (RATE_AI; W_AI/T). Default 50 Mbit/s, as its simulator ships.
    pub rate_ai: Rate,
    /// The least rate (MIN_RATE). Default 100 Mbit/s, as its simulator ships.
    pub min_rate: Rate,
    /// The base round-trip time T that windows and averages go by (GLOBAL_T). Absent: that of the flow's own path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_trip: Option<Span>,
    /// Every ACK moves the rate, and not only one in a round trip (FAST_REACT).
    pub fast_react: bool,
    /// The window follows the rate (VAR_WIN); if not, it is the bandwidth-delay product.
    pub var_win: bool,
    /// Packets are paced at the rate (RATE_BOUND); if not, the window alone decides.
    pub rate_bound: bool,
    /// Each hop has a reference of its own, and the least rate is taken (MULTI_RATE).
    pub multi_rate: bool,
    /// Hops whose queue is empty are only looked at once a round trip (SAMPLE_FEEDBACK).
    pub sample_feedback: bool,
    /// Switches write one byte instead of a record each (HPCC-PINT). Absent: records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pint: Option<PintParams>,
}

/// The utilisation of the busiest link in one byte. It needs `round_trip`, which the switches go by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PintParams {
    /// Codes are powers of it (PINT_LOG_BASE). Default 1.05, as HPCC's simulator ships.
    pub log_base: f64,
    /// Share of the ACKs that is used (PINT_PROB). Default 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub pint_prob: f64,
}

impl Default for HpccParams {
    fn default() -> Self {
        Self {
            u_target: 0.95,
            mi_thresh: 5,
            rate_ai: Rate(50_000_000),
            min_rate: Rate(100_000_000),
            round_trip: None,
            fast_react: true,
            var_win: true,
            rate_bound: true,
            multi_rate: false,
            sample_feedback: false,
            pint: None,
        }
    }
}

impl Check for HpccParams {
    fn check(&self, setting: &Setting, found: &mut Complaints) {
        if self.u_target == 0.0 {
            found.complain("u_target", "no link would ever be free enough", "write a share such as 0.95");
        }
        found.check_rate("rate_ai", Some(self.rate_ai));
        found.check_least_rate("min_rate", self.min_rate, setting);
        found.check_round_trip("round_trip", self.round_trip);
        let Some(pint) = &self.pint else { return };
        if !(pint.log_base > 1.0 && pint.log_base <= 2.0) {
            let fact = format!("powers of {} cannot encode a utilisation", pint.log_base);
            found.complain("pint.log_base", fact, "write a number above 1 and up to 2, such as 1.05");
        }
        if pint.pint_prob == 0.0 {
            found.complain("pint.pint_prob", "no ACK would be used", "write a share such as 1.0");
        }
        if self.round_trip.is_none() {
            let fact = "switches average utilisation over one round trip for all flows, and none is given";
            found.complain("pint", fact, "give scheme.react.hpcc.round_trip");
        }
        for (key, asked) in [("multi_rate", self.multi_rate), ("sample_feedback", self.sample_feedback)] {
            if asked {
                let fact = "one byte of telemetry for the whole path says nothing about single hops";
                found.complain(key, fact, "leave it out, or leave out scheme.react.hpcc.pint");
            }
        }
    }
}

impl Default for PintParams {
    fn default() -> Self {
        Self { log_base: 1.05, pint_prob: 1.0 }
    }
}
