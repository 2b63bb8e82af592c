//! All shortest ways: for every switch the ports that lead one switch nearer to a host, for switches that choose.
//!
//! On a k-ary n-tree or a fat tree these are all ports up, until the host is below; then the only way down there is.

use std::collections::HashMap;

use super::shortest_path::{FAR, distances, reachable};
use super::{Formula, Unroutable};
use crate::{Graph, Node, Ports};

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
        Ok(Self::of_ports(&ports))
    }

    /// The same by the ports that there are; there is no way to whoever cannot be reached.
    pub fn of_ports(ports: &Ports) -> Self {
        let (mut ways, roots) = Self::without_ports(ports);
        let mut known = Known::new();
        for (place, &root) in roots.iter().enumerate() {
            let distance = distances(ports, root);
            for (switch, own) in ports.switches.iter().enumerate().filter(|&(switch, _)| distance[switch] != FAR) {
                let nearer = |peer| matches!(peer, Node::Switch(to) if distance[to as usize] < distance[switch]);
                let set: Vec<u16> = (0..own.len() as u16).filter(|&port| nearer(own[usize::from(port)].peer)).collect();
                ways.put(&mut known, switch, place, &set);
            }
        }
        ways
    }

    /// The minimal ways of a regular network.
    pub fn by(formula: &dyn Formula, ports: &Ports) -> Self {
        let (mut ways, roots) = Self::without_ports(ports);
        let (mut known, mut set) = (Known::new(), Vec::new());
        for switch in 0..ports.switches.len() {
            for (place, &root) in roots.iter().enumerate().filter(|&(_, &root)| root as usize != switch) {
                set.clear();
                formula.ways(switch as u32, root, &mut set);
                ways.put(&mut known, switch, place, &set);
            }
        }
        ways
    }

    /// No ways yet; and the switches with hosts, in the order of hosts.
    fn without_ports(ports: &Ports) -> (Self, Vec<u32>) {
        let mut place = vec![u32::MAX; ports.switches.len()];
        let (mut roots, mut homes) = (Vec::new(), Vec::new());
        for host in 0..ports.hosts.len() as u32 {
            // A host without a switch is one of two that are linked to each other: nobody forwards to it.
            let home = ports.switch_of(host).unwrap_or(0) as usize;
            if place[home] == u32::MAX {
                place[home] = roots.len() as u32;
                roots.push(home as u32);
            }
            homes.push(place[home]);
        }
        let sets = vec![(0, 0); ports.switches.len() * roots.len()];
        (Self { homes, count: roots.len() as u32, sets, ports: Vec::new() }, roots)
    }

    /// Notes the ports of a switch towards a place; equal sets are kept once.
    fn put(&mut self, known: &mut Known, switch: usize, place: usize, set: &[u16]) {
        let first = match known.get(set) {
            Some(&first) => first,
            None => {
                let first = self.ports.len() as u32;
                self.ports.extend_from_slice(set);
                known.insert(set.to_vec(), first);
                first
            }
        };
        self.sets[switch * self.count as usize + place] = (first, set.len() as u16);
    }

    /// The ports by which `switch` comes nearer to `host`; none if the host is its own.
    #[inline]
    pub fn ways(&self, switch: u32, host: u32) -> &[u16] {
        let (first, length) = self.sets[(switch * self.count + self.homes[host as usize]) as usize];
        &self.ports[first as usize..first as usize + usize::from(length)]
    }

    /// Every set of at least two ports that a switch chooses from, perhaps several times.
    pub fn choices(&self) -> impl Iterator<Item = (u32, &[u16])> {
        let sets = self.sets.iter().enumerate().filter(|(_, (_, length))| *length > 1);
        sets.map(|(index, &(first, length))| {
            (index as u32 / self.count, &self.ports[first as usize..first as usize + usize::from(length)])
        })
    }
}

/// Where sets of ports stand.
type Known = HashMap<Vec<u16>, u32>;
