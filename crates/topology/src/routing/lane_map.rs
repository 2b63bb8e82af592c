//! In which lane a packet leaves a switch.
//!
//! If packets change lanes on their way, the lane in which they leave a switch depends on the hop: on the ports by
//! which they arrive and leave. There are two kinds of such networks:
//!
//! - *lanes by hop*: the next lane depends on the lane in which the packet arrived. On a ring or a torus packets change
//!   to a second lane where they cross a line on each ring [dally1987]; in a dragonfly with every hop from group to
//!   group [kim2008].
//! - *service level to lane*: the lane depends on the service level, which a packet keeps from end to end, by a table
//!   at every pair of ports (SL-to-VL mapping in InfiniBand, as torus-2QoS uses it).
//!
//! Equal tables of switches are stored once.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::Ports;

/// The hop of a packet through a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Through {
    /// The switch.
    pub switch: u32,
    /// The local port by which a packet arrives.
    pub from: u16,
    /// The local port by which it leaves.
    pub to: u16,
}

/// What the next lane depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneKey {
    /// The lane in which the packet arrived.
    Lane,
    /// Its service level.
    Service,
}

/// The lane of every hop through every switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneMap {
    key: LaneKey,
    /// Number of lanes, or of service levels.
    keys: u16,
    /// Number of lanes of one phase, if packets on a detour start again in the lanes of the next phase.
    phase: Option<u8>,
    /// By switch: where its table begins, and how many ports it has.
    tables: Vec<(usize, u16)>,
    /// By table, port in, port out, and lane or service level.
    lanes: Vec<u8>,
}

impl LaneMap {
    /// Number of service levels.
    pub const SERVICES: u16 = 16;

    /// The next lane depends on the last one, of this many.
    pub fn by_lane(ports: &Ports, lanes: u8, next: impl Fn(Through, u8) -> u8) -> Self {
        Self::new(ports, LaneKey::Lane, u16::from(lanes), next)
    }

    /// The next lane depends on the service level, of which there are 16.
    pub fn by_service(ports: &Ports, next: impl Fn(Through, u8) -> u8) -> Self {
        Self::new(ports, LaneKey::Service, Self::SERVICES, next)
    }

    fn new(ports: &Ports, key: LaneKey, keys: u16, next: impl Fn(Through, u8) -> u8) -> Self {
        let mut map = Self { key, keys, phase: None, tables: Vec::new(), lanes: Vec::new() };
        // By the hash of a table: where tables begin that have it.
        let mut known: HashMap<u64, Vec<usize>> = HashMap::new();
        for (switch, own) in ports.switches.iter().enumerate() {
            let (start, radix) = (map.lanes.len(), own.len() as u16);
            map.lanes.reserve(table_size(own.len(), keys));
            for from in 0..radix {
                for to in 0..radix {
                    let through = Through { switch: switch as u32, from, to };
                    map.lanes.extend((0..keys).map(|key| next(through, key as u8)));
                }
            }
            let (before, table) = map.lanes.split_at(start);
            let mut hasher = DefaultHasher::new();
            table.hash(&mut hasher);
            let alike = known.entry(hasher.finish()).or_default();
            let equal = alike.iter().copied().find(|&other| before.get(other..other + table.len()) == Some(table));
            match equal {
                Some(_) => map.lanes.truncate(start),
                None => alike.push(start),
            }
            map.tables.push((equal.unwrap_or(start), radix));
        }
        map
    }

    /// The least memory (B) of any map of these switches, by lane or service level with as many values: a table for
    /// each number of ports.
    pub fn least(ports: &Ports, keys: u16) -> u64 {
        let radices: BTreeSet<usize> = ports.switches.iter().map(Vec::len).collect();
        radices.into_iter().map(|radix| table_size(radix, keys) as u64).sum()
    }

    /// Its memory (B).
    pub fn bytes(&self) -> u64 {
        (self.lanes.len() + size_of_val(&*self.tables)) as u64
    }

    /// Packets that turn on a detour start again this many lanes higher.
    pub fn in_phases(self, lanes: u8) -> Self {
        Self { phase: Some(lanes), ..self }
    }

    /// The lane in which a packet starts again that turned where it arrived in `lane`; none if it just continues.
    #[inline]
    pub fn turning(&self, lane: u8) -> Option<u8> {
        self.phase.map(|phase| (lane / phase + 1) * phase)
    }

    /// What the next lane depends on.
    pub fn key(&self) -> LaneKey {
        self.key
    }

    /// The lane in which a packet leaves `switch` by port `to`, if it arrived by port `from` in `lane` and has this
    /// service level.
    #[inline]
    pub fn lane(&self, switch: u32, from: u16, to: u16, lane: u8, service: u8) -> u8 {
        let (start, radix) = self.tables[switch as usize];
        let key = match self.key {
            LaneKey::Lane => lane,
            LaneKey::Service => service,
        };
        let pair = usize::from(from) * usize::from(radix) + usize::from(to);
        self.lanes[start + pair * usize::from(self.keys) + usize::from(key)]
    }

    /// The highest lane in which any packet would leave a switch.
    pub fn highest(&self) -> u8 {
        self.lanes.iter().copied().max().unwrap_or(0)
    }
}

/// The number of entries of the table of a switch.
fn table_size(radix: usize, keys: u16) -> usize {
    radix * radix * usize::from(keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graphs::{Topology, TwoSwitch};
    use crate::{Graph, Wire};
    use congestree_units::{Rate, Span};

    const WIRE: Wire = Wire { rate: Rate::from_gbps(8), delay: Span::ZERO };

    #[test]
    fn a_table_says_what_the_rule_says() {
        let ports = TwoSwitch { local: 3, remote: 2 }.build(WIRE).ports();
        let rule =
            |through: Through, lane: u8| (through.switch as u8 + through.from as u8 * 2 + through.to as u8 + lane) % 4;
        let map = LaneMap::by_lane(&ports, 4, rule);
        for (switch, own) in ports.switches.iter().enumerate() {
            for (from, to) in (0..own.len() as u16).flat_map(|from| (0..own.len() as u16).map(move |to| (from, to))) {
                for lane in 0..4 {
                    let through = Through { switch: switch as u32, from, to };
                    assert_eq!(map.lane(switch as u32, from, to, lane, 15), rule(through, lane));
                }
            }
        }
        assert_eq!((map.key(), map.highest()), (LaneKey::Lane, 3));
    }

    #[test]
    fn service_levels_lead_to_lanes_whatever_the_lane_was() {
        let mut graph = Graph::default();
        let (a, b) = (graph.add_switch("a"), graph.add_switch("b"));
        graph.connect(a, b, WIRE);
        for (name, switch) in [("h0", a), ("h1", a), ("h2", b), ("h3", b)] {
            let host = graph.add_host(name);
            graph.connect(host, switch, WIRE);
        }
        let map = LaneMap::by_service(&graph.ports(), |_, service| service / 4);
        assert_eq!((map.lane(0, 0, 1, 0, 9), map.lane(1, 2, 0, 3, 15)), (2, 3));
        // Both switches are equal, so there is one table.
        assert_eq!(map.lanes.len(), 3 * 3 * 16);
        assert_eq!(LaneMap::least(&graph.ports(), 16), 3 * 3 * 16);
    }
}
