//! The flows of a job: one for every pair of hosts of which one sends to the other.

use std::collections::BTreeMap;

use congestree_fabric::plan::{FlowPlan, NodeLinks};
use congestree_traffic::Program as Made;
use congestree_units::Bytes;
use congestree_wire::{FlowId, HostId};

use crate::resolve::Collector;
use crate::resolve::traffic::flows::{self, TrafficTables};

/// The pairs of hosts between which there are flows.
pub(super) struct HostPairs<'a> {
    /// The host of every rank.
    pub hosts: &'a [HostId],
    pub rendezvous: Option<Bytes>,
    pub node: Option<NodeLinks>,
}

impl HostPairs<'_> {
    /// Whether messages between two hosts do not use the network.
    fn beside(&self, a: HostId, b: HostId) -> bool {
        a == b || self.node.is_some_and(|node| node.join(a, b))
    }

    /// Creates a flow for every pair of hosts of which one sends to the other: by operation, the flow that a send uses
    /// and, for rendezvous, the one in the opposite direction.
    pub(super) fn lay(
        &self,
        program: &Made,
        flow: FlowPlan,
        tables: &mut TrafficTables,
        path: &str,
        collector: &mut Collector<'_>,
    ) -> Option<(Vec<FlowId>, Vec<FlowId>)> {
        let mut known: BTreeMap<(HostId, HostId), FlowId> = BTreeMap::new();
        let announced = |bytes: u64| self.rendezvous.is_some_and(|least| Bytes(bytes) >= least);
        // By receiving rank: the last one that sent to it, and whether that announced a message. Ranks send one after
        // the other, so that each pair is looked for once or twice, however many its messages.
        let mut met = vec![(u32::MAX, false); self.hosts.len()];
        for (_, from, to, _, bytes) in program.sends() {
            let before = &mut met[to as usize];
            if before.0 == from && (before.1 || !announced(bytes)) {
                continue;
            }
            *before = (from, announced(bytes));
            let (a, b) = (self.hosts[from as usize], self.hosts[to as usize]);
            if !self.beside(a, b) {
                known.insert((a, b), FlowId::NONE);
                if announced(bytes) {
                    known.insert((b, a), FlowId::NONE);
                }
            }
        }
        if !tables.has_room(known.len(), 1) {
            collector.report(path, format!("there would be more than {} flows", flows::MOST), "let fewer ranks run");
            return None;
        }
        for (&(source, destination), id) in &mut known {
            *id = tables.flows.push(FlowPlan { source, destination: Some(destination), ..flow });
        }
        let operations = program.operations().len();
        let mut there = vec![FlowId::NONE; operations];
        let mut back = if self.rendezvous.is_some() { vec![FlowId::NONE; operations] } else { Vec::new() };
        let mut paths = vec![(u32::MAX, FlowId::NONE, FlowId::NONE); self.hosts.len()];
        for (id, from, to, _, bytes) in program.sends() {
            let path = &mut paths[to as usize];
            if path.0 != from {
                let (a, b) = (self.hosts[from as usize], self.hosts[to as usize]);
                let flow = |pair| known.get(&pair).copied().unwrap_or(FlowId::NONE);
                *path = (from, flow((a, b)), flow((b, a)));
            }
            there[id as usize] = path.1;
            if announced(bytes) {
                back[id as usize] = path.2;
            }
        }
        Some((there, back))
    }
}
