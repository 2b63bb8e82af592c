//! Which way packets go: one output port for every switch and destination.
//!
//! | file | rule |
//! |------|------|
//! | [`shortest_path()`] | fewest switches, ties spread over the ports by destination |
//! | [`d_mod_k()`] | the destination's digits choose the way up a tree |
//! | [`d_mod_k_by_levels()`] | the same on a tree that was written out, whose levels are recognised |
//! | [`EqualCost`] | all shortest ways, for switches that choose |
//! | [`LaneMap`] | the lane of the next hop, where packets change lanes |
//! | [`Table`] | what is written by hand, over shortest paths |
//! | [`PortLists`] | forwarding tables as a switch has them: a port number for every host |

mod circles;
mod d_mod_k;
mod d_mod_k_by_levels;
mod equal_cost;
mod lane_map;
mod port_lists;
mod shortest_path;
mod table;

pub use d_mod_k::{Tree, d_mod_k};
pub use d_mod_k_by_levels::d_mod_k_by_levels;
pub use equal_cost::EqualCost;
pub use lane_map::{LaneKey, LaneMap, Through};
pub use port_lists::PortLists;
pub use shortest_path::shortest_path;
pub use table::{Hop, Table};

use std::fmt;

/// For every switch and every host, the switch's port towards that host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routes {
    hosts: u32,
    next: Vec<u16>,
}

impl Routes {
    /// Marks a host that a switch cannot reach.
    pub const NONE: u16 = u16::MAX;

    /// Tables in which nobody can be reached yet.
    pub fn empty(switches: usize, hosts: usize) -> Self {
        Self { hosts: hosts as u32, next: vec![Self::NONE; switches * hosts] }
    }

    /// The local port number by which `switch` forwards to `host`, or [`Routes::NONE`].
    pub fn port(&self, switch: u32, host: u32) -> u16 {
        self.next[switch as usize * self.hosts as usize + host as usize]
    }

    /// Makes `switch` forward to `host` by its local port `port`.
    pub fn set(&mut self, switch: u32, host: u32, port: u16) {
        self.next[switch as usize * self.hosts as usize + host as usize] = port;
    }

    /// The ports of one switch, by host id.
    pub fn of_switch(&self, switch: u32) -> &[u16] {
        let hosts = self.hosts as usize;
        &self.next[switch as usize * hosts..][..hosts]
    }
}

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

/// Names in a message before it says "and so many more".
const MOST_NAMES: usize = 8;
