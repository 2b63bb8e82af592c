//! Which network, and which way through it.

pub use congestree_topology::graphs::AnyTopology as Topology;
use congestree_topology::routing::{PortLists, RoutingTable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How switches choose the way to a host; fixed for the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    /// By the topology's own rule: inside the group, over, and inside the other group on a dragonfly; dimension after
    /// dimension on a torus, a mesh and a HyperX.
    Minimal,
    /// Up by the digits of the destination, so that flows to different hosts spread evenly. For trees, fat trees,
    /// a clos, and for a graph whose switches form levels.
    DModK,
    /// Fewest hops; among several shortest ways the destination decides, so that flows spread.
    ShortestPath,
    /// Written out: for each switch the name of the next node on the way to each host, or the number of the port.
    Table(RoutingTable),
    /// Forwarding tables: for each switch a list with one port number for each host, in the order of the hosts; 0 goes
    /// the shortest way.
    Ports(PortLists),
}
