//! Links that fail while a run goes on.

use congestree_units::{Rate, Span, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Links that go down, or carry less, and come back. A link that is down carries nothing in either direction; packets on it
/// are lost, unless links.retry sends them again. When it comes up it is empty, and each end knows what room is free behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Faults {
    /// What fails, and when.
    #[schemars(length(min = 1))]
    pub failures: Vec<Failure>,
    /// How routes follow. Default "none".
    pub reroute: Reroute,
    /// Switches drop what waits for a link that has been down for so long, and what comes for it after that (HOQLife of
    /// InfiniBand: 4.096 us times a power of two). Default 1.073741824 s, as OpenSM sets it (code 18). With "0 ns" a port that is
    /// down drops at once, as the discards of InfiniBand's PortXmitDiscards.
    pub head_of_queue_lifetime: Span,
}

impl Faults {
    /// Nothing waits for a link so long that it is dropped. What is down to the end is taken for less than a second.
    pub(crate) fn waits(&self) -> bool {
        self.failures.iter().filter(|failure| failure.is_down()).all(|failure| {
            let longest = failure.until.map_or(SECOND, |until| Span(until.0.saturating_sub(failure.at.0)));
            self.head_of_queue_lifetime >= longest
        })
    }
}

/// Longer than a run of packets, as a rule.
const SECOND: Span = Span(1_000_000_000_000);

impl Default for Faults {
    fn default() -> Self {
        // OpenSM: head_of_queue_lifetime 0x12, in units of 4.096 us times a power of two.
        Self { failures: Vec::new(), reroute: Reroute::None, head_of_queue_lifetime: Span(4_096_000 << 18) }
    }
}

/// How routes follow when links fail and come back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reroute {
    /// They do not.
    #[default]
    None,
    /// At once and next door only: a switch that chooses among several ways (scheme.route) leaves out those over its own links
    /// that are down.
    Local,
    /// After a delay, everywhere: shortest paths over the links that are left are put into all switches at one instant.
    SubnetManager(SubnetManager),
}

/// Somebody who finds new routes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubnetManager {
    /// From a link going down or coming up until the new tables are in all switches.
    pub delay: Span,
}

/// A failure of one link, or of some drawn at random. Give link or share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Failure {
    /// The two ends of the link; all links between the two if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<[String; 2]>,
    /// The share of the links between switches that fail, drawn at random; at least one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: Option<f64>,
    /// Seed by which they are drawn. Absent: that of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// From when on.
    pub at: Time,
    /// Until when. Absent: to the end of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
    /// The rate of the link in the meantime, in both directions. Absent: it is down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// The share of its rate that it keeps. Absent: it is down.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub keeps: Option<f64>,
}

impl Failure {
    /// The link is down, and not only slow.
    pub(crate) fn is_down(&self) -> bool {
        self.rate.is_none() && self.keeps.is_none()
    }
}
