//! Which steady sources are polled, and which of these take part in the turns of their host.

use congestree_traffic::{Arrivals, FlowMapping, SourcePlan};
use congestree_wire::FlowId;

use crate::plan::Plan;

/// A steady source that is polled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Polled {
    /// Its number among all sources.
    pub source: u32,
    /// The lanes in which its messages may travel, one bit each: the lane is not known before a destination is drawn.
    pub lanes: u16,
    /// It takes part in the turns of its host, as do all polled sources of the host.
    pub takes_turns: bool,
    /// The flow of its latest message.
    pub latest: Option<FlowId>,
}

/// The polled sources, host by host, and where those of each host begin. These are the steady sources that feed a flow
/// for each destination, and all steady sources of a host that has several.
pub(crate) fn polled(plan: &Plan) -> (Vec<Polled>, Vec<u32>) {
    let mut of_host: Vec<Vec<Polled>> = vec![Vec::new(); plan.graph.hosts.len()];
    for (id, source) in plan.sources.iter().enumerate() {
        if matches!(source.profile.arrivals, Arrivals::Steady { .. }) {
            let lanes = lanes_of(plan, source);
            of_host[source.host as usize].push(Polled { source: id as u32, lanes, takes_turns: false, latest: None });
        }
    }
    for list in &mut of_host {
        if let [Polled { source, .. }] = list[..]
            && matches!(plan.sources[source as usize].mapping, FlowMapping::One(_))
        {
            list.clear();
        }
    }
    let flows = flows_of_hosts(plan);
    for (list, flows) in of_host.iter_mut().zip(flows) {
        let takes_turns = has_others(plan, list, flows) || plan.serves_lanes_in_order() && differ_in_lanes(list);
        list.iter_mut().for_each(|source| source.takes_turns = takes_turns);
    }
    let mut first = vec![0];
    first.extend(of_host.iter().scan(0, |total, list| {
        *total += list.len() as u32;
        Some(*total)
    }));
    (of_host.concat(), first)
}

/// How many flows each host has.
fn flows_of_hosts(plan: &Plan) -> Vec<usize> {
    let mut flows = vec![0; plan.graph.hosts.len()];
    for flow in &plan.flows {
        flows[flow.source.index()] += 1;
    }
    flows
}

/// Whether a host with so many flows has some that none of its polled sources feeds.
fn has_others(plan: &Plan, polled: &[Polled], flows: usize) -> bool {
    let fed = |source: &Polled| match plan.sources[source.source as usize].mapping {
        FlowMapping::One(_) | FlowMapping::Each(_) => 1,
        FlowMapping::PerDestination { .. } => plan.graph.hosts.len(),
        FlowMapping::InTurn { count, .. } => count as usize,
    };
    flows > polled.iter().map(fed).sum()
}

/// Whether the polled sources of a host are in different lanes.
fn differ_in_lanes(polled: &[Polled]) -> bool {
    polled.windows(2).any(|pair| pair[0].lanes != pair[1].lanes)
}

/// The lanes in which messages of a source may travel, one bit each.
fn lanes_of(plan: &Plan, source: &SourcePlan) -> u16 {
    let lane = |flow: u32| 1 << plan.flows[FlowId(flow)].lane;
    match source.mapping {
        FlowMapping::One(flow) | FlowMapping::Each(flow) | FlowMapping::InTurn { base: flow, .. } => lane(flow),
        FlowMapping::PerDestination { base } => (0..plan.graph.hosts.len() as u32)
            .filter(|host| source.profile.pattern.reaches(source.host, *host))
            .fold(0, |lanes, host| lanes | lane(base + host)),
    }
}
