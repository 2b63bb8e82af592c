//! The flows of a job: one for every pair of hosts of which one sends to the other.

use std::collections::BTreeMap;

use congestree_fabric::plan::{FlowPlan, NodeLinks};
use congestree_traffic::Program as Made;
use congestree_units::Bytes;
use congestree_wire::{FlowId, HostId};

use crate::resolve::Findings;
use crate::resolve::traffic::flows::{self, Book};

/// The pairs of hosts between which there are flows.
pub(super) struct HostPairs<'a> {
    /// By rank.
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
        book: &mut Book,
        path: &str,
        findings: &mut Findings<'_>,
    ) -> Option<(Vec<FlowId>, Vec<FlowId>)> {
        let mut known: BTreeMap<(HostId, HostId), FlowId> = BTreeMap::new();
        let announced = |bytes: u64| self.rendezvous.is_some_and(|least| Bytes(bytes) >= least);
        for (_, from, to, _, bytes) in program.sends() {
            let (a, b) = (self.hosts[from as usize], self.hosts[to as usize]);
            if !self.beside(a, b) {
                known.insert((a, b), FlowId::NONE);
                if announced(bytes) {
                    known.insert((b, a), FlowId::NONE);
                }
            }
        }
        if !book.has_room(known.len(), 1) {
            findings.complain(path, format!("there would be more than {} flows", flows::MOST), "let fewer ranks run");
            return None;
        }
        for (&(source, destination), id) in &mut known {
            *id = book.flows.push(FlowPlan { source, destination: Some(destination), ..flow });
        }
        let operations = program.operations().len();
        let mut there = vec![FlowId::NONE; operations];
        let mut back = if self.rendezvous.is_some() { vec![FlowId::NONE; operations] } else { Vec::new() };
        for (id, from, to, _, bytes) in program.sends() {
            let (a, b) = (self.hosts[from as usize], self.hosts[to as usize]);
            there[id as usize] = known.get(&(a, b)).copied().unwrap_or(FlowId::NONE);
            if announced(bytes) {
                back[id as usize] = known.get(&(b, a)).copied().unwrap_or(FlowId::NONE);
            }
        }
        Some((there, back))
    }
}
