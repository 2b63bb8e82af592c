//! Can routes wait for each other in a circle?
//!
//! A packet that holds a buffer at the end of one link direction ("channel") waits for room at the end of the next one.
//! If the channels that some destination's traffic takes one after the other form a circle, all buffers along it may
//! fill with packets that wait for each other: a deadlock, in any lossless network. Without a circle in this *channel
//! dependency graph* there is none (Dally and Seitz 1987).
//!
//! Only traffic that can exist counts: a channel carries destination d if some other host's route to d takes it.
//! Channels of hosts are left out, since nothing is forwarded into or out of a host.

use crate::{EqualCost, Graph, Node, Ports, Routes};

/// A circle of channels that can wait for each other, as (from, to) pairs in the order in which they wait; `None` if
/// there is none.
pub fn credit_loop(graph: &Graph, routes: &Routes) -> Option<Vec<(Node, Node)>> {
    let ports = graph.ports();
    let waits = Waits::gather(&ports, routes, graph.links.len());
    let ends = |channel: u32| {
        let link = graph.links[channel as usize / 2];
        if channel.is_multiple_of(2) { (link.a, link.b) } else { (link.b, link.a) }
    };
    Some(waits.circle()?.into_iter().map(ends).collect())
}

/// The same for switches that choose among all shortest ways, whatever they choose.
pub fn credit_loop_among(graph: &Graph, ways: &EqualCost) -> Option<Vec<(Node, Node)>> {
    let ports = graph.ports();
    let waits = Waits::gather_choices(&ports, ways, graph.links.len());
    let ends = |channel: u32| {
        let link = graph.links[channel as usize / 2];
        if channel.is_multiple_of(2) { (link.a, link.b) } else { (link.b, link.a) }
    };
    Some(waits.circle()?.into_iter().map(ends).collect())
}

/// The circle in words: `A->B, B->C, C->A`.
pub fn describe(graph: &Graph, circle: &[(Node, Node)]) -> String {
    let named: Vec<_> = circle.iter().map(|&(from, to)| format!("{}->{}", graph.name(from), graph.name(to))).collect();
    named.join(", ")
}

/// For each channel between switches, the channels that packets at its end may wait for.
struct Waits {
    next: Vec<Vec<u32>>,
}

impl Waits {
    /// Follows every destination's traffic from every switch that has another host.
    fn gather(ports: &Ports, routes: &Routes, links: usize) -> Self {
        let mut next = vec![Vec::new(); 2 * links];
        // A bit for every (channel, port of the switch at its end), made when first needed.
        let mut known: Vec<Vec<u64>> = vec![Vec::new(); 2 * links];
        let mut visited = vec![u32::MAX; ports.switches.len()];
        let starts = switches_with_hosts(ports);
        for host in 0..ports.hosts.len() as u32 {
            let home = ports.switch_of(host);
            for &(start, _) in starts.iter().filter(|&&(start, hosts)| hosts > 1 || home != Some(start)) {
                let mut at = start;
                let mut came_by: Option<u32> = None;
                loop {
                    let own = &ports.switches[at as usize];
                    let number = usize::from(routes.port(at, host));
                    let Some(port) = own.get(number) else { break };
                    let Node::Switch(peer) = port.peer else { break };
                    if let Some(channel) = came_by {
                        let bits = &mut known[channel as usize];
                        if bits.is_empty() {
                            bits.resize(own.len().div_ceil(64), 0);
                        }
                        if bits[number / 64] & (1 << (number % 64)) == 0 {
                            bits[number / 64] |= 1 << (number % 64);
                            next[channel as usize].push(port.channel());
                        }
                    }
                    // From a switch already seen, this destination's traffic has been followed.
                    if visited[at as usize] == host {
                        break;
                    }
                    visited[at as usize] = host;
                    came_by = Some(port.channel());
                    at = peer;
                }
            }
        }
        Waits { next }
    }

    /// Follows every way of every destination from every switch that has another host. One host of each switch stands
    /// for all of them.
    fn gather_choices(ports: &Ports, ways: &EqualCost, links: usize) -> Self {
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); 2 * links];
        let starts = switches_with_hosts(ports);
        let mut homes = vec![false; ports.switches.len()];
        for host in 0..ports.hosts.len() as u32 {
            let Some(home) = ports.switch_of(host) else { continue };
            if std::mem::replace(&mut homes[home as usize], true) {
                continue;
            }
            let mut seen = vec![false; ports.switches.len()];
            let mut walk: Vec<u32> = starts.iter().map(|&(start, _)| start).filter(|&start| start != home).collect();
            walk.iter().for_each(|&start| seen[start as usize] = true);
            while let Some(at) = walk.pop() {
                for &way in ways.ways(at, host) {
                    let port = &ports.switches[at as usize][usize::from(way)];
                    let Node::Switch(peer) = port.peer else { continue };
                    let onward =
                        ways.ways(peer, host).iter().map(|&way| &ports.switches[peer as usize][usize::from(way)]);
                    next[port.channel() as usize].extend(onward.map(|port| port.channel()));
                    if !std::mem::replace(&mut seen[peer as usize], true) {
                        walk.push(peer);
                    }
                }
            }
        }
        for channels in &mut next {
            channels.sort_unstable();
            channels.dedup();
        }
        Waits { next }
    }

    /// A circle, if there is one: depth first, in the order of channel numbers.
    fn circle(&self) -> Option<Vec<u32>> {
        let mut state = vec![State::New; self.next.len()];
        // The channels of the walk so far, each with the number of ways on already tried.
        let mut walk: Vec<(u32, usize)> = Vec::new();
        for start in 0..self.next.len() as u32 {
            if state[start as usize] != State::New {
                continue;
            }
            state[start as usize] = State::OnTheWalk;
            walk.push((start, 0));
            while let Some((channel, tried)) = walk.last_mut() {
                let Some(&next) = self.next[*channel as usize].get(*tried) else {
                    state[*channel as usize] = State::Done;
                    walk.pop();
                    continue;
                };
                *tried += 1;
                match state[next as usize] {
                    State::New => {
                        state[next as usize] = State::OnTheWalk;
                        walk.push((next, 0));
                    }
                    State::OnTheWalk => {
                        let channels = walk.iter().map(|&(channel, _)| channel);
                        return Some(channels.skip_while(|&channel| channel != next).collect());
                    }
                    State::Done => {}
                }
            }
        }
        None
    }
}

/// How far the search has come with a channel.
#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    OnTheWalk,
    Done,
}

/// Switches that traffic starts from, with the number of their hosts.
fn switches_with_hosts(ports: &Ports) -> Vec<(u32, usize)> {
    let hosts = |own: &Vec<_>| own.iter().filter(|port: &&crate::Port| matches!(port.peer, Node::Host(_))).count();
    let counted = ports.switches.iter().enumerate().map(|(switch, own)| (switch as u32, hosts(own)));
    counted.filter(|&(_, hosts)| hosts > 0).collect()
}
