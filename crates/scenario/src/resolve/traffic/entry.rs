//! An entry of traffic in its place: with the scenario, the network and the scheme on which its meaning depends.

use congestree_fabric::plan::{FlowPlan, SchemePlan};
use congestree_schemes::NotifyParams;
use congestree_wire::HostId;

use crate::resolve::network::built::Network;
use crate::types::{Queues, Scenario, Traffic};

/// An entry, with everything on which its meaning depends.
pub(in crate::resolve) struct InPlace<'a> {
    pub scenario: &'a Scenario,
    pub network: &'a Network,
    pub scheme: &'a SchemePlan,
    /// Position of the entry in `traffic`.
    pub position: usize,
    pub entry: &'a Traffic,
    pub path: &'a str,
}

impl InPlace<'_> {
    /// A flow of the entry; source and destination are set later.
    pub(super) fn flow(&self) -> FlowPlan {
        let InPlace { scenario, scheme, entry, .. } = self;
        let window = entry.window.or(scenario.adapters.window);
        let needs = scheme.react.needs();
        FlowPlan {
            source: HostId(0),
            destination: None,
            class: u16::try_from(self.position).unwrap_or(u16::MAX),
            service: entry.service,
            lane: entry.lane.or(scenario.links.service_lanes.get(usize::from(entry.service)).copied()).unwrap_or(0),
            window,
            // A transport has ACKs of its own.
            acked: !scheme.transport.repairs()
                && (window.is_some() || (needs.marks && scheme.notify == NotifyParams::Ack) || needs.window),
            rate_limit: entry.rate,
        }
    }

    /// Whether a pair of hosts needs a flow of its own.
    pub(super) fn is_paired(&self, flow: FlowPlan) -> bool {
        let InPlace { scenario, scheme, entry, .. } = self;
        let own_queues = matches!(scenario.switches.queues, Queues::Voqnet(_));
        let own_lanes = scenario.links.destination_lanes.is_some() && entry.lane.is_none();
        let told_apart = scheme.isolate.is_some() || scheme.flow_queues.is_some();
        let answered = flow.acked || scheme.react.needs().marks || scheme.transport.repairs();
        answered || told_apart || own_queues || own_lanes
    }
}
