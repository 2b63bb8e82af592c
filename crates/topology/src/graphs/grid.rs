//! Switches at the points of a grid: coordinates computed from numbers, with the first dimension varying fastest.

use super::limits;
use crate::graphs::topology::numbered_hosts;
use crate::{Diagnostic, Graph, Node, Wire};

/// Most dimensions of a grid.
const MOST_DIMENSIONS: usize = 16;

/// Reports sizes of dimensions that make no network.
pub(super) fn check(dimensions: &[u32], hosts_per_switch: u32) -> Vec<Diagnostic> {
    let mut diagnostics = limits::at_least("hosts_per_switch", hosts_per_switch, 1);
    if dimensions.is_empty() || dimensions.len() > MOST_DIMENSIONS {
        let fact = format!("there are {} dimensions", dimensions.len());
        let remedy = format!("give the sizes of 1 to {MOST_DIMENSIONS} dimensions, such as [4, 4]");
        diagnostics.push(Diagnostic::new("dimensions", fact, remedy));
    }
    for (place, &size) in dimensions.iter().enumerate().filter(|&(_, &size)| size < 2) {
        let fact = format!("dimension {place} has {size} switches");
        diagnostics.push(Diagnostic::new(format!("dimensions.{place}"), fact, "make it at least 2, or leave it out"));
    }
    if diagnostics.is_empty() {
        let switches = switches(dimensions);
        let hosts = switches.and_then(|switches| switches.checked_mul(hosts_per_switch.into()));
        diagnostics.extend(limits::regular_size("dimensions", hosts, switches));
    }
    diagnostics
}

/// The switches of a grid with their hosts, before they are linked to each other; and the number of switches.
pub(super) fn with_hosts(dimensions: &[u32], each: u32, wire: Wire) -> (Graph, u32) {
    let switches = dimensions.iter().product::<u32>();
    let names = (0..switches).map(|switch| name(dimensions, switch)).collect();
    let mut graph = Graph { hosts: numbered_hosts(switches * each), switches: names, ..Graph::default() };
    (0..switches * each).for_each(|host| graph.connect(Node::Host(host), Node::Switch(host / each), wire));
    (graph, switches)
}

/// How many switches there are; `None` beyond 64 bits.
pub(super) fn switches(dimensions: &[u32]) -> Option<u64> {
    dimensions.iter().try_fold(1u64, |all, &size| all.checked_mul(size.into()))
}

/// The coordinate of a switch in a dimension.
pub(super) fn coordinate(dimensions: &[u32], switch: u32, dimension: usize) -> u32 {
    switch / place(dimensions, dimension) % dimensions[dimension]
}

/// Difference of the numbers of two neighbours in a dimension.
pub(super) fn place(dimensions: &[u32], dimension: usize) -> u32 {
    dimensions[..dimension].iter().product()
}

/// The switch with another coordinate in one dimension.
pub(super) fn moved(dimensions: &[u32], switch: u32, dimension: usize, to: u32) -> u32 {
    let (place, at) = (place(dimensions, dimension), coordinate(dimensions, switch, dimension));
    switch - at * place + to * place
}

/// The name of a switch: `s` and its coordinates.
pub(super) fn name(dimensions: &[u32], switch: u32) -> String {
    let at = (0..dimensions.len()).map(|dimension| coordinate(dimensions, switch, dimension).to_string());
    format!("s{}", at.collect::<Vec<_>>().join("_"))
}
