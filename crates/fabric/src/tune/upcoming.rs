//! What is known of an event that is due soon, after the first prefetching steps.

use congestree_units::Time;
use congestree_wire::{FlowId, HostId, PortId, QueueId};

/// What is known of an event after two prefetching steps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Upcoming {
    /// A packet joins a queue; the port that sent it gets room back.
    Joins { queue: QueueId, output: PortId, sender: PortId, lane: u8, at: Time },
    /// An output will read an input first.
    ReadsInput { input: PortId, output: PortId, lane: u8 },
    /// An output will serve the oldest packet that waits for it.
    Serves { output: PortId, lane: u8 },
    /// A host will look at its injection buffer.
    Injects { host: HostId },
    /// A host will send a packet of this flow.
    Sends { flow: FlowId },
}
