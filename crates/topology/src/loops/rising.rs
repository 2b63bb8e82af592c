//! Lanes that rise by one with every link between switches, as `by-hop` has them, leave no cycle if there are enough for
//! the longest path: whatever waits, waits for a higher lane. This takes far less time than a search.

use super::{Lanes, by_lane};
use crate::{EqualCost, Node, Ports};

/// Whether all packets are in a higher lane on each of their links between switches than on the one before.
pub(super) fn lanes_rise(ports: &Ports, equal_cost: &EqualCost, lanes: &Lanes<'_>) -> bool {
    by_lane(Some(lanes)) && first_lane(ports, lanes).is_some_and(|first| are_enough(ports, equal_cost, lanes, first))
}

/// The highest lane in which packets leave their first switch for another, if they rise by one from switch to switch.
fn first_lane(ports: &Ports, lanes: &Lanes<'_>) -> Option<u8> {
    let mut first = 0;
    for (switch, own) in (0..).zip(&ports.switches) {
        let (inner, outer): (Vec<u16>, Vec<u16>) =
            (0..own.len() as u16).partition(|&port| matches!(own[usize::from(port)].peer, Node::Switch(_)));
        let next = |from, to, lane| lanes.map.lane(switch, from, to, lane, 0);
        for &to in &inner {
            let starts = outer.iter().flat_map(|&from| lanes.starts.iter().map(move |&(lane, _)| (from, lane)));
            first = starts.map(|(from, lane)| next(from, to, lane)).fold(first, u8::max);
            let rises = |from| (0..lanes.count - 1).all(|lane| next(from, to, lane) == lane + 1);
            if !inner.iter().all(|&from| rises(from)) {
                return None;
            }
        }
    }
    Some(first)
}

/// Whether packets that begin in this lane have arrived when they are in the last one.
fn are_enough(ports: &Ports, equal_cost: &EqualCost, lanes: &Lanes<'_>, first: u8) -> bool {
    let mut hosts: Vec<(u32, u32)> =
        (0..ports.hosts.len() as u32).filter_map(|host| Some((ports.switch_of(host)?, host))).collect();
    hosts.sort_unstable();
    hosts.dedup_by_key(|(home, _)| *home);
    hosts.iter().all(|&(home, host)| {
        let mut paths = Paths { ports, equal_cost, home, host, known: vec![None; ports.switches.len()] };
        hosts.iter().all(|&(start, _)| paths.longest(start, lanes.count - first).is_some())
    })
}

/// Minimal paths to the hosts of a switch.
struct Paths<'a> {
    ports: &'a Ports,
    equal_cost: &'a EqualCost,
    home: u32,
    host: u32,
    /// By switch: how many links between switches the longest path from there has.
    known: Vec<Option<u8>>,
}

impl Paths<'_> {
    /// The number of links between switches on the longest path from a switch; none if there are more than `most`.
    fn longest(&mut self, switch: u32, most: u8) -> Option<u8> {
        if switch == self.home {
            return Some(0);
        }
        if let Some(known) = self.known[switch as usize] {
            return Some(known).filter(|&known| known <= most);
        }
        let left = most.checked_sub(1)?;
        let (mut longest, ports) = (0, self.ports);
        for &port in self.equal_cost.candidates(switch, self.host) {
            if let Node::Switch(peer) = ports.switches[switch as usize][usize::from(port)].peer {
                longest = longest.max(1 + self.longest(peer, left)?);
            }
        }
        self.known[switch as usize] = Some(longest);
        Some(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graphs::{HyperX, Topology, Torus};
    use crate::loops::credit_loop_among;
    use crate::{LaneMap, Through, Wire};
    use congestree_units::{Rate, Span};

    /// Whether lanes rise on all minimal paths with this many lanes by hop, and whether there is no cycle of waits.
    fn found(topology: &dyn Topology, count: u8, starts: &[(u8, u8)]) -> [bool; 2] {
        let graph = topology.build(Wire { rate: Rate::from_gbps(8), delay: Span::ZERO });
        let ports = graph.ports();
        let equal_cost = EqualCost::of(&graph).unwrap();
        let inner = |through: Through, port: u16| {
            matches!(ports.switches[through.switch as usize][usize::from(port)].peer, Node::Switch(_))
        };
        let map = LaneMap::by_lane(&ports, count, |through, lane| {
            (lane + u8::from(inner(through, through.from) && inner(through, through.to))).min(count - 1)
        });
        let lanes = Lanes { map: &map, count, starts };
        [lanes_rise(&ports, &equal_cost, &lanes), credit_loop_among(&graph, &equal_cost, Some(&lanes)).is_none()]
    }

    #[test]
    fn as_many_lanes_as_a_path_has_links_are_enough_and_one_less_is_searched() {
        let cube = HyperX { dimensions: vec![3, 3, 3], trunks: vec![1, 2, 1], hosts_per_switch: 2 };
        assert_eq!(found(&cube, 3, &[(0, 0)]), [true; 2]);
        assert_eq!(found(&cube, 2, &[(0, 0)]), [false; 2]);
        let torus = Torus { dimensions: vec![5, 4], hosts_per_switch: 1 };
        assert_eq!(found(&torus, 4, &[(0, 0)]), [true; 2]);
        assert!(!found(&torus, 3, &[(0, 0)])[0]);
    }

    #[test]
    fn packets_that_start_in_a_higher_lane_need_one_more() {
        let square = HyperX { dimensions: vec![3, 3], trunks: vec![], hosts_per_switch: 1 };
        assert_eq!(found(&square, 2, &[(0, 0), (1, 0)]), [false; 2]);
        assert_eq!(found(&square, 3, &[(0, 0), (1, 0)]), [true; 2]);
    }
}
