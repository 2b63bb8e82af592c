//! Collective operations of training jobs: from their description to a program.

use congestree_traffic::program::Builder;
use congestree_traffic::programs::collectives::{self as made, Collective};
use congestree_traffic::programs::rank_steps::{RankStep, carry_out};
use congestree_traffic::steps::Step;
use congestree_units::Bytes;

use crate::diagnostic::listed;
use crate::resolve::Collector;
use crate::types::{self, Algorithm, Operation};

/// Approximate number of operations of a collective.
pub(in crate::resolve) fn operations(collective: &types::Collective, ranks: u64) -> u64 {
    let ranks: Vec<u32> = (0..ranks as u32).collect();
    performed(collective).operations(&ranks, collective.combine_rate.is_some())
}

/// A collective as it is performed.
fn performed(written: &types::Collective) -> Collective {
    let operation = written.operation;
    Collective {
        operation,
        algorithm: written.algorithm.unwrap_or(Collective::usual(operation)),
        bytes: operation.vector(written.bytes.map_or(0, |bytes| bytes.0)),
        node: written.node,
        along_rails: written.along_rails,
        root: written.root,
        chunking: chunking(written.operation, &written.chunking),
    }
}

/// The program of a collective operation of all ranks.
pub(in crate::resolve) fn plan(
    collective: &types::Collective,
    ranks: u32,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<Builder> {
    let whole = performed(collective);
    let Collective { operation, algorithm, bytes, node, along_rails, .. } = whole;
    if collective.root >= ranks {
        let fact = format!("there is no rank {}: there are {ranks}, counted from 0", collective.root);
        collector.report(format!("{path}.root"), fact, "name one of them");
        return None;
    }
    let known = Collective::algorithms(operation);
    if !known.contains(&algorithm) {
        let fact = "this operation is not done with this algorithm";
        let names = known.iter().map(|&one| one.name());
        collector.report(format!("{path}.algorithm"), fact, format!("take {}", listed(names)));
        return None;
    }
    let full = node > 1 && ranks.is_multiple_of(node) && ranks > node;
    if along_rails && !matches!(algorithm, Algorithm::Ring | Algorithm::BidirectionalRing) {
        let fact = format!("`{}` is no ring, and goes its own way between nodes", algorithm.name());
        collector.report(format!("{path}.along_rails"), fact, "leave it out, or take `ring` or `bidirectional-ring`");
        return None;
    }
    if (along_rails || algorithm == Algorithm::Hierarchical) && !full {
        let fact = format!("{ranks} ranks do not fill several nodes of {node}");
        collector.report(format!("{path}.node"), fact, "give the ranks of a node, a divisor of their number");
        return None;
    }
    let mut builder = Builder::new(ranks);
    let places: Vec<RankStep> = (0..ranks).map(|rank| RankStep::open(&mut builder, rank, &[])).collect();
    check_vector(operation, collective.bytes, path, collector)?;
    let step = Step { name: operation.name().to_owned(), operation: operation.name(), bytes, ranks };
    carry_out(&mut builder, step, &places, &whole, collective.combine_rate, 0);
    Some(builder)
}

/// Reports that an operation's vector is missing; only a barrier has none.
fn check_vector(operation: Operation, written: Option<Bytes>, path: &str, collector: &mut Collector<'_>) -> Option<()> {
    if written.is_none() && operation != Operation::Barrier {
        let fact = "the key `bytes` is missing: all operations but a barrier have a vector";
        collector.report(format!("{path}.bytes"), fact, "write for example bytes = \"1 MiB\"");
        return None;
    }
    Some(())
}

/// The sizes in which data are cut: NCCL's, if none are given.
pub(in crate::resolve) fn chunking(operation: Operation, written: &types::Chunking) -> made::Chunking {
    let usual = made::Chunking::nccl(operation, written.protocol, written.channels);
    match written.chunk {
        Some(chunk) => made::Chunking { chunk: chunk.0, slices: 1, ..usual },
        None => usual,
    }
}

/// Reports chunks of no bytes, of which no number makes up a vector; returns false then.
pub(in crate::resolve) fn check_chunk(chunk: Option<Bytes>, path: &str, collector: &mut Collector<'_>) -> bool {
    if chunk == Some(Bytes(0)) {
        collector.report(path, "a chunk has no bytes", "give it a size of at least 1 B, or leave it out");
    }
    chunk != Some(Bytes(0))
}
