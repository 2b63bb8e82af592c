//! Coalesced ACKs of flows without a transport: which packets an ACK answers, and when it is sent (`adapters.acks`).
//!
//! The rule is that of `congestree_schemes::acks`. An ACK is sent at once for the last packet of a message as well, as
//! adapters do. It answers packets of one life of a flow: those of an earlier one are answered before, and where a flow that comes
//! and goes has finished, in their own time, whoever has its record by then. Its timer costs an
//! event only when it may be due: one that was put off is found out to be so when its first event comes.

use congestree_schemes::acks::{AckRule, Unanswered};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, IndexVec, Packet};

use crate::control::telemetry::Written;
use crate::plan::Plan;

/// What waits for its ACK. Empty where every packet has its own.
#[derive(Debug)]
pub(crate) struct Coalescing {
    pub(super) rule: AckRule,
    pub(super) flows: IndexVec<FlowId, Unacked>,
    /// Those of flows that have finished, and whose records others have now.
    pub(super) earlier: Vec<Earlier>,
}

/// What still waits of a flow that has finished: its last packet was not the last to come in.
#[derive(Debug)]
pub(super) struct Earlier {
    /// Its record.
    pub(super) flow: FlowId,
    pub(super) waiting: Unacked,
    /// What the packet carried that came in last.
    pub(super) carried: Written,
}

/// Packets of one flow.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unacked {
    pub(super) unanswered: Unanswered,
    /// The one that came in last.
    pub(super) last: Option<Packet>,
    /// The event of its timer that is on the agenda; absent if there is none.
    pub(super) timer_at: Option<Time>,
}

impl Coalescing {
    pub(crate) fn new(plan: &Plan) -> Self {
        let rule = plan.adapter.acks.unwrap_or(AckRule { every: 1, after: Some(Span::ZERO) });
        let flows = if plan.coalesces() { plan.flows.len() } else { 0 };
        Self { rule, flows: vec![Unacked::default(); flows].into(), earlier: Vec::new() }
    }

    /// There is a flow more.
    pub(in crate::host) fn grow(&mut self) {
        if !self.flows.is_empty() {
            self.flows.push(Unacked::default());
        }
    }
}

impl Plan {
    /// One ACK answers several packets of flows without a transport.
    pub(crate) fn coalesces(&self) -> bool {
        self.adapter.acks.is_some_and(|acks| acks.every > 1) && self.flows.iter().any(|flow| flow.acked)
    }
}
