//! Links that cannot carry their full rate: they may send only so many packets until they hear of the first of them, and
//! these take less time than that.
//!
//! With *credits* the room of a packet is promised anew when its tail has left the buffer behind the link: after the delay
//! of the link, the forwarding delay and the time of the packet (with store-and-forward that of its way in and out), and
//! the way of the credit back. With *link-level retry* a packet leaves the replay buffer when its ACK is heard: after its
//! time on the link, that of the ACK, and the delays of both directions.
//!
//! Whatever else takes time (ACKs of hosts, the spacing of messages and words, slower links beyond) is left out, so that
//! what is told is certain.

use congestree_fabric::plan::{CreditUnit, Plan, QueueMap, Switching};
use congestree_topology::{Node, Port, Ports};
use congestree_units::{Bytes, PS_PER_S, Rate, Span};

/// Bytes of the ACK of a link (UEC 1.0 section 5.1).
const WORD: Bytes = Bytes(8);

/// A link that carries less than it could.
struct Limited<'a> {
    from: Node,
    port: &'a Port,
    /// From the start of a packet until its place may be taken by another one, at least.
    held: Span,
    /// Full packets that would have to be on their way in this time.
    needed: u64,
    /// What it carries at most, and that as a share of its rate.
    rate: Rate,
    share: f64,
}

/// A sentence about the link that its credits slow down most, if they slow down any.
pub(crate) fn limited_by_credits(plan: &Plan) -> Option<String> {
    let (control, switch, full) = (&plan.flow_control, &plan.switch, plan.adapter.full());
    let by_unit = matches!(control.unit, CreditUnit::Slot | CreditUnit::Block(_));
    // Room for each destination adds up to more than a link can fill.
    if !by_unit || switch.queues == QueueMap::PerDestination {
        return None;
    }
    let lanes = lanes_of_data(plan);
    let in_lane = |&lane: &usize| u64::from(control.packets_in(switch.buffer_units[lane], full));
    let packets = lanes.iter().map(in_lane).sum();
    let ports = plan.graph.ports();
    let held = |port: &Port| {
        let Node::Switch(next) = port.peer else { return None };
        let own = &ports.switches[next as usize];
        let crossing = match plan.switching() {
            Switching::CutThrough => Span::ZERO,
            Switching::StoreForward => passage(plan, own, port.peer_port).time_for(full),
        };
        let way_back = control.credit_delay.unwrap_or(own[usize::from(port.peer_port)].out.delay);
        Some(sum([port.out.delay, switch.forwarding_delay, port.out.rate.time_for(full), crossing, way_back]))
    };
    let (worst, others) = worst(plan, &ports, packets, held)?;
    let each = worst.needed.div_ceil(lanes.len().max(1) as u64);
    let room = match control.unit {
        CreditUnit::Block(block) => Bytes(each * u64::from(control.units(full.0 as u32)) * block.0).to_string(),
        _ => format!("{each} packets"),
    };
    let of_each = if plan.lanes > 1 { ", for each lane of data," } else { "" };
    Some(format!(
        "{}: there is room for {packets} of {full} behind it, and that of each is promised anew only after {}{others}. To \
         have it carry its full rate, make switches.buffer{of_each} at least {room}.",
        carries(plan, &worst),
        Span(rounded(worst.held.0)),
    ))
}

/// A sentence about the link that its replay buffer slows down most, if they slow down any.
pub(crate) fn limited_by_replays(plan: &Plan) -> Option<String> {
    let (retry, full) = (plan.checks.retry?, plan.adapter.full());
    // A packet starts while the largest one would have a place.
    let by_bytes = retry.bytes.0.saturating_sub(plan.largest().0) / full.0 + 1;
    let packets = by_bytes.min(retry.frames.into());
    let ports = plan.graph.ports();
    let held = |port: &Port| {
        let back = ports[port.peer][usize::from(port.peer_port)].out;
        Some(sum([port.out.rate.time_for(full), port.out.delay, back.rate.time_for(WORD), back.delay]))
    };
    let (worst, others) = worst(plan, &ports, packets, held)?;
    let bytes = Bytes((worst.needed - 1) * full.0 + plan.largest().0);
    let more = [
        (u64::from(retry.frames) < worst.needed).then(|| format!("links.retry.frames at least {}", worst.needed)),
        (by_bytes < worst.needed).then(|| format!("links.retry.bytes at least {bytes}")),
    ];
    let more: Vec<String> = more.into_iter().flatten().collect();
    Some(format!(
        "{}: its replay buffer holds {packets} of {full}, each until its ACK comes after {}{others}. To have it carry its \
         full rate, make {}.",
        carries(plan, &worst),
        Span(rounded(worst.held.0)),
        more.join(" and "),
    ))
}

/// The link that carries the least of its rate, if any carries less, and what to say of the others. Nothing if nothing
/// crosses the network.
fn worst<'a>(
    plan: &Plan,
    ports: &'a Ports,
    packets: u64,
    held: impl Fn(&Port) -> Option<Span>,
) -> Option<(Limited<'a>, String)> {
    if plan.flows.is_empty() {
        return None;
    }
    let full = plan.adapter.full();
    let hosts = ports.hosts.iter().enumerate().map(|(id, own)| (Node::Host(id as u32), own));
    let switches = ports.switches.iter().enumerate().map(|(id, own)| (Node::Switch(id as u32), own));
    let (mut worst, mut others): (Option<Limited>, usize) = (None, 0);
    for (from, port) in hosts.chain(switches).flat_map(|(from, own)| own.iter().map(move |port| (from, port))) {
        let Some(held) = held(port) else { continue };
        let asked = match (from, plan.adapter.injection_rate) {
            (Node::Host(_), Some(rate)) => rate.min(port.out.rate),
            _ => port.out.rate,
        };
        let needed = held.0.div_ceil(asked.time_for(full).0.max(1));
        if packets >= needed {
            continue;
        }
        let rate = Rate((u128::from(packets * full.0) * 8 * u128::from(PS_PER_S) / u128::from(held.0)) as u64);
        let share = rate.0 as f64 / asked.0 as f64;
        others += usize::from(worst.is_some());
        if worst.as_ref().is_none_or(|worst| share < worst.share) {
            worst = Some(Limited { from, port, held, needed, rate, share });
        }
    }
    let said = match others {
        0 => String::new(),
        1 => " (another link is slowed down likewise, and not more)".into(),
        _ => format!(" ({others} more links are slowed down likewise, and none more)"),
    };
    worst.map(|worst| (worst, said))
}

/// The beginning of a sentence.
fn carries(plan: &Plan, link: &Limited<'_>) -> String {
    let (from, to, rate) = (plan.graph.name(link.from), plan.graph.name(link.port.peer), link.port.out.rate);
    format!("{from}->{to} ({rate}) carries at most {} in full packets", Rate(rounded(link.rate.0)))
}

/// The lanes in which data may travel; all of them where they change on the way.
fn lanes_of_data(plan: &Plan) -> Vec<usize> {
    let sends = |lane: &u8| plan.lane_map.is_some() || plan.flows.iter().any(|flow| flow.lane == *lane);
    (0..plan.lanes).filter(sends).map(usize::from).collect()
}

/// The fastest that a packet that came in by a port can leave its switch.
fn passage(plan: &Plan, own: &[Port], came_by: u16) -> Rate {
    let others = own.iter().enumerate().filter(|&(place, _)| place != usize::from(came_by));
    let fastest = others.map(|(_, port)| port.out.rate).max().unwrap_or(Rate(u64::MAX));
    plan.switch.crossbar.map_or(fastest, |crossbar| crossbar.rate)
}

fn sum(parts: impl IntoIterator<Item = Span>) -> Span {
    Span(parts.into_iter().fold(0, |sum, part| u64::saturating_add(sum, part.0)))
}

/// To three digits.
fn rounded(value: u64) -> u64 {
    let unit = 10u64.pow(value.max(1).ilog10().saturating_sub(2));
    (value / unit + u64::from(value % unit >= unit.div_ceil(2))) * unit
}
