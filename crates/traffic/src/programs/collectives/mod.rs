//! Collective operations of training jobs, as libraries such as NCCL perform them: with which algorithm, over how many
//! channels, in chunks of which size.
//!
//! A channel is a part of the data that is handled independently; a chunk is what a rank forwards as a whole; a slice
//! of it is what is sent and signalled at once. Sizes and names are those of NCCL 2.2x (`device.h`, `collectives.h`,
//! `enqueue.cc`): a channel's buffer for a peer has eight steps. Times are those of the network: starting a kernel
//! takes no time, and a reduction takes the time given by `combining`.

mod chain;
mod count;
mod exchange;
mod halving;
mod library;
mod nodes;
mod ring;
mod team;
mod tree;

#[cfg(test)]
mod tests;

pub use exchange::exchange;
pub use library::Library;
pub use team::{IDLE, Team};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ExchangeOrder, part};
use nodes::Nodes;

/// A collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// The sum of all ranks' vectors, at every rank.
    AllReduce,
    /// Each rank has a part of a vector, and gets the other parts.
    AllGather,
    /// The sum of all ranks' vectors, one part at each rank.
    ReduceScatter,
    /// Each rank has a part of its vector for every other rank.
    AllToAll,
    /// A vector from one rank to all.
    Broadcast,
    /// The sum of all ranks' vectors, at one rank.
    Reduce,
    /// The parts of all ranks, at one rank.
    Gather,
    /// A part from one rank to each.
    Scatter,
    /// No rank goes on before all have arrived.
    Barrier,
}

impl Operation {
    /// Its name in scenarios and tables.
    pub fn name(self) -> &'static str {
        match self {
            Operation::AllReduce => "all-reduce",
            Operation::AllGather => "all-gather",
            Operation::ReduceScatter => "reduce-scatter",
            Operation::AllToAll => "all-to-all",
            Operation::Broadcast => "broadcast",
            Operation::Reduce => "reduce",
            Operation::Gather => "gather",
            Operation::Scatter => "scatter",
            Operation::Barrier => "barrier",
        }
    }

    /// One rank differs from the others: all data come from it, or go to it.
    pub fn has_root(self) -> bool {
        matches!(self, Operation::Broadcast | Operation::Reduce | Operation::Gather | Operation::Scatter)
    }

    /// The whole vector (B), if one of this size is asked for: a barrier has none.
    pub fn vector(self, bytes: u64) -> u64 {
        if self == Operation::Barrier { 0 } else { bytes }
    }
}

/// How a collective operation is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// Around one ring; broadcast and reduce go along a chain. NCCL's Ring; on a network with rails, with `along_rails`.
    Ring,
    /// Around one ring, half of the data in each direction.
    BidirectionalRing,
    /// Two binary trees, each for half of the data. NCCL's Tree.
    Tree,
    /// Recursive halving and doubling: halves, then quarters, ... are exchanged with partners at halving distances, and
    /// back.
    HalvingDoubling,
    /// Inside nodes, then along the rails between nodes, then inside nodes again.
    Hierarchical,
    /// Every rank with every other, all at once.
    Direct,
    /// Every rank with every other, one partner after another.
    Pairwise,
}

impl Algorithm {
    /// Its name in scenarios.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Ring => "ring",
            Algorithm::BidirectionalRing => "bidirectional-ring",
            Algorithm::Tree => "tree",
            Algorithm::HalvingDoubling => "halving-doubling",
            Algorithm::Hierarchical => "hierarchical",
            Algorithm::Direct => "direct",
            Algorithm::Pairwise => "pairwise",
        }
    }
}

/// How data and flags share what is sent: NCCL's protocols.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Plain data in large chunks.
    #[default]
    Simple,
    /// Four bytes of data with four bytes of flag: twice the bytes on the wire.
    Ll,
    /// 120 bytes of data in 128 bytes on the wire.
    Ll128,
}

impl Protocol {
    /// Payload of a step of a channel's buffer: an eighth of 4 MiB; of 512 KiB, half of which is flags; of 4,915,200 B,
    /// a sixteenth of which is flags.
    fn step(self) -> u64 {
        match self {
            Protocol::Simple => 512 << 10,
            Protocol::Ll => 32 << 10,
            Protocol::Ll128 => 576_000,
        }
    }

    /// Bytes on the wire for this payload, in whole lines.
    pub fn on_wire(self, bytes: u64) -> u64 {
        match self {
            Protocol::Simple => bytes,
            Protocol::Ll => bytes.div_ceil(8) * 16,
            Protocol::Ll128 => bytes.div_ceil(120) * 128,
        }
    }
}

/// How data are cut into channels and chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunking {
    /// Parts of the data that are handled independently.
    pub channels: u32,
    /// Payload that a rank forwards as a whole (B).
    pub chunk: u64,
    /// Pieces of a chunk that are sent one by one.
    pub slices: u32,
    /// Overhead on the wire.
    pub protocol: Protocol,
}

impl Chunking {
    /// NCCL's sizes: with Simple, all-reduce, all-gather and reduce-scatter have chunks of four steps in two slices
    /// (2 MiB and 1 MiB); everything else has chunks of a step.
    pub fn nccl(operation: Operation, protocol: Protocol, channels: u32) -> Self {
        use Operation::{AllGather, AllReduce, ReduceScatter};
        let long = matches!(operation, AllReduce | AllGather | ReduceScatter) && protocol == Protocol::Simple;
        let (steps, slices) = if long { (4, 2) } else { (1, 1) };
        Self { channels, chunk: steps * protocol.step(), slices, protocol }
    }

    /// Bytes of `bytes` that belong to channel `c`.
    fn share(&self, bytes: u64, c: u32) -> u64 {
        part(bytes, self.channels, c)
    }

    /// A slice of a chunk, in bytes on the wire.
    fn slice(&self, chunk: u64, k: u32) -> u64 {
        self.protocol.on_wire(part(chunk, self.slices, k))
    }
}

/// The two phases of an all-reduce, each of which is an operation of its own as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phases {
    /// The sum of the vectors, a part at each rank.
    ReduceScatter,
    /// The parts of all ranks, at every rank.
    AllGather,
    /// One after the other: an all-reduce.
    Both,
}

impl Phases {
    /// Vectors are summed up.
    fn scatters(self) -> bool {
        self != Phases::AllGather
    }

    /// Parts are distributed.
    fn gathers(self) -> bool {
        self != Phases::ReduceScatter
    }
}

/// A collective operation and how it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective {
    /// The operation.
    pub operation: Operation,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The whole vector (B).
    pub bytes: u64,
    /// Number of ranks of a node: ranks with the same quotient by it are in one; 1: there are no nodes.
    pub node: u32,
    /// Rings enter a node on the rail on which they have left the one before.
    pub along_rails: bool,
    /// The rank that broadcasts, gathers or scatters, as its place in the group.
    pub root: u32,
    /// How data are cut into channels and chunks.
    pub chunking: Chunking,
}

impl Collective {
    /// Algorithms that can perform this operation.
    pub fn algorithms(operation: Operation) -> &'static [Algorithm] {
        use Algorithm::{BidirectionalRing, Direct, HalvingDoubling, Hierarchical, Pairwise, Ring, Tree};
        match operation {
            Operation::AllReduce => &[Ring, BidirectionalRing, Tree, HalvingDoubling, Hierarchical, Direct],
            Operation::AllGather | Operation::ReduceScatter => {
                &[Ring, BidirectionalRing, HalvingDoubling, Hierarchical, Direct]
            }
            Operation::AllToAll => &[Direct, Pairwise],
            Operation::Broadcast | Operation::Reduce => &[Ring],
            Operation::Gather | Operation::Scatter => &[Direct],
            Operation::Barrier => &[HalvingDoubling],
        }
    }

    /// The default algorithm: the first of those above.
    pub fn usual(operation: Operation) -> Algorithm {
        Self::algorithms(operation)[0]
    }

    /// The algorithm, or the default if the operation does not support it.
    fn used_algorithm(&self) -> Algorithm {
        let known = Self::algorithms(self.operation).contains(&self.algorithm);
        if known { self.algorithm } else { Self::usual(self.operation) }
    }

    /// Adds the operation for the members of a group. An algorithm that the operation does not support is replaced by
    /// its default.
    pub fn add(&self, team: &mut Team<'_>) {
        let n = team.size();
        if n < 2 {
            return;
        }
        let algorithm = self.used_algorithm();
        let (bytes, node, chunking) = (self.bytes, team.members_per_node(self.node), &self.chunking);
        let nodes = Nodes { size: node, along_rails: self.along_rails };
        let phases = match self.operation {
            Operation::AllReduce => Phases::Both,
            Operation::ReduceScatter => Phases::ReduceScatter,
            Operation::AllGather => Phases::AllGather,
            Operation::Broadcast => return chain::broadcast(team, bytes, self.root, nodes, chunking),
            Operation::Reduce => return chain::reduce(team, bytes, self.root, nodes, chunking),
            Operation::Barrier => return halving::barrier(team),
            Operation::Gather | Operation::Scatter | Operation::AllToAll => {
                let size = |from: u32, to: u32| match self.operation {
                    Operation::Gather if to != self.root => 0,
                    Operation::Scatter if from != self.root => 0,
                    // Sizes of sent parts depend on the receiver; those of gathered parts, on the sender.
                    Operation::Scatter | Operation::AllToAll => chunking.protocol.on_wire(part(bytes, n, to)),
                    _ => chunking.protocol.on_wire(part(bytes, n, from)),
                };
                let order =
                    if algorithm == Algorithm::Pairwise { ExchangeOrder::InTurn } else { ExchangeOrder::AtOnce };
                return exchange(team, &size, order);
            }
        };
        match algorithm {
            Algorithm::Ring => ring::add(team, bytes, nodes, chunking, phases),
            Algorithm::BidirectionalRing => ring::both_directions(team, bytes, nodes, chunking, phases),
            Algorithm::Tree => tree::all_reduce(team, bytes, node, chunking),
            Algorithm::HalvingDoubling => halving::add(team, bytes, chunking, phases),
            Algorithm::Hierarchical => self.in_nodes_and_rails(team, nodes, phases),
            Algorithm::Direct | Algorithm::Pairwise => exchange::reduce_and_gather(team, bytes, chunking, phases),
        }
    }

    /// Within the nodes, along the rails, within the nodes: the vector is scattered over the members of a node, each of
    /// which performs the operation on its part together with its counterparts in other nodes; then it is gathered
    /// within the nodes. If not all nodes are full, one ring does all of it.
    fn in_nodes_and_rails(&self, team: &mut Team<'_>, nodes: Nodes, phases: Phases) {
        let (n, node, chunking) = (team.size(), nodes.size, &self.chunking);
        if !n.is_multiple_of(node) || node == n || node == 1 {
            return ring::add(team, self.bytes, nodes, chunking, phases);
        }
        let in_nodes = |team: &mut Team<'_>, phases: Phases| {
            for first in (0..n).step_by(node as usize) {
                let places: Vec<u32> = (first..first + node).collect();
                team.among(&places, |team| ring::add(team, self.bytes, nodes, chunking, phases));
            }
        };
        if phases.scatters() {
            in_nodes(team, Phases::ReduceScatter);
        }
        let alone = Nodes { size: 1, along_rails: false };
        for rail in 0..node {
            let places: Vec<u32> = (rail..n).step_by(node as usize).collect();
            let bytes = part(self.bytes, node, rail);
            team.among(&places, |team| ring::add(team, bytes, alone, chunking, phases));
        }
        if phases.gathers() {
            in_nodes(team, Phases::AllGather);
        }
    }
}
