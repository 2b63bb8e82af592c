//! The paths of packets: one output port for every switch and destination.
//!
//! | file | rule |
//! |------|------|
//! | [`shortest_path()`] | fewest switches, ties spread over the ports by destination |
//! | [`Formula`] | regular networks: the paths that follow from their parameters |
//! | [`d_mod_k_by_levels()`] | the destination's digits choose the port up in a tree that was listed link by link |
//! | [`EqualCost`] | all shortest paths, for switches that choose among them |
//! | [`LaneMap`] | the lane of the next hop, where packets change lanes |
//! | [`RoutingTable`] | routes written by hand, before shortest paths |
//! | [`PortLists`] | forwarding tables as a switch has them: a port number for every host |

mod cycles;
mod d_mod_k_by_levels;
mod equal_cost;
mod formula;
mod lane_map;
mod port_lists;
mod routes;
mod shortest_path;
mod table;
mod written;

pub use d_mod_k_by_levels::d_mod_k_by_levels;
pub use equal_cost::{CandidateSet, EqualCost};
pub use formula::Formula;
pub use lane_map::{LaneKey, LaneMap, Through};
pub use port_lists::PortLists;
pub use routes::Routes;
pub use shortest_path::{components, shortest_path, shortest_path_by, unreachable};
pub use table::{Hop, RoutingTable};

use std::fmt;

/// Hosts that no chain of links connects with the rest of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unroutable {
    /// A host of the largest connected part of the network.
    pub from: String,
    /// The hosts that cannot be reached from there, in id order.
    pub hosts: Vec<String>,
}

impl fmt::Display for Unroutable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.hosts.len().min(MOST_NAMES);
        write!(f, "no way leads from `{}` to `{}`", self.from, self.hosts[..shown].join("`, `"))?;
        match self.hosts.len() - shown {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

impl std::error::Error for Unroutable {}

/// Number of names in a message before it says "and so many more".
const MOST_NAMES: usize = 8;
