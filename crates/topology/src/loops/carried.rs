//! The channel dependency graph, built for all destinations at once.
//!
//! All hosts of a switch are reached in the same way, so their switch represents them. For every channel and lane a bit
//! set says for which destinations it can carry packets: those that enter it at their source, and those that come over
//! the channels before it and continue over it. The sets grow until nothing changes; then a channel waits for another
//! if both carry some destination, one after the other. This is exact, and takes a thousandth of the steps of following
//! every destination separately.
//!
//! A packet on a detour first goes to the switch of some host, and then to its destination. So there is a second set
//! for every channel and lane: that of packets that have turned, which may have any destination. If packets that are
//! already under way may decide on a detour, there is a third: they turn once more, and the first time at any switch.
//!
//! Packets keep their service level: if lanes go by it, the sets of each level are built alone, and what they wait for
//! is united.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::waits::{ChannelWaits, links};
use super::{Lanes, by_lane};
use crate::{EqualCost, Node, Ports};

/// Which ports packets take to which destinations.
pub(super) struct Carried {
    /// By switch: ports that are used together, and for which destinations.
    sets: Vec<Vec<(Vec<u16>, Bits)>>,
    /// By switch: the destinations there.
    here: Vec<Bits>,
    destinations: usize,
}

type Bits = Box<[u64]>;

impl Carried {
    /// From the paths to switches with hosts, which `candidates` appends.
    pub(crate) fn by_home(ports: &Ports, candidates: impl Fn(u32, u32, &mut Vec<u16>)) -> Self {
        let mut homes: Vec<u32> = (0..ports.hosts.len() as u32).filter_map(|host| ports.switch_of(host)).collect();
        homes.sort_unstable();
        homes.dedup();
        Self::towards(ports, &homes, |switch, place, set| candidates(switch, homes[place], set))
    }

    /// From the paths to hosts.
    pub(crate) fn by_host(ports: &Ports, candidates: impl Fn(u32, u32, &mut Vec<u16>)) -> Self {
        let homes: Vec<u32> =
            (0..ports.hosts.len() as u32).map(|host| ports.switch_of(host).unwrap_or(u32::MAX)).collect();
        Self::towards(ports, &homes, |switch, host, set| candidates(switch, host as u32, set))
    }

    /// From all shortest paths.
    pub(crate) fn among(ports: &Ports, equal_cost: &EqualCost) -> Self {
        // Some host of every switch that has any.
        let mut hosts: Vec<(u32, u32)> =
            (0..ports.hosts.len() as u32).filter_map(|host| Some((ports.switch_of(host)?, host))).collect();
        hosts.sort_unstable();
        hosts.dedup_by_key(|(home, _)| *home);
        let homes: Vec<u32> = hosts.iter().map(|&(home, _)| home).collect();
        Self::towards(ports, &homes, |switch, place, set| {
            set.extend_from_slice(equal_cost.candidates(switch, hosts[place].1))
        })
    }

    /// `homes` are the switches of the destinations.
    fn towards(ports: &Ports, homes: &[u32], candidates: impl Fn(u32, usize, &mut Vec<u16>)) -> Self {
        let empty = || vec![0u64; homes.len().div_ceil(64)].into_boxed_slice();
        let mut carried = Carried { sets: Vec::new(), here: Vec::new(), destinations: homes.len() };
        let mut set = Vec::new();
        for switch in 0..ports.switches.len() as u32 {
            let mut sets: Vec<(Vec<u16>, Bits)> = Vec::new();
            let mut known: HashMap<Vec<u16>, usize> = HashMap::new();
            let mut here = empty();
            let mut last = usize::MAX;
            for (place, &home) in homes.iter().enumerate() {
                if home == switch {
                    put(&mut here, place);
                    continue;
                }
                set.clear();
                candidates(switch, place, &mut set);
                // Neighbours mostly have the same ports.
                if sets.get(last).is_none_or(|(ports, _)| *ports != set) {
                    last = *known.entry(set.clone()).or_insert_with(|| {
                        sets.push((set.clone(), empty()));
                        sets.len() - 1
                    });
                }
                put(&mut sets[last].1, place);
            }
            carried.sets.push(sets);
            carried.here.push(here);
        }
        carried
    }

    /// Which channels, and lanes if packets change them, wait for which.
    pub(crate) fn waits(&self, ports: &Ports, lanes: Option<&Lanes<'_>>, turns: u8) -> ChannelWaits {
        let count = lanes.map_or(1, |lanes| u32::from(lanes.count));
        let mut next = vec![Vec::new(); 2 * links(ports) * count as usize];
        for (service, starts) in starts(lanes) {
            let mut walk = Walk::new(self, ports, lanes, service, turns);
            walk.start(&starts);
            while let Some(place) = walk.changed.pop_front() {
                walk.queued[place as usize] = false;
                walk.go_on(place, |walk, next, part| walk.grow(next, part));
            }
            for place in 0..walk.carries.len() as u32 {
                let own = (place % walk.nodes) as usize;
                let mut found = std::mem::take(&mut next[own]);
                walk.go_on(place, |walk, onward, _| found.push(onward % walk.nodes));
                found.sort_unstable();
                found.dedup();
                next[own] = found;
            }
        }
        ChannelWaits { next, lanes: lanes.map(|_| count) }
    }
}

/// The lanes in which packets leave their hosts, by service level; under one level if the level does not matter.
fn starts(lanes: Option<&Lanes<'_>>) -> BTreeMap<u8, Vec<u8>> {
    let Some(lanes) = lanes else { return BTreeMap::from([(0, vec![0])]) };
    let mut starts: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
    for &(lane, service) in lanes.starts {
        starts.entry(if by_lane(Some(lanes)) { 0 } else { service }).or_default().push(lane);
    }
    starts
}

/// The sets of packets of one service level while they grow. A place is a channel and lane, and how often packets there
/// have turned.
struct Walk<'a> {
    of: &'a Carried,
    ports: &'a Ports,
    lanes: Option<&'a Lanes<'a>>,
    service: u8,
    count: u32,
    /// Channels times lanes.
    nodes: u32,
    turns: u32,
    /// By channel: the switch that it leads to, and the port there.
    ends: Vec<Option<(u32, u16)>>,
    /// By place.
    carries: Vec<Option<Bits>>,
    queued: Vec<bool>,
    changed: std::collections::VecDeque<u32>,
}

impl<'a> Walk<'a> {
    fn new(of: &'a Carried, ports: &'a Ports, lanes: Option<&'a Lanes<'a>>, service: u8, turns: u8) -> Self {
        let count = lanes.map_or(1, |lanes| u32::from(lanes.count));
        let channels = 2 * links(ports);
        let mut ends = vec![None; channels];
        for port in ports.switches.iter().flatten() {
            if let Node::Switch(peer) = port.peer {
                ends[port.channel() as usize] = Some((peer, port.peer_port));
            }
        }
        let nodes = channels as u32 * count;
        let places = nodes as usize * (usize::from(turns) + 1);
        let (carries, queued) = (vec![None; places], vec![false; places]);
        let (turns, changed) = (turns.into(), Default::default());
        Walk { of, ports, lanes, service, count, nodes, turns, ends, carries, queued, changed }
    }

    /// Every host sends to all hosts on other switches, in these lanes.
    fn start(&mut self, lanes: &[u8]) {
        for switch in 0..self.ports.switches.len() as u32 {
            let own = &self.ports.switches[switch as usize];
            let hosts = (0..own.len() as u16).filter(|&port| matches!(own[usize::from(port)].peer, Node::Host(_)));
            let hosts: Vec<u16> = hosts.collect();
            for &lane in lanes {
                // Hosts whose packets use the same lanes from here on are equivalent.
                let mut known = HashSet::new();
                for &from in &hosts {
                    let next = |to| self.next_lane(switch, from, to, lane);
                    if known.insert((0..own.len() as u16).map(next).collect::<Vec<u8>>()) {
                        self.leave(switch, from, lane, None, 0, &mut |walk, place, part| walk.grow(place, part));
                    }
                }
            }
        }
    }

    /// Calls `with` for every place to which packets may continue from `place`, and for which destinations.
    fn go_on(&mut self, place: u32, mut with: impl FnMut(&mut Self, u32, Part<'_>)) {
        let (node, turned) = (place % self.nodes, place / self.nodes);
        let (Some(bits), Some((switch, from))) =
            (self.carries[place as usize].take(), self.ends[(node / self.count) as usize])
        else {
            return;
        };
        let lane = (node % self.count) as u8;
        self.leave(switch, from, lane, Some(&bits), turned, &mut with);
        let anywhere = turned + 2 == self.turns;
        if turned < self.turns && (anywhere || meet(&bits, &self.of.here[switch as usize])) {
            let (from, lane) = match self.lanes.and_then(|lanes| lanes.map.turning(lane)) {
                // As if a host of this switch had sent the packet, in the lanes used after a turn.
                Some(lane) => (self.host_port(switch), lane),
                None => (from, lane),
            };
            self.leave(switch, from, lane, None, turned + 1, &mut with);
        }
        // No link leads from a switch to itself, so nothing has been added to this place meanwhile.
        self.carries[place as usize] = Some(bits);
    }

    /// Packets that arrived at a switch by `from`, for the destinations in `bits` (none: for all others), leave it.
    fn leave(
        &mut self,
        switch: u32,
        from: u16,
        lane: u8,
        bits: Option<&[u64]>,
        turned: u32,
        with: &mut impl FnMut(&mut Self, u32, Part<'_>),
    ) {
        let of = self.of;
        // Most places carry packets for a few consecutive destinations: the rest of the words is skipped.
        let window = bits.map_or(0..of.destinations.div_ceil(64), window);
        let bits = bits.map(|bits| &bits[window.clone()]);
        let mut onward = vec![0u64; window.len()];
        for (candidates, towards) in &of.sets[switch as usize] {
            let towards = &towards[window.clone()];
            match bits {
                Some(bits) if !meet(bits, towards) => continue,
                Some(bits) => onward.iter_mut().zip(bits.iter().zip(towards)).for_each(|(to, (a, b))| *to = a & b),
                None => onward.copy_from_slice(towards),
            }
            for &to in candidates {
                let port = &self.ports.switches[switch as usize][usize::from(to)];
                if matches!(port.peer, Node::Host(_)) {
                    continue;
                }
                let lane = self.next_lane(switch, from, to, lane);
                let place = port.channel() * self.count + u32::from(lane);
                with(self, place + turned * self.nodes, Part { first: window.start, words: &onward });
            }
        }
    }

    /// The lane in which packets leave a switch.
    fn next_lane(&self, switch: u32, from: u16, to: u16, lane: u8) -> u8 {
        self.lanes.map_or(lane, |lanes| lanes.map.lane(switch, from, to, lane, self.service))
    }

    /// Adds to what a place carries.
    fn grow(&mut self, place: u32, part: Part<'_>) {
        let words = self.of.destinations.div_ceil(64);
        let known = self.carries[place as usize].get_or_insert_with(|| vec![0; words].into_boxed_slice());
        let grown = join(&mut known[part.first..part.first + part.words.len()], part.words);
        if grown && !std::mem::replace(&mut self.queued[place as usize], true) {
            self.changed.push_back(place);
        }
    }

    /// The port of the first host of a switch.
    fn host_port(&self, switch: u32) -> u16 {
        let own = &self.ports.switches[switch as usize];
        own.iter().position(|port| matches!(port.peer, Node::Host(_))).unwrap_or(0) as u16
    }
}

/// A set in which only some consecutive words have members.
#[derive(Clone, Copy)]
struct Part<'a> {
    first: usize,
    words: &'a [u64],
}

/// The words from the first to the last with members.
fn window(bits: &[u64]) -> std::ops::Range<usize> {
    let end = bits.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
    bits[..end].iter().position(|&word| word != 0).unwrap_or(0)..end
}

fn put(bits: &mut [u64], place: usize) {
    bits[place / 64] |= 1 << (place % 64);
}

fn meet(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// Adds `b` to `a`; returns whether that changed `a`.
fn join(a: &mut [u64], b: &[u64]) -> bool {
    let mut grown = 0;
    a.iter_mut().zip(b).for_each(|(a, b)| {
        grown |= b & !*a;
        *a |= b;
    });
    grown != 0
}
