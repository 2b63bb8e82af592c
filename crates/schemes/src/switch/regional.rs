//! RCM, regional congestion mitigation: a congested output notifies its neighbours, they slow down the flows that cause
//! the congestion, and outputs that fill up because of that notify theirs.
//!
//! Four modules: [`detect`] says how congested an output is (CRD), [`recognise`] which flows cause it (CFR),
//! [`control`] paces them by windows (RCC); the fourth, rerouting other flows (SAR), is in the fabric, which knows the
//! paths.
//!
//! | notices from downstream | its own state: calm | its own state: congested        |
//! |-------------------------|---------------------|---------------------------------|
//! | none                    | is in no region     | is a root: recognises the flows |
//! | of congestion           | is at the edge      | is inside: passes the flows on  |
//!
//! Liu et al.: RCM, Regional Congestion Mitigation in Lossless Datacenter Networks (2017), section 3. The paper leaves
//! its constants open; the defaults are those of QCN, whose congestion measure it uses, and each says so.

use congestree_units::{Bytes, Span};
use serde::{Deserialize, Serialize};

use crate::check::{Check, Diagnostics, Setting};

pub mod control;
pub mod count;
pub mod detect;
pub mod recognise;

/// Parameters of RCM, the only regional congestion control here; scenarios and Python use this name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "RcmParams")]
pub struct RegionalParams {
    /// Which queues are sampled.
    pub sampled_queues: SampledQueues,
    /// Roots of congestion pace their harmful flows, too (sections 3.1 and 3.2). Default no: everything that a root
    /// sends goes over the congested link, and packets held back would leave that link idle.
    pub root_control: bool,
    /// Queue length of an output that is not yet congestion (Q_eq). Default 33 kB, as in QCN.
    pub equilibrium: Bytes,
    /// Weight of the queue's growth relative to its length (w_q). Default 2, as in QCN.
    pub growth_weight: f64,
    /// Weight of the neighbour's congestion degree in the degree that is passed on (w). Default 0.5.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub remote_weight: f64,
    /// Packets for an output between two samples of its queues, without congestion. The more congested the output, the
    /// fewer they are. Default 10.
    #[schemars(range(min = 1))]
    pub sample_every: u32,
    /// Successive samples without congestion after which congestion is over. Default 2.
    #[schemars(range(min = 1))]
    pub calm_samples: u32,
    /// Harmful flows that an output can record (CAM); the oldest entry is overwritten. Default 16.
    #[schemars(range(min = 1, max = 64))]
    pub flows: u32,
    /// One in this many packets at a root is sampled to identify its flow. Default 10.
    #[schemars(range(min = 1))]
    pub flow_sample_every: u32,
    /// Which packets are sampled.
    pub flow_sampling: FlowSampling,
    /// How a sampled flow is recorded.
    pub flow_entries: Entries,
    /// How harmful flows are paced.
    pub pacing: Pacing,
    /// Shortest time over which an output measures its windows. Default 10 us.
    pub least_window: Span,
    /// When windows are measured.
    pub windows_measured: Measured,
    /// Size of a notification to a neighbour. Default 64 B.
    pub notice: Bytes,
    /// Packets of other flows may be rerouted around the congested region (SAR). Needs `scheme.route`.
    pub reroute: bool,
    /// They are rerouted when more than this waits for an output, or after the second successive notification for it.
    /// Default 80 kB.
    pub reroute_above: Bytes,
}

/// When the windows of an output are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measured {
    /// From the instant at which congestion is detected, as in section 3.4.
    #[default]
    FromOnset,
    /// All the time, over the last `least_window`, or since the first packet after a longer silence, so that windows
    /// apply as soon as congestion is detected. After the first few packets alone: as from-onset.
    Always,
}

/// Packets that are sampled for their flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FlowSampling {
    /// The last of every `flow_sample_every` packets. If this number has a common factor with the period in which flows
    /// take turns, some flows are sampled again and again and others never.
    #[default]
    InTurn,
    /// Each packet with probability 1/`flow_sample_every`.
    ByChance,
}

/// How a sampled flow is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Entries {
    /// Once: the entry stays until newer flows have filled the memory and overwrite it.
    #[default]
    OneAFlow,
    /// At each sample, over the oldest entry (section 3.3): flows that no longer send are soon forgotten. Windows are
    /// measured over `least_window`, for every flow that has sent in it.
    OneASample,
}

/// How harmful flows are paced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pacing {
    /// By windows (section 3.4).
    #[default]
    ByWindows,
    /// By priority: their packets go only when no other flow can send, as in the paper's introduction. No windows.
    BehindOthers,
    /// Both.
    Both,
}

impl Pacing {
    /// Windows hold them.
    pub fn by_windows(self) -> bool {
        self != Self::BehindOthers
    }

    /// Others go first.
    pub fn behind_others(self) -> bool {
        self != Self::ByWindows
    }
}

/// Queues that are sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SampledQueues {
    /// The queue of the output and the input queues for it.
    #[default]
    BothQueues,
    /// The queue of the output alone.
    OutputQueues,
}

impl Default for RegionalParams {
    fn default() -> Self {
        Self {
            sampled_queues: SampledQueues::BothQueues,
            root_control: false,
            equilibrium: Bytes(33_000),
            growth_weight: 2.0,
            remote_weight: 0.5,
            sample_every: 10,
            calm_samples: 2,
            flows: 16,
            flow_sample_every: 10,
            flow_sampling: FlowSampling::InTurn,
            flow_entries: Entries::OneAFlow,
            pacing: Pacing::ByWindows,
            least_window: Span::from_us(10),
            windows_measured: Measured::FromOnset,
            notice: Bytes(64),
            reroute: false,
            reroute_above: Bytes(80_000),
        }
    }
}

impl Check for RegionalParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        for (key, none, fact) in [
            ("equilibrium", self.equilibrium.0 == 0, "every packet that waits would be congestion"),
            ("least_window", self.least_window == Span::ZERO, "windows could be empty"),
            ("notice", self.notice.0 == 0, "a notice has no bytes"),
        ] {
            if none {
                found.report(key, fact, "give it a value above zero");
            }
        }
        if !(0.0..=1e6).contains(&self.growth_weight) {
            let fact = format!("{} is not a sensible weight", self.growth_weight);
            found.report("growth_weight", fact, "give a number from zero on, such as 2");
        }
    }
}

/// The highest degree of congestion: 6 bits, as in QCN.
pub const MOST: u8 = 63;

/// The share that a degree takes off a window: half at the highest (F_b G_d, G_d = 1/128).
pub fn share_taken(degree: u8) -> f64 {
    f64::from(degree) / 128.0
}
