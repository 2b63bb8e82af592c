//! Hosts, switches and the two-way links between them: names and numbers, no state.

use crate::Ports;
use congestree_units::{Rate, Span};

/// Hosts, switches and the links between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Names of the hosts; a host's id is its position.
    pub hosts: Vec<String>,
    /// Names of the switches; a switch's id is its position.
    pub switches: Vec<String>,
    /// Two-way links. The ports of a node are in the order in which its links are listed here, unless `numbers` says
    /// otherwise.
    pub links: Vec<Link>,
    /// Port numbers as printed on the nodes, at the `a` and the `b` end of each link; empty if ports are counted from 1
    /// in the order of links. If given, the ports of a node are in the order of these numbers.
    pub numbers: Vec<[u16; 2]>,
    /// Named sets of hosts that traffic may refer to.
    pub groups: Vec<(String, Vec<u32>)>,
}

/// An end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// The host with this id.
    Host(u32),
    /// The switch with this id.
    Switch(u32),
}

/// One direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Bits per second.
    pub rate: Rate,
    /// Propagation delay.
    pub delay: Span,
}

/// A two-way link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// One end.
    pub a: Node,
    /// The other end.
    pub b: Node,
    /// The direction from `a` to `b`.
    pub ab: Wire,
    /// The direction from `b` to `a`.
    pub ba: Wire,
}

impl Link {
    /// Whether both ends are switches, so that packets may have another way.
    pub fn joins_switches(&self) -> bool {
        [self.a, self.b].iter().all(|end| matches!(end, Node::Switch(_)))
    }
}

impl Graph {
    /// Adds a host; its id is the next free one.
    pub fn add_host(&mut self, name: impl Into<String>) -> Node {
        self.hosts.push(name.into());
        Node::Host(self.hosts.len() as u32 - 1)
    }

    /// Adds a switch; its id is the next free one.
    pub fn add_switch(&mut self, name: impl Into<String>) -> Node {
        self.switches.push(name.into());
        Node::Switch(self.switches.len() as u32 - 1)
    }

    /// Adds a link that is the same in both directions; it takes the next port number at both ends.
    pub fn connect(&mut self, a: Node, b: Node, wire: Wire) {
        self.links.push(Link { a, b, ab: wire, ba: wire });
    }

    /// The name of a node of this graph.
    pub fn name(&self, node: Node) -> &str {
        match node {
            Node::Host(host) => &self.hosts[host as usize],
            Node::Switch(switch) => &self.switches[switch as usize],
        }
    }

    /// For each node its ports, in local port order.
    pub fn ports(&self) -> Ports {
        Ports::of(self)
    }
}
