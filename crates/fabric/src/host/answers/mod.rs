//! How a host answers arriving packets: coalesced ACKs, control packets of transports, and the time that a host takes
//! to prepare an answer.

pub(crate) mod answer;
pub(crate) mod coalescing;
pub(crate) mod control_packets;
pub(in crate::host) mod feedback;
pub(crate) mod headers;
pub(crate) mod turnaround;

use crate::host::answers::coalescing::Coalescing;
use crate::host::answers::turnaround::Turnaround;
use crate::plan::Plan;

/// Answers that hosts have not sent yet.
pub(crate) struct Answers {
    /// Packets that wait for their ACK.
    pub coalescing: Coalescing,
    /// ACKs that hosts are still preparing.
    pub turnaround: Turnaround,
}

impl Answers {
    /// No answers yet.
    pub(crate) fn new(plan: &Plan) -> Self {
        Self { coalescing: Coalescing::new(plan), turnaround: Turnaround::new(plan) }
    }
}
