//! Coalesced ACKs of flows without a transport: which packets an ACK answers, and when it is sent (`adapters.acks`).
//!
//! The rule is that of `congestree_schemes::acks`. As in adapters, an ACK is also sent at once for the last packet of
//! a message. An ACK answers packets of one life of a flow only: packets of an earlier life are answered before.
//! Where finite flows come and go, packets of a finished flow are answered in their own time, even if its record has
//! been reused by then. The timer costs an event only when it may be due: if it was put off, this is found out when
//! its first event comes.

use congestree_schemes::acks::{AckRule, Unanswered};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, IndexVec, Packet};

use crate::control::telemetry::Written;
use crate::plan::Plan;

/// Packets that wait for their ACK. Empty where every packet has its own ACK.
#[derive(Debug)]
pub(crate) struct Coalescing {
    pub(super) rule: AckRule,
    pub(super) flows: IndexVec<FlowId, Unacked>,
    /// Waiting packets of flows that have finished and whose records are in use by other flows now.
    pub(super) earlier: Vec<Earlier>,
}

/// Waiting packets of a finished flow: its last packet was not the last to arrive.
#[derive(Debug)]
pub(super) struct Earlier {
    /// Its record.
    pub(super) flow: FlowId,
    pub(super) waiting: Unacked,
    /// What the packet that arrived last carried.
    pub(super) carried: Written,
}

/// Packets of one flow.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unacked {
    pub(super) unanswered: Unanswered,
    /// The packet that arrived last.
    pub(super) last: Option<Packet>,
    /// When the event of its timer is on the agenda; absent if there is none.
    pub(super) timer_at: Option<Time>,
}

impl Coalescing {
    pub(crate) fn new(plan: &Plan) -> Self {
        let rule = plan.adapter.acks.unwrap_or(AckRule { every: 1, flush: Some(Span::ZERO) });
        let flows = if plan.coalesces() { plan.flows.len() } else { 0 };
        Self { rule, flows: vec![Unacked::default(); flows].into(), earlier: Vec::new() }
    }

    /// Adds one more flow.
    pub(in crate::host) fn grow(&mut self) {
        if !self.flows.is_empty() {
            self.flows.push(Unacked::default());
        }
    }
}

impl Plan {
    /// One ACK may answer several packets of a flow without a transport.
    pub(crate) fn coalesces(&self) -> bool {
        self.adapter.acks.is_some_and(|acks| acks.every > 1) && self.flows.iter().any(|flow| flow.acked)
    }
}
