//! Who sends what to whom, and when.

use congestree_units::{Bytes, Rate, Span, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::workload::{Cdf, Flows, List};
use super::{Job, Program};

/// A class of traffic: a generator at each of its hosts, or an application on them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    /// Name of the class. Default: traffic0, traffic1, ... by position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The sending hosts, or those of the application: a host, a group, "all", or a list of those. Either this or `list`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Hosts>,
    /// The receiving host. Either this, `pattern` or `program`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// How destinations are chosen. Either this, `to` or `program`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Pattern>,
    /// An application: what each of its ranks sends, receives and computes. Either this, `to` or `pattern`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Program>,
    /// Where the ranks of the application are, and how they run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<Job>,
    /// When messages are made.
    #[serde(default)]
    pub arrivals: Arrivals,
    /// The messages one by one, each of them a flow of its own. Either this or `from` and what follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<List>,
    /// What makes a flow. Messages of a list are flows of their own anyway.
    #[serde(default)]
    pub flows: Flows,
    /// Payload of a message. Default: one mtu.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Bytes>,
    /// Messages of random size. Either this or `message`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Sizes>,
    /// When the first source starts, or the application.
    #[serde(default)]
    pub start: Time,
    /// From here on no message is made. Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Time>,
    /// The k-th source of `from` starts k times this later than the first.
    #[serde(default)]
    pub stagger: Span,
    /// Each source starts later by a random time below this.
    #[serde(default)]
    pub jitter: Span,
    /// A fixed limit on the rate of each flow, in wire bytes, start to start. Absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Packets of a flow that may be on their way unacknowledged. Absent: as adapters.window says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub window: Option<u32>,
    /// Queue pairs between each source and its destination. Every one is a flow with its own window, rate control and way through
    /// the fabric (switches that hash tell them apart). Messages go into them in turn; of a greedy source each always has
    /// another packet. Absent: one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1024))]
    pub queue_pairs: Option<u32>,
    /// Its service level: chooses the lane, and the throttle if sources have one per level.
    #[serde(default)]
    #[schemars(range(max = 15))]
    pub service: u8,
    /// The lane in which its packets travel. Absent: as links.service_lanes says for its service level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 14))]
    pub lane: Option<u8>,
}

impl Traffic {
    /// The name of the class: its own, or by its position.
    pub(crate) fn class_name(&self, position: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("traffic{position}"))
    }

    /// Its messages are flows of their own.
    pub(crate) fn is_finite(&self) -> bool {
        let alone = matches!(self.arrivals, Arrivals::Incast(_) | Arrivals::Injected);
        self.flows == Flows::ByMessage || self.list.is_some() || alone
    }
}

/// One or several names of hosts or groups; "all" stands for every host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Hosts {
    /// A host, a group, or "all".
    One(String),
    /// Several of those.
    Several(#[schemars(length(min = 1))] Vec<String>),
}

impl Hosts {
    /// The names as a list.
    pub fn names(&self) -> &[String] {
        match self {
            Hosts::One(name) => std::slice::from_ref(name),
            Hosts::Several(names) => names,
        }
    }
}

/// How destinations are chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// Every message to any other host alike.
    Uniform,
    /// A share of the messages goes to a few hot hosts, the rest to any other host alike.
    HotSpot(HotSpot),
    /// Host i sends to host i + by, around the end.
    Shift(Shift),
    /// All to one hot host, which changes at the same instants for every source.
    Moving(Moving),
    /// Hosts form groups, counted from the first host on; every message goes to any other host of the group alike.
    Groups(Groups),
    /// Each host sends to one other host, drawn once from the seed; no two send to the same.
    Permutation,
}

/// Destinations with hot spots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HotSpot {
    /// The hot hosts: a host, a group, or a list of those.
    pub to: Hosts,
    /// Share of the messages that go to them.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub fraction: f64,
}

/// A hot host that changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Moving {
    /// The hot hosts in turn; after the last comes the first. A source that is the hot host itself is silent meanwhile.
    #[schemars(length(min = 1))]
    pub to: Vec<String>,
    /// How long each of them is hot, from the start of the run on.
    pub every: Span,
}

/// Destinations within groups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    /// Hosts of a group.
    #[schemars(range(min = 2))]
    pub size: u32,
}

/// Destinations at a fixed distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shift {
    /// Distance from source to destination, in host ids.
    #[schemars(range(min = 1))]
    pub by: u32,
}

/// When messages are made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arrivals {
    /// There is always another packet to send.
    #[default]
    Greedy,
    /// Random gaps, exponentially distributed.
    Poisson(Poisson),
    /// A constant rate; what could not be sent in time stays due.
    Steady(Steady),
    /// Greedy while ON, silent while OFF; both periods exponentially distributed; ON first.
    OnOff(OnOff),
    /// One message after the other, with exponentially distributed gaps.
    Gaps(Gaps),
    /// A number of messages at fixed intervals.
    Messages(Messages),
    /// Repeated incasts: some of the hosts, drawn at random, send a message each to one host. Every message is a flow of its own.
    Incast(Incast),
    /// Messages are injected from outside, while the simulation is open (`congestree.Live`); in a run there are none. Every
    /// message is a flow of its own.
    Injected,
}

/// Random gaps, exponentially distributed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Poisson {
    /// Wire bytes offered, as a share of the rate of the host's link.
    #[schemars(range(max = 10.0), extend("exclusiveMinimum" = 0.0))]
    pub load: f64,
}

/// A constant rate: a source may have sent so much of the time since its start, and no more. Messages are made when
/// the host can send them; with a destination for each of them, none waits behind one that is throttled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Steady {
    /// Wire bytes offered, as a share of the rate of the host's link. Either this or `rate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 10.0), extend("exclusiveMinimum" = 0.0))]
    pub load: Option<f64>,
    /// Payload offered. Either this or `load`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
}

/// How large messages are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sizes {
    /// Pareto distribution: few messages carry most of the bytes.
    Pareto(Pareto),
    /// As a table says, with straight lines between its rows.
    Cdf(Cdf),
}

/// Pareto distribution: P(size > x) = (m/x)^shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pareto {
    /// Exponent of the tail; the smaller, the heavier.
    #[schemars(range(max = 100.0), extend("exclusiveMinimum" = 1.0))]
    pub shape: f64,
    /// Mean of the distribution, before larger ones are cut.
    pub mean: Bytes,
    /// Larger messages are cut to this. Absent: they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<Bytes>,
}

/// One message after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gaps {
    /// Mean gap.
    pub mean: Span,
    /// Where a gap begins.
    #[serde(default)]
    pub after: After,
}

/// Where the gap to the next message begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum After {
    /// When the last message was made; it waits at the source until those before it are done.
    #[default]
    Made,
    /// When all of the last message was acknowledged. Needs a transport, and one destination for a source.
    Done,
}

/// Greedy while ON, silent while OFF.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnOff {
    /// Mean length of the ON periods.
    pub on: Span,
    /// Mean length of the OFF periods.
    pub off: Span,
}

/// Incasts with senders drawn at random. `to` is the receiver; with `pattern = "uniform"` it is any host, drawn each time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Incast {
    /// How many of the hosts of `from` send each time.
    #[schemars(range(min = 1))]
    pub senders: u32,
    /// How many times. Default: once; with a load as often as there is time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub count: Option<u64>,
    /// From one time to the next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<Span>,
    /// Poisson arrivals, in the place of `every`: random gaps, exponentially distributed, before the first time, too. Wire
    /// bytes of all senders together, as a share of the rates of all links of the hosts of `from`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 10.0), extend("exclusiveMinimum" = 0.0))]
    pub load: Option<f64>,
}

/// A number of messages at fixed intervals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Messages {
    /// How many.
    #[schemars(range(min = 1))]
    pub count: u64,
    /// Time from one to the next, or from one burst to the next. Absent: all at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<Span>,
    /// So many of them are made at once each time.
    #[schemars(range(min = 1))]
    pub burst: u64,
}

impl Default for Messages {
    fn default() -> Self {
        Self { count: 1, every: None, burst: 1 }
    }
}
