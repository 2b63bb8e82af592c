//! All shortest ways: for every switch the ports that lead one switch nearer to a host, for switches that choose.
//!
//! On a k-ary n-tree or a fat tree these are all ports up, until the host is below; then the only way down there is.

use std::collections::HashMap;

use super::Unroutable;
use super::shortest_path::{FAR, distances, reachable};
use crate::{Graph, Node};

/// For every switch, and every switch with hosts, the ports on a shortest way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EqualCost {
    /// By host: its place among the switches with hosts.
    homes: Vec<u32>,
    /// How many of those there are.
    count: u32,
    /// By switch and place: where the ports stand in `ports`, and how many there are.
    sets: Vec<(u32, u16)>,
    ports: Vec<u16>,
}

impl EqualCost {
    /// The ways of a network; or the hosts that cannot be reached.
    pub fn of(graph: &Graph) -> Result<Self, Unroutable> {
        let ports = graph.ports();
        reachable(graph, &ports)?;
        let mut place = vec![u32::MAX; graph.switches.len()];
        let mut roots = Vec::new();
        let mut ways = EqualCost::default();
        for host in 0..graph.hosts.len() as u32 {
            // A host without a switch is one of two that are linked to each other: nobody forwards to it.
            let home = ports.switch_of(host).unwrap_or(0) as usize;
            if place[home] == u32::MAX {
                place[home] = roots.len() as u32;
                roots.push(home as u32);
            }
            ways.homes.push(place[home]);
        }
        ways.count = roots.len() as u32;
        ways.sets = vec![(0, 0); graph.switches.len() * roots.len()];
        let mut known: HashMap<Vec<u16>, u32> = HashMap::new();
        for (place, &root) in roots.iter().enumerate() {
            let distance = distances(&ports, root);
            for (switch, own) in ports.switches.iter().enumerate() {
                if distance[switch] == FAR {
                    continue;
                }
                let nearer = |peer| matches!(peer, Node::Switch(to) if distance[to as usize] < distance[switch]);
                let set: Vec<u16> = (0..own.len() as u16).filter(|&port| nearer(own[usize::from(port)].peer)).collect();
                let length = set.len() as u16;
                let next = ways.ports.len() as u32;
                let first = *known.entry(set).or_insert_with_key(|set| {
                    ways.ports.extend_from_slice(set);
                    next
                });
                ways.sets[switch * roots.len() + place] = (first, length);
            }
        }
        Ok(ways)
    }

    /// The ports by which `switch` comes nearer to `host`; none if the host is its own.
    #[inline]
    pub fn ways(&self, switch: u32, host: u32) -> &[u16] {
        let (first, length) = self.sets[(switch * self.count + self.homes[host as usize]) as usize];
        &self.ports[first as usize..first as usize + usize::from(length)]
    }

    /// Every set of at least two ports that a switch chooses from.
    pub fn choices(&self) -> impl Iterator<Item = (u32, &[u16])> {
        let sets = self.sets.iter().enumerate().filter(|(_, (_, length))| *length > 1);
        sets.map(|(index, &(first, length))| {
            (index as u32 / self.count, &self.ports[first as usize..first as usize + usize::from(length)])
        })
    }
}
