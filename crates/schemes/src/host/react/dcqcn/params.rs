//! Parameters of DCQCN: those of its paper, and the settings of adapters.
//!
//! Zhu et al.: Congestion Control for Large-Scale RDMA Deployments (SIGCOMM 2015); for the adapters, HPCC's model of
//! them.

use congestree_units::{Bytes, Rate, Span};
use serde::{Deserialize, Serialize};

use crate::check::{Check, Diagnostics, Setting};
use crate::host::react::WindowBound;

/// Parameters of DCQCN, each with its name in the settings of an mlx5 adapter, where it has one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DcqcnParams {
    /// Weight of new feedback in alpha (g; 1 - dce_tcp_g/1024). Default 1/256.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub gain: f64,
    /// Alpha of a source before any feedback (initial_alpha_value/1024). Default 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub initial_alpha: f64,
    /// Alpha decays after this time without a CNP (dce_tcp_rtt). Default 55 us: longer than the time between two CNPs,
    /// so that alpha goes to 1 while every packet is marked. If it is shorter, alpha decays between two CNPs: to about
    /// 1/2 if one period fits between them, to about 1/4 with the vendor settings (1 us, and a CNP every 4 us).
    pub alpha_period: Span,
    /// When alpha grows.
    pub alpha_grows: AlphaGrows,
    /// At most one rate cut in this time (rate_reduce_monitor_period). Default 50 us.
    pub cut_period: Span,
    /// A rate cut leaves at least this share of the rate (rpg_min_dec_fac). Default 0.5.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub least_share: f64,
    /// When a rate cut also sets the target rate, to the rate before the cut (clamp_tgt_rate,
    /// clamp_tgt_rate_after_time_inc).
    pub clamp_target: ClampTarget,
    /// The rate after the first CNP (rate_to_set_on_first_cnp). Absent: the first CNP cuts the rate like any other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_rate: Option<Rate>,
    /// Increase timer: the rate rises after every such time without a cut (rpg_time_reset). Default 55 us.
    pub increase_timer: Span,
    /// Byte counter: the rate rises after this many bytes on the wire without a cut (rpg_byte_reset). Default 10 MB. "0
    /// B": never.
    pub byte_counter: Bytes,
    /// Increase events (of the timer or of the byte counter) that are fast recovery (rpg_threshold). Default 5.
    pub stages: u32,
    /// What additive increase adds to the target rate (rpg_ai_rate). Default 5 Mbit/s.
    pub additive: Rate,
    /// What hyper increase adds to the target rate (rpg_hai_rate). Default 50 Mbit/s.
    pub hyper: Rate,
    /// `additive` and `hyper` are for a link of this rate, and scale in proportion to other rates. Absent: the same for
    /// all rates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_rate: Option<Rate>,
    /// The least rate (rpg_min_rate). Default 100 Mbit/s.
    pub min_rate: Rate,
    /// The highest rate (rpg_max_rate). Absent: that of the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rate: Option<Rate>,
    /// Whether a window limits the unacknowledged data, too.
    pub window: WindowBound,
    /// The base round-trip time for the window (GLOBAL_T in HPCC's simulator). Absent: that of the flow's own path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_trip: Option<Span>,
}

/// When alpha grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AlphaGrows {
    /// With every CNP, after the rate cut if there is one; `alpha_period` counts from there.
    AtNotifications,
    /// At the end of every `alpha_period` in which a CNP came; periods count from the first CNP.
    Periodically,
}

/// When a cut sets the target rate to the rate before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClampTarget {
    /// Always.
    Always,
    /// Only if the timer has raised the rate since the last cut: successive cuts leave the target rate unchanged.
    AfterIncrease,
}

impl Default for DcqcnParams {
    fn default() -> Self {
        Self {
            gain: 1.0 / 256.0,
            initial_alpha: 1.0,
            alpha_period: Span::from_us(55),
            alpha_grows: AlphaGrows::AtNotifications,
            cut_period: Span::from_us(50),
            least_share: 0.5,
            clamp_target: ClampTarget::Always,
            first_rate: None,
            increase_timer: Span::from_us(55),
            byte_counter: Bytes(10_000_000),
            stages: 5,
            additive: Rate(5_000_000),
            hyper: Rate(50_000_000),
            for_rate: None,
            min_rate: Rate(100_000_000),
            max_rate: None,
            window: WindowBound::None,
            round_trip: None,
        }
    }
}

impl Check for DcqcnParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        for (key, period) in [("alpha_period", self.alpha_period), ("increase_timer", self.increase_timer)] {
            if period == Span::ZERO {
                found.report(key, "the timer would expire all the time", "give a period such as \"55 us\"");
            }
        }
        let rates = [
            ("additive", Some(self.additive)),
            ("hyper", Some(self.hyper)),
            ("max_rate", self.max_rate),
            ("first_rate", self.first_rate),
            ("for_rate", self.for_rate),
        ];
        for (key, rate) in rates {
            found.check_rate(key, rate);
        }
        found.check_least_rate("min_rate", self.min_rate, setting);
        if let Some(most) = self.max_rate.filter(|&most| most < self.min_rate) {
            let fact = format!("the highest rate {most} is below the least, {}", self.min_rate);
            found.report("max_rate", fact, "make it larger, or scheme.react.dcqcn.min_rate smaller");
        }
        if self.byte_counter > Bytes(0) && self.byte_counter < Bytes(64) {
            let fact = format!("every packet would raise the rate several times: the counter is {}", self.byte_counter);
            found.report("byte_counter", fact, "make it larger, or \"0 B\" for none");
        }
        self.window.check_round_trip(self.round_trip, found);
        if self.window == WindowBound::BdpAtRate && !setting.acks {
            let fact =
                "the window is to follow the rate, and without ACKs there is no feedback between two notifications";
            found.report("window", fact, "write scheme.notify = \"ack\", or window = \"bdp\"");
        }
    }
}

impl DcqcnParams {
    /// The timers of the paper; increases for links of 25 Gbit/s, in proportion at other rates.
    pub fn paper() -> Self {
        Self { for_rate: Some(Rate::from_gbps(25)), ..Self::default() }
    }

    /// The default settings of adapters, as in HPCC's model of them: notifications are handled every 4 us, and a timer
    /// alone raises the rate, soon by hyper increase.
    pub fn vendor() -> Self {
        Self {
            alpha_period: Span::from_us(1),
            alpha_grows: AlphaGrows::Periodically,
            cut_period: Span::from_us(4),
            clamp_target: ClampTarget::AfterIncrease,
            increase_timer: Span::from_us(300),
            byte_counter: Bytes(0),
            stages: 1,
            ..Self::paper()
        }
    }
}
