//! RCM, regional congestion mitigation: a congested output tells its neighbours, they slow down the flows that cause it,
//! and whoever fills up by that tells its own.
//!
//! Four modules: [`detect`] says how congested an output is (CRD), [`recognise`] which flows do it (CFR), [`control`] paces
//! them by windows (RCC); the fourth, choosing other ways for the others (SAR), is the fabric's, which knows the ways.
//!
//! | an output hears      | from itself: calm        | from itself: congested            |
//! |----------------------|--------------------------|-----------------------------------|
//! | nothing from beyond  | is in no region          | is a root: recognises the flows   |
//! | that it is congested | is at the edge           | is inside: passes the flows on    |
//!
//! Liu et al.: RCM, Regional Congestion Mitigation in Lossless Datacenter Networks (2017), section 3. The paper leaves its
//! constants open; the defaults are those of QCN, whose measure of congestion it borrows, and each says so.

use congestree_units::{Bytes, Span};
use serde::{Deserialize, Serialize};

use crate::check::{Check, Complaints, Setting};

pub mod control;
pub mod count;
pub mod detect;
pub mod recognise;

/// Parameters of RCM, the one regional control there is; scenarios and Python know it by its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "RcmParams")]
pub struct RegionalParams {
    /// Which queues are sampled.
    pub sampled_queues: SampledQueues,
    /// A root holds its harmful flows to windows too (sections 3.1 and 3.2). Default no: all that a root sends goes the
    /// crowded way, and what it holds leaves its link idle.
    pub root_control: bool,
    /// Bytes that may wait for an output without harm (Q_eq). Default 33 kB, as in QCN.
    pub equilibrium: Bytes,
    /// Weight of the growth of a queue beside its length (w_q). Default 2, as in QCN.
    pub growth_weight: f64,
    /// Weight of what a neighbour tells in the degree that is passed on (w). Default 0.5.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub remote_weight: f64,
    /// Packets for an output from one sample of its queues to the next, while all is calm; fewer the more congested it is.
    /// Default 10.
    #[schemars(range(min = 1))]
    pub sample_every: u32,
    /// Samples in a row that must find no congestion before it is over. Default 2.
    #[schemars(range(min = 1))]
    pub calm_samples: u32,
    /// Flows that an output remembers as harmful, the oldest overwritten (CAM). Default 16.
    #[schemars(range(min = 1, max = 64))]
    pub flows: u32,
    /// One in so many packets at a root is sampled for its flow. Default 10.
    #[schemars(range(min = 1))]
    pub flow_sample_every: u32,
    /// Which of them.
    pub flow_sampling: FlowSampling,
    /// How a sampled flow is recorded.
    pub flow_entries: Entries,
    /// How harmful flows are paced.
    pub pacing: Pacing,
    /// The shortest time over which the windows of an output are measured. Default 10 us.
    pub least_window: Span,
    /// When they are measured.
    pub windows_measured: Measured,
    /// Bytes of a notice to a neighbour. Default 64 B.
    pub notice: Bytes,
    /// Packets of other flows may take another way around the region (SAR). Needs `scheme.route`.
    pub reroute: bool,
    /// They do when more than this waits for an output, or after the second notice in a row for it. Default 80 kB.
    pub reroute_above: Bytes,
}

/// When the windows of an output are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measured {
    /// From the instant at which congestion is known, as section 3.4 has it.
    #[default]
    FromOnset,
    /// At any time: a count of the last `least_window` runs on, so that windows hold at once when congestion is known.
    Always,
}

/// Packets that are sampled for their flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FlowSampling {
    /// The last of every so many. A number that has a factor in common with the period in which flows take turns meets some of
    /// them again and again, and others never.
    #[default]
    InTurn,
    /// Each with a chance of one in so many.
    ByChance,
}

/// How a sampled flow is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Entries {
    /// Once: it stays until as many others have come as there is room for.
    #[default]
    OneAFlow,
    /// At each sample, over the oldest entry (section 3.3): who sends no more is forgotten soon. Windows are measured over
    /// `least_window`, whoever has sent in it.
    OneASample,
}

/// How harmful flows are paced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pacing {
    /// To windows (section 3.4).
    #[default]
    ByWindows,
    /// They go when no other flow can, as the introduction has it; no window holds them.
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
    /// That of the output and those of the inputs for it.
    #[default]
    BothQueues,
    /// That of the output alone.
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
    fn check(&self, _setting: &Setting, found: &mut Complaints) {
        for (key, none, fact) in [
            ("equilibrium", self.equilibrium.0 == 0, "every packet that waits would be congestion"),
            ("least_window", self.least_window == Span::ZERO, "windows could be empty"),
            ("notice", self.notice.0 == 0, "a notice has no bytes"),
        ] {
            if none {
                found.complain(key, fact, "give it a value above zero");
            }
        }
        if !(0.0..=1e6).contains(&self.growth_weight) {
            let fact = format!("{} is not a sensible weight", self.growth_weight);
            found.complain("growth_weight", fact, "give a number from zero on, such as 2");
        }
    }
}

/// The highest degree of congestion: 6 bits, as in QCN.
pub const MOST: u8 = 63;

/// How much a degree takes off a window: half at the highest (F_b G_d, G_d = 1/128).
pub fn share_taken(degree: u8) -> f64 {
    f64::from(degree) / 128.0
}
