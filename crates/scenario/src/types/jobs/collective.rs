//! Collective operations as the libraries of training jobs carry them out.

use congestree_units::{Bytes, Rate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A collective operation: which, of how much, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Collective {
    /// What is done.
    pub operation: Operation,
    /// The whole vector: of n parts, where ranks have a part each.
    pub bytes: Bytes,
    /// How. Absent: ring; all-to-all, gather and scatter: direct; barrier: halving-doubling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Algorithm>,
    /// The rank that broadcasts, reduces, gathers or scatters.
    #[serde(default)]
    pub root: u32,
    /// Ranks of a node, neighbours in the order of ranks. Rings go node by node, trees are over nodes, and `hierarchical`
    /// is in nodes first.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub node: u32,
    /// Rate at which a rank adds what it received to what it has. Absent: at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combine_rate: Option<Rate>,
    /// How the data are cut and sent.
    #[serde(default)]
    pub chunking: Chunking,
}

/// How a library cuts and sends data. The names and sizes are NCCL's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Chunking {
    /// Parts of the data that go their way by themselves.
    #[schemars(range(min = 1, max = 64))]
    pub channels: u32,
    /// What else is on the wire beside data.
    pub protocol: Protocol,
    /// Payload that a rank passes on as a whole. Absent: as NCCL has it, 2 MiB in two slices for all-reduce, all-gather and
    /// reduce-scatter with Simple, otherwise an eighth of a channel's buffer.
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

/// A collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// The sum of everybody's vector, at everybody.
    AllReduce,
    /// Everybody has a part of a vector, and gets the others.
    AllGather,
    /// The sum of everybody's vector, a part at each rank.
    ReduceScatter,
    /// Everybody has a part of a vector for everybody.
    AllToAll,
    /// A vector from one rank to all.
    Broadcast,
    /// The sum of everybody's vector, at one rank.
    Reduce,
    /// Everybody's part, at one rank.
    Gather,
    /// A part from one rank to each.
    Scatter,
    /// Nobody goes on before all have come.
    Barrier,
}

/// How a collective operation is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// Round one ring; broadcast and reduce: along a chain. NCCL's Ring.
    Ring,
    /// Half of the data round the ring in each direction.
    BidirectionalRing,
    /// Two binary trees, each for half of the data. NCCL's Tree.
    Tree,
    /// Halves, then quarters ... with partners at halving distances, and back.
    HalvingDoubling,
    /// In the nodes, then along the rails between them, then in the nodes.
    Hierarchical,
    /// Everybody with everybody, all at once.
    Direct,
    /// Everybody with everybody, one partner after the other.
    Pairwise,
}

/// How data and flags share what is sent: NCCL's protocols.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Plain data in large chunks.
    #[default]
    Simple,
    /// Four bytes of data with four of flag: twice the bytes.
    Ll,
    /// 120 bytes of data in 128.
    Ll128,
}
