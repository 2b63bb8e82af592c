//! Traffic: who sends what to whom, resolved to sources and flows.

pub(in crate::resolve) mod checks;
pub(in crate::resolve) mod entry;
pub(in crate::resolve) mod finite;
pub(in crate::resolve) mod flows;
pub(in crate::resolve) mod incast;
pub(in crate::resolve) mod incomplete;
mod messages;
pub(in crate::resolve) mod queue_pairs;
pub(in crate::resolve) mod undrawn;

use std::sync::Arc;

use congestree_fabric::plan::{FlowPlan, JobPlan, SchemePlan};
use congestree_traffic::{FlowMapping, SourcePlan, TrafficProfile};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, HostId, IndexVec};

use crate::needs::memory;
use crate::resolve::Collector;
use crate::resolve::jobs;
use crate::resolve::network::built::Network;
use crate::resolve::network::destination_lanes;
use crate::resolve::scheme::transport;
use crate::resolve::traffic::entry::InPlace;
use crate::resolve::traffic::flows::{Destinations, TrafficTables, destinations};
use crate::types::{Arrivals, Scenario};

/// Flows, sources, applications, and names of the classes.
pub(in crate::resolve) type TrafficPlan = (IndexVec<FlowId, FlowPlan>, Vec<SourcePlan>, Vec<Arc<JobPlan>>, Vec<String>);

pub(in crate::resolve) fn plan(
    scenario: &Scenario,
    network: &Network,
    scheme: &SchemePlan,
    collector: &mut Collector<'_>,
) -> Option<TrafficPlan> {
    let mut tables = TrafficTables::default();
    let mut applications = Vec::new();
    for (position, entry) in scenario.traffic.iter().enumerate() {
        let path = format!("traffic.{position}");
        let entry = InPlace { scenario, network, scheme, position, entry, path: &path };
        if !entry.add(&mut tables, &mut applications, collector) {
            return None;
        }
    }
    destination_lanes::apply(scenario, network, &mut tables.flows, collector);
    let names = scenario.traffic.iter().enumerate().map(|(i, entry)| entry.class_name(i)).collect();
    collector.diagnostics.is_empty().then_some((tables.flows, tables.sources, applications, names))
}

impl InPlace<'_> {
    /// Adds the flows and sources of the entry, or its application. Returns false if there would be too many flows, so
    /// that no further entry is read.
    fn add(
        &self,
        tables: &mut TrafficTables,
        applications: &mut Vec<Arc<JobPlan>>,
        collector: &mut Collector<'_>,
    ) -> bool {
        let (&InPlace { scenario, network, scheme, entry, path, .. }, flow) = (self, self.flow());
        let transport = &self.scheme.transport;
        transport::check_entry(scenario, entry, scheme, flow.lane, path, collector);
        jobs::check(scenario, entry, (transport.repairs(), flow.lane), path, collector);
        finite::check_lane(scenario, entry, flow.lane, path, collector);
        checks::check_own_rate(entry, self.scheme, path, collector);
        queue_pairs::check(entry, path, collector);
        if let Some(list) = &entry.list {
            finite::add_list(self, list, tables, collector);
            return true;
        }
        let Some(from) = &entry.from else {
            let remedy = "name the sending hosts, such as from = \"all\", or give a list of messages";
            collector.report(format!("{path}.from"), "it is not said who sends", remedy);
            return true;
        };
        let from = network.directory.several(from, &format!("{path}.from"), collector);
        if let Some(program) = &entry.program {
            if let Some(from) = from {
                let position = self.position;
                let application = jobs::Application { scenario, position, program, from: &from, network, scheme };
                applications.extend(jobs::plan(&application, flow, tables, collector).map(Arc::new));
            }
            return true;
        }
        if let (Arrivals::Injected, Some(from)) = (&entry.arrivals, &from) {
            finite::add_injected(self, from, tables, collector);
            return true;
        }
        let to = destinations(scenario.seed, self.position, entry, network, path, collector);
        let (Some(from), Some(to)) = (from, to) else { return true };
        if let Arrivals::Incast(incast) = &entry.arrivals {
            let to = if let Destinations::Fixed(host) = to { Some(host) } else { None };
            incast::add(self, incast, &from, to, tables, collector);
            return true;
        }
        checks::check_sources(entry, &from, &to, network, path, collector);
        self.add_sources(&from, &to, flow, tables, collector)
    }

    /// Adds the sources of the entry, each with its flows. Returns false if there would be too many flows.
    fn add_sources(
        &self,
        from: &[u32],
        to: &Destinations,
        flow: FlowPlan,
        tables: &mut TrafficTables,
        collector: &mut Collector<'_>,
    ) -> bool {
        let InPlace { scenario, network, entry, path, .. } = *self;
        let finite = entry.is_finite();
        let spread = flows::spread(to, self.is_paired(flow) && !finite);
        checks::check_spread(entry, to, spread, path, collector);
        queue_pairs::check_destinations(entry, to, path, collector);
        let hosts = network.graph.hosts.len();
        let each = if spread { hosts } else { entry.queue_pairs.unwrap_or(1) as usize };
        if !tables.has_room(from.len(), each) {
            collector.report(path, format!("there would be more than {} flows", flows::MOST), flows::FEWER);
            return false;
        }
        let count = (tables.flows.len() + from.len() * each) as u64;
        if !collector.fits(path, format_args!("{count} flows"), memory::flow(self.scheme) * count) {
            return false;
        }
        let mean = messages::mean_wire_bytes(scenario, entry);
        let mut shared: Option<Arc<TrafficProfile>> = None;
        for (k, &host) in from.iter().enumerate() {
            let flow = FlowPlan { source: HostId(host), ..flow };
            let mappings = match entry.queue_pairs.filter(|&pairs| pairs > 1) {
                Some(pairs) => {
                    let flow = FlowPlan { destination: to.fixed(HostId(host)), ..flow };
                    queue_pairs::add(tables, flow, pairs, &entry.arrivals)
                }
                None => match tables.add(flow, to, spread, hosts as u32) {
                    FlowMapping::One(flow) if finite => vec![FlowMapping::Each(flow)],
                    mapping => vec![mapping],
                },
            };
            let profile = TrafficProfile {
                arrivals: messages::arrivals(scenario, entry, mean, network.host_rates[host as usize], path, collector),
                pattern: to.pattern(host),
                message: messages::sizes(scenario, entry),
                stop: entry.stop.unwrap_or(Time::NEVER),
                jitter: entry.jitter,
                list: Vec::new(),
            };
            let profile = shared.take().filter(|other| **other == profile).unwrap_or_else(|| profile.into());
            shared = Some(profile.clone());
            let start = entry.start + Span(entry.stagger.0.saturating_mul(k as u64));
            tables.sources.extend(mappings.into_iter().map(|mapping| SourcePlan {
                host,
                mapping,
                start,
                profile: profile.clone(),
            }));
        }
        true
    }
}
