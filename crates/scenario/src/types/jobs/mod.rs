//! Applications: what every rank does, and on which host it runs.

pub(super) mod chakra;
pub(super) mod collective;
pub(super) mod parallel;

pub use congestree_traffic::programs::ExchangeOrder;
use congestree_units::{Bytes, Rate, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Chakra, Collective, Moe, Training};

/// What the ranks of an application do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// The GOAL file of this name, relative to the folder of the scenario.
    Goal(String),
    /// The text of a GOAL file, written in the scenario itself.
    Text(String),
    /// Ranks 0 and 1, 2 and 3, ... send a message back and forth.
    PingPong(PingPong),
    /// Every rank exchanges messages with the next and the previous rank (b_eff, natural order).
    NaturalRing(Ring),
    /// Every rank exchanges messages with its two neighbours on a randomly ordered ring, drawn from the seed (b_eff,
    /// random order).
    RandomRing(Ring),
    /// Transposition of a matrix on the most nearly square grid of ranks; on a square grid a pairwise exchange
    /// (PTRANS).
    Ptrans(Ptrans),
    /// Fourier transform of data spread over all ranks: computation and all-to-all transposition in turn (MPIFFT).
    Mpifft(Mpifft),
    /// The sum of all vectors, at every rank, on a ring: 2 (n - 1) steps, each with one n-th of the vector.
    AllReduceRing(Reduction),
    /// The sum of the vectors of all ranks, at every rank, by recursive doubling: log2 n exchanges of the whole vector.
    AllReduceDoubling(Reduction),
    /// The sum of the vectors of all ranks, one part at each rank, on a ring: n - 1 steps.
    ReduceScatter(Reduction),
    /// Each rank has one part of a vector, and gets the others on a ring: n - 1 steps.
    AllGather(Gathering),
    /// Every rank sends a message to every other rank.
    AllToAll(AllToAll),
    /// From one rank to all, over a binomial tree.
    Broadcast(Broadcast),
    /// No rank goes on before all have arrived: ceil(log2 n) rounds (dissemination barrier).
    Barrier(Barrier),
    /// A collective operation as communication libraries such as NCCL carry it out: algorithm, channels, chunks.
    Collective(Collective),
    /// Execution traces of a training job (Chakra).
    Chakra(Chakra),
    /// Mixture of experts (MoE): tokens go to the ranks of their experts and come back, layer after layer.
    Moe(Moe),
    /// An iteration of training with pipeline, tensor, data and expert parallelism.
    Training(Training),
}

/// A message to and fro.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PingPong {
    /// Payload of each message.
    pub bytes: Bytes,
    /// Number of round trips.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub count: u32,
}

/// A ring on which every rank talks to both neighbours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ring {
    /// Payload of each message.
    pub bytes: Bytes,
    /// Number of repetitions.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub count: u32,
}

/// Transposition of a matrix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ptrans {
    /// Bytes of the matrix at each rank.
    pub bytes: Bytes,
    /// Number of repetitions.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub count: u32,
    /// Computing time before each transposition.
    #[serde(default)]
    pub compute: Span,
}

/// A distributed Fourier transform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mpifft {
    /// Bytes of the data at each rank; in a transposition one n-th of it goes to each other rank.
    pub bytes: Bytes,
    /// Number of transpositions.
    #[serde(default = "three")]
    #[schemars(range(min = 1))]
    pub transposes: u32,
    /// Computing time before and after each transposition.
    #[serde(default)]
    pub compute: Span,
    /// In which order the messages of a transposition are sent.
    #[serde(default)]
    pub order: ExchangeOrder,
}

/// A reduction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reduction {
    /// Size of the vector at each rank.
    pub bytes: Bytes,
    /// Rate at which a rank reduces (adds) received data into its own. Absent: this takes no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combine_rate: Option<Rate>,
}

/// A gathering.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gathering {
    /// Size of the vector that each rank has at the end; before, each has one n-th of it.
    pub bytes: Bytes,
}

/// A total exchange.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllToAll {
    /// Size of the message from each rank to each other rank.
    pub bytes: Bytes,
    /// In which order the messages are sent.
    #[serde(default)]
    pub order: ExchangeOrder,
}

/// From one to all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Broadcast {
    /// Size of the message that each rank receives.
    pub bytes: Bytes,
    /// The rank that broadcasts.
    #[serde(default)]
    pub root: u32,
}

/// All wait for all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Barrier {
    /// Payload of each message.
    pub bytes: Bytes,
}

/// How an application runs: where its ranks are, how often they run the program, and when a send is complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Job {
    /// Number of ranks. Absent: that of the GOAL file; otherwise per_host for each host of `from`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub ranks: Option<u32>,
    /// The most ranks on one host. Absent: the smallest number that fits all ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub per_host: Option<u32>,
    /// How ranks are placed on the hosts of `from`.
    pub placement: Placement,
    /// Number of times each rank runs its program, one after another. Ranks do not wait for each other in between.
    #[schemars(range(min = 1))]
    pub repeat: u32,
    /// When a send is complete, so that operations that depend on it may start.
    pub send_end: SendEnd,
    /// Processor time of each send, before the message leaves, and of each receive, after the message has arrived.
    pub overhead: Span,
    /// Rendezvous threshold: messages of at least this size are announced, and sent when the receiver has posted the
    /// receive. Messages inside nodes and hosts, which do not use the network, are sent at once. Absent: all messages are
    /// sent eagerly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rendezvous: Option<Bytes>,
    /// Rate at which a rank copies messages to other ranks on its own host, one after another. Absent: copies take no
    /// time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_rate: Option<Rate>,
    /// Time from the end of such a copy until the message has arrived.
    pub memory_delay: Span,
    /// Ranks whose computations take longer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stragglers: Vec<Straggler>,
}

impl Default for Job {
    fn default() -> Self {
        Self {
            ranks: None,
            per_host: None,
            placement: Placement::Linear,
            repeat: 1,
            send_end: SendEnd::Left,
            overhead: Span::ZERO,
            rendezvous: None,
            memory_rate: None,
            memory_delay: Span::ZERO,
            stragglers: Vec::new(),
        }
    }
}

/// Which rank is on which host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// Host by host, in the order of `from`: each host is filled before the next.
    #[default]
    Linear,
    /// One rank to each host of `from` in turn: none has more than one rank more than another.
    RoundRobin,
    /// Host by host in random order, drawn from the seed and the name of the entry.
    Random,
    /// Rail by rail: successive ranks are on hosts with the same place in their nodes.
    ByRail(ByRail),
    /// A list with the host of every rank.
    Given(Given),
}

/// Rail by rail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByRail {
    /// Hosts of a node, which follow each other in `from`: the adapters of a server, each on a rail of its own.
    #[schemars(range(min = 1))]
    pub node: u32,
}

/// Ranks that compute more slowly than others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Straggler {
    /// The slow ranks.
    #[schemars(length(min = 1))]
    pub ranks: Vec<u32>,
    /// Computations take this many times as long as the program says.
    #[schemars(range(min = 0.0, max = 1000000.0))]
    pub factor: f64,
}

/// A placement given rank by rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// The host of every rank, from rank 0 on; hosts may be named several times.
    #[schemars(length(min = 1))]
    pub hosts: Vec<String>,
}

/// When a send has finished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SendEnd {
    /// When the last packet has left the host. With a transport, which may have to retransmit it, the same as
    /// `acknowledged`.
    #[default]
    Left,
    /// When the sender has received the ACK of the last packet, like a send over a reliable connection. Needs a
    /// transport or ACKs.
    Acknowledged,
    /// When the message has been delivered; the sender learns of it at the same instant. With a transport, such a run
    /// uses one core only.
    Delivered,
}

fn one() -> u32 {
    1
}

fn three() -> u32 {
    3
}
