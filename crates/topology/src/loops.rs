//! Can routes wait for each other in a circle?
//!
//! A packet that holds a buffer at the end of one link direction ("channel") waits for room at the end of the next one.
//! If the channels that some destination's traffic takes one after the other form a circle, all buffers along it may
//! fill with packets that wait for each other: a deadlock, in any lossless network. Without a circle in this *channel
//! dependency graph* there is none (Dally and Seitz 1987).
//!
//! Only traffic that can exist counts: a channel carries destination d if some other host's route to d takes it.
//! Channels of hosts are left out, since nothing is forwarded into or out of a host. Where packets change lanes on their
//! way ([`LaneMap`]) what waits is a channel and a lane: a ring has no circle if packets change lanes somewhere on it.

use crate::{EqualCost, Graph, LaneMap, Node, Ports, Routes, Through};

/// A channel in a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The node that sends.
    pub from: Node,
    /// The node whose buffer is held.
    pub to: Node,
    /// The lane, where packets change lanes.
    pub lane: Option<u8>,
}

/// Packets change lanes on their way.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<'a> {
    /// How.
    pub map: &'a LaneMap,
    /// How many there are.
    pub count: u8,
    /// Lanes and service levels in which packets leave their hosts.
    pub starts: &'a [(u8, u8)],
}

/// A circle of channels that can wait for each other, in the order in which they wait; `None` if there is none. Where
/// packets keep their lanes, each lane is like the others; where they change them, a channel and lane stand for themselves.
pub fn credit_loop(graph: &Graph, routes: &Routes, lanes: Option<&Lanes<'_>>) -> Option<Vec<Held>> {
    let ports = graph.ports();
    let waits = match lanes {
        Some(lanes) => {
            let one = |switch: u32, host: u32| Some(routes.port(switch, host)).filter(|&port| port != Routes::NONE);
            let hosts = 0..ports.hosts.len() as u32;
            Waits::gather_lanes(&ports, hosts, |switch, host| one(switch, host).into_iter(), graph.links.len(), lanes)
        }
        None => Waits::gather(&ports, routes, graph.links.len()),
    };
    waits.named_circle(graph)
}

/// The same for switches that choose among all shortest ways, whatever they choose.
pub fn credit_loop_among(graph: &Graph, ways: &EqualCost, lanes: Option<&Lanes<'_>>) -> Option<Vec<Held>> {
    let ports = graph.ports();
    let waits = match lanes {
        Some(lanes) => {
            let hosts = 0..ports.hosts.len() as u32;
            let all = |switch, host| ways.ways(switch, host).iter().copied();
            Waits::gather_lanes(&ports, hosts, all, graph.links.len(), lanes)
        }
        None => Waits::gather_choices(&ports, ways, graph.links.len()),
    };
    waits.named_circle(graph)
}

/// The circle in words: `A->B, B->C, C->A`, with lanes where they matter.
pub fn describe(graph: &Graph, circle: &[Held]) -> String {
    let name = |held: &Held| {
        let lane = held.lane.map_or(String::new(), |lane| format!(" lane {lane}"));
        format!("{}->{}{lane}", graph.name(held.from), graph.name(held.to))
    };
    circle.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// For each channel between switches (and lane, where packets change lanes), those that packets at its end may wait for.
struct Waits {
    next: Vec<Vec<u32>>,
    /// Lanes told apart; none if they are all alike.
    lanes: Option<u32>,
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
        Waits { next, lanes: None }
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
        Waits { next, lanes: None }
    }

    /// Follows every destination's traffic by `ways`, in whichever lanes it travels, from every port of another host.
    fn gather_lanes<W: Iterator<Item = u16>>(
        ports: &Ports,
        hosts: impl Iterator<Item = u32>,
        ways: impl Fn(u32, u32) -> W,
        links: usize,
        lanes: &Lanes<'_>,
    ) -> Self {
        let count = u32::from(lanes.count);
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); 2 * links * count as usize];
        let mut seen = vec![0u32; next.len()];
        let mut round = 0;
        for host in hosts {
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
        Waits { next, lanes: Some(count) }
    }

    /// The circle, with names for its channels.
    fn named_circle(&self, graph: &Graph) -> Option<Vec<Held>> {
        let named = |place: u32| {
            let lanes = self.lanes.unwrap_or(1);
            let (channel, lane) = (place / lanes, place % lanes);
            let link = graph.links[channel as usize / 2];
            let (from, to) = if channel.is_multiple_of(2) { (link.a, link.b) } else { (link.b, link.a) };
            Held { from, to, lane: self.lanes.map(|_| lane as u8) }
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
fn switches_with_hosts(ports: &Ports) -> Vec<(u32, usize)> {
    let hosts = |own: &Vec<_>| own.iter().filter(|port: &&crate::Port| matches!(port.peer, Node::Host(_))).count();
    let counted = ports.switches.iter().enumerate().map(|(switch, own)| (switch as u32, hosts(own)));
    counted.filter(|&(_, hosts)| hosts > 0).collect()
}
