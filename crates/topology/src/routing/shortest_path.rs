//! Shortest paths: a breadth-first search from every switch that has hosts.
//!
//! Among the ports of a switch that all lead one switch nearer to destination d, number ⌊d / w⌋ mod (their count) is
//! used, where w = w₀·…·w_{h-1} for a switch that is h links from the nearest one with hosts, and w_l is the largest
//! number of neighbours that a switch at distance l has at distance l + 1. Ports are counted in local order, those to
//! different neighbours before parallel links to the same one. Destinations are counted switch by switch and pod by
//! pod, whatever the order in which hosts are listed: files of fabrics list them as they were discovered, and clusters
//! with rails node by node, so that hosts of one leaf would be those with the same digit, and be reached by one link
//! down. So the traffic to one destination stays on one tree, destinations are spread over parallel paths, and nothing
//! is random. If w were 1 at every height, all traffic that comes up to a switch of a tree would already have been
//! selected by the same digit, and would use one of several ports: in a tree of four levels with four links up, 1/16 of
//! the links at the top. If parallel links counted in w, a spine would send to all hosts of a leaf by one of its links
//! there, where leaves have as many links up as hosts.

use crate::{Graph, Node, Port, Ports, Routes, Unroutable};
use std::collections::VecDeque;

/// Routes along shortest paths, ties decided by destination; or the hosts that cannot be reached.
pub fn shortest_path(graph: &Graph) -> Result<Routes, Unroutable> {
    let ports = graph.ports();
    reachable(graph, &ports)?;
    Ok(shortest_path_by(&ports))
}

/// Routes along shortest paths over the given ports; a host that cannot be reached has no route.
pub fn shortest_path_by(ports: &Ports) -> Routes {
    let mut routes = Routes::empty(ports.switches.len(), ports.hosts.len());
    let hosts_on = hosts_by_switch(ports);
    for (switch, hosts) in hosts_on.iter().enumerate() {
        hosts.iter().for_each(|&host| routes.set(switch as u32, host, ports.hosts[host as usize][0].peer_port));
    }
    let digits = Digits::of(ports, &hosts_on);
    let parallel: Vec<bool> = ports.switches.iter().map(|own| neighbours(own).len() < links(own).count()).collect();
    let mut nearer = Vec::new();
    for (root, hosts) in hosts_on.iter().enumerate() {
        if hosts.is_empty() {
            continue;
        }
        let distance = distances(ports, root as u32);
        for (switch, own) in ports.switches.iter().enumerate() {
            if switch == root || distance[switch] == FAR {
                continue;
            }
            nearer.clear();
            nearer.extend(ports_nearer(ports, &distance, switch));
            if parallel[switch] {
                different_first(own, &mut nearer);
            }
            for &host in hosts {
                routes.set(switch as u32, host, nearer[digits.digit(switch, host, nearer.len())]);
            }
        }
    }
    routes
}

/// How destinations are counted where a switch has several ways.
pub(super) struct Digits {
    /// By host.
    number: Vec<u64>,
    /// By switch.
    divisors: Vec<u64>,
}

impl Digits {
    pub(super) fn new(ports: &Ports) -> Self {
        Self::of(ports, &hosts_by_switch(ports))
    }

    fn of(ports: &Ports, hosts_on: &[Vec<u32>]) -> Self {
        let height = heights(ports);
        Self { number: numbers(ports, hosts_on, &height), divisors: divisors(ports, &height) }
    }

    /// Which of so many ways a switch uses to a host.
    pub(super) fn digit(&self, switch: usize, host: u32, ways: usize) -> usize {
        (self.number[host as usize] / self.divisors[switch] % ways as u64) as usize
    }
}

/// By switch: its hosts.
fn hosts_by_switch(ports: &Ports) -> Vec<Vec<u32>> {
    let mut hosts_on = vec![Vec::new(); ports.switches.len()];
    for host in 0..ports.hosts.len() as u32 {
        if let Some(switch) = ports.switch_of(host) {
            hosts_on[switch as usize].push(host);
        }
    }
    hosts_on
}

/// The number of each host, counted switch by switch. Switches that are connected with each other up to a height follow
/// each other, as those of a pod; otherwise the order is that of their first hosts.
fn numbers(ports: &Ports, hosts_on: &[Vec<u32>], height: &[u32]) -> Vec<u64> {
    let mut leaves: Vec<usize> = (0..hosts_on.len()).filter(|&switch| !hosts_on[switch].is_empty()).collect();
    leaves.sort_unstable_by_key(|&leaf| hosts_on[leaf][0]);
    let highest = height.iter().copied().filter(|&height| height != FAR).max().unwrap_or(0);
    for below in 0..highest {
        // A stable sort: the last and highest level decides, and what is alike there keeps its order.
        let first = first_leaf_connected(ports, &leaves, height, below);
        leaves.sort_by_key(|&leaf| first[leaf]);
    }
    let mut number = vec![0; ports.hosts.len()];
    for (at, &host) in leaves.iter().flat_map(|&leaf| &hosts_on[leaf]).enumerate() {
        number[host as usize] = at as u64;
    }
    number
}

/// By switch: the place among the leaves of the first one that is connected with it over switches up to this height.
fn first_leaf_connected(ports: &Ports, leaves: &[usize], height: &[u32], most: u32) -> Vec<usize> {
    let mut first = vec![usize::MAX; height.len()];
    for (place, &leaf) in leaves.iter().enumerate() {
        if first[leaf] != usize::MAX {
            continue;
        }
        first[leaf] = place;
        let mut edge = vec![leaf];
        while let Some(switch) = edge.pop() {
            for to in links(&ports.switches[switch]).map(|to| to as usize) {
                if height[to] <= most && first[to] == usize::MAX {
                    first[to] = place;
                    edge.push(to);
                }
            }
        }
    }
    first
}

/// The switches to which a switch has links, one for each link.
fn links(own: &[Port]) -> impl Iterator<Item = u32> {
    own.iter().filter_map(|port| match port.peer {
        Node::Switch(to) => Some(to),
        Node::Host(_) => None,
    })
}

/// The switches to which a switch has links, each once.
fn neighbours(own: &[Port]) -> Vec<u32> {
    let mut found: Vec<u32> = links(own).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Puts the first port to each neighbour before all second ones, and these before the third.
fn different_first(own: &[Port], chosen: &mut [u16]) {
    let to = |port: u16| own[usize::from(port)].peer;
    let mut order: Vec<(usize, u16)> = chosen
        .iter()
        .enumerate()
        .map(|(at, &port)| (chosen[..at].iter().filter(|&&other| to(other) == to(port)).count(), port))
        .collect();
    order.sort_unstable();
    chosen.iter_mut().zip(order).for_each(|(slot, (_, port))| *slot = port);
}

/// By switch: the number of links to the nearest switch with hosts; [`FAR`] if there is no path.
fn heights(ports: &Ports) -> Vec<u32> {
    let has_host = |own: &[Port]| own.iter().any(|port| matches!(port.peer, Node::Host(_)));
    let leaves = (0..ports.switches.len() as u32).filter(|&switch| has_host(&ports.switches[switch as usize]));
    distances_to_any(ports, leaves.collect())
}

/// By switch: the divisor of destinations for the choice there, which is the product of the choices below.
fn divisors(ports: &Ports, height: &[u32]) -> Vec<u64> {
    let highest = height.iter().copied().filter(|&height| height != FAR).max().unwrap_or(0) as usize;
    let mut most_up = vec![1u64; highest + 1];
    for (own, &at) in ports.switches.iter().zip(height).filter(|(_, height)| **height != FAR) {
        let up = neighbours(own).into_iter().filter(|&to| height[to as usize] == at + 1).count();
        most_up[at as usize] = most_up[at as usize].max(up as u64);
    }
    let below: Vec<u64> = std::iter::once(1)
        .chain(most_up.iter().scan(1u64, |product, &up| {
            *product = product.saturating_mul(up);
            Some(*product)
        }))
        .collect();
    height.iter().map(|&height| if height == FAR { 1 } else { below[height as usize] }).collect()
}

/// The ports by which a switch leads one switch nearer to the root of these distances.
pub(super) fn ports_nearer<'a>(ports: &'a Ports, distance: &'a [u32], switch: usize) -> impl Iterator<Item = u16> + 'a {
    let forwards = |to: u32| distance[to as usize] == 0 || ports.forwards(to);
    let nearer = move |port: &Port| matches!(port.peer, Node::Switch(to) if distance[to as usize] < distance[switch] && forwards(to));
    (0u16..).zip(&ports.switches[switch]).filter(move |(_, port)| nearer(port)).map(|(local, _)| local)
}

/// Number of links between switches from every switch to `root`; [`FAR`] if there is no path.
pub(super) fn distances(ports: &Ports, root: u32) -> Vec<u32> {
    distances_to_any(ports, VecDeque::from([root]))
}

/// Number of links between switches from every switch to the nearest of several; [`FAR`] if there is no path.
fn distances_to_any(ports: &Ports, mut edge: VecDeque<u32>) -> Vec<u32> {
    let mut distance = vec![FAR; ports.switches.len()];
    edge.iter().for_each(|&root| distance[root as usize] = 0);
    while let Some(switch) = edge.pop_front() {
        if distance[switch as usize] > 0 && !ports.forwards(switch) {
            continue;
        }
        for port in &ports.switches[switch as usize] {
            if let Node::Switch(next) = port.peer
                && distance[next as usize] == FAR
            {
                distance[next as usize] = distance[switch as usize] + 1;
                edge.push_back(next);
            }
        }
    }
    distance
}

/// Names the hosts outside the connected part of the network with the most hosts.
pub(super) fn reachable(graph: &Graph, ports: &Ports) -> Result<(), Unroutable> {
    let outside = unreachable(ports);
    let inside = (0..graph.hosts.len() as u32).find(|host| outside.binary_search(host).is_err());
    let Some(from) = inside.filter(|_| !outside.is_empty()) else { return Ok(()) };
    Err(Unroutable {
        from: graph.hosts[from as usize].clone(),
        hosts: outside.iter().map(|&host| graph.hosts[host as usize].clone()).collect(),
    })
}

/// The hosts outside the connected part of a network with the most hosts, in order. Of equal parts the one of the first
/// host counts; a host that is connected to no switch is a part of its own, behind all others. Where adapters join
/// several networks, two hosts may have no path to each other and both have one to a third: it counts with the first.
pub fn unreachable(ports: &Ports) -> Vec<u32> {
    let mut part = vec![usize::MAX; ports.switches.len()];
    let mut members: Vec<Vec<u32>> = Vec::new();
    let mut alone: Vec<Vec<u32>> = Vec::new();
    for host in 0..ports.hosts.len() as u32 {
        match ports.switch_of(host) {
            Some(switch) if part[switch as usize] != usize::MAX => members[part[switch as usize]].push(host),
            Some(switch) => {
                let distance = distances(ports, switch);
                let found = part.iter_mut().zip(distance).filter(|(_, distance)| *distance != FAR);
                found.filter(|(part, _)| **part == usize::MAX).for_each(|(part, _)| *part = members.len());
                members.push(vec![host]);
            }
            None => alone.push(vec![host]),
        }
    }
    members.append(&mut alone);
    // The first of the largest parts: `max_by_key` would take the last.
    let largest = members.iter().rev().max_by_key(|hosts| hosts.len());
    let Some(largest) = largest.filter(|hosts| hosts.len() < ports.hosts.len()) else { return Vec::new() };
    (0..ports.hosts.len() as u32).filter(|host| largest.binary_search(host).is_err()).collect()
}

/// By switch: the connected component of the network that it is in, numbered by its first switch.
pub fn components(ports: &Ports) -> Vec<u32> {
    let mut component = vec![u32::MAX; ports.switches.len()];
    for first in 0..component.len() {
        if component[first] == u32::MAX {
            let distance = distances(ports, first as u32);
            let found = component.iter_mut().zip(distance).filter(|(_, distance)| *distance != FAR);
            found.for_each(|(component, _)| *component = first as u32);
        }
    }
    component
}

/// The distance of a node that cannot be reached.
pub(super) const FAR: u32 = u32::MAX;
