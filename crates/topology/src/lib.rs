//! Who is connected to whom, and which way packets go.
//!
//! A [`Graph`] is hosts, switches and two-way links; [`Routes`] says, for every switch, by which of its ports a
//! host is reached. Both are plain data, built once per run: builders may be slow and clear.

use congestree_units::{Rate, Span};

/// Hosts, switches and the links between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Names of the hosts; a host's id is its position.
    pub hosts: Vec<String>,
    /// Names of the switches; a switch's id is its position.
    pub switches: Vec<String>,
    /// Two-way links. The ports of a node are numbered in the order in which its links stand here.
    pub links: Vec<Link>,
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
}
