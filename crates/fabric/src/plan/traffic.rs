//! Which host sends what to which: flows, and applications with a program.

use congestree_traffic::Program;
use congestree_units::{Bytes, Rate, Span, Time};
use congestree_wire::{FlowId, HostId};
use std::sync::Arc;

use super::HostMemory;

/// An ordered series of packets from one host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowPlan {
    /// The sending host.
    pub source: HostId,
    /// The receiving host; `None` if each message goes elsewhere (then there is no window and no reaction).
    pub destination: Option<HostId>,
    /// Which traffic entry it belongs to.
    pub class: u16,
    /// Its service level.
    pub service: u8,
    /// The lane its packets travel in.
    pub lane: u8,
    /// Packets that may be in flight unacknowledged; `None`: any number.
    pub window: Option<u32>,
    /// Its packets are acknowledged.
    pub acked: bool,
    /// A fixed limit on the rate of data packets, start to start, in wire bytes.
    pub rate_limit: Option<Rate>,
}

/// An application: ranks on hosts, and the program of each.
#[derive(Clone, Debug, PartialEq)]
pub struct JobPlan {
    /// Its name: that of its traffic entry.
    pub name: String,
    /// Which traffic entry it is.
    pub class: u16,
    /// What its ranks do.
    pub program: Arc<Program>,
    /// The host of every rank.
    pub hosts: Vec<HostId>,
    /// By operation: the flow that carries the message of a send; `FlowId::NONE` for sends that stay on their host or
    /// inside their node, and for all other operations.
    pub flows: Vec<FlowId>,
    /// By operation: the flow in the other direction, if there is a rendezvous; otherwise empty.
    pub back: Vec<FlowId>,
    /// When its ranks begin.
    pub start: Time,
    /// How often each rank runs its program, one run after another.
    pub repeat: u32,
    /// When a send has finished.
    pub send_end: SendEnd,
    /// Time that each send and each receive takes on a processor of the rank.
    pub overhead: Span,
    /// Messages of at least this size are announced, and sent when the receive is posted; `None`: none is.
    pub rendezvous: Option<Bytes>,
    /// How ranks on one host exchange messages.
    pub memory: HostMemory,
    /// How ranks on different hosts of one node exchange messages; `None`: over the network.
    pub node: Option<NodeLinks>,
}

impl JobPlan {
    /// The messages that cross the network: the ranks that send and receive, and the size. Those on a host, or inside a
    /// node, have no flow.
    pub fn over_network(&self) -> impl Iterator<Item = (u32, u32, u64)> {
        let sends = self.program.sends().filter(|&(id, ..)| self.flows[id as usize] != FlowId::NONE);
        sends.map(|(_, from, to, _, bytes)| (from, to, bytes))
    }
}

/// Links inside nodes, one for each host and direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeLinks {
    /// Hosts of a node, which have successive numbers.
    pub hosts: u32,
    /// Rate of each link.
    pub rate: Rate,
    /// From when the sender has sent the end of a message until the message has arrived.
    pub delay: Span,
}

impl NodeLinks {
    /// Two hosts belong to the same node.
    pub fn join(&self, a: HostId, b: HostId) -> bool {
        a.0 / self.hosts == b.0 / self.hosts
    }
}

/// When a send has finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendEnd {
    /// When the last packet of the message has left the host; not possible if a transport may have to send it again.
    Left,
    /// When the host has got the ACK of its last packet.
    Acknowledged,
    /// When all of the message has been delivered.
    Delivered,
}
