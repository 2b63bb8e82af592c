//! Destinations, and the flows to them.

use congestree_fabric::plan::FlowPlan;
use congestree_kernel::Rng;
use congestree_traffic::{FlowMapping, Pattern, SourcePlan, patterns};
use congestree_wire::{FlowId, HostId, IndexVec};

use crate::resolve::Collector;
use crate::resolve::network::built::Network;
use crate::types::{self, Traffic};

/// More flows than this would not fit in memory.
pub(in crate::resolve) const MOST: usize = 20_000_000;
/// The remedy for too many flows.
pub(in crate::resolve) const FEWER: &str =
    "take fewer sources, or leave out the window and the reaction, so that a source with a pattern is one flow";

/// Where the sources of an entry send.
pub(in crate::resolve) enum Destinations {
    /// All to this host.
    Fixed(u32),
    /// Each to its own partner, by source.
    Partner(Vec<u32>),
    /// Each message to the host that the pattern gives.
    Drawn(Pattern),
}

impl Destinations {
    /// The destination of a source that has only one.
    pub(crate) fn fixed(&self, source: HostId) -> Option<HostId> {
        match self {
            Destinations::Fixed(host) => Some(HostId(*host)),
            Destinations::Partner(partner) => Some(HostId(partner[source.index()])),
            Destinations::Drawn(_) => None,
        }
    }

    /// Whether the destination changes with time.
    pub(crate) fn moves(&self) -> bool {
        matches!(self, Destinations::Drawn(Pattern::Moving { .. }))
    }

    /// The pattern by which a source chooses the destination of a message.
    pub(crate) fn pattern(&self, source: u32) -> Pattern {
        match self {
            Destinations::Drawn(pattern) => pattern.clone(),
            Destinations::Fixed(_) | Destinations::Partner(_) => {
                Pattern::Fixed(self.fixed(HostId(source)).map_or(source, |host| host.0))
            }
        }
    }
}

/// Whether a source needs a flow for each destination: ACKs, windows and throttles belong to a pair of hosts, queues
/// and lanes may belong to a destination, and a source with a changing destination leaves unfinished messages behind.
pub(in crate::resolve) fn spread(to: &Destinations, paired: bool) -> bool {
    to.moves() || (paired && matches!(to, Destinations::Drawn(_)))
}

/// The meaning of `to` or `pattern` of an entry.
pub(in crate::resolve) fn destinations(
    seed: u64,
    position: usize,
    entry: &Traffic,
    network: &Network,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<Destinations> {
    let hosts = network.graph.hosts.len() as u32;
    let pattern = match (&entry.to, &entry.pattern) {
        (Some(to), None) => {
            return network.directory.one(to, &format!("{path}.to"), collector).map(Destinations::Fixed);
        }
        (None, Some(pattern)) => pattern,
        (Some(_), Some(_)) => {
            let fact = "there are both a fixed destination and a pattern of destinations";
            collector.report(format!("{path}.pattern"), fact, "keep either to or pattern");
            return None;
        }
        (None, None) => {
            let remedy = "give a host as to, or a pattern such as \"uniform\"";
            collector.report(path, "it is not said where the traffic goes", remedy);
            return None;
        }
    };
    if hosts < 2 {
        collector.report(format!("{path}.pattern"), "there is no other host to send to", "make the network larger");
        return None;
    }
    Some(match pattern {
        types::Pattern::Uniform => Destinations::Drawn(Pattern::Uniform),
        types::Pattern::HotSpot(hot) => {
            let to = network.directory.several(&hot.to, &format!("{path}.pattern.hot-spot.to"), collector)?;
            Destinations::Drawn(Pattern::HotSpot { to, fraction: hot.fraction })
        }
        types::Pattern::Moving(given) => moving(given, network, &format!("{path}.pattern.moving"), collector)?,
        types::Pattern::Groups(groups) => {
            if !hosts.is_multiple_of(groups.size) {
                let fact = format!("{hosts} hosts cannot be divided into groups of {}", groups.size);
                let remedy = format!("take a size that divides {hosts}");
                collector.report(format!("{path}.pattern.groups.size"), fact, remedy);
                return None;
            }
            Destinations::Drawn(Pattern::Groups { size: groups.size })
        }
        types::Pattern::Shift(shift) => {
            let by = u64::from(shift.by);
            let hosts = u64::from(hosts);
            Destinations::Partner((0..hosts).map(|host| ((host + by) % hosts) as u32).collect())
        }
        types::Pattern::Permutation => {
            let mut rng = Rng::stream(seed, "permutation", position as u64);
            Destinations::Partner(patterns::permutation(hosts, &mut rng))
        }
    })
}

/// A hot host that changes after every period.
fn moving(given: &types::Moving, network: &Network, path: &str, collector: &mut Collector<'_>) -> Option<Destinations> {
    if given.every.0 == 0 {
        collector.report(format!("{path}.every"), "a hot host would last no time", "give a time above zero");
        return None;
    }
    let named = given.to.iter().enumerate();
    let to: Vec<Option<u32>> =
        named.map(|(i, name)| network.directory.one(name, &format!("{path}.to.{i}"), collector)).collect();
    let to = to.into_iter().collect::<Option<Vec<u32>>>()?;
    Some(Destinations::Drawn(Pattern::Moving { to, every: given.every }))
}

/// Flows and sources so far; ids are positions.
#[derive(Default)]
pub(in crate::resolve) struct TrafficTables {
    pub flows: IndexVec<FlowId, FlowPlan>,
    pub sources: Vec<SourcePlan>,
}

impl TrafficTables {
    /// Whether this many sources with this many flows each can be added.
    pub(crate) fn has_room(&self, sources: usize, each: usize) -> bool {
        sources.saturating_mul(each).saturating_add(self.flows.len()) <= MOST
    }

    /// Adds the flow or flows of one source.
    pub(crate) fn add(&mut self, flow: FlowPlan, to: &Destinations, spread: bool, hosts: u32) -> FlowMapping {
        let base = self.flows.len() as u32;
        if spread {
            self.flows.extend((0..hosts).map(|host| FlowPlan { destination: Some(HostId(host)), ..flow }));
            FlowMapping::PerDestination { base }
        } else {
            self.flows.push(FlowPlan { destination: to.fixed(flow.source), ..flow });
            FlowMapping::One(base)
        }
    }
}
