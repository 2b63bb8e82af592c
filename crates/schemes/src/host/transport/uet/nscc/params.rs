//! Parameters of NSCC, with the values of the specification, and their checks.

use congestree_units::Span;
use serde::{Deserialize, Serialize};

use crate::check::Diagnostics;

/// Parameters of NSCC. Gains in segments are for links of 100 Gbit/s and a round trip of 12 us; for other networks they
/// scale in proportion to the bandwidth-delay product.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NsccParams {
    /// The target queueing delay. Absent: `target_share` of the round trip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Span>,
    /// The target queueing delay, as a share of the round trip. Default 0.75, for networks that trim; 1 is recommended
    /// where they drop.
    #[schemars(range(min = 0.01, max = 100.0))]
    pub target_share: f64,
    /// Proportional increase in segments for each 12 us of slack. Default 4.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub proportional: f64,
    /// Fair increase in segments. Default 5.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub fair: f64,
    /// Increase that is added once a round trip, in segments. Default 0.15.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub eta: f64,
    /// Fast increase, in bytes per acknowledged byte. Default 0.25.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub fast: f64,
    /// Below this queueing delay the path counts as empty. Default 1 us, not scaled.
    pub empty: Span,
    /// Gain of a decrease (gamma). Default 0.8.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub decrease: f64,
    /// The largest share of the window that one decrease takes away. Default 0.5.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub most_decrease: f64,
    /// Weight of the newest delay in the average delay. Default 0.0125.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub delay_gain: f64,
    /// Packets acknowledged after which accumulated increases are added to the window. Default 8.
    #[schemars(range(min = 1, max = 100000))]
    pub adjust_after: u32,
    /// Quick adapt, first condition: fewer bytes came through than the largest window halved this many times. Default
    /// 3.
    #[schemars(range(max = 30))]
    pub quick_gate: u8,
    /// Quick adapt, second condition: a trimmed packet, or a delay above this many times the target. Default 4.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub quick_delay: f64,
    /// Initial window, in packets. Absent: the largest window.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub initial_window: Option<u32>,
}

impl Default for NsccParams {
    fn default() -> Self {
        Self {
            target: None,
            target_share: 0.75,
            proportional: 4.0,
            fair: 5.0,
            eta: 0.15,
            fast: 0.25,
            empty: Span::from_us(1),
            decrease: 0.8,
            most_decrease: 0.5,
            delay_gain: 0.0125,
            adjust_after: 8,
            quick_gate: 3,
            quick_delay: 4.0,
            initial_window: None,
        }
    }
}

impl NsccParams {
    /// Reports what cannot work.
    pub(in super::super) fn check(&self, found: &mut Diagnostics) {
        if self.target == Some(Span::ZERO) {
            found.report("target", "every packet waits for longer than that", "give a time above zero");
        }
        for (key, value) in [
            ("target_share", self.target_share),
            ("proportional", self.proportional),
            ("fair", self.fair),
            ("eta", self.eta),
            ("fast", self.fast),
            ("quick_delay", self.quick_delay),
        ] {
            if !(0.0..=1000.0).contains(&value) {
                found.report(key, format!("{value} is not a sensible gain"), "give a number from 0 to 1000");
            }
        }
        if self.target_share == 0.0 && self.target.is_none() {
            found.report("target_share", "every packet waits for longer than that", "give a share above zero");
        }
        let idle = self.target.is_some() && self.target_share != Self::default().target_share;
        found.check_idle("target_share", idle, "target is given", "leave out one of them");
        let gains = [self.proportional, self.fair, self.eta, self.fast];
        if gains.iter().all(|&gain| gain == 0.0) {
            let remedy = "leave at least one of proportional, fair, eta and fast above zero";
            found.report("proportional", "a window that has been cut would never grow again", remedy);
        }
    }
}
