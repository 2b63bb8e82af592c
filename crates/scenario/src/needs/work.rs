//! Time: how many packets cross how many links, and the time of the engine for each.

use crate::types::Probe;
use congestree_fabric::plan::Plan;
use congestree_topology::{Node, Ports};
use congestree_traffic::{Arrivals, FlowMapping, Pattern, SourcePlan};
use congestree_units::Bytes;
use congestree_wire::FlowId;

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
/// Number of pairs of hosts whose distance is counted.
const PAIRS: usize = 512;

/// The traffic that a source offers in the whole run.
struct Load {
    from: u32,
    /// The only receiver, if there is only one.
    to: Option<u32>,
    /// Payload, and its number of packets.
    bytes: f64,
    packets: f64,
}

/// Data packet-hops of a run: the traffic that sources offer, as far as the links of senders and receivers carry it.
pub fn packet_hops(plan: &Plan) -> u64 {
    let duration = plan.measure.duration.as_secs();
    let rates = host_rates(plan);
    let offers = offers(plan, &rates);
    // The share of its traffic that the link of a host carries, first of what it offers, and then of what it receives.
    let part = |bytes: f64, host: u32| (rates[host as usize] * duration / 8.0 / bytes.max(1.0)).min(1.0);
    let (mut sent, mut bound) = (vec![0.0; rates.len()], vec![0.0; rates.len()]);
    for offer in &offers {
        sent[offer.from as usize] += offer.bytes;
    }
    let leaves = |offer: &Load| part(sent[offer.from as usize], offer.from);
    for offer in &offers {
        if let Some(to) = offer.to {
            bound[to as usize] += offer.bytes * leaves(offer);
        }
    }
    let arrives = |offer: &Load| offer.to.map_or(1.0, |to| part(bound[to as usize], to));
    let packets: f64 = offers.iter().map(|offer| offer.packets * leaves(offer) * arrives(offer)).sum();
    (packets * mean_distance(plan)) as u64
}

/// The traffic that sources and jobs offer.
fn offers(plan: &Plan, rates: &[f64]) -> Vec<Load> {
    let duration = plan.measure.duration.as_secs();
    let mtu = plan.adapter.mtu.0.max(1) as f64;
    let full = |message: f64| (message / mtu).ceil().max(1.0);
    let of_sources = plan.sources.iter().map(|source| {
        let rate = rates[source.host as usize];
        let bytes = offer(plan, source, rate).min(rate * duration / 8.0);
        let message = (source.profile.message.mean().0 as f64).max(1.0);
        let packets = match source.profile.arrivals {
            Arrivals::Listed => source.profile.list.iter().map(|listed| full(listed.bytes.0 as f64)).sum(),
            _ => bytes / message * full(message),
        };
        let to = match source.profile.pattern {
            Pattern::Fixed(to) => Some(to),
            _ => None,
        };
        Load { from: source.host, to, bytes, packets }
    });
    let of_jobs = plan.jobs.iter().flat_map(|job| {
        let mut loads: Vec<Load> =
            job.hosts.iter().map(|host| Load { from: host.0, to: None, bytes: 0.0, packets: 0.0 }).collect();
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

/// Time on one core (s).
pub fn seconds(plan: &Plan, packet_hops: u64, memory: u64) -> f64 {
    let measure = &plan.measure;
    let acked = plan.flows.first().is_some_and(|flow| flow.acked) || plan.scheme.transport.repairs();
    let hop = HOP * if acked { ACKED } else { 1.0 } * if memory > CACHED { UNCACHED } else { 1.0 };
    let ports = (2 * plan.graph.links.len()) as f64;
    let probes = &measure.probes;
    let times = |every: u64| measure.duration.0.div_ceil(every.max(1)) as f64;
    let looking =
        if probes.samples() { times(measure.sampling_interval.0) * ports * f64::from(plan.lanes) * LOOK } else { 0.0 };
    let rows = times(measure.bin.0)
        * (if probes.has(Probe::Flows) { plan.flows.len() as f64 } else { 0.0 }
            + if probes.has(Probe::Ports) { ports } else { 0.0 });
    packet_hops as f64 * hop + looking + rows * ROW
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
        Arrivals::Listed => profile.list.iter().map(|listed| listed.bytes.0 as f64).sum(),
    }
}

/// Mean number of links from one host to another, over some of the pairs that send.
fn mean_distance(plan: &Plan) -> f64 {
    let ports = plan.graph.ports();
    let hosts = plan.graph.hosts.len() as u32;
    let step = (plan.sources.len() / PAIRS).max(1);
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (at, source) in plan.sources.iter().step_by(step).enumerate() {
        let to = match &source.profile.pattern {
            Pattern::Fixed(to) => *to,
            Pattern::Groups { size } => source.host / size * size + at as u32 % size,
            // Some other host: multiples of a prime are spread evenly.
            _ => (at as u32).wrapping_mul(7919) % hosts,
        };
        pairs.push((source.host, to));
    }
    for job in &plan.jobs {
        let step = (job.over_network().count() / PAIRS).max(1);
        let host = |rank: u32| job.hosts[rank as usize].0;
        pairs.extend(job.over_network().step_by(step).map(|(from, to, _)| (host(from), host(to))));
    }
    pairs.retain(|(from, to)| from != to);
    let all: u32 = pairs.iter().map(|&(from, to)| distance(plan, &ports, from, to)).sum();
    f64::from(all) / pairs.len().max(1) as f64
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
