//! The graph of waits, gathered host by host along routes in tables; and the search for a circle in it.

use super::{HeldChannel, Lanes};
use crate::{Graph, Node, Ports, Routes, Through};

/// For each channel between switches (and lane, where packets change lanes), those that packets at its end may wait for.
pub(super) struct ChannelWaits {
    pub next: Vec<Vec<u32>>,
    /// Lanes told apart; none if they are all alike.
    pub lanes: Option<u32>,
}

impl ChannelWaits {
    /// Follows every destination's traffic from every switch that has another host.
    pub(crate) fn gather(ports: &Ports, routes: &Routes) -> Self {
        let links = links(ports);
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
        ChannelWaits { next, lanes: None }
    }

    /// Follows every destination's traffic by `ways`, in whichever lanes it travels, from every port of another host.
    pub(crate) fn gather_lanes<W: Iterator<Item = u16>>(
        ports: &Ports,
        ways: impl Fn(u32, u32) -> W,
        lanes: &Lanes<'_>,
    ) -> Self {
        let count = u32::from(lanes.count);
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); 2 * links(ports) * count as usize];
        let mut seen = vec![0u32; next.len()];
        let mut round = 0;
        for host in 0..ports.hosts.len() as u32 {
            for &(start, service) in lanes.starts {
                round += 1;
                // Where a packet comes in, its lane there, and the channel and lane that it holds meanwhile.
                let mut walk: Vec<(Through, u8, Option<u32>)> = Vec::new();
                for own in ports.hosts.iter().enumerate().filter(|&(other, _)| other as u32 != host).map(|(_, own)| own)
                {
                    if let Some(port) = own.first()
                        && let Node::Switch(switch) = port.peer
                    {
                        walk.push((Through { switch, from: port.peer_port, to: 0 }, start, None));
                    }
                }
                while let Some((at, lane, held)) = walk.pop() {
                    for to in ways(at.switch, host) {
                        let port = &ports.switches[at.switch as usize][usize::from(to)];
                        let Node::Switch(peer) = port.peer else { continue };
                        let lane = lanes.map.lane(at.switch, at.from, to, lane, service);
                        let channel = port.channel() * count + u32::from(lane);
                        if let Some(held) = held
                            && !next[held as usize].contains(&channel)
                        {
                            next[held as usize].push(channel);
                        }
                        if std::mem::replace(&mut seen[channel as usize], round) != round {
                            walk.push((Through { switch: peer, from: port.peer_port, to: 0 }, lane, Some(channel)));
                        }
                    }
                }
            }
        }
        ChannelWaits { next, lanes: Some(count) }
    }

    /// The circle, with names for its channels.
    pub(crate) fn named_circle(&self, graph: &Graph) -> Option<Vec<HeldChannel>> {
        let named = |place: u32| {
            let lanes = self.lanes.unwrap_or(1);
            let (channel, lane) = (place / lanes, place % lanes);
            let link = graph.links[channel as usize / 2];
            let (from, to) = if channel.is_multiple_of(2) { (link.a, link.b) } else { (link.b, link.a) };
            HeldChannel { from, to, lane: self.lanes.map(|_| lane as u8) }
        };
        Some(self.circle()?.into_iter().map(named).collect())
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
pub(super) fn switches_with_hosts(ports: &Ports) -> Vec<(u32, usize)> {
    let hosts = |own: &Vec<_>| own.iter().filter(|port: &&crate::Port| matches!(port.peer, Node::Host(_))).count();
    let counted = ports.switches.iter().enumerate().map(|(switch, own)| (switch as u32, hosts(own)));
    counted.filter(|&(_, hosts)| hosts > 0).collect()
}

/// How many links there are.
pub(super) fn links(ports: &Ports) -> usize {
    let ends = ports.hosts.iter().chain(&ports.switches);
    ends.flatten().map(|port| port.link as usize + 1).max().unwrap_or(0)
}
