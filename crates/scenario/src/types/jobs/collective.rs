//! Collective operations as the libraries of training jobs perform them.

pub use congestree_traffic::programs::collectives::{Algorithm, Operation, Protocol};
use congestree_units::{Bytes, Rate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A collective operation: which, of how much, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Collective {
    /// The operation.
    pub operation: Operation,
    /// Size of the whole vector; where each rank has a part of it, a part is one n-th of this. Absent: only of a barrier,
    /// which has no vector and ignores the size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Bytes>,
    /// The algorithm. Absent: ring; for all-to-all, gather and scatter direct; for barrier halving-doubling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Algorithm>,
    /// The rank that broadcasts, reduces, gathers or scatters.
    #[serde(default)]
    pub root: u32,
    /// Ranks per node; they follow each other in the order of ranks. Rings go node by node, trees connect nodes
    /// (both turned by one rank from channel to channel), and `hierarchical` starts inside nodes.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub node: u32,
    /// Rings, and the chains of broadcast and reduce, go from node to node along rails: between ranks at the same place of
    /// their nodes, as NCCL's alternating rings do. Otherwise they go from the last rank of a node to the first of the
    /// next (turned by one from channel to channel), so that on a network with rails everything between nodes crosses
    /// the spine. With an odd number of nodes of two ranks, one hop of each ring is still from rail to rail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub along_rails: bool,
    /// Rate at which a rank reduces (adds) received data into its own. Absent: this takes no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combine_rate: Option<Rate>,
    /// How the data are divided and sent.
    #[serde(default)]
    pub chunking: Chunking,
}

/// How a library divides and sends data. The names and sizes are NCCL's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Chunking {
    /// Channels: parts of the data that are sent independently of each other. Rings (also in nodes and along rails) and
    /// trees have them; with `halving-doubling`, `direct` and `pairwise` a rank sends what another gets from it as one
    /// message.
    #[schemars(range(min = 1, max = 64))]
    pub channels: u32,
    /// The protocol, which decides what is on the wire besides data.
    pub protocol: Protocol,
    /// Payload that a rank forwards as a whole, in rings and trees. Absent: as in NCCL, 2 MiB in two slices for all-reduce, all-gather
    /// and reduce-scatter with Simple, otherwise an eighth of a channel's buffer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk: Option<Bytes>,
}

impl Default for Chunking {
    fn default() -> Self {
        Self { channels: 1, protocol: Protocol::Simple, chunk: None }
    }
}

fn one() -> u32 {
    1
}
