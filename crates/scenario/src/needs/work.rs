//! Time: how many packets cross how many links, and the time of the engine for each.

use std::collections::HashMap;

use congestree_fabric::plan::{CreditUnit, Plan};
use congestree_topology::{Node, Ports};
use congestree_traffic::{After, Arrivals, FlowMapping, ListedMessage, Pattern, SourcePlan};
use congestree_units::Bytes;
use congestree_wire::{FlowId, HostId};

use super::memory::{self, MemoryByUse};

/// Time of the engine per packet-hop (s), if all data are in the cache. From the published speed.
const HOP: f64 = 120e-9;
/// Factor for an ACK for each packet.
const ACKED: f64 = 1.5;
/// Factor for a network beyond this memory (B), whose state is farther away in the memory hierarchy.
const CACHED: u64 = 160 << 20;
const UNCACHED: f64 = 2.0;
/// Sampling one lane of one port, and adding one row to a time series (s).
const LOOK: f64 = 20e-9;
const ROW: f64 = 10e-9;
/// Setting up flows, by their memory, and reading a row of a written list and writing it into the manifest (s).
const FLOW_BYTE: f64 = 2e-9;
const READ: f64 = 15e-6;
/// Number of pairs of hosts whose distance is counted.
const PAIRS: usize = 512;

/// The traffic that a source offers in the whole run.
#[derive(Default)]
struct Load<'a> {
    from: u32,
    /// Its receivers, if they are few: each gets the same share.
    to: &'a [u32],
    /// The receivers of traffic in front of it, without which it does not get on.
    behind: &'a [u32],
    /// Payload, and its number of packets.
    bytes: f64,
    packets: f64,
    /// Number of messages that are flows of their own, whether or not the link of the host carries them.
    flows: f64,
    /// The part of these that it carries.
    flowing: f64,
}

impl Load<'_> {
    /// This share of the load.
    fn share(self, share: f64) -> Self {
        let Self { bytes, packets, flows, .. } = self;
        Self { bytes: bytes * share, packets: packets * share, flows: flows * share, ..self }
    }
}

/// What a run does.
pub(crate) struct Work {
    /// Data packets that cross a link, counted once per link: the traffic that sources offer, as far as the links of
    /// senders and receivers carry it, and the packets that fill the first buffers of their ways because the links of
    /// receivers do not carry them.
    pub packet_hops: u64,
    /// The largest number of messages that are flows of their own, exist and have not arrived.
    pub backlog: u64,
}

impl Work {
    /// The work of a plan.
    pub(crate) fn of(plan: &Plan) -> Self {
        let duration = plan.measure.duration.as_secs();
        let rates = host_rates(plan);
        let offers = offers(plan, &rates);
        // The share of its traffic that the link of a host carries, first of what it offers, and then of what it receives.
        let part = |bytes: f64, host: u32| (rates[host as usize] * duration / 8.0 / bytes.max(1.0)).min(1.0);
        let (mut sent, mut bound) = (vec![0.0; rates.len()], vec![0.0; rates.len()]);
        let mut flows = vec![0.0; rates.len()];
        for offer in &offers {
            sent[offer.from as usize] += offer.bytes;
            flows[offer.from as usize] += offer.flows;
        }
        let leaves = |offer: &Load<'_>| part(sent[offer.from as usize], offer.from);
        for offer in &offers {
            for &to in offer.to {
                bound[to as usize] += offer.bytes * leaves(offer) / offer.to.len() as f64;
            }
        }
        let carried = |to: &[u32]| match to.len() {
            0 => 1.0,
            count => to.iter().map(|&to| part(bound[to as usize], to)).sum::<f64>() / count as f64,
        };
        let room = memory::room(plan) as f64;
        let (mut packets, mut backlog, mut held) = (0.0, 0.0, vec![0.0; rates.len()]);
        for offer in &offers {
            let (left, arrives) = (offer.packets * leaves(offer), carried(offer.to) * carried(offer.behind));
            packets += left * arrives;
            held[offer.from as usize] += left * (1.0 - arrives);
            let arrived = offer.flows * offer.flowing * leaves(offer) * arrives;
            // Those that fill the first buffer have not arrived.
            let on_the_way = room * offer.flows / flows[offer.from as usize].max(1.0);
            backlog += (offer.flows - arrived + on_the_way).min(offer.flows);
        }
        let room = if plan.flow_control.unit == CreditUnit::None { 0.0 } else { room };
        let waiting: f64 = held.into_iter().map(|held| held.min(room)).sum();
        Self { packet_hops: (packets * mean_distance(plan) + waiting) as u64, backlog: backlog as u64 }
    }
}

/// The traffic that sources and jobs offer.
fn offers<'a>(plan: &'a Plan, rates: &[f64]) -> Vec<Load<'a>> {
    let duration = plan.measure.duration.as_secs();
    let mtu = plan.adapter.mtu.0.max(1) as f64;
    let full = |message: f64| (message / mtu).ceil().max(1.0);
    let of_sources = plan.sources.iter().flat_map(|source| {
        let rate = rates[source.host as usize];
        let wanted = offer(plan, source, rate);
        let bytes = wanted.min(rate * duration / 8.0);
        let message = (source.profile.message.mean().0 as f64).max(1.0);
        let packets = bytes / message * full(message);
        let flows = match source.profile.arrivals {
            _ if source.mapping.account().is_none() => 0.0,
            Arrivals::Gaps { after: After::Done, .. } => 1.0,
            _ => wanted / message,
        };
        let flowing = bytes / wanted.max(1.0);
        if source.profile.arrivals == Arrivals::Listed {
            return listed(plan, source, flowing);
        }
        let all = |to, behind| Load { from: source.host, to, behind, bytes, packets, flows, flowing };
        match &source.profile.pattern {
            Pattern::Fixed(to) => vec![all(std::slice::from_ref(to), &[])],
            Pattern::HotSpot { to, fraction } => {
                // Flows to each destination of its own overtake those to hot hosts, and messages in one flow do not.
                let own = matches!(source.mapping, FlowMapping::PerDestination { .. });
                let behind = if own { &[][..] } else { to };
                vec![all(to, &[]).share(*fraction), all(&[], behind).share(1.0 - fraction)]
            }
            Pattern::Uniform | Pattern::Groups { .. } | Pattern::Moving { .. } => vec![all(&[], &[])],
        }
    });
    let of_jobs = plan.jobs.iter().flat_map(|job| {
        let none = |from: &HostId| Load { from: from.0, ..Load::default() };
        let mut loads: Vec<Load<'_>> = job.hosts.iter().map(none).collect();
        for (rank, _, bytes) in job.over_network() {
            let load = &mut loads[rank as usize];
            // Request and grant are a packet each, on as many links.
            let announced = job.rendezvous.is_some_and(|least| Bytes(bytes) >= least);
            let packets = full(bytes as f64) + if announced { 2.0 } else { 0.0 };
            load.bytes += bytes as f64 * f64::from(job.repeat);
            load.packets += packets * f64::from(job.repeat);
        }
        loads
    });
    of_sources.chain(of_jobs).collect()
}

/// The traffic that the list of a source offers, by destination; the link carries this part of it.
fn listed<'a>(plan: &Plan, source: &'a SourcePlan, flowing: f64) -> Vec<Load<'a>> {
    let mut loads: HashMap<u32, Load<'a>> = HashMap::new();
    for message in made(plan, source) {
        let none = || Load { from: source.host, to: std::slice::from_ref(&message.to), flowing, ..Load::default() };
        let load = loads.entry(message.to).or_insert_with(none);
        load.bytes += message.bytes.0 as f64 * flowing;
        load.packets += message.bytes.0.div_ceil(plan.adapter.mtu.0.max(1)).max(1) as f64 * flowing;
        load.flows += 1.0;
    }
    let mut loads: Vec<Load<'a>> = loads.into_values().collect();
    loads.sort_by_key(|load| load.to[0]);
    loads
}

/// The messages of the list of a source that are made within the run.
fn made<'a>(plan: &Plan, source: &'a SourcePlan) -> impl Iterator<Item = &'a ListedMessage> {
    let time = source.profile.stop.min(plan.measure.duration).0.saturating_sub(source.start.0);
    source.profile.list.iter().take_while(move |message| message.after.0 < time)
}

/// Time on one core (s) of a plan whose lists of messages have this many written rows.
pub(crate) fn seconds(plan: &Plan, work: &Work, parts: &MemoryByUse, rows: u64) -> f64 {
    let measure = &plan.measure;
    let acked = plan.flows.first().is_some_and(|flow| flow.acked) || plan.scheme.transport.repairs();
    let hop = HOP * if acked { ACKED } else { 1.0 } * if parts.total() > CACHED { UNCACHED } else { 1.0 };
    let ports = (2 * plan.graph.links.len()) as f64;
    let probes = &measure.probes;
    let times = |every: u64| measure.duration.0.div_ceil(every.max(1)) as f64;
    let looking =
        if probes.samples() { times(measure.sampling_interval.0) * ports * f64::from(plan.lanes) * LOOK } else { 0.0 };
    let series: f64 = memory::series(plan).map(|(rows, _)| rows as f64).sum();
    work.packet_hops as f64 * hop + looking + series * ROW + parts.flows as f64 * FLOW_BYTE + rows as f64 * READ
}

/// Rate of the link of each host (bit/s).
fn host_rates(plan: &Plan) -> Vec<f64> {
    let mut rates = vec![0.0; plan.graph.hosts.len()];
    for link in &plan.graph.links {
        for (node, wire) in [(link.a, link.ab), (link.b, link.ba)] {
            if let Node::Host(host) = node {
                rates[host as usize] = wire.rate.0 as f64;
            }
        }
    }
    rates
}

/// Bytes of payload that a source offers within the run, at most what this rate (bit/s) carries.
fn offer(plan: &Plan, source: &SourcePlan, rate: f64) -> f64 {
    let profile = &source.profile;
    let from = source.start.as_secs();
    let active = (profile.stop.min(plan.measure.duration).as_secs() - from).max(0.0);
    let own = match source.mapping {
        FlowMapping::One(flow) | FlowMapping::Each(flow) | FlowMapping::InTurn { base: flow, .. } => {
            plan.flows[FlowId(flow)].rate_limit
        }
        FlowMapping::PerDestination { .. } => None,
    };
    let slow = plan.adapter.injection_rate.into_iter().chain(own).map(|rate| rate.0 as f64).fold(rate, f64::min);
    let mean = profile.message.mean().0 as f64;
    let gap = |gap: congestree_units::Span| active / (gap.0 as f64 * 1e-12).max(1e-15) * mean;
    match profile.arrivals {
        Arrivals::Greedy => active * slow / 8.0,
        Arrivals::OnOff { on, off } => active * slow / 8.0 * on.0 as f64 / (on.0 as f64 + off.0 as f64).max(1.0),
        Arrivals::Gaps { mean, .. } | Arrivals::Poisson { mean_gap: mean } => gap(mean),
        Arrivals::Steady { rate } => active * rate.0 as f64 / 8.0,
        Arrivals::Messages { count, every, burst } => {
            let bursts = if every.0 == 0 { u64::MAX } else { (active * 1e12 / every.0 as f64) as u64 + 1 };
            count.min(bursts.saturating_mul(burst)) as f64 * mean
        }
        Arrivals::Listed => made(plan, source).map(|message| message.bytes.0 as f64).sum(),
    }
}

/// Mean number of links from one host to another, over some of the pairs that send.
fn mean_distance(plan: &Plan) -> f64 {
    let ports = plan.graph.ports();
    let hosts = plan.graph.hosts.len() as u32;
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let each = (PAIRS / plan.sources.len().max(1)).max(1);
    for (at, source) in some(plan.sources.iter(), plan.sources.len()).enumerate() {
        let from = source.host;
        if !source.profile.list.is_empty() {
            pairs.extend(listed_to(&source.profile.list, each, at).map(|to| (from, to)));
            continue;
        }
        let draws = at * each..(at + 1) * each;
        pairs.extend(draws.map(|draw| (from, receiver(&source.profile.pattern, from, hosts, draw))));
    }
    for job in &plan.jobs {
        let host = |rank: u32| job.hosts[rank as usize].0;
        let sends = some(job.over_network(), job.over_network().count());
        pairs.extend(sends.map(|(from, to, _)| (host(from), host(to))));
    }
    pairs.retain(|(from, to)| from != to);
    let all: u32 = pairs.iter().map(|&(from, to)| distance(plan, &ports, from, to)).sum();
    f64::from(all) / pairs.len().max(1) as f64
}

/// A host that a source at this one sends to: another one for each draw.
fn receiver(pattern: &Pattern, from: u32, hosts: u32, draw: usize) -> u32 {
    // Multiples of the golden ratio are spread evenly, however many of them are taken.
    let place = (draw as f64 + 0.5) * 0.618_033_988_749_895 % 1.0;
    // One of the others among so many hosts, the first of which is `base`.
    let other = |base: u32, count: u32, place: f64| {
        let next = 1 + (place * f64::from(count.saturating_sub(1))) as u32;
        base + (from - base + next) % count.max(1)
    };
    match pattern {
        Pattern::Fixed(to) => *to,
        &Pattern::Groups { size } => other(from / size * size, size, place),
        Pattern::HotSpot { to, fraction } if place < *fraction => {
            let hot = to[draw % to.len()];
            if hot == from { other(0, hosts, place) } else { hot }
        }
        Pattern::HotSpot { fraction, .. } => other(0, hosts, (place - fraction) / (1.0 - fraction)),
        Pattern::Uniform | Pattern::Moving { .. } => other(0, hosts, place),
    }
}

/// So many destinations of a list, each as often as bytes go there; others at each place.
fn listed_to(list: &[ListedMessage], count: usize, place: usize) -> impl Iterator<Item = u32> {
    let all: u64 = list.iter().map(|message| message.bytes.0).sum();
    let part = all / count as u64 + 1;
    let first = (part as f64 * (place.wrapping_mul(7919) % 1_000) as f64 / 1e3) as u64;
    let mut ends = list.iter().scan(0, |end, message| {
        *end += message.bytes.0;
        Some((*end, message.to))
    });
    let mut last = ends.next();
    (0..count as u64).map_while(move |k| {
        while last.is_some_and(|(end, _)| end <= first + k * part) {
            last = ends.next();
        }
        last.map(|(_, to)| to)
    })
}

/// About `PAIRS` of so many items: one of each of as many stretches, at a place that differs from stretch to stretch,
/// since the ranks of a job send to others in the same order.
fn some<T>(items: impl Iterator<Item = T>, count: usize) -> impl Iterator<Item = T> {
    let step = (count / PAIRS).max(1);
    let chosen = move |at: usize| at % step == (at / step).wrapping_mul(7919) % step;
    items.enumerate().filter(move |&(at, _)| chosen(at)).map(|(_, item)| item)
}

/// Links between two hosts, by the routes.
fn distance(plan: &Plan, ports: &Ports, from: u32, to: u32) -> u32 {
    let (mut links, mut at) = (1, ports.switch_of(from));
    while let Some(switch) = at {
        let own = &ports.switches[switch as usize];
        let Some(port) = own.get(usize::from(plan.routes.port(switch, to))) else { break };
        links += 1;
        at = match port.peer {
            Node::Switch(next) if links <= plan.graph.switches.len() as u32 => Some(next),
            _ => None,
        };
    }
    links
}
