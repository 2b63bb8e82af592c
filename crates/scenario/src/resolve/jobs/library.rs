//! The configuration of a library of collectives.

use congestree_traffic::programs::collectives::{Algorithm, Collective, Library, Operation};
use congestree_units::Bytes;

use crate::diagnostic::listed;
use crate::resolve::Collector;
use crate::resolve::jobs::collectives;
use crate::resolve::limits::check_rate;
use crate::types;

/// The configuration with which a library performs collectives.
pub(in crate::resolve) fn library(
    written: &types::Library,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<Library> {
    if written.along_rails && written.node < 2 {
        let fact = "rings go along rails from node to node, and there are no nodes";
        collector.report(format!("{path}.library.node"), fact, "give the ranks of a node, or leave `along_rails` out");
        return None;
    }
    if !collectives::check_chunk(written.chunk, &format!("{path}.library.chunk"), collector) {
        return None;
    }
    let fine = check_rate(written.combine_rate, &format!("{path}.library.combine_rate"), collector);
    Some(Library {
        algorithms: algorithms(written, path, collector)?,
        channels: written.channels,
        protocol: written.protocol,
        chunk: written.chunk.map(|Bytes(chunk)| chunk),
        node: written.node,
        along_rails: written.along_rails,
        combining: written.combine_rate.filter(|_| fine),
    })
}

/// The algorithms that are configured for a library.
fn algorithms(
    library: &types::Library,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<Vec<(Operation, Algorithm)>> {
    let mut all = Vec::new();
    for (i, chosen) in library.algorithms.iter().enumerate() {
        let types::Chosen { operation, algorithm } = *chosen;
        let known = Collective::algorithms(operation);
        if !known.contains(&algorithm) {
            let fact = "this operation is not done with this algorithm";
            let names = listed(known.iter().map(|&one| one.name()));
            collector.report(format!("{path}.library.algorithms.{i}.algorithm"), fact, format!("take {names}"));
            return None;
        }
        all.push((operation, algorithm));
    }
    Some(all)
}
