//! How a communication library performs the collectives of a job: the algorithm of each operation, and the number of
//! channels.

use super::{Algorithm, Chunking, Collective, Operation, Protocol};
use crate::program::Builder;
use crate::programs::Combining;
use crate::programs::rank_steps::{RankStep, carry_out};
use crate::steps::Step;

/// The choices of a library for all collectives of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct Library {
    /// Algorithms, where they differ from the default.
    pub algorithms: Vec<(Operation, Algorithm)>,
    /// Parts of the data that are handled independently.
    pub channels: u32,
    /// Overhead on the wire.
    pub protocol: Protocol,
    /// Payload that a rank forwards as a whole (B); `None`: the size that NCCL uses.
    pub chunk: Option<u64>,
    /// Number of ranks of a node.
    pub node: u32,
    /// Rings enter a node on the rail on which they have left the one before.
    pub along_rails: bool,
    /// How fast received data are combined with the rank's own.
    pub combining: Combining,
}

impl Default for Library {
    fn default() -> Self {
        let (algorithms, protocol) = (Vec::new(), Protocol::default());
        Self { algorithms, channels: 1, protocol, chunk: None, node: 1, along_rails: false, combining: None }
    }
}

impl Library {
    /// An operation on a vector of this many bytes.
    pub fn collective(&self, operation: Operation, bytes: u64, root: u32) -> Collective {
        let mut chunking = Chunking::nccl(operation, self.protocol, self.channels.max(1));
        if let Some(chunk) = self.chunk {
            chunking = Chunking { chunk, slices: 1, ..chunking };
        }
        let own = self.algorithms.iter().find(|(known, _)| *known == operation);
        let algorithm = own.map_or(Collective::usual(operation), |(_, algorithm)| *algorithm);
        let bytes = operation.vector(bytes);
        let Self { node, along_rails, .. } = *self;
        Collective { operation, algorithm, bytes, node, along_rails, root, chunking }
    }

    /// Adds the operation for these ranks as a step with this name. Tags from `tag` on are unused, and so are those
    /// from the returned one on.
    pub fn carry_out(
        &self,
        builder: &mut Builder,
        name: String,
        whole: Collective,
        places: &[RankStep],
        tag: u32,
    ) -> u32 {
        let ranks = places.len() as u32;
        let step = Step { name, operation: whole.operation.name(), bytes: whole.bytes, ranks };
        carry_out(builder, step, places, &whole, self.combining, tag)
    }
}
