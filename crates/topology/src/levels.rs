//! Whether a network is a tree of levels, and the level of each switch.
//!
//! Level 0 are the leaves, the switches to which hosts are attached; the level of any other switch is its distance from
//! the nearest leaf. The network is a tree of levels (a fat tree in the wide sense, perhaps with missing links) if
//! every link between switches joins two neighbouring levels. A few hosts may be on higher switches, as managers and
//! gateways are: if the network is not a tree with all of their switches as leaves, only switches with at least a
//! quarter of the largest number of hosts of any switch count as leaves.

use crate::{Graph, Node, Ports};
use std::collections::VecDeque;

/// The level of each switch, or the reason why the network has no levels.
pub fn levels(graph: &Graph, ports: &Ports) -> Result<Vec<u32>, String> {
    let hosts = |own: &Vec<crate::Port>| own.iter().filter(|port| matches!(port.peer, Node::Host(_))).count();
    let counts: Vec<usize> = ports.switches.iter().map(hosts).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return Err("no switch has a host".into());
    }
    let with_at_least = |least: usize| from_leaves(graph, ports, counts.iter().map(|&count| count >= least).collect());
    with_at_least(1).or_else(|reason| with_at_least(most.div_ceil(4).max(2)).map_err(|_| reason))
}

fn from_leaves(graph: &Graph, ports: &Ports, is_leaf: Vec<bool>) -> Result<Vec<u32>, String> {
    // A switch without any link does not matter.
    let unplugged = |switch: usize| ports.switches[switch].is_empty();
    let at_first = |switch: usize| if is_leaf[switch] || unplugged(switch) { 0 } else { u32::MAX };
    let mut level: Vec<u32> = (0..is_leaf.len()).map(at_first).collect();
    let mut edge: VecDeque<usize> = (0..level.len()).filter(|&switch| is_leaf[switch]).collect();
    while let Some(switch) = edge.pop_front() {
        for port in &ports.switches[switch] {
            if let Node::Switch(next) = port.peer
                && level[next as usize] == u32::MAX
            {
                level[next as usize] = level[switch] + 1;
                edge.push_back(next as usize);
            }
        }
    }
    for link in &graph.links {
        if let (Node::Switch(a), Node::Switch(b)) = (link.a, link.b)
            && level[a as usize].abs_diff(level[b as usize]) != 1
        {
            let [a_name, b_name] = [a, b].map(|switch| &graph.switches[switch as usize]);
            let at = level[a as usize];
            return Err(match at {
                0 => format!("`{a_name}` and `{b_name}` both have hosts and are linked to each other"),
                u32::MAX => format!("`{a_name}` and `{b_name}` are linked to no switch that has hosts"),
                _ => format!("`{a_name}` and `{b_name}` are both {at} links from the hosts' switches, and linked"),
            });
        }
    }
    match level.iter().position(|&level| level == u32::MAX) {
        Some(alone) => Err(format!("`{}` is linked to no switch that has hosts", graph.switches[alone])),
        None => Ok(level),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wire;
    use crate::graphs::{Chain, FatTree, KAryNTree, SingleSwitch, Topology};
    use congestree_units::{Rate, Span};

    const WIRE: Wire = Wire { rate: Rate::from_gbps(8), delay: Span::ZERO };

    fn of(graph: &Graph) -> Result<Vec<u32>, String> {
        levels(graph, &graph.ports())
    }

    #[test]
    fn the_levels_of_trees_are_recognised() {
        assert_eq!(of(&KAryNTree { k: 2, n: 3 }.build(WIRE)).unwrap(), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
        assert_eq!(of(&FatTree::new(4).build(WIRE)).unwrap(), [0, 0, 0, 0, 1, 1]);
        assert_eq!(of(&SingleSwitch { hosts: 3 }.build(WIRE)).unwrap(), [0]);
    }

    #[test]
    fn a_manager_on_a_spine_does_not_make_it_a_leaf() {
        let mut graph = FatTree::new(8).build(WIRE);
        let manager = graph.add_host("manager");
        graph.connect(manager, Node::Switch(8), WIRE);
        assert_eq!(of(&graph).unwrap()[8], 1);
    }

    #[test]
    fn a_leaf_with_fewer_hosts_than_others_is_one_beside_a_spine_with_a_manager() {
        let mut graph = Graph::default();
        let [full, small, spine, other] = ["full", "small", "spine", "other"].map(|name| graph.add_switch(name));
        for (switch, hosts) in [(full, 8), (small, 3), (spine, 1)] {
            for _ in 0..hosts {
                let host = graph.add_host(format!("h{}", graph.hosts.len()));
                graph.connect(host, switch, WIRE);
            }
        }
        for (leaf, above) in [(full, spine), (full, other), (small, spine), (small, other)] {
            graph.connect(leaf, above, WIRE);
        }
        assert_eq!(of(&graph).unwrap(), [0, 0, 1, 1]);
    }

    #[test]
    fn an_unplugged_switch_is_in_nobodys_way() {
        let mut graph = FatTree::new(4).build(WIRE);
        graph.add_switch("spare");
        assert_eq!(of(&graph).unwrap(), [0, 0, 0, 0, 1, 1, 0]);
    }

    #[test]
    fn a_chain_is_no_tree_and_it_is_said_why() {
        let said = of(&Chain { switches: 3, hosts_per_switch: 2 }.build(WIRE)).unwrap_err();
        assert_eq!(said, "`S1` and `S2` both have hosts and are linked to each other");
    }
}
