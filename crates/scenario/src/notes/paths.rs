//! The idle paths of flows, with which notes compare windows and timers.

use congestree_fabric::plan::{FlowPlan, Plan};
use congestree_fabric::{IdlePath, IdlePaths};
use congestree_schemes::react::LinkView;
use congestree_units::Rate;
use congestree_wire::FlowId;

/// Flows that are looked at, the first of the plan: all of one host and more in a network in which each sends to
/// thousands, and few enough that nobody waits for a note.
const MOST: usize = 20_000;

/// A flow and its path.
pub(super) struct Path<'a> {
    pub id: FlowId,
    pub flow: &'a FlowPlan,
    idle: IdlePath,
    plan: &'a Plan,
}

/// The paths of flows that send.
pub(super) fn of_flows(plan: &Plan) -> Vec<Path<'_>> {
    let (idle, sent) = (IdlePaths::of(plan), plan.sent_flows());
    let flows = plan.flows.with_ids().filter(|&(id, _)| sent[id]);
    let path = |(id, flow): (FlowId, &'_ FlowPlan)| Some((id, idle.between(flow.source, flow.destination?)?));
    let found = flows.filter_map(path).take(MOST);
    found.map(|(id, idle)| Path { id, flow: &plan.flows[id], idle, plan }).collect()
}

impl Path<'_> {
    /// Both ends, as sentences name a flow.
    pub(super) fn name(&self) -> String {
        let host = |id: u32| &*self.plan.graph.hosts[id as usize];
        format!("{}->{}", host(self.flow.source.0), self.flow.destination.map_or("", |id| host(id.0)))
    }

    /// What parts are told of it.
    pub(super) fn view(&self) -> LinkView {
        let IdlePath { line, switches, round_trip, .. } = self.idle;
        LinkView { line, packet: self.plan.adapter.full(), round_trip, hops: switches }
    }

    /// The same, with the most that the flow can send: links on the way, or an end, may be slower than the first link.
    pub(super) fn asked(&self) -> LinkView {
        let adapter = &self.plan.adapter;
        let limits = [adapter.injection_rate, adapter.drain_rate, self.flow.rate_limit];
        LinkView { line: limits.into_iter().flatten().fold(self.idle.slowest, Rate::min), ..self.view() }
    }
}

/// What to add if the same holds for this `count` of so many flows that were looked at, the one that is told included.
pub(super) fn and_others(count: usize, looked_at: usize, are: &str) -> String {
    let among = if looked_at < MOST { String::new() } else { format!(" of the first {MOST}") };
    match count {
        0 | 1 => String::new(),
        2 => format!(" (another flow{among} {} likewise, and not more)", are.replace("are", "is")),
        _ => format!(" ({} more flows{among} {are} likewise, and none more)", count - 1),
    }
}
