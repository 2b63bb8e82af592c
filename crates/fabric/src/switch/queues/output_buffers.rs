//! Queues at the outputs, and what lies in them.

use crate::plan::Plan;

/// What waits at the outputs. Empty where outputs have no memory.
#[derive(Debug, Default)]
pub(crate) struct OutputBuffers {
    /// Room of each output in each lane (bytes).
    pub room: Option<u64>,
    /// By port and lane: bytes that wait.
    pub held: Vec<u64>,
}

impl OutputBuffers {
    pub(crate) fn new(plan: &Plan, ports: usize) -> Self {
        let room = plan.switch.output_buffer.map(|room| room.0);
        Self { room, held: vec![0; if room.is_some() { ports * usize::from(plan.lanes) } else { 0 }] }
    }
}
