//! The paths that a packet may choose from, and how many packets of a flow overtook each other.

use congestree_kernel::{Rng, mix};
use congestree_schemes::route::{AnyRouter, Router};
use congestree_topology::EqualCost;
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, IndexVec, SwitchId};

use crate::plan::Plan;
use crate::switch::routes::detours::Detours;

/// The routers of a network; none if routes are fixed.
#[derive(Debug, Default)]
pub(crate) struct PathChoice {
    pub sets: EqualCost,
    /// By switch.
    pub routers: IndexVec<SwitchId, AnyRouter>,
    pub rng: IndexVec<SwitchId, Rng>,
    pub detours: Detours,
    /// Each packet has a choice of its own among equally short paths, whatever the flow.
    by_packet: bool,
    /// By flow, if packets may overtake each other.
    pub orders: IndexVec<FlowId, Reordering>,
    /// In a partitioned network: arrivals of flows to several hosts that have not been counted yet.
    pub came: Vec<Came>,
}

/// A packet of a flow to several hosts has come in at one of them. The order is that in which they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Came {
    /// When.
    pub at: Time,
    /// Where.
    pub host: HostId,
    /// Of which flow.
    pub flow: FlowId,
    /// Its number.
    pub sequence: u32,
    /// When it was sent.
    pub injected: Time,
}

/// The order in which the packets of a flow came in. A packet is late if one that was sent after it came before it; a
/// packet that is sent again counts with its last start, so that repairs are not taken for detours.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reordering {
    /// One more than the highest number so far.
    next: u32,
    /// The latest start of any that came so far.
    latest: Time,
    /// Packets that came after one that was sent later.
    pub late: u64,
    /// The most by which the number of such a packet was below the highest so far.
    pub extent: u32,
}

impl Reordering {
    /// Adds another series of packets that was measured in this way.
    pub(crate) fn add(&mut self, other: Reordering) {
        self.next = self.next.max(other.next);
        self.latest = self.latest.max(other.latest);
        self.late += other.late;
        self.extent = self.extent.max(other.extent);
    }

    /// A packet with this number has come in, which was sent at `injected`.
    pub(crate) fn note(&mut self, sequence: u32, injected: Time) {
        if injected < self.latest {
            self.late += 1;
            self.extent = self.extent.max(self.next.saturating_sub(sequence + 1));
        }
        self.latest = self.latest.max(injected);
        self.next = self.next.max(sequence + 1);
    }
}

/// The bits of a label above those of flow and kind of packet hold the entropy.
pub(super) const ENTROPY: u32 = 48;

impl PathChoice {
    pub(crate) fn new(plan: &Plan) -> Self {
        if plan.equal_cost.is_none() && plan.scheme.route.detours() == 0 {
            return Self::default();
        }
        let switches = plan.graph.switches.len();
        let mut routers = vec![plan.scheme.route.build(); switches];
        for (switch, router) in routers.iter_mut().enumerate() {
            router.at_switch(mix(plan.seed) ^ mix(switch as u64 + 1));
        }
        Self {
            sets: plan.equal_cost.clone().unwrap_or_default(),
            routers: routers.into(),
            rng: (0..switches as u64).map(|switch| Rng::stream(plan.seed, "ways", switch)).collect(),
            detours: Detours::new(plan),
            by_packet: plan.scheme.route.reorders() && plan.equal_cost.is_some(),
            orders: vec![Reordering::default(); if plan.reorders() { plan.flows.len() } else { 0 }].into(),
            came: Vec::new(),
        }
    }
}

impl PathChoice {
    /// Counts what came in before an instant; everything before it has been reported.
    pub(crate) fn count_came(&mut self, before: Time) {
        if self.came.is_empty() {
            return;
        }
        self.came.sort_unstable();
        let known = self.came.partition_point(|came| came.at < before);
        self.came.drain(..known).for_each(|came| self.orders[came.flow].note(came.sequence, came.injected));
    }

    /// The port by which a packet with this label leaves a switch, where several may be taken and the choice depends
    /// on nothing else.
    pub(crate) fn foretell(&self, switch: SwitchId, host: HostId, label: u64) -> Option<u16> {
        match self.sets.candidates(switch.0, host.0) {
            [] => None,
            [only] => Some(*only),
            several => {
                let candidate = self.routers[switch].foretell(label, several.len() as u32)?;
                several.get(candidate as usize).copied()
            }
        }
    }

    /// The number of ports over which a switch may spread the packets of one flow to a host.
    pub(crate) fn spread_over(&self, switch: SwitchId, host: HostId) -> u64 {
        if self.by_packet { self.sets.candidates(switch.0, host.0).len().max(1) as u64 } else { 1 }
    }

    /// From now on these are the available paths.
    pub(crate) fn renew(&mut self, sets: EqualCost) {
        self.sets = sets;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_after_a_later_packet_is_late_by_the_distance() {
        let mut order = Reordering::default();
        [0, 2, 1, 6, 3, 4, 5, 7].into_iter().for_each(|sequence| order.note(sequence, Time(sequence.into())));
        assert_eq!((order.late, order.extent, order.next), (4, 3, 8));
    }

    #[test]
    fn what_is_sent_again_is_late_if_it_is_passed_then() {
        let mut order = Reordering::default();
        for (sequence, injected) in [(0, 10), (5, 60), (1, 70), (3, 90), (2, 80), (1, 20)] {
            order.note(sequence, Time(injected));
        }
        assert_eq!((order.late, order.extent), (2, 4));
    }
}
