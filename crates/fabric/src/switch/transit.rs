//! A packet in a switch, for parts that are told of it when it may be elsewhere already.

use congestree_wire::{HostId, PacketKind, PortId};

/// How a packet passes a switch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transit {
    pub input: PortId,
    pub output: PortId,
    /// Its output, counted from the first of the switch.
    pub local: u16,
    /// The lane in which it leaves.
    pub lane: u8,
    pub kind: PacketKind,
    /// Bytes on the wire.
    pub size: u32,
    pub destination: HostId,
}
