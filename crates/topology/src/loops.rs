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

use crate::{EqualCost, Graph, LaneKey, LaneMap, Node, Routes};

mod carried;
mod waits;

use carried::Carried;
use waits::ChannelWaits;

/// A channel in a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldChannel {
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
/// Regular networks are searched by their rule first, which may leave several ways open; a circle counts if the ways that are
/// taken of these make one. (In networks in which following every way takes long, it counts anyway.)
/// With one of `turns` packets may go by way of any host's switch; with one more they may decide so at any switch on their way.
pub fn credit_loop(graph: &Graph, routes: &Routes, lanes: Option<&Lanes<'_>>, turns: u8) -> Option<Vec<HeldChannel>> {
    let ports = graph.ports();
    if let Some(formula) = routes.formula()
        && by_lane(lanes)
    {
        let by_rule = |switch, home, ways: &mut Vec<u16>| formula.by_rule(switch, home, ways);
        let circle = Carried::by_home(&ports, by_rule).waits(&ports, lanes, turns).named_circle(graph);
        let large = ports.switches.len() * ports.hosts.len() > MOST_FOLLOWED;
        if circle.is_none() || large {
            return circle;
        }
    }
    let one = |switch: u32, host: u32| Some(routes.port(switch, host)).filter(|&port| port != Routes::NONE);
    let waits = match lanes {
        _ if turns > 0 => {
            Carried::by_host(&ports, |switch, host, ways| ways.extend(one(switch, host))).waits(&ports, lanes, turns)
        }
        Some(lanes) => ChannelWaits::gather_lanes(&ports, |switch, host| one(switch, host).into_iter(), lanes),
        None => ChannelWaits::gather(&ports, routes),
    };
    waits.named_circle(graph)
}

/// Such a circle where switches choose among all shortest ways, whatever they choose.
pub fn credit_loop_among(graph: &Graph, ways: &EqualCost, lanes: Option<&Lanes<'_>>) -> Option<Vec<HeldChannel>> {
    let ports = graph.ports();
    let waits = match lanes {
        Some(lanes) if !by_lane(Some(lanes)) => {
            ChannelWaits::gather_lanes(&ports, |switch, host| ways.ways(switch, host).iter().copied(), lanes)
        }
        _ => Carried::among(&ports, ways).waits(&ports, lanes, 0),
    };
    waits.named_circle(graph)
}

/// Switches times hosts up to which every way is followed.
const MOST_FOLLOWED: usize = 1 << 24;

/// Lanes follow from lanes, not from service levels.
fn by_lane(lanes: Option<&Lanes<'_>>) -> bool {
    lanes.is_none_or(|lanes| lanes.map.key() == LaneKey::Lane)
}

/// The circle in words: `A->B, B->C, C->A`, with lanes where they matter.
pub fn describe(graph: &Graph, circle: &[HeldChannel]) -> String {
    let name = |held: &HeldChannel| {
        let lane = held.lane.map_or(String::new(), |lane| format!(" lane {lane}"));
        format!("{}->{}{lane}", graph.name(held.from), graph.name(held.to))
    };
    circle.iter().map(name).collect::<Vec<_>>().join(", ")
}
