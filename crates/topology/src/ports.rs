//! The links as each node sees them: its ports in order, what is at the far end, and the path of a packet.

use crate::{Graph, Node, Routes, Wire};
use std::ops::Index;

/// One port of a node: an outgoing direction of a link and what is at its far end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// Position of the link in [`Graph::links`].
    pub link: u32,
    /// Whether this node is the link's `a` end, so that it sends in the direction `ab`.
    pub at_a: bool,
    /// The node at the far end.
    pub peer: Node,
    /// The far end's local number for this link.
    pub peer_port: u16,
    /// Rate and delay of the outgoing direction.
    pub out: Wire,
}

impl Port {
    /// Number of the outgoing direction among all directions: 2·link from `a` to `b`, 2·link + 1 from `b` to `a`.
    pub fn channel(self) -> u32 {
        2 * self.link + u32::from(!self.at_a)
    }
}

/// The ports of every node, in local port order; indexed by [`Node`].
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// By host id; a host in use has exactly one.
    pub hosts: Vec<Vec<Port>>,
    /// By switch id.
    pub switches: Vec<Vec<Port>>,
}

impl Ports {
    /// The ports of all nodes of `graph`.
    pub fn of(graph: &Graph) -> Self {
        let mut ports =
            Ports { hosts: vec![Vec::new(); graph.hosts.len()], switches: vec![Vec::new(); graph.switches.len()] };
        for (id, link) in graph.links.iter().enumerate() {
            let at_a = ports[link.a].len() as u16;
            let at_b = ports[link.b].len() as u16 + u16::from(link.a == link.b);
            let link_id = id as u32;
            ports.of_mut(link.a).push(Port { link: link_id, at_a: true, peer: link.b, peer_port: at_b, out: link.ab });
            ports.of_mut(link.b).push(Port { link: link_id, at_a: false, peer: link.a, peer_port: at_a, out: link.ba });
        }
        ports
    }

    /// The ports that a packet from host `source` to host `destination` leaves by, the source's own first.
    ///
    /// `None` if the source has no link, some switch on the way has no route, or the routes go round in a circle.
    pub fn path(&self, routes: &Routes, source: u32, destination: u32) -> Option<Vec<Port>> {
        let mut port = *self.hosts[source as usize].first()?;
        let mut taken = vec![port];
        loop {
            match port.peer {
                Node::Host(host) => return (host == destination).then_some(taken),
                Node::Switch(_) if taken.len() > self.switches.len() => return None,
                Node::Switch(switch) => {
                    let next = routes.port(switch, destination);
                    port = *self.switches[switch as usize].get(usize::from(next))?;
                    taken.push(port);
                }
            }
        }
    }

    /// The switch a host is attached to.
    pub fn switch_of(&self, host: u32) -> Option<u32> {
        match self.hosts[host as usize].first()?.peer {
            Node::Switch(switch) => Some(switch),
            Node::Host(_) => None,
        }
    }

    fn of_mut(&mut self, node: Node) -> &mut Vec<Port> {
        match node {
            Node::Host(host) => &mut self.hosts[host as usize],
            Node::Switch(switch) => &mut self.switches[switch as usize],
        }
    }
}

impl Index<Node> for Ports {
    type Output = [Port];
    fn index(&self, node: Node) -> &[Port] {
        match node {
            Node::Host(host) => &self.hosts[host as usize],
            Node::Switch(switch) => &self.switches[switch as usize],
        }
    }
}

/// The nodes a packet visits from host `source` to host `destination`, both included; `None` if it cannot get there.
///
/// For many pairs, make the [`Ports`] once and use [`Ports::path`].
pub fn path(graph: &Graph, routes: &Routes, source: u32, destination: u32) -> Option<Vec<Node>> {
    let taken = graph.ports().path(routes, source, destination)?;
    Some(std::iter::once(Node::Host(source)).chain(taken.iter().map(|port| port.peer)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{graphs::TwoSwitch, routing::shortest_path};
    use congestree_units::{Rate, Span};

    const WIRE: Wire = Wire { rate: Rate::from_gbps(8), delay: Span::ZERO };

    #[test]
    fn both_ends_of_a_link_agree_on_their_port_numbers() {
        let ports = TwoSwitch { local: 3, remote: 2 }.build(WIRE).ports();
        for (switch, own) in ports.switches.iter().enumerate() {
            for (number, port) in own.iter().enumerate() {
                let back = ports[port.peer][usize::from(port.peer_port)];
                assert_eq!(back.peer, Node::Switch(switch as u32));
                assert_eq!(usize::from(back.peer_port), number);
                assert_eq!(back.channel() ^ 1, port.channel());
            }
        }
    }

    #[test]
    fn a_path_names_every_node_on_the_way() {
        let graph = TwoSwitch { local: 1, remote: 1 }.build(WIRE);
        let routes = shortest_path(&graph).unwrap();
        let names: Vec<_> =
            path(&graph, &routes, 1, 3).unwrap().into_iter().map(|node| graph.name(node).to_owned()).collect();
        assert_eq!(names, ["A_1", "A", "B", "B_C"]);
    }

    #[test]
    fn routes_that_go_round_in_a_circle_are_no_path() {
        let graph = TwoSwitch { local: 1, remote: 1 }.build(WIRE);
        let mut routes = shortest_path(&graph).unwrap();
        routes.set(1, 3, 3); // B sends packets for B_C back to A
        assert_eq!(path(&graph, &routes, 1, 3), None);
    }
}
