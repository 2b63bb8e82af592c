//! The network, and the paths through it.

pub use congestree_topology::graphs::AnyTopology as Topology;
use congestree_topology::routing::{PortLists, RoutingTable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How switches choose the way to a host; fixed for the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    /// The topology's own minimal routes: on a dragonfly inside the group, over the global link, inside the other
    /// group; on a torus, a mesh and a HyperX dimension by dimension.
    Minimal,
    /// Upwards by the digits of the destination (d-mod-k), so that flows to different hosts spread evenly. For trees,
    /// fat trees, a clos, and for a graph whose switches form levels.
    DModK,
    /// Fewest hops; among several shortest paths the destination decides, so that flows spread.
    ShortestPath,
    /// A routing table: for each switch the next node on the path to each host, by name, or the number of the port.
    Table(RoutingTable),
    /// Forwarding tables: for each switch a list of port numbers, one for each host, in the order of the hosts; 0 means
    /// the shortest path.
    Ports(PortLists),
}
