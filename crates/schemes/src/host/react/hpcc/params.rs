//! Parameters of HPCC, by the names of the settings of its authors' simulator (`config.txt`).

use congestree_units::{Rate, Span};
use serde::{Deserialize, Serialize};

use crate::check::{Check, Diagnostics, Setting};
use crate::switch::telemetry::Digest;

/// Parameters of HPCC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HpccParams {
    /// The utilisation that sources aim at (U_TARGET; eta). Default 0.95 (HPCC, section 5.1).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub u_target: f64,
    /// Successive additive increases after which the window follows the measured utilisation again, even if it is below
    /// the target (MI_THRESH; maxStage). Default 5 (HPCC, section 5.1); with 0 it always does, as in the settings that
    /// its simulator ships.
    pub mi_thresh: u32,
    /// Additive increase of the rate in every computation (RATE_AI; W_AI/T). Default 50 Mbit/s, as its simulator ships.
    pub rate_ai: Rate,
    /// The least rate (MIN_RATE). Default 100 Mbit/s, as its simulator ships.
    pub min_rate: Rate,
    /// The base round-trip time T for windows and averages (GLOBAL_T). Absent: that of the flow's own path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_trip: Option<Span>,
    /// Every ACK changes the rate, not only one per round trip (FAST_REACT).
    pub fast_react: bool,
    /// The window follows the rate (VAR_WIN). Otherwise it is always the bandwidth-delay product.
    pub var_win: bool,
    /// Packets are paced at the rate (RATE_BOUND). Otherwise only the window limits a source.
    pub rate_bound: bool,
    /// Each hop has its own reference rate, and the lowest rate counts (MULTI_RATE).
    pub multi_rate: bool,
    /// Hops with an empty queue are evaluated only once a round trip (SAMPLE_FEEDBACK).
    pub sample_feedback: bool,
    /// Telemetry is one byte per packet, not a record for each switch (HPCC-PINT). Absent: records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pint: Option<PintParams>,
}

/// One-byte telemetry: the utilisation of the busiest link. It needs `round_trip`, which the switches use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PintParams {
    /// Base of the logarithmic code (PINT_LOG_BASE). A byte encodes utilisations up to its 255th power divided by 512,
    /// which must be at least twice `u_target`. Default 1.05, as HPCC's simulator ships.
    pub log_base: f64,
    /// Share of the ACKs whose telemetry is used (PINT_PROB). Default 1.
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
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        if self.u_target == 0.0 {
            found.report("u_target", "no link would ever be free enough", "write a share such as 0.95");
        }
        found.check_rate("rate_ai", Some(self.rate_ai));
        found.check_least_rate("min_rate", self.min_rate, setting);
        found.check_round_trip("round_trip", self.round_trip);
        let Some(pint) = &self.pint else { return };
        if !(pint.log_base > 1.0 && pint.log_base <= 2.0) {
            let fact = format!("powers of {} cannot encode a utilisation", pint.log_base);
            found.report("pint.log_base", fact, "write a number above 1 and up to 2, such as 1.05");
        } else {
            pint.check_range(self.u_target, found);
        }
        if pint.pint_prob == 0.0 {
            found.report("pint.pint_prob", "no ACK would be used", "write a share such as 1.0");
        }
        if self.round_trip.is_none() {
            let fact = "switches average utilisation over one round trip for all flows, and none is given";
            found.report("pint", fact, "give scheme.react.hpcc.round_trip");
        }
        for (key, asked) in [("multi_rate", self.multi_rate), ("sample_feedback", self.sample_feedback)] {
            if asked {
                let fact = "one byte of telemetry for the whole path says nothing about single hops";
                found.report(key, fact, "leave it out, or leave out scheme.react.hpcc.pint");
            }
        }
    }
}

impl PintParams {
    /// Checks that a byte encodes utilisations far enough above the target: sources never learn of larger ones.
    fn check_range(&self, target: f64, found: &mut Diagnostics) {
        let (digest, asked) = (Digest { base: self.log_base, round_trip: Span::ZERO }, RANGE * target);
        let largest = digest.utilisation(u8::MAX);
        if largest < asked {
            let fact = format!(
                "with powers of {} one byte tells of utilisations up to {largest:.3}, and sources that aim at {target} \
                 must hear of twice as much",
                self.log_base
            );
            found.report("pint.log_base", fact, format!("write at least {}, such as 1.05", Digest::least_base(asked)));
        }
    }
}

/// Least quotient of the largest utilisation that a byte encodes and the target: rates are divided by no more than that
/// in a round trip. Our own choice.
const RANGE: f64 = 2.0;

impl Default for PintParams {
    fn default() -> Self {
        Self { log_base: 1.05, pint_prob: 1.0 }
    }
}
