//! Applications: what every rank does, and where the ranks are.

pub(super) mod chakra;
pub(super) mod collective;
pub(super) mod parallel;

use congestree_units::{Bytes, Rate, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Chakra, Collective, Moe, Training};

/// What the ranks of an application do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// What the GOAL file of this name says, relative to the folder of the scenario.
    Goal(String),
    /// What this text says, which is that of a GOAL file.
    Text(String),
    /// Ranks 0 and 1, 2 and 3, ... send a message to and fro.
    PingPong(PingPong),
    /// Every rank sends to the next and the last one and hears from both (b_eff, natural order).
    NaturalRing(Ring),
    /// Every rank sends to its neighbours on a ring in random order, drawn from the seed, and hears from both (b_eff, random order).
    RandomRing(Ring),
    /// Transposition of a matrix on the most nearly square grid of ranks: pairwise exchange, on a square grid (PTRANS).
    Ptrans(Ptrans),
    /// Fourier transform of data spread over all ranks: computation and all-to-all transposition in turn (MPIFFT).
    Mpifft(Mpifft),
    /// The sum of the vectors of all ranks, at every rank, on a ring: 2 (n - 1) steps of a n-th of the vector.
    AllReduceRing(Reduction),
    /// The sum of the vectors of all ranks, at every rank, by recursive doubling: log2 n exchanges of the whole vector.
    AllReduceDoubling(Reduction),
    /// The sum of the vectors of all ranks, one part at each rank, on a ring: n - 1 steps.
    ReduceScatter(Reduction),
    /// Each rank has one part of a vector, and gets the others on a ring: n - 1 steps.
    AllGather(Gathering),
    /// Every rank has something for every other.
    AllToAll(AllToAll),
    /// From one rank to all, over a binomial tree.
    Broadcast(Broadcast),
    /// Nobody goes on before all have come: ceil(log2 n) rounds (dissemination).
    Barrier(Barrier),
    /// A collective operation as the libraries of training jobs carry it out: algorithm, channels, chunks.
    Collective(Collective),
    /// What execution traces of a training job say (Chakra).
    Chakra(Chakra),
    /// Tokens go to the ranks of their experts and come back, layer after layer.
    Moe(Moe),
    /// An iteration of training: pipeline, tensor, data and expert parallel.
    Training(Training),
}

/// A message to and fro.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PingPong {
    /// Payload of each message.
    pub bytes: Bytes,
    /// How often it goes to and fro.
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
    /// How often.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub count: u32,
}

/// Transposition of a matrix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ptrans {
    /// What each rank has of the matrix.
    pub bytes: Bytes,
    /// How often.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub count: u32,
    /// Computation before each transposition.
    #[serde(default)]
    pub compute: Span,
}

/// A distributed Fourier transform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mpifft {
    /// What each rank has of the data; an n-th of it goes to each other rank in a transposition.
    pub bytes: Bytes,
    /// How many transpositions.
    #[serde(default = "three")]
    #[schemars(range(min = 1))]
    pub transposes: u32,
    /// Computation before and after each of them.
    #[serde(default)]
    pub compute: Span,
    /// How the messages of a transposition follow each other.
    #[serde(default)]
    pub order: Order,
}

/// A reduction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reduction {
    /// The vector that each rank has.
    pub bytes: Bytes,
    /// Rate at which a rank adds what it received to what it has. Absent: at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combine_rate: Option<Rate>,
}

/// A gathering.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gathering {
    /// The vector that each rank has in the end, an n-th of it before.
    pub bytes: Bytes,
}

/// A total exchange.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllToAll {
    /// What each rank has for each other.
    pub bytes: Bytes,
    /// How the messages follow each other.
    #[serde(default)]
    pub order: Order,
}

/// How the messages of an exchange follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// One partner after the other: s ranks ahead in step s.
    #[default]
    InTurn,
    /// All are given to the adapter at once.
    AtOnce,
}

/// From one to all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Broadcast {
    /// What each rank gets.
    pub bytes: Bytes,
    /// The rank that has it first.
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

/// How a program runs: where its ranks are, how often they run it, and what sending means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Job {
    /// Number of ranks. Absent: as a GOAL file says; otherwise per_host for each host of `from`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub ranks: Option<u32>,
    /// Most ranks on one host. Absent: as few as there is room for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub per_host: Option<u32>,
    /// Which rank is on which host of `from`.
    pub placement: Placement,
    /// How often each rank runs its program, once after the other. Nobody waits for other ranks in between.
    #[schemars(range(min = 1))]
    pub repeat: u32,
    /// When a send has finished, so that what waits for it may start.
    pub send_end: SendEnd,
    /// Time that each send takes on its processor before the message goes, and each receive when the message is in.
    pub overhead: Span,
    /// Messages of at least this size are announced, and sent when the receiver has posted the receive. Absent: none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rendezvous: Option<Bytes>,
    /// Rate at which a rank copies messages to ranks of its own host, one after the other. Absent: at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_rate: Option<Rate>,
    /// From the end of such a copy until the message is there.
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
    /// Host by host in the order of `from`: each is filled before the next.
    #[default]
    Linear,
    /// One rank to each host in turn.
    RoundRobin,
    /// Host by host in random order, drawn from the seed and the name of the entry.
    Random,
    /// Rail by rail: neighbours in rank are on hosts with the same place in their node.
    ByRail(ByRail),
    /// Written out.
    Given(Given),
}

/// Rail by rail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByRail {
    /// Hosts of a node, neighbours in `from`: adapters, each on a rail of its own.
    #[schemars(range(min = 1))]
    pub node: u32,
}

/// Ranks that compute more slowly than others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Straggler {
    /// Which.
    #[schemars(length(min = 1))]
    pub ranks: Vec<u32>,
    /// So many times as long as the program says.
    #[schemars(range(min = 0.0, max = 1000000.0))]
    pub factor: f64,
}

/// A placement written out.
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
    /// When the last packet has left the host; with a transport, which may have to send it again, as `acknowledged`.
    #[default]
    Left,
    /// When the sender has got the ACK of the last packet, as a send over a reliable connection completes. Needs a transport or ACKs.
    Acknowledged,
    /// When the message has been delivered, of which the sender hears in the same instant. Keeps a run over a transport in one part.
    Delivered,
}

fn one() -> u32 {
    1
}

fn three() -> u32 {
    3
}
