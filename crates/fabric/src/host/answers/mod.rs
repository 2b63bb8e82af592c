//! What a host answers to what comes in: ACKs that are gathered, packets that only hosts read, and the time that turning
//! an answer around takes.

pub(crate) mod answer;
pub(crate) mod coalescing;
pub(crate) mod control_packets;
pub(crate) mod headers;
pub(crate) mod turnaround;

use crate::host::answers::coalescing::Coalescing;
use crate::host::answers::turnaround::Turnaround;
use crate::plan::Plan;

/// Answers that hosts have not sent yet.
pub(crate) struct Answers {
    /// Packets that wait for their ACK.
    pub coalescing: Coalescing,
    /// ACKs that hosts have not turned around yet.
    pub turnaround: Turnaround,
}

impl Answers {
    /// None yet.
    pub(crate) fn new(plan: &Plan) -> Self {
        Self { coalescing: Coalescing::new(plan), turnaround: Turnaround::new(plan) }
    }
}
