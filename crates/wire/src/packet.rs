//! The packet, as small as the hot path needs it: one cache line.

use congestree_units::Time;

use crate::{FlowId, HostId, PacketId, PortId};

/// What a packet is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketKind {
    /// Carries a message or a part of one.
    Data,
    /// Tells the source that a data packet arrived, and whether it was marked.
    Ack,
    /// Tells the source that a data packet arrived marked (a congestion notification packet).
    Cnp,
}

/// What a packet met on its way. `Marked` is stronger than `Undetermined`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// Nothing to report.
    Clear,
    /// It left an output that flow control had recently held: see `TCD`.
    Undetermined,
    /// Congestion.
    Marked,
}

/// A packet in flight.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Packet {
    /// The next packet in its queue.
    pub next: PacketId,
    /// The flow it belongs to; for a control packet, the flow that it is about.
    pub flow: FlowId,
    /// The host it goes to.
    pub destination: HostId,
    /// Bytes on the wire.
    pub size: u32,
    /// The port in whose buffer it holds room: where it is, or where it is going.
    pub input: PortId,
    /// Its number within the flow; for the ACK of a transport, one more than the last number that has arrived.
    pub sequence: u32,
    /// Credit units it takes downstream.
    pub units: u16,
    /// The ON period of the flow that it belongs to (modulo 65,536).
    pub epoch: u16,
    /// How often younger packets have passed it at the head of an output's queue.
    pub passed: u16,
    /// The port by which it leaves the switch it is in, counted from the first: chosen once, when it can be forwarded.
    /// [`Packet::UNROUTED`] until then.
    pub port: u16,
    /// The virtual lane it travels in; from when its port has been chosen, the lane in which it will leave.
    pub lane: u8,
    /// The lane whose room it holds in the buffer of `input`.
    pub buffer_lane: u8,
    /// Its service level, if lanes depend on it.
    pub service: u8,
    /// Data, ACK or CNP.
    pub kind: PacketKind,
    /// What it met (data), or what is being reported (ACK, CNP).
    pub sign: Sign,
    /// Data: the last packet of a group, as far as its sender knows (transports). ACK of a transport: the packet that
    /// caused it came behind a missing one.
    pub last: bool,
    /// Data: one if it will be acknowledged. ACK: the number of packets that it acknowledges.
    pub acks: u8,
    /// When its message was made.
    pub created: Time,
    /// When its first bit left the host; for the ACK of a transport, when that of the packet left that caused it.
    pub injected: Time,
    /// When it became routable in the switch it is in; maintained if anything depends on it.
    pub ready: Time,
}

impl Packet {
    /// The port of a packet for which no port has been chosen yet.
    pub const UNROUTED: u16 = u16::MAX;

    /// It starts on the link to an input, where its port will be chosen.
    #[inline(always)]
    pub fn heads_for(&mut self, input: PortId) {
        self.input = input;
        self.port = Self::UNROUTED;
    }

    /// It met congestion, or reports that another packet did.
    #[inline(always)]
    pub fn marked(&self) -> bool {
        self.sign == Sign::Marked
    }
}

/// For tests: a packet of this many bytes.
#[cfg(test)]
pub(crate) fn sized(size: u32) -> Packet {
    Packet {
        next: PacketId::NONE,
        flow: FlowId(0),
        destination: HostId(0),
        size,
        input: PortId(0),
        sequence: 0,
        units: 0,
        epoch: 0,
        passed: 0,
        port: 3,
        lane: 0,
        buffer_lane: 0,
        service: 0,
        kind: PacketKind::Data,
        sign: Sign::Clear,
        last: false,
        acks: 1,
        created: Time::START,
        injected: Time::START,
        ready: Time::START,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_fits_a_cache_line() {
        assert!(size_of::<Packet>() <= 64);
    }

    #[test]
    fn a_mark_is_no_doubt_and_a_packet_on_a_link_has_no_way_yet() {
        let mut packet = sized(100);
        let marked = [Sign::Clear, Sign::Undetermined, Sign::Marked].map(|sign| Packet { sign, ..packet }.marked());
        assert_eq!(marked, [false, false, true]);
        packet.heads_for(PortId(7));
        assert_eq!((packet.input, packet.port), (PortId(7), Packet::UNROUTED));
    }
}
