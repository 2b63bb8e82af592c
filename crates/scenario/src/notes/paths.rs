//! The idle paths of flows, with which notes compare windows and timers.

use std::collections::BTreeSet;

use congestree_fabric::plan::{FlowPlan, Plan};
use congestree_fabric::{IdlePath, IdlePaths};
use congestree_schemes::react::LinkView;
use congestree_traffic::SourcePlan;
use congestree_units::Rate;
use congestree_wire::{FlowId, HostId};

/// Flows that are looked at, the first of the plan: all of one host and more in a network in which each sends to
/// thousands, and few enough that nobody waits for a note.
const MOST: usize = 20_000;

/// A flow and its path. Messages of their own to several hosts are a flow to each of these.
pub(super) struct Path<'a> {
    pub id: FlowId,
    pub flow: &'a FlowPlan,
    to: HostId,
    idle: IdlePath,
    plan: &'a Plan,
}

/// The paths of flows that send.
pub(super) fn of_flows(plan: &Plan) -> Vec<Path<'_>> {
    let (idle, sent) = (IdlePaths::of(plan), plan.sent_flows());
    let to_one = plan.flows.with_ids().filter(|&(id, _)| sent[id]);
    let to_one = to_one.filter_map(|(id, flow)| Some((id, flow.destination?)));
    let ends = to_one.chain(plan.sources.iter().flat_map(|source| to_several(plan, source)));
    let path = |(id, to): (FlowId, HostId)| {
        let flow = &plan.flows[id];
        Some(Path { id, flow, to, idle: idle.between(flow.source, to)?, plan })
    };
    ends.filter_map(path).take(MOST).collect()
}

/// The hosts that messages of a source may go to, if they are flows of their own and may go to several.
fn to_several<'a>(plan: &'a Plan, source: &'a SourcePlan) -> Box<dyn Iterator<Item = (FlowId, HostId)> + 'a> {
    let account = source.mapping.account().map(FlowId);
    let Some(account) = account.filter(|&id| plan.flows[id].destination.is_none()) else {
        return Box::new(std::iter::empty());
    };
    let profile = &source.profile;
    let listed: BTreeSet<u32> = profile.list.iter().map(|message| message.to).collect();
    match listed.is_empty() {
        true => {
            let reached = |host: &u32| profile.pattern.reaches(source.host, *host);
            Box::new((0..plan.graph.hosts.len() as u32).filter(reached).map(move |to| (account, HostId(to))))
        }
        false => Box::new(listed.into_iter().map(move |to| (account, HostId(to)))),
    }
}

impl Path<'_> {
    /// Both ends, as sentences name a flow.
    pub(super) fn name(&self) -> String {
        let host = |id: HostId| &*self.plan.graph.hosts[id.index()];
        format!("{}->{}", host(self.flow.source), host(self.to))
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
