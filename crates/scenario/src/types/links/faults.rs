//! Links that fail during a run.

use congestree_units::{Rate, Span, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Links that go down, or become slower, and recover. A link that is down carries nothing in either direction. Packets
/// on it are lost, unless links.retry sends them again. When it comes up again, each end has the right number of
/// credits for the free buffer at the other end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Faults {
    /// The failures: which links, and when.
    #[schemars(length(min = 1))]
    pub failures: Vec<Failure>,
    /// How routes adapt to failed links. Default "none".
    pub reroute: Reroute,
    /// When a link has been down for this long, switches drop the packets that wait for it and all that arrive for it
    /// later (HOQLife of InfiniBand: 4.096 us times a power of two). Default 1.073741824 s, as OpenSM sets it (code
    /// 18). With "0 ns" packets for a port that is down are dropped at once, as those that InfiniBand counts in
    /// PortXmitDiscards.
    pub head_of_queue_lifetime: Span,
}

impl Faults {
    /// Whether nothing waits for a link so long that it is dropped. A link that is down to the end is assumed to be
    /// down for less than a second.
    pub(crate) fn waits(&self) -> bool {
        self.failures.iter().filter(|failure| failure.is_down()).all(|failure| {
            let longest = failure.until.map_or(SECOND, |until| Span(until.0.saturating_sub(failure.at.0)));
            self.head_of_queue_lifetime >= longest
        })
    }
}

/// Longer than a packet simulation usually is.
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
    /// Routes do not change.
    #[default]
    None,
    /// At once, but only at the switch itself: a switch that chooses among several paths (scheme.route) avoids its own
    /// links that are down.
    Local,
    /// After a delay, everywhere: new forwarding tables, with shortest paths over the remaining links, take effect in
    /// all switches at the same instant.
    SubnetManager(SubnetManager),
}

/// A subnet manager, which computes new routes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubnetManager {
    /// Time from a link going down or coming up until the new tables are in all switches.
    pub delay: Span,
}

/// A failure of one link, or of links drawn at random. Give either link or share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Failure {
    /// The two ends of the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<[String; 2]>,
    /// Which of several links between the two fails, counted from 1 in the order of the ports of the first: 2 is the
    /// link that is called "A->B (2)". Absent: all of them fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub number: Option<u32>,
    /// Share of the links between switches that fail, drawn at random; at least one link. With 0 none fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: Option<f64>,
    /// Seed for drawing the links. Absent: that of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// When the failure begins.
    pub at: Time,
    /// When the failure ends. Absent: at the end of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
    /// Rate of the link during the failure, in both directions. Absent: the link is down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Share of its rate that the link keeps during the failure. Absent: the link is down.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub keeps: Option<f64>,
}

impl Failure {
    /// Whether the link is down, and not only slow.
    pub(crate) fn is_down(&self) -> bool {
        self.rate.is_none() && self.keeps.is_none()
    }
}
