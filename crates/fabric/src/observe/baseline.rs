//! Counts at the end of the warm-up, and what was counted after it, which is what tables report.

use congestree_units::{Span, Time};
use congestree_wire::{FlowId, IndexVec};

use crate::host::flow::FlowMeter;
use crate::observe::losses::Losses;

/// Counts at the end of the warm-up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Baseline {
    /// When it was taken.
    pub(super) at: Time,
    pub(super) ports: Vec<PortCounts>,
    pub(super) flows: IndexVec<FlowId, FlowMeter>,
    pub(crate) losses: IndexVec<FlowId, Losses>,
}

impl Baseline {
    /// Adds the counts of a part of the network, which has counted at its own ports.
    pub(crate) fn add(&mut self, part: &Baseline, owns: impl Fn(usize) -> bool) {
        self.at = self.at.max(part.at);
        self.ports.resize(part.ports.len(), PortCounts::default());
        for (port, counts) in part.ports.iter().enumerate().filter(|&(port, _)| owns(port)) {
            self.ports[port] = *counts;
        }
        self.flows.resize(part.flows.len(), FlowMeter::default());
        self.flows.iter_mut().zip(&part.flows).for_each(|(sum, meter)| sum.add(*meter));
        self.losses.resize(part.losses.len(), Losses::default());
        self.losses.iter_mut().zip(&part.losses).for_each(|(sum, losses)| sum.add(losses));
    }
}

/// What a port has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PortCounts {
    pub(super) packets: u64,
    pub(super) bytes: u64,
    /// Of frames that were sent again.
    pub(super) replayed: u64,
    pub(super) blocked: Span,
    pub(super) marked: u64,
    pub(super) dropped: u64,
}

/// Counts that only grow.
pub(super) trait Growing: Clone + Default {
    /// What was counted since.
    fn since(&self, before: &Self) -> Self;
}

impl Growing for PortCounts {
    fn since(&self, before: &Self) -> Self {
        Self {
            packets: self.packets - before.packets,
            bytes: self.bytes - before.bytes,
            replayed: self.replayed - before.replayed,
            blocked: Span(self.blocked.0 - before.blocked.0),
            marked: self.marked - before.marked,
            dropped: self.dropped - before.dropped,
        }
    }
}

impl Growing for FlowMeter {
    fn since(&self, before: &Self) -> Self {
        Self {
            sent: self.sent - before.sent,
            packets: self.packets - before.packets,
            bytes: self.bytes - before.bytes,
            marked: self.marked - before.marked,
        }
    }
}

impl Growing for Losses {
    fn since(&self, before: &Self) -> Self {
        Self {
            dropped: self.dropped - before.dropped,
            resent: self.resent - before.resent,
            timeouts: self.timeouts - before.timeouts,
            acks: self.acks - before.acks,
            nacks: self.nacks - before.nacks,
            grants: self.grants - before.grants,
            requests: self.requests - before.requests,
        }
    }
}
