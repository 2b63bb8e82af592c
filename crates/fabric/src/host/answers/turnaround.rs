//! Acknowledgement turnaround: the time from the last byte of a packet until the adapter can send its ACK.
//!
//! An adapter checks and places a packet before it acknowledges it. This takes a fixed time for each packet, many
//! packets at a time (a pipeline). After it the ACK joins the control packets of its host, in the order in which the
//! data arrived. Answers of transports (ACKs and NACKs) wait in the same way; notifications, requests and grants do
//! not.

use congestree_units::Span;
use congestree_wire::{HostId, IndexVec};

use crate::plan::Plan;
use crate::switch::queues::list::List;

/// ACKs being prepared. Empty where this takes no time.
#[derive(Debug, Default)]
pub(crate) struct Turnaround {
    /// How long each takes.
    pub time: Span,
    /// By host: the ACKs that are not ready, oldest first.
    pub(super) waiting: IndexVec<HostId, List>,
}

impl Turnaround {
    pub(crate) fn new(plan: &Plan) -> Self {
        let time = plan.adapter.ack_turnaround;
        let hosts = if time > Span::ZERO { plan.graph.hosts.len() } else { 0 };
        Self { time, waiting: vec![List::EMPTY; hosts].into() }
    }
}
