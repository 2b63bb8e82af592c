//! What was seen of an event that has come near.

use congestree_units::Time;
use congestree_wire::{FlowId, HostId, PortId, QueueId};

/// What is known of an event after two steps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Upcoming {
    /// A packet joins a queue, from a port that will have its room back.
    Joins { queue: QueueId, output: PortId, sender: PortId, lane: u8, at: Time },
    /// An output will look at an input first.
    Looks { input: PortId, output: PortId, lane: u8 },
    /// An output will serve the oldest of what waits for it.
    Serves { output: PortId, lane: u8 },
    /// A host will look at its injection memory.
    Injects { host: HostId },
    /// A host will send a packet of this flow.
    Sends { flow: FlowId },
}
