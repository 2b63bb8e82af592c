//! The memory of a run, by use.

use crate::types::Probe;
use congestree_fabric::bytes_of_a_flow;
use congestree_fabric::plan::{CreditUnit, Memory, Plan, QueueMap, SchemePlan};
use congestree_schemes::telemetry::Telemetry;
use congestree_topology::graphs::Size;
use congestree_topology::{Link, Node};
use serde::Serialize;

/// An interpreter with the engine and the code that writes its tables.
const PROCESS: u64 = 90 << 20;
/// A host: its name, its links, its adapter, and its row of the tables.
const HOST: u64 = 1_000;
/// A link: in the graph, with the names of both directions, and its rows of the tables.
const LINK: u64 = 900;
/// An entry of a forwarding table: in the plan, and in the fabric.
const ROUTE: u64 = 4;
/// If routes follow a formula, the fabric stores them in pages, most of which are equal: the number of one, and its
/// share of those that differ.
const PAGE: u64 = 8;
const HOSTS_OF_A_PAGE: u64 = 64;
/// All shortest paths of a switch to another with hosts, if switches choose.
const CHOICE: u64 = 16;
/// A flow: its plan, its state of two cache lines, its record of arrivals, and its row of the table. What its scheme
/// takes besides is asked of the fabric.
const FLOW: u64 = 400;
/// A message that is a flow of its own and has not arrived.
const FINITE: u64 = 220;
/// A message generator.
const SOURCE: u64 = 150;
/// A message of a list, in the plan.
pub(crate) const LISTED: u64 = 48;
/// A row of a written list besides: in the tree of its document, in the scenario and its resolved form, with their
/// texts, and in Python.
pub(crate) const WRITTEN: u64 = 3_500;
/// A port: both of its directions and its counters.
const PORT: u64 = 350;
/// A lane of a port: its credit, its gate, its marks.
const LANE: u64 = 120;
/// A queue of an input, of a plain switch and of one with special queues. The system gives memory for queues of the
/// first kind when a packet first comes to one: at most a page for each.
const QUEUE: u64 = 12;
const QUEUE_OF_A_HOP: u64 = 4096;
const OWN_QUEUE: u64 = 110;
/// A line of an isolation scheme, and a destination that it lists.
const LINE: u64 = 160;
const DESTINATION: u64 = 8;
/// A packet in flight, with the credits that return for its room.
const PACKET: u64 = 110;
/// The telemetry that switches on a path of six write into it, or the code of the busiest link.
const RECORDS: u64 = 6 * 32 + 1;
const CODE: u64 = 1;
/// An operation of an application, in the plan and in execution, with its flows.
pub(crate) const OPERATION: u64 = 90;
/// A part of a network besides its tables: its event list and its mail.
pub(crate) const PART: u64 = 2 << 20;
/// A value of a table.
const VALUE: u64 = 8;

/// Memory (B) by use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MemoryByUse {
    /// Hosts, switches, links and forwarding tables.
    pub network: u64,
    /// Flows and their sources.
    pub flows: u64,
    /// Ports, lanes, queues, and lines of isolation schemes.
    pub queues: u64,
    /// Packets in flight, if all buffers are full.
    pub packets: u64,
    /// Time series.
    pub tables: u64,
    /// Applications.
    pub programs: u64,
}

impl MemoryByUse {
    /// Memory of all parts and of the process around them.
    pub fn total(&self) -> u64 {
        let parts = [self.network, self.flows, self.queues, self.packets, self.tables, self.programs];
        parts.into_iter().fold(PROCESS, u64::saturating_add)
    }

    /// The largest use: the key that causes it, and its description.
    pub fn largest(&self) -> (&'static str, &'static str) {
        let parts = [
            (self.network, "topology", "hosts, links and forwarding tables"),
            (self.flows, "traffic", "flows and messages"),
            (self.queues, "switches", "ports and queues"),
            (self.packets, "switches.buffer", "packets in flight"),
            (self.tables, "measure", "tables of what is recorded"),
            (self.programs, "traffic", "programs"),
        ];
        let (bytes, path, what) = parts.into_iter().max_by_key(|part| part.0).unwrap_or_default();
        (path, if bytes > PROCESS { what } else { "the process itself" })
    }

    /// The parts of a plan whose packets cross this many links in all, and of which at most this many messages exist at
    /// a time that are flows of their own.
    pub fn of(plan: &Plan, packet_hops: u64, backlog: u64) -> Self {
        let hosts = plan.graph.hosts.len() as u64;
        let (switches, links) = (plan.graph.switches.len() as u64, plan.graph.links.len() as u64);
        let choices = if plan.equal_cost.is_some() { CHOICE * leaves(plan) * switches } else { 0 };
        let network = network(Size { hosts, switches, links }, plan.routes.formula().is_none()) + choices;
        let network = network + plan.lane_map.as_ref().map_or(0, |map| map.bytes());
        let listed: u64 = plan.sources.iter().map(|source| source.profile.list.len() as u64).sum();
        let operations: u64 = plan.jobs.iter().map(|job| job.program.operations().len() as u64).sum();
        Self {
            network,
            flows: flow(&plan.scheme) * plan.flows.len() as u64
                + SOURCE * plan.sources.len() as u64
                + LISTED * listed
                + (FINITE + bytes_of_a_flow(&plan.scheme)) * backlog,
            queues: queues(plan, packet_hops),
            packets: (PACKET + telemetry(plan)) * packets(plan),
            tables: tables(plan),
            programs: OPERATION * operations,
        }
    }
}

/// Memory of a flow with this scheme.
pub(crate) fn flow(scheme: &SchemePlan) -> u64 {
    FLOW + bytes_of_a_flow(scheme)
}

/// Memory of a network of this size before it is built, with routes in tables or by a formula.
pub(crate) fn network(size: Size, tables: bool) -> u64 {
    let Size { hosts, switches, links } = size;
    let entries = hosts.saturating_mul(switches);
    let routes = if tables { ROUTE.saturating_mul(entries) } else { entries / HOSTS_OF_A_PAGE * PAGE };
    routes.saturating_add(HOST.saturating_mul(hosts + switches)).saturating_add(LINK.saturating_mul(links))
}

/// Switches with hosts.
fn leaves(plan: &Plan) -> u64 {
    let has_hosts = |link: &Link| match (link.a, link.b) {
        (Node::Host(_), Node::Switch(switch)) | (Node::Switch(switch), Node::Host(_)) => Some(switch),
        _ => None,
    };
    plan.graph.links.iter().filter_map(has_hosts).collect::<std::collections::HashSet<_>>().len() as u64
}

/// Ports, lanes and queues, and lines where flows are set aside.
fn queues(plan: &Plan, packet_hops: u64) -> u64 {
    let (hosts, lanes) = (plan.graph.hosts.len() as u64, u64::from(plan.lanes));
    let ends = 2 * plan.graph.links.len() as u64;
    let mut queues = 0;
    for ports in plan.graph.ports().switches {
        let radix = ports.len() as u64;
        let each = match plan.switch.queues {
            QueueMap::PerDestination => hosts,
            map => u64::from(map.queues(radix as u16)),
        };
        queues += radix * (each + u64::from(plan.isolated_queues())) * lanes;
    }
    let own = plan.has_input_queues() || plan.switch.memory != Memory::Shared;
    let lines = plan.scheme.isolate.as_ref().map_or(0, |rules| {
        // Each line at both ends of a link, and the lists of destinations that some schemes keep with it.
        let cells = rules.cells(hosts);
        ends * (2 * LINE * u64::from(rules.lines) + DESTINATION * (cells.cam + cells.sram).min(64 * hosts))
    });
    let plain = (QUEUE * queues).min(QUEUE_OF_A_HOP.saturating_mul(packet_hops));
    ends * (PORT + LANE * lanes) + plain + if own { OWN_QUEUE * queues } else { 0 } + lines
}

/// Bytes of telemetry that a packet carries back to its source.
fn telemetry(plan: &Plan) -> u64 {
    match plan.scheme.react.needs().telemetry {
        Telemetry::None => 0,
        Telemetry::Records => RECORDS,
        Telemetry::Digest(_) => CODE,
    }
}

/// The number of full packets that an input buffer holds on average, over all its lanes.
pub(crate) fn room(plan: &Plan) -> u64 {
    let (full, lanes) = (plan.adapter.full().0.max(1), u64::from(plan.lanes));
    let ends = 2 * plan.graph.links.len() as u64;
    let units: u64 = plan.switch.buffer_units.iter().map(|&units| u64::from(units)).sum();
    let each = match (plan.flow_control.unit, plan.switch.shared_memory, plan.switch.output_queue) {
        (_, Some(shared), _) => shared.size.0.saturating_mul(plan.graph.switches.len() as u64) / full / ends.max(1),
        (_, _, Some(limit)) => limit.0.saturating_mul(lanes) / full,
        (CreditUnit::Slot, ..) => units,
        (unit, ..) => units.saturating_mul(unit.bytes().0) / full,
    };
    let hosts = plan.graph.hosts.len() as u64;
    if plan.switch.queues == QueueMap::PerDestination { each.saturating_mul(hosts) } else { each }
}

/// The largest number of packets in flight: as many as fit into all buffers, at most what a run can send.
fn packets(plan: &Plan) -> u64 {
    let (full, ends) = (plan.adapter.full().0.max(1), 2 * plan.graph.links.len() as u64);
    let hosts = plan.graph.hosts.len();
    // No host sends more than its link carries, and buffers are rarely full of the smallest packets.
    let sent =
        plan.graph.links.iter().take(hosts).map(|link| {
            link.ab.rate.0.max(link.ba.rate.0) as f64 * plan.measure.duration.as_secs() / (8.0 * full as f64)
        });
    room(plan).saturating_add(8).saturating_mul(ends).min(sent.sum::<f64>() as u64 + 8 * ends)
}

/// Memory of time series.
fn tables(plan: &Plan) -> u64 {
    series(plan).fold(0, |sum, (rows, values)| sum.saturating_add(VALUE.saturating_mul(rows).saturating_mul(values)))
}

/// Time series: number of rows of each, and number of values per row.
pub(crate) fn series(plan: &Plan) -> impl Iterator<Item = (u64, u64)> {
    let (measure, lanes) = (&plan.measure, u64::from(plan.lanes));
    let bins = measure.duration.0.div_ceil(measure.bin.0.max(1));
    let samples = measure.duration.0.div_ceil(measure.sampling_interval.0.max(1));
    let (flows, ends) = (plan.flows.len() as u64, 2 * plan.graph.links.len() as u64);
    let probes = &measure.probes;
    let series = [
        (probes.has(Probe::Flows), flows.saturating_mul(bins), 6),
        (probes.has(Probe::Classes), (plan.classes.len() as u64).saturating_mul(bins), 5),
        (probes.has(Probe::Ports), ends.saturating_mul(bins), 6),
        (probes.has(Probe::OutputQueues), (ends * lanes).saturating_mul(bins), 6),
        (probes.has(Probe::Buffers), (ends * lanes).saturating_mul(bins), 6),
        (probes.has(Probe::InputQueues), ends.saturating_mul(samples), 6),
        (probes.has(Probe::Credits), (ends * lanes).saturating_mul(samples), 4),
        (probes.has(Probe::Trees), (plan.graph.switches.len() as u64).saturating_mul(samples), 4),
    ];
    series.into_iter().filter_map(|(recorded, rows, values)| recorded.then_some((rows, values)))
}
