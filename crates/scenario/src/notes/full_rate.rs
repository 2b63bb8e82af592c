//! Links that cannot carry their full rate: they may send only so many packets until they hear of the first of them, and
//! these take less time than that.
//!
//! With *credits* the room of a packet is promised anew when its tail has left the buffer behind the link: after the delay
//! of the link, the forwarding delay and the time of the packet (with store-and-forward that of its way in and out), and
//! the way of the credit back; a host takes a packet at once, or at the rate at which it drains its receive buffer. With
//! *link-level retry* a packet leaves the replay buffer when its ACK is heard: after its time on the link, that of the ACK,
//! and the delays of both directions.
//!
//! Credits in messages and ACKs in words come up to the spacing of these later, if packets follow each other faster: what
//! is heard then depends on how the two fall. It is certain that no place is taken twice while a packet keeps it, and that
//! a message frees no more places than there are: a link carries *at most* all of them once in the longer of that time
//! and the spacing. The room that is said to be enough is for both together, and a link with room between the two *may*
//! carry less. Whatever else takes time (ACKs of hosts, slower links beyond) is left out of both.

use std::collections::BTreeSet;

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
    /// The time in which no more packets than there are places can start: the least if that is certain, else the most.
    held: Span,
    /// It is that of messages, which is longer than a packet keeps its place.
    apart: bool,
    /// Full packets on their way in the longest such time.
    needed: u64,
    /// What it carries at most if it is certain that this is less than its rate, else at least; and that as a share.
    rate: Rate,
    share: f64,
    /// What it would carry with more places: its rate, or that of the host at an end.
    asked: Rate,
    /// Messages that are no farther apart would do, with the places that there are.
    closer: Option<Span>,
}

impl Limited<'_> {
    /// The aim of a remedy.
    fn aim(&self) -> String {
        if self.asked < self.port.out.rate { self.asked.to_string() } else { "its full rate".into() }
    }
}

/// The places for packets on a link, and how long a packet keeps its own.
struct Held {
    packets: u64,
    /// From its start until its place may be taken by another one, at least.
    way: Span,
    /// Distance of the messages that tell of it, and over how many messages lanes take turns.
    spacing: Span,
    turns: u64,
}

impl Held {
    /// The least time in which all places can be taken once: a message frees no more of them.
    fn least(&self) -> Span {
        self.way.max(self.spacing)
    }

    /// The most time for which a packet keeps its place, if packets follow each other in this time. A message waits for
    /// none if these are the slower.
    fn most(&self, each: Span) -> Span {
        let wait = if self.spacing > each { self.spacing.0.saturating_mul(self.turns) } else { 0 };
        sum([self.way, Span(wait)])
    }

    /// The widest spacing with which the places are enough, if any is.
    fn closer(&self, each: Span) -> Option<Span> {
        let round = self.packets.saturating_mul(each.0);
        (round >= self.way.0).then(|| Span(each.0.max(round - self.way.0)))
    }
}

/// Sentences about the link to a switch, and the one to a host, that credits slow down most, if they slow down any.
pub(crate) fn limited_by_credits(plan: &Plan) -> impl Iterator<Item = String> {
    let by_unit = matches!(plan.flow_control.unit, CreditUnit::Slot | CreditUnit::Block(_));
    let both = by_unit.then(|| [before_switches(plan), before_hosts(plan)]);
    both.into_iter().flatten().flatten()
}

fn before_switches(plan: &Plan) -> Option<String> {
    let (switch, ports) = (&plan.switch, plan.graph.ports());
    // Room for each destination adds up to more than a link can fill.
    if switch.queues == QueueMap::PerDestination {
        return None;
    }
    let stay = |port: &Port| {
        let Node::Switch(next) = port.peer else { return None };
        let crossing = match plan.switching() {
            Switching::CutThrough => Span::ZERO,
            Switching::StoreForward => {
                passage(plan, &ports.switches[next as usize], port.peer_port).time_for(plan.adapter.full())
            }
        };
        Some(sum([switch.forwarding_delay, crossing]))
    };
    told_of_credits(plan, &ports, "switches.buffer", |lane| switch.buffer_units[lane], stay)
}

fn before_hosts(plan: &Plan) -> Option<String> {
    let (adapter, ports) = (&plan.adapter, plan.graph.ports());
    let units = adapter.receive_units?;
    let drained = adapter.drain_rate.map_or(Span::ZERO, |rate| rate.time_for(adapter.full()));
    let stay = |port: &Port| matches!(port.peer, Node::Host(_)).then_some(drained);
    told_of_credits(plan, &ports, "adapters.receive_buffer", |_| units, stay)
}

/// The sentence about links to buffers with so many units in each lane, whose size is `key`, in which a packet stays for
/// some time after it has come.
fn told_of_credits(
    plan: &Plan,
    ports: &Ports,
    key: &str,
    units: impl Fn(usize) -> u32,
    stay: impl Fn(&Port) -> Option<Span>,
) -> Option<String> {
    let (control, full, lanes) = (&plan.flow_control, plan.adapter.full(), lanes_of_data(plan));
    let packets = lanes.iter().map(|&lane| u64::from(control.packets_in(units(lane), full))).sum();
    let held = |port: &Port| {
        let back = ports[port.peer][usize::from(port.peer_port)].out;
        let way_back = control.credit_delay.unwrap_or(back.delay);
        let there = [port.out.delay, port.out.rate.time_for(full), stay(port)?, way_back];
        Some(match control.messages {
            None => Held { packets, way: sum(there), spacing: Span::ZERO, turns: 0 },
            Some(messages) => Held {
                packets,
                way: sum([sum(there), back.rate.time_for(WORD)]),
                spacing: back.rate.time_for(messages.spacing),
                turns: lanes.len() as u64,
            },
        })
    };
    let (worst, others) = worst(plan, ports, held)?;
    let each = worst.needed.div_ceil(lanes.len().max(1) as u64);
    let room = match control.unit {
        CreditUnit::Block(block) => Bytes(each * u64::from(control.units(full.0 as u32)) * block.0).to_string(),
        _ => format!("{each} packets"),
    };
    let of_each = if plan.lanes > 1 { ", for each lane of data," } else { "" };
    let time = Span(to_three_digits(worst.held.0, nearest));
    let promised = match (worst.certain, worst.apart) {
        (true, true) => format!("the messages that promise it anew are {time} apart"),
        (true, false) => format!("that of each is promised anew only after {time}"),
        (false, _) => format!("that of each is promised anew in a message that comes after up to {time}"),
    };
    Some(format!(
        "{}: there is room for {packets} of {full} behind it, and {promised}{others}. To have it carry {}, make \
         {key}{of_each} at least {room}.",
        carries(plan, &worst),
        worst.aim(),
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
        let way = sum([port.out.rate.time_for(full), port.out.delay, back.rate.time_for(WORD), back.delay]);
        Some(Held { packets, way, spacing: back.rate.time_for(retry.spacing), turns: 1 })
    };
    let (worst, others) = worst(plan, &ports, held)?;
    let bytes = Bytes((worst.needed - 1) * full.0 + plan.largest().0);
    let more = [
        (u64::from(retry.frames) < worst.needed).then(|| format!("links.retry.frames at least {}", worst.needed)),
        (by_bytes < worst.needed).then(|| format!("links.retry.bytes at least {bytes}")),
    ];
    let more: Vec<String> = more.into_iter().flatten().collect();
    let back = ports[worst.port.peer][usize::from(worst.port.peer_port)].out.rate;
    let closer = worst.closer.map(|span| back.carries_in(span)).filter(|&spacing| spacing < retry.spacing);
    let time = Span(to_three_digits(worst.held.0, nearest));
    let freed = match (worst.certain, worst.apart) {
        (true, true) => format!("and the ACKs that free them are {time} apart"),
        (true, false) => format!("each until its ACK comes after {time}"),
        (false, _) => format!("each until its ACK comes after up to {time}"),
    };
    Some(format!(
        "{}: its replay buffer holds {packets} of {full}, {freed}{others}. To have it carry {}, make {}{}.",
        carries(plan, &worst),
        worst.aim(),
        more.join(" and "),
        closer.map_or(String::new(), |spacing| format!(", or links.retry.spacing at most {spacing}")),
    ))
}

/// The link that carries the least of its rate, if any carries less, else the one that may; and what to say of the
/// others. Nothing if nothing crosses the network.
fn worst<'a>(plan: &Plan, ports: &'a Ports, held: impl Fn(&Port) -> Option<Held>) -> Option<(Limited<'a>, String)> {
    if plan.flows.is_empty() {
        return None;
    }
    let full = plan.adapter.full();
    let hosts = ports.hosts.iter().enumerate().map(|(id, own)| (Node::Host(id as u32), own));
    let switches = ports.switches.iter().enumerate().map(|(id, own)| (Node::Switch(id as u32), own));
    let all = hosts.chain(switches).flat_map(|(from, own)| own.iter().map(move |port| (from, port)));
    let used = used_by_hosts(plan);
    let limited = all.filter(|&(from, port)| used(from, port.peer)).filter_map(|(from, port)| {
        let held = held(port)?;
        let asked = asked(plan, from, port);
        let each = Span(asked.time_for(full).0.max(1));
        let needed = held.most(each).0.div_ceil(each.0);
        let certain = held.packets < held.least().0.div_ceil(each.0);
        let (packets, apart, closer) = (held.packets, held.spacing > held.way, held.closer(each));
        let held = if certain { held.least() } else { held.most(each) };
        let rate = Rate((u128::from(packets * full.0) * 8 * u128::from(PS_PER_S) / u128::from(held.0.max(1))) as u64);
        let share = rate.0 as f64 / asked.0 as f64;
        let limited = Limited { from, port, certain, held, apart, needed, rate, share, asked, closer };
        (packets < needed).then_some(limited)
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

/// Whether data may cross a link: that from a host if it sends some, that to a host if it may receive some.
fn used_by_hosts(plan: &Plan) -> impl Fn(Node, Node) -> bool {
    let senders: BTreeSet<u32> = plan.flows.iter().map(|flow| flow.source.0).collect();
    let receivers: BTreeSet<u32> = plan.flows.iter().filter_map(|flow| Some(flow.destination?.0)).collect();
    let anywhere = plan.flows.iter().any(|flow| flow.destination.is_none());
    move |from, to| {
        let sent = !matches!(from, Node::Host(host) if !senders.contains(&host));
        let received = !matches!(to, Node::Host(host) if !anywhere && !receivers.contains(&host));
        sent && received
    }
}

/// What a link has to carry at most: a host at its end may send or take packets more slowly.
fn asked(plan: &Plan, from: Node, port: &Port) -> Rate {
    let sent = plan.adapter.injection_rate.filter(|_| matches!(from, Node::Host(_)));
    let taken = plan.adapter.drain_rate.filter(|_| matches!(port.peer, Node::Host(_)));
    [sent, taken].into_iter().flatten().fold(port.out.rate, Rate::min)
}

/// The beginning of a sentence.
fn carries(plan: &Plan, link: &Limited<'_>) -> String {
    let (from, to, rate) = (plan.graph.name(link.from), plan.graph.name(link.port.peer), link.port.out.rate);
    let (carries, round): (_, fn(u64, u64) -> u64) = match link.certain {
        true => ("carries at most", u64::div_ceil),
        false => ("may carry as little as", |value, unit| value / unit),
    };
    format!("{from}->{to} ({rate}) {carries} {} in full packets", Rate(to_three_digits(link.rate.0, round)))
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

/// To three digits; `divide` says how it is rounded.
pub(super) fn to_three_digits(value: u64, divide: impl Fn(u64, u64) -> u64) -> u64 {
    let unit = 10u64.pow(value.max(1).ilog10().saturating_sub(2));
    divide(value, unit) * unit
}

pub(super) fn nearest(value: u64, unit: u64) -> u64 {
    value / unit + u64::from(value % unit >= unit.div_ceil(2))
}
