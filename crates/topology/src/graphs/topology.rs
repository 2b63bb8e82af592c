//! What every topology provides.

use std::sync::Arc;

use congestree_units::Rate;

use crate::routing::Formula;
use crate::{Diagnostic, Graph, Wire};

/// A network described by parameters.
pub trait Topology {
    /// All errors in the parameters, each at its field. The other methods may be called if there are none.
    fn check(&self) -> Vec<Diagnostic>;

    /// How large the network will be.
    fn size(&self) -> Size;

    /// The graph, with all links made of `wire` unless the parameters say otherwise.
    fn build(&self, wire: Wire) -> Graph;

    /// Routes that need no search, if the network is regular enough.
    fn formula(&self) -> Option<Arc<dyn Formula>> {
        None
    }

    /// Whether the routes of its formula are those of D-mod-K.
    fn is_d_mod_k(&self) -> bool {
        false
    }

    /// Whether it has groups of switches, so that a packet can choose its path again in the group of its source.
    fn has_groups(&self) -> bool {
        false
    }

    /// Whether rates of their own are given that links of hosts may have.
    fn has_host_rates(&self) -> bool {
        false
    }

    /// Rates among the parameters, each with the path of its field.
    fn rates(&self) -> Vec<(String, Rate)> {
        Vec::new()
    }
}

/// The names of this many hosts.
pub(super) fn numbered_hosts(count: u32) -> Vec<String> {
    (0..count).map(|host| format!("h{host}")).collect()
}

/// The default of keys for counts that are at least one.
pub(super) fn one() -> u32 {
    1
}

/// Nodes and links of a network, known before it is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Hosts.
    pub hosts: u64,
    /// Switches.
    pub switches: u64,
    /// Two-way links, those of hosts included.
    pub links: u64,
}

impl Size {
    /// Hosts on switches that form a tree: one link fewer than there are nodes.
    pub(super) fn tree(hosts: impl Into<u64>, switches: impl Into<u64>) -> Self {
        let (hosts, switches) = (hosts.into(), switches.into());
        Size { hosts, switches, links: hosts + switches - 1 }
    }
}
