//! Whether packets on their routes can wait for each other in a cycle.
//!
//! A packet that holds a buffer at the end of one link direction ("channel") waits for room at the end of the next one.
//! If the channels that the traffic to some destinations takes one after the other form a cycle, all buffers along it
//! may fill with packets that wait for each other: a deadlock, in any lossless network. Without a cycle in this
//! *channel dependency graph* there is no deadlock (Dally and Seitz 1987).
//!
//! Only traffic that can exist counts: a channel carries destination d if some other host's route to d uses it.
//! Channels of hosts are left out, because no packet is forwarded through a host. If packets change lanes on their way
//! ([`LaneMap`]), the nodes of the graph are pairs of a channel and a lane: a ring has no cycle if packets change lanes
//! somewhere on it.

use crate::{EqualCost, Graph, LaneKey, LaneMap, Node, Routes};

mod carried;
mod rising;
mod waits;

use carried::Carried;
use waits::ChannelWaits;

/// A channel in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldChannel {
    /// The node that sends.
    pub from: Node,
    /// The node whose buffer is held.
    pub to: Node,
    /// The lane, where packets change lanes.
    pub lane: Option<u8>,
}

/// How packets change lanes on their way.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<'a> {
    /// The rule.
    pub map: &'a LaneMap,
    /// Number of lanes.
    pub count: u8,
    /// Lanes and service levels in which packets leave their hosts.
    pub starts: &'a [(u8, u8)],
}

/// A cycle of channels that can wait for each other, in the order in which they wait; `None` if there is none. If
/// packets keep their lanes, all lanes are equivalent; if they change them, each pair of channel and lane is
/// distinguished. Regular networks are first searched with all paths that their rule allows; a cycle counts only if the
/// paths that are actually used among these form one. (In networks in which following every path would take long, it
/// counts in any case.) With one of `turns` packets may be routed over the switch of any host; with one more they may
/// decide so at any switch on their way. No packet is routed over the switch of its source or destination: one turn takes
/// three switches with hosts.
pub fn credit_loop(graph: &Graph, routes: &Routes, lanes: Option<&Lanes<'_>>, turns: u8) -> Option<Vec<HeldChannel>> {
    let ports = graph.ports();
    let turns = if turns == 1 && waits::switches_with_hosts(&ports).len() < 3 { 0 } else { turns };
    if let Some(formula) = routes.formula()
        && by_lane(lanes)
    {
        let by_rule = |switch, home, candidates: &mut Vec<u16>| formula.by_rule(switch, home, candidates);
        let cycle = Carried::by_home(&ports, by_rule).waits(&ports, lanes, turns).named_cycle(graph);
        let large = ports.switches.len() * ports.hosts.len() > MOST_FOLLOWED;
        if cycle.is_none() || large {
            return cycle;
        }
    }
    let one = |switch: u32, host: u32| Some(routes.port(switch, host)).filter(|&port| port != Routes::NONE);
    let waits = match lanes {
        _ if turns > 0 => Carried::by_host(&ports, |switch, host, candidates| candidates.extend(one(switch, host)))
            .waits(&ports, lanes, turns),
        Some(lanes) => ChannelWaits::gather_lanes(&ports, |switch, host| one(switch, host).into_iter(), lanes),
        None => ChannelWaits::gather(&ports, routes),
    };
    waits.named_cycle(graph)
}

/// Such a cycle if switches choose among all shortest paths, whatever they choose.
pub fn credit_loop_among(graph: &Graph, equal_cost: &EqualCost, lanes: Option<&Lanes<'_>>) -> Option<Vec<HeldChannel>> {
    let ports = graph.ports();
    if lanes.is_some_and(|lanes| rising::lanes_rise(&ports, equal_cost, lanes)) {
        return None;
    }
    let waits = match lanes {
        Some(lanes) if !by_lane(Some(lanes)) => ChannelWaits::gather_lanes(
            &ports,
            |switch, host| equal_cost.candidates(switch, host).iter().copied(),
            lanes,
        ),
        _ => Carried::among(&ports, equal_cost).waits(&ports, lanes, 0),
    };
    waits.named_cycle(graph)
}

/// Switches times hosts up to which every path is followed.
const MOST_FOLLOWED: usize = 1 << 24;

/// Whether the next lane depends on the lane, and not on the service level.
fn by_lane(lanes: Option<&Lanes<'_>>) -> bool {
    lanes.is_none_or(|lanes| lanes.map.key() == LaneKey::Lane)
}

/// The cycle in words: `A->B, B->C, C->A`, with lanes where they matter.
pub fn describe(graph: &Graph, cycle: &[HeldChannel]) -> String {
    let name = |held: &HeldChannel| {
        let lane = held.lane.map_or(String::new(), |lane| format!(" lane {lane}"));
        format!("{}->{}{lane}", graph.name(held.from), graph.name(held.to))
    };
    cycle.iter().map(name).collect::<Vec<_>>().join(", ")
}
