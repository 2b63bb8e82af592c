//! Links that cannot carry their full rate: they may send only so many packets until they hear of the first of them, and
//! these take less time than that.
//!
//! With *credits* the room of a packet is promised anew when its tail has left the buffer behind the link: after the delay
//! of the link, the forwarding delay and the time of the packet (with store-and-forward that of its way in and out), and
//! the way of the credit back. With *link-level retry* a packet leaves the replay buffer when its ACK is heard: after its
//! time on the link, that of the ACK, and the delays of both directions.
//!
//! Credits in messages and ACKs in words come up to the spacing of these later, if packets follow each other faster: what
//! is heard then depends on how the two fall. What a link carries *at most* leaves that out and is certain; the room that
//! is said to be enough has it in, and a link with room between the two *may* carry less. Whatever else takes time (ACKs
//! of hosts, slower links beyond) is left out of both.

use congestree_fabric::plan::{CreditUnit, Plan, QueueMap, Switching};
use congestree_topology::{Node, Port, Ports};
use congestree_units::{Bytes, PS_PER_S, Rate, Span};

/// Bytes of the ACK of a link, and of a message with credits (UEC 1.0 sections 5.1 and 5.2).
const WORD: Bytes = Bytes(8);

/// A link that carries less than it could, or may.
struct Limited<'a> {
    from: Node,
    port: &'a Port,
    /// It does carry less, whatever the times of messages.
    certain: bool,
    /// From the start of a packet until its place may be taken by another one: at least if that is certain, else at most.
    held: Span,
    /// Full packets on their way in the longest such time.
    needed: u64,
    /// What it carries at most if it is certain that this is less than its rate, else at least; and that as a share.
    rate: Rate,
    share: f64,
}

/// How long a packet keeps its place.
struct Held {
    /// From its start until its place may be taken by another one, at least.
    least: Span,
    /// Distance of the messages that tell of it, and over how many messages lanes take turns.
    spacing: Span,
    turns: u64,
}

impl Held {
    /// The same at most, if packets follow each other in this time. A message waits for none if these are the slower.
    fn most(&self, each: Span) -> Span {
        let wait = if self.spacing > each { self.spacing.0.saturating_mul(self.turns) } else { 0 };
        sum([self.least, Span(wait)])
    }
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
        let back = own[usize::from(port.peer_port)].out;
        let way_back = control.credit_delay.unwrap_or(back.delay);
        let there = [port.out.delay, switch.forwarding_delay, port.out.rate.time_for(full), crossing, way_back];
        Some(match control.messages {
            None => Held { least: sum(there), spacing: Span::ZERO, turns: 0 },
            Some(messages) => Held {
                least: sum([sum(there), back.rate.time_for(WORD)]),
                spacing: back.rate.time_for(messages.spacing),
                turns: lanes.len() as u64,
            },
        })
    };
    let (worst, others) = worst(plan, &ports, packets, held)?;
    let each = worst.needed.div_ceil(lanes.len().max(1) as u64);
    let room = match control.unit {
        CreditUnit::Block(block) => Bytes(each * u64::from(control.units(full.0 as u32)) * block.0).to_string(),
        _ => format!("{each} packets"),
    };
    let of_each = if plan.lanes > 1 { ", for each lane of data," } else { "" };
    Some(format!(
        "{}: there is room for {packets} of {full} behind it, and that of each is promised anew {} {}{others}. To have it \
         carry its full rate, make switches.buffer{of_each} at least {room}.",
        carries(plan, &worst),
        if worst.certain { "only after" } else { "in a message that comes after up to" },
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
        let least = sum([port.out.rate.time_for(full), port.out.delay, back.rate.time_for(WORD), back.delay]);
        Some(Held { least, spacing: back.rate.time_for(retry.spacing), turns: 1 })
    };
    let (worst, others) = worst(plan, &ports, packets, held)?;
    let bytes = Bytes((worst.needed - 1) * full.0 + plan.largest().0);
    let more = [
        (u64::from(retry.frames) < worst.needed).then(|| format!("links.retry.frames at least {}", worst.needed)),
        (by_bytes < worst.needed).then(|| format!("links.retry.bytes at least {bytes}")),
    ];
    let more: Vec<String> = more.into_iter().flatten().collect();
    Some(format!(
        "{}: its replay buffer holds {packets} of {full}, each until its ACK comes after {}{}{others}. To have it carry \
         its full rate, make {}.",
        carries(plan, &worst),
        if worst.certain { "" } else { "up to " },
        Span(rounded(worst.held.0)),
        more.join(" and "),
    ))
}

/// The link that carries the least of its rate, if any carries less, else the one that may; and what to say of the
/// others. Nothing if nothing crosses the network.
fn worst<'a>(
    plan: &Plan,
    ports: &'a Ports,
    packets: u64,
    held: impl Fn(&Port) -> Option<Held>,
) -> Option<(Limited<'a>, String)> {
    if plan.flows.is_empty() {
        return None;
    }
    let full = plan.adapter.full();
    let hosts = ports.hosts.iter().enumerate().map(|(id, own)| (Node::Host(id as u32), own));
    let switches = ports.switches.iter().enumerate().map(|(id, own)| (Node::Switch(id as u32), own));
    let all = hosts.chain(switches).flat_map(|(from, own)| own.iter().map(move |port| (from, port)));
    let limited = all.filter_map(|(from, port)| {
        let held = held(port)?;
        let asked = match (from, plan.adapter.injection_rate) {
            (Node::Host(_), Some(rate)) => rate.min(port.out.rate),
            _ => port.out.rate,
        };
        let each = Span(asked.time_for(full).0.max(1));
        let needed = held.most(each).0.div_ceil(each.0);
        let certain = packets < held.least.0.div_ceil(each.0);
        let held = if certain { held.least } else { held.most(each) };
        let rate = Rate((u128::from(packets * full.0) * 8 * u128::from(PS_PER_S) / u128::from(held.0)) as u64);
        let share = rate.0 as f64 / asked.0 as f64;
        (packets < needed).then_some(Limited { from, port, certain, held, needed, rate, share })
    });
    let (certain, possible): (Vec<Limited>, Vec<Limited>) = limited.partition(|link| link.certain);
    let (alike, are) = if certain.is_empty() { (possible, "may be") } else { (certain, "are") };
    let said = match alike.len() {
        0 | 1 => String::new(),
        2 => format!(" (another link {} slowed down likewise, and not more)", are.replace("are", "is")),
        count => format!(" ({} more links {are} slowed down likewise, and none more)", count - 1),
    };
    let worst = alike.into_iter().min_by(|one, other| one.share.total_cmp(&other.share))?;
    Some((worst, said))
}

/// The beginning of a sentence.
fn carries(plan: &Plan, link: &Limited<'_>) -> String {
    let (from, to, rate) = (plan.graph.name(link.from), plan.graph.name(link.port.peer), link.port.out.rate);
    let carries = if link.certain { "carries at most" } else { "may carry as little as" };
    format!("{from}->{to} ({rate}) {carries} {} in full packets", Rate(rounded(link.rate.0)))
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
