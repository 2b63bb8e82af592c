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
    /// The far end's position among the ports of its node.
    pub peer_port: u16,
    /// The number printed on this port: that of the graph, or the position among the ports of the node counted from 1.
    pub number: u16,
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
    /// By switch id: it is the adapter of a host, and forwards nothing from switch to switch. Empty: none is one.
    adapters: Vec<bool>,
}

impl Ports {
    /// The ports of all nodes of `graph`.
    pub fn of(graph: &Graph) -> Self {
        let (hosts, switches) = (vec![Vec::new(); graph.hosts.len()], vec![Vec::new(); graph.switches.len()]);
        let mut ports = Ports { hosts, switches, adapters: Vec::new() };
        for (id, link) in graph.links.iter().enumerate() {
            let at_a = ports[link.a].len() as u16;
            let at_b = ports[link.b].len() as u16 + u16::from(link.a == link.b);
            let link_id = id as u32;
            let [number_a, number_b] = graph.numbers.get(id).copied().unwrap_or([at_a + 1, at_b + 1]);
            let there =
                Port { link: link_id, at_a: true, peer: link.b, peer_port: at_b, number: number_a, out: link.ab };
            let back =
                Port { link: link_id, at_a: false, peer: link.a, peer_port: at_a, number: number_b, out: link.ba };
            ports.of_mut(link.a).push(there);
            ports.of_mut(link.b).push(back);
        }
        if !graph.numbers.is_empty() {
            ports.put_in_order_of_numbers(graph.links.len());
        }
        ports
    }

    /// These ports without some links between switches: a port whose link is `gone` leads back to its own switch.
    pub fn without(&self, gone: impl Fn(u32) -> bool) -> Self {
        let mut left = self.clone();
        for (switch, own) in left.switches.iter_mut().enumerate() {
            for port in own.iter_mut().filter(|port| matches!(port.peer, Node::Switch(_)) && gone(port.link)) {
                port.peer = Node::Switch(switch as u32);
            }
        }
        left
    }

    /// These ports where every switch with hosts is their adapter, as in a clos with planes.
    pub fn with_adapters(mut self) -> Self {
        let has_host = |own: &Vec<Port>| own.iter().any(|port| matches!(port.peer, Node::Host(_)));
        self.adapters = self.switches.iter().map(has_host).collect();
        self
    }

    /// Whether a switch forwards packets from one switch to another.
    pub(crate) fn forwards(&self, switch: u32) -> bool {
        !self.adapters.get(switch as usize).is_some_and(|&is_adapter| is_adapter)
    }

    /// The links from a node to a neighbour, in the order of its ports: of several, the first is number 1.
    pub fn links_between(&self, from: Node, to: Node) -> Vec<u32> {
        self[from].iter().filter(|port| port.peer == to).map(|port| port.link).collect()
    }

    /// Sorts the ports of every node by their numbers.
    fn put_in_order_of_numbers(&mut self, links: usize) {
        let mut position = vec![0u16; 2 * links];
        for own in self.hosts.iter_mut().chain(&mut self.switches) {
            own.sort_by_key(|port| port.number);
            own.iter().enumerate().for_each(|(at, port)| position[port.channel() as usize] = at as u16);
        }
        for port in self.hosts.iter_mut().chain(&mut self.switches).flatten() {
            port.peer_port = position[port.channel() as usize ^ 1];
        }
    }

    /// The position of the port of this number among the ports of a switch.
    pub fn numbered(&self, switch: u32, number: u16) -> Option<u16> {
        self.switches[switch as usize].binary_search_by_key(&number, |port| port.number).ok().map(|at| at as u16)
    }

    /// The ports by which a packet from host `source` to host `destination` leaves each node, the source's own first.
    ///
    /// `None` if the source has no link, some switch on the path has no route, or the routes form a loop.
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
    use crate::{
        graphs::{Topology, TwoSwitch},
        routing::shortest_path,
    };
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
    fn printed_numbers_decide_the_order_of_ports() {
        let mut graph = Graph::default();
        let (a, b) = (graph.add_switch("a"), graph.add_switch("b"));
        graph.connect(a, b, WIRE);
        graph.connect(a, b, WIRE);
        // Crossed: the link of port 7 of a comes first at b, and second at a.
        graph.numbers = vec![[7, 1], [3, 2]];
        let ports = graph.ports();
        let seen = |own: &[Port]| own.iter().map(|port| (port.number, port.link, port.peer_port)).collect::<Vec<_>>();
        assert_eq!(seen(&ports[a]), [(3, 1, 1), (7, 0, 0)]);
        assert_eq!(seen(&ports[b]), [(1, 0, 1), (2, 1, 0)]);
        assert_eq!((ports.numbered(0, 7), ports.numbered(0, 1)), (Some(1), None));
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
    fn routes_that_go_round_in_a_cycle_are_no_path() {
        let graph = TwoSwitch { local: 1, remote: 1 }.build(WIRE);
        let mut routes = shortest_path(&graph).unwrap();
        routes.set(1, 3, 3); // B sends packets for B_C back to A
        assert_eq!(path(&graph, &routes, 1, 3), None);
    }
}
