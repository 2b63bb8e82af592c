//! Who sends what to whom, and when.

use congestree_units::{Bytes, Rate, Span, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::workload::{Cdf, Flows, List};
use super::{Job, Program};

/// A class of traffic: a message generator at each of its hosts, or an application that runs on them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    /// Name of the class. Default: traffic0, traffic1, ... by position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The sending hosts, or the hosts of the application: a host, a group, "all", or a list of those. Give either this
    /// or `list`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Hosts>,
    /// The receiving host. Give one of `to`, `pattern` and `program`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// How destinations are chosen. Give one of `to`, `pattern` and `program`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Pattern>,
    /// An application: what each of its ranks sends, receives and computes. Give one of `to`, `pattern` and `program`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Program>,
    /// Placement and execution of the application's ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<Job>,
    /// When messages are generated.
    #[serde(default)]
    pub arrivals: Arrivals,
    /// A list of single messages, each of them a flow of its own. Give either this or `from` with its destinations and
    /// arrivals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<List>,
    /// What a flow is. Each message of a `list` is always a flow of its own.
    #[serde(default)]
    pub flows: Flows,
    /// Payload of a message. Default: one mtu.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Bytes>,
    /// Random message sizes. Give either this or `message`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Sizes>,
    /// When the first source, or the application, starts.
    #[serde(default)]
    pub start: Time,
    /// When sources stop generating messages. Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Time>,
    /// Delay between the starts of successive sources: source k of `from` (counted from 0) starts k times this after
    /// the first.
    #[serde(default)]
    pub stagger: Span,
    /// Each source starts later by a random time below this.
    #[serde(default)]
    pub jitter: Span,
    /// Fixed rate limit of each flow, in wire bytes, measured from packet start to packet start. Absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// The most unacknowledged packets of a flow. Absent: as adapters.window says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub window: Option<u32>,
    /// Queue pairs (QPs) between each source and its destination. Each QP is a flow with its own window, rate control
    /// and path through the fabric (ECMP hashes them separately). Messages are spread over them in turn; with a greedy
    /// source every QP always has packets to send. Absent: one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1024))]
    pub queue_pairs: Option<u32>,
    /// Service level of the packets. It selects the virtual lane, and the rate limiter if sources have one per service
    /// level.
    #[serde(default)]
    #[schemars(range(max = 15))]
    pub service: u8,
    /// Virtual lane of the packets. Absent: links.service_lanes maps the service level to a lane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 14))]
    pub lane: Option<u8>,
}

impl Traffic {
    /// The name of the class: its own, or one made from its position.
    pub(crate) fn class_name(&self, position: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("traffic{position}"))
    }

    /// Whether each of its messages is a flow of its own.
    pub(crate) fn is_finite(&self) -> bool {
        let alone = matches!(self.arrivals, Arrivals::Incast(_) | Arrivals::Injected);
        self.flows == Flows::ByMessage || self.list.is_some() || alone
    }
}

/// One or several names of hosts or groups; "all" means every host.
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
    /// Each message goes to a random other host; all are equally likely.
    Uniform,
    /// A share of the messages goes to a few hot hosts, the rest to random other hosts, hot ones included.
    HotSpot(HotSpot),
    /// Host i sends to host i + by, modulo the number of hosts.
    Shift(Shift),
    /// All sources send to one hot host, which changes at the same instants for every source.
    Moving(Moving),
    /// Hosts form groups, counted from the first host; each message goes to a random other host of the sender's group.
    Groups(Groups),
    /// A random permutation: each host sends to one other host, and no two hosts send to the same. It is drawn once,
    /// from the seed.
    Permutation,
}

/// Destinations with hot spots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HotSpot {
    /// The hot hosts: a host, a group, or a list of those.
    pub to: Hosts,
    /// Probability that a message goes to one of them, all equally likely. If it does not, or if a host draws itself, it
    /// goes to a random other host, hot ones included: with a fraction of 0.3 and one hot host among 8, that host gets
    /// 0.3 + 0.7 / 7 = 0.4 of the messages of each other host.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub fraction: f64,
}

/// A hot host that changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Moving {
    /// The hot hosts in turn; after the last comes the first. A source sends nothing while it is the hot host itself.
    #[schemars(length(min = 1))]
    pub to: Vec<String>,
    /// How long each host is hot, counted from the start of the run.
    pub every: Span,
}

/// Destinations within groups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    /// Number of hosts in a group.
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

/// When messages are generated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arrivals {
    /// Saturated sources: there is always another packet to send.
    #[default]
    Greedy,
    /// Poisson arrivals: gaps are exponentially distributed.
    Poisson(Poisson),
    /// A constant rate; messages that could not be sent in time are sent later.
    Steady(Steady),
    /// Greedy while ON, silent while OFF. Both periods are exponentially distributed; a source begins with ON.
    OnOff(OnOff),
    /// One message after another, with exponentially distributed gaps.
    Gaps(Gaps),
    /// A number of messages at fixed intervals.
    Messages(Messages),
    /// Repeated incasts: some hosts, drawn at random, send one message each to the same host. Every message is a flow
    /// of its own.
    Incast(Incast),
    /// Messages are injected by a program during the simulation (`congestree.Live`); in a plain run there are none.
    /// Every message is a flow of its own.
    Injected,
}

/// Poisson arrivals: gaps are exponentially distributed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Poisson {
    /// Offered load in wire bytes, as a share of the rate of the host's link.
    #[schemars(range(max = 10.0), extend("exclusiveMinimum" = 0.0))]
    pub load: f64,
}

/// A constant rate: a source never has sent more than this rate allows since its start. Messages are made when the host
/// can send them; if each has its own destination, none waits behind one that is throttled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Steady {
    /// Offered load in wire bytes, as a share of the rate of the host's link. Give either this or `rate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 10.0), extend("exclusiveMinimum" = 0.0))]
    pub load: Option<f64>,
    /// Offered payload rate. Give either this or `load`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
}

/// How large messages are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sizes {
    /// Pareto distribution: few messages carry most of the bytes.
    Pareto(Pareto),
    /// The distribution given by a table, interpolated linearly between its rows.
    Cdf(Cdf),
}

/// Pareto distribution: P(size > x) = (m/x)^shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pareto {
    /// Exponent of the tail: the smaller, the heavier the tail.
    #[schemars(range(max = 100.0), extend("exclusiveMinimum" = 1.0))]
    pub shape: f64,
    /// Mean of the distribution, before it is truncated at `most`.
    pub mean: Bytes,
    /// Largest message: larger sizes are truncated to this. Absent: no limit.
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
    /// When the previous message was generated. Messages wait at the source until those before them are done.
    #[default]
    Made,
    /// When the whole previous message has been acknowledged. Needs a transport, and a single destination per source.
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
    /// Number of senders in each incast, out of the hosts of `from`.
    #[schemars(range(min = 1))]
    pub senders: u32,
    /// Number of incasts. Default: one; with `load` as many as start within the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub count: Option<u64>,
    /// Time between two incasts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<Span>,
    /// Poisson arrivals, in place of `every`: the gaps, including the one before the first incast, are exponentially
    /// distributed. The load is the wire bytes of all senders together, as a share of the rates of all links of the
    /// hosts of `from`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 10.0), extend("exclusiveMinimum" = 0.0))]
    pub load: Option<f64>,
}

/// A number of messages at fixed intervals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Messages {
    /// Number of messages.
    #[schemars(range(min = 1))]
    pub count: u64,
    /// Time between two messages, or two bursts. Absent: all at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<Span>,
    /// Messages of a burst, which are generated at the same time.
    #[schemars(range(min = 1))]
    pub burst: u64,
}

impl Default for Messages {
    fn default() -> Self {
        Self { count: 1, every: None, burst: 1 }
    }
}
