//! Acknowledgement turnaround: what an adapter takes from the last byte of a packet until its ACK could leave.
//!
//! An adapter checks, places and only then acknowledges a packet, in so long for each of them, many at a time (a pipeline).
//! When it is over the ACK joins the control packets of its host, in the order in which the data came in. Answers of
//! transports (ACKs and NACKs) wait alike; notifications, requests and grants do not.

use congestree_units::Span;
use congestree_wire::{HostId, IndexVec};

use crate::plan::Plan;
use crate::switch::queues::list::List;

/// ACKs in the making. Empty where they take no time.
#[derive(Debug, Default)]
pub(crate) struct Turnaround {
    /// How long each takes.
    pub time: Span,
    /// By host: those that are not ready, the oldest first.
    pub(super) waiting: IndexVec<HostId, List>,
}

impl Turnaround {
    pub(crate) fn new(plan: &Plan) -> Self {
        let time = plan.adapter.ack_turnaround;
        let hosts = if time > Span::ZERO { plan.graph.hosts.len() } else { 0 };
        Self { time, waiting: vec![List::EMPTY; hosts].into() }
    }
}
