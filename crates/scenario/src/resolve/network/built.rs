//! The network as built: the basis on which the rest of a scenario is resolved.

use congestree_topology::routing::Routes;
use congestree_topology::{EqualCost, Graph, LaneMap, loops};
use congestree_units::Rate;

use crate::resolve::network::directory::Directory;

/// The network of a scenario.
pub(in crate::resolve) struct Network {
    pub graph: Graph,
    pub routes: Routes,
    /// All shortest paths, if switches choose.
    pub equal_cost: Option<EqualCost>,
    /// The lane in which packets leave a switch, if they change lanes.
    pub lane_map: Option<LaneMap>,
    pub directory: Directory,
    /// Rate of the link of each host, away from it.
    pub host_rates: Vec<Rate>,
}

/// A cycle in words, with at most eight of its links. The search has followed packets from every host to every other.
pub(in crate::resolve) fn in_a_cycle(graph: &Graph, cycle: &[loops::HeldChannel]) -> String {
    let shown = &cycle[..cycle.len().min(8)];
    let more = cycle.len() - shown.len();
    let links = loops::describe(graph, shown);
    let links = if more == 0 { links } else { format!("{links}, and {more} more") };
    format!("packets can wait for each other in a cycle if all hosts send to all others: {links}")
}
