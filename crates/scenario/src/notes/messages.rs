//! How many packets the messages of each flow have: the last packet of a message is answered at once, and messages may
//! be flows of their own.

use std::collections::HashMap;

use congestree_fabric::plan::Plan;
use congestree_traffic::{Arrivals, FlowMapping, Sizes, TrafficProfile};
use congestree_units::Bytes;
use congestree_wire::FlowId;

use super::paths::Path;

/// Full packets of the messages of a flow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Lengths {
    /// The least and the most; without end if messages have none, or if none is known.
    pub least: u32,
    pub most: u32,
    /// Every message is a flow of its own, with a window of its own.
    pub own_flows: bool,
}

impl Lengths {
    const ENDLESS: Self = Self { least: u32::MAX, most: u32::MAX, own_flows: false };

    fn with(self, other: Self) -> Self {
        let own_flows = self.own_flows && other.own_flows;
        Self { least: self.least.min(other.least), most: self.most.max(other.most), own_flows }
    }
}

/// The lengths of messages by flow.
pub(super) struct MessageLengths(HashMap<u32, Lengths>);

impl MessageLengths {
    /// Those of the flows with these paths.
    pub(super) fn of(plan: &Plan, paths: &[Path<'_>]) -> Self {
        let mut found: HashMap<u32, Lengths> = HashMap::new();
        let Some(last) = paths.iter().map(|path| path.id.0).max() else { return Self(found) };
        let mut put = |flow: u32, lengths: Lengths| {
            found.entry(flow).and_modify(|known| *known = known.with(lengths)).or_insert(lengths);
        };
        for source in &plan.sources {
            let own_flows = source.mapping.account().is_some();
            let lengths = Lengths { own_flows, ..lengths(plan, &source.profile) };
            let (base, count) = match source.mapping {
                FlowMapping::One(flow) | FlowMapping::Each(flow) => (flow, 1),
                FlowMapping::InTurn { base, count } => (base, count),
                FlowMapping::PerDestination { base } => (base, plan.graph.hosts.len() as u32),
            };
            (base..(base + count).min(last + 1)).for_each(|flow| put(flow, lengths));
        }
        for job in &plan.jobs {
            let sends = job.program.sends().map(|(id, .., bytes)| (job.flows[id as usize].0, bytes));
            for (flow, bytes) in sends.filter(|&(flow, _)| flow <= last) {
                let packets = packets(plan, Bytes(bytes));
                put(flow, Lengths { least: packets, most: packets, own_flows: false });
            }
        }
        Self(found)
    }

    /// Those of the flow of a path.
    pub(super) fn on(&self, path: &Path<'_>) -> Lengths {
        let FlowId(flow) = path.id;
        self.0.get(&flow).copied().unwrap_or(Lengths::ENDLESS)
    }
}

fn lengths(plan: &Plan, profile: &TrafficProfile) -> Lengths {
    let listed = profile.list.iter().map(|message| message.bytes).max();
    let most = match (&profile.arrivals, &profile.message) {
        (Arrivals::Greedy | Arrivals::OnOff { .. }, _) => return Lengths::ENDLESS,
        (_, &Sizes::Fixed(bytes)) => Some(bytes),
        (_, Sizes::Listed) => listed,
        (_, &Sizes::Pareto { most, .. }) => most,
        (_, Sizes::Cdf(sizes)) => Some(sizes.largest()),
    };
    let most = most.map_or(u32::MAX, |most| packets(plan, most));
    Lengths { least: packets(plan, profile.least_message()), most, own_flows: false }
}

/// The packets of a message of this payload.
fn packets(plan: &Plan, bytes: Bytes) -> u32 {
    u32::try_from(bytes.0.div_ceil(plan.adapter.mtu.0.max(1)).max(1)).unwrap_or(u32::MAX)
}
