//! The channel dependency graph, built host by host along the routes of tables; and the search for a cycle in it.

use super::{HeldChannel, Lanes};
use crate::{Graph, Node, Port, Ports, Routes, Through};

/// For each channel between switches (and lane, where packets change lanes), those that packets at its end may wait for.
pub(super) struct ChannelWaits {
    pub next: Vec<Vec<u32>>,
    /// Lanes that are distinguished; none if they are all equivalent.
    pub lanes: Option<u32>,
}

impl ChannelWaits {
    /// Follows every destination's traffic from every switch that has another host.
    pub(crate) fn gather(ports: &Ports, routes: &Routes) -> Self {
        let mut follower = RouteFollower::new(ports, routes);
        let starts = switches_with_hosts(ports);
        for host in 0..ports.hosts.len() as u32 {
            let home = ports.switch_of(host);
            for &(start, _) in starts.iter().filter(|&&(start, hosts)| hosts > 1 || home != Some(start)) {
                follower.follow(start, host);
            }
        }
        ChannelWaits { next: follower.next, lanes: None }
    }

    /// Follows every destination's traffic by `candidates`, in all lanes that it uses, from every port of another host.
    pub(crate) fn gather_lanes<W: Iterator<Item = u16>>(
        ports: &Ports,
        candidates: impl Fn(u32, u32) -> W,
        lanes: &Lanes<'_>,
    ) -> Self {
        let mut follower = LaneFollower::new(ports, candidates, lanes);
        for host in 0..ports.hosts.len() as u32 {
            for &(lane, service) in lanes.starts {
                follower.follow(host, lane, service);
            }
        }
        ChannelWaits { next: follower.next, lanes: Some(u32::from(lanes.count)) }
    }

    /// The cycle, with names for its channels.
    pub(crate) fn named_cycle(&self, graph: &Graph) -> Option<Vec<HeldChannel>> {
        let named = |place: u32| {
            let lanes = self.lanes.unwrap_or(1);
            let (channel, lane) = (place / lanes, place % lanes);
            let link = graph.links[channel as usize / 2];
            let (from, to) = if channel.is_multiple_of(2) { (link.a, link.b) } else { (link.b, link.a) };
            HeldChannel { from, to, lane: self.lanes.map(|_| lane as u8) }
        };
        Some(self.cycle()?.into_iter().map(named).collect())
    }

    /// A cycle, if there is one: depth first, in the order of channel numbers.
    fn cycle(&self) -> Option<Vec<u32>> {
        let mut state = vec![State::New; self.next.len()];
        // The channels of the current path, each with the number of its successors already tried.
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

/// Follows routes of tables, and notes which channel waits for which.
struct RouteFollower<'a> {
    ports: &'a Ports,
    routes: &'a Routes,
    next: Vec<Vec<u32>>,
    /// By channel: a bit for every port of the switch at its end that it is known to wait for; made when first needed.
    known: Vec<Vec<u64>>,
    /// By switch: the host whose traffic has been followed from there.
    visited: Vec<u32>,
}

impl<'a> RouteFollower<'a> {
    fn new(ports: &'a Ports, routes: &'a Routes) -> Self {
        let channels = 2 * links(ports);
        let (next, known) = (vec![Vec::new(); channels], vec![Vec::new(); channels]);
        Self { ports, routes, next, known, visited: vec![u32::MAX; ports.switches.len()] }
    }

    /// From a switch to a host, or to a switch from which its traffic has been followed before.
    fn follow(&mut self, start: u32, host: u32) {
        let mut at = start;
        let mut came_by: Option<u32> = None;
        loop {
            let number = usize::from(self.routes.port(at, host));
            let Some(port) = self.ports.switches[at as usize].get(number) else { return };
            let Node::Switch(peer) = port.peer else { return };
            if let Some(channel) = came_by {
                self.note(channel, at, number);
            }
            if std::mem::replace(&mut self.visited[at as usize], host) == host {
                return;
            }
            came_by = Some(port.channel());
            at = peer;
        }
    }

    /// Packets that arrive at a switch over a channel may wait for this port of it.
    fn note(&mut self, channel: u32, switch: u32, number: usize) {
        let own = &self.ports.switches[switch as usize];
        let known = &mut self.known[channel as usize];
        known.resize(own.len().div_ceil(64), 0);
        let bit = 1 << (number % 64);
        if known[number / 64] & bit == 0 {
            known[number / 64] |= bit;
            self.next[channel as usize].push(own[number].channel());
        }
    }
}

/// A packet on its way: where it comes in, its lane there, and the channel and lane that it holds meanwhile.
type Walker = (Through, u8, Option<u32>);

/// Follows all paths in all lanes, and notes which channel and lane waits for which.
struct LaneFollower<'a, F> {
    ports: &'a Ports,
    candidates: F,
    lanes: &'a Lanes<'a>,
    next: Vec<Vec<u32>>,
    /// By channel and lane: the round in which it was visited.
    seen: Vec<u32>,
    round: u32,
}

impl<'a, W: Iterator<Item = u16>, F: Fn(u32, u32) -> W> LaneFollower<'a, F> {
    fn new(ports: &'a Ports, candidates: F, lanes: &'a Lanes<'a>) -> Self {
        let nodes = 2 * links(ports) * usize::from(lanes.count);
        Self { ports, candidates, lanes, next: vec![Vec::new(); nodes], seen: vec![0; nodes], round: 0 }
    }

    /// From all other hosts to one, for packets of a service level that start in this lane.
    fn follow(&mut self, host: u32, lane: u8, service: u8) {
        self.round += 1;
        let others = self.ports.hosts.iter().enumerate().filter(|&(other, _)| other as u32 != host);
        let first = |ports: &[Port]| match ports.first()? {
            Port { peer: Node::Switch(switch), peer_port: from, .. } => {
                Some(Through { switch: *switch, from: *from, to: 0 })
            }
            _ => None,
        };
        let mut left: Vec<Walker> = others.filter_map(|(_, ports)| Some((first(ports)?, lane, None))).collect();
        while let Some(walker) = left.pop() {
            self.go_on(host, service, walker, &mut left);
        }
    }

    /// A packet continues on all paths to a host that it may take.
    fn go_on(&mut self, host: u32, service: u8, (at, lane, held): Walker, left: &mut Vec<Walker>) {
        for to in (self.candidates)(at.switch, host) {
            let port = &self.ports.switches[at.switch as usize][usize::from(to)];
            let Node::Switch(peer) = port.peer else { continue };
            let lane = self.lanes.map.lane(at.switch, at.from, to, lane, service);
            let channel = port.channel() * u32::from(self.lanes.count) + u32::from(lane);
            if let Some(held) = held
                && !self.next[held as usize].contains(&channel)
            {
                self.next[held as usize].push(channel);
            }
            if std::mem::replace(&mut self.seen[channel as usize], self.round) != self.round {
                left.push((Through { switch: peer, from: port.peer_port, to: 0 }, lane, Some(channel)));
            }
        }
    }
}

/// The state of a channel in the search.
#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    OnTheWalk,
    Done,
}

/// Switches at which traffic starts, with the number of their hosts.
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
