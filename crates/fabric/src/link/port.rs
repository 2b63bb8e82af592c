//! A port: the sending side of a link, and the receiving side of the link that comes the other way.

use congestree_units::{Bytes, Rate, Span, Time};
use congestree_wire::{PortId, QueueId, SwitchId};

use crate::plan::QueueMap;

/// The sending side of a port. One cache line, aligned to one, so that an access costs at most one cache miss.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Out {
    /// When the tail of the packet being sent leaves.
    pub busy_until: Time,
    /// The earliest decision that is scheduled for it; never if there is none.
    pub wake_at: Time,
    /// Since when flow control has held it while a packet waited; never if it is not held.
    pub blocked_since: Time,
    /// From the start of a packet until it is routable at the far end (without the transmission time of its tail).
    pub head_delay: Span,
    /// The port at the far end.
    pub peer: PortId,
    /// First port of its node.
    pub base: PortId,
    /// Packets started so far.
    pub packets: u64,
    /// Bytes started so far.
    pub bytes: u64,
    /// Index of its rate.
    pub rate: u16,
    /// Ports of its node.
    pub radix: u16,
    /// The lane that sent last.
    pub lane_turn: u8,
    /// It is in the list of ports that decide at this instant.
    pub deciding: bool,
    /// What is at the far end.
    pub far: Far,
    /// It knows of isolation lines at the far end, see `isolation`.
    pub knows_lines: bool,
}

impl Out {
    /// A port that has sent nothing yet, wired to nothing.
    pub(crate) const IDLE: Out = Out {
        busy_until: Time::START,
        wake_at: Time::NEVER,
        blocked_since: Time::NEVER,
        head_delay: Span::ZERO,
        peer: PortId(0),
        base: PortId(0),
        packets: 0,
        bytes: 0,
        rate: 0,
        radix: 0,
        lane_turn: 0,
        deciding: false,
        far: Far::Host,
        knows_lines: false,
    };

    /// Delay of its link, given the forwarding delay of switches.
    pub(crate) fn propagation(&self, forwarding: Span) -> Span {
        match self.far {
            Far::Host => self.head_delay,
            Far::CutThrough | Far::StoreForward => Span(self.head_delay.0 - forwarding.0),
        }
    }
}

/// What kind of node receives packets at the far end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Far {
    /// A host: a packet counts when its tail is in.
    Host,
    /// A switch that forwards from the head on (cut-through).
    CutThrough,
    /// A switch that waits for the tail (store-and-forward).
    StoreForward,
}

/// The receiving side of a port of a switch. Half a cache line, and aligned so that none straddles two lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct In {
    /// First of its queues.
    pub queues: QueueId,
    /// First port of its switch.
    pub base: PortId,
    /// Its switch.
    pub switch: SwitchId,
    /// The port at the far end, which holds the credits for the buffer of this input.
    pub sender: PortId,
    /// From when a tail leaves the buffer of this input until the sender may use its room.
    pub credit_delay: Span,
    /// Ports of its switch.
    pub radix: u16,
    /// Index of the rate at which bytes come in.
    pub rate: u16,
    /// Isolation lines of its memory are in use, see `isolation`.
    pub has_lines: bool,
    /// The far end belongs to another part of the network, see `partition`.
    pub away: bool,
}

impl In {
    /// The queue of a lane for a local output.
    #[inline(always)]
    pub(crate) fn queue(&self, map: QueueMap, lane: u8, local: u16) -> QueueId {
        match map {
            QueueMap::Voq => self.queues + u32::from(lane) * u32::from(self.radix) + u32::from(local),
            _ => self.queues + u32::from(lane),
        }
    }
}

/// The data of a port that is rarely needed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PortCounters {
    /// Total time for which flow control has held it while a packet waited.
    pub blocked: Span,
    /// When it was last held, if it ever was.
    pub last_blocked: Option<Time>,
    /// Marked packets that it has started.
    pub marked: u64,
}

/// A link rate, with the serialisation times computed last: most traffic has one or two packet sizes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Serialiser {
    rate: Rate,
    known: [(u32, Span); 2],
    /// Time on the wire of a full data packet.
    pub full: Span,
}

impl Serialiser {
    pub(crate) fn new(rate: Rate, full: Bytes) -> Self {
        Self { rate, known: [(0, Span::ZERO); 2], full: rate.time_for(full) }
    }

    pub(crate) fn rate(&self) -> Rate {
        self.rate
    }

    /// Time on the wire of a packet of this size.
    #[inline]
    pub(crate) fn time(&mut self, size: u32) -> Span {
        let [latest, other] = self.known;
        // Where data goes one way and ACKs the other, which of the two sizes matches is as good as random: so no
        // branch here.
        if (latest.0 == size) | (other.0 == size) {
            return if latest.0 == size { latest.1 } else { other.1 };
        }
        let time = self.rate.time_for(Bytes(u64::from(size)));
        self.known = [(size, time), latest];
        time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sending_side_fits_a_cache_line_and_the_receiving_side_half_of_one() {
        assert_eq!((size_of::<Out>(), size_of::<In>()), (64, 32));
    }

    #[test]
    fn remembered_times_are_the_computed_ones() {
        let rate = Rate::from_gbps(16);
        let mut serialiser = Serialiser::new(rate, Bytes(2068));
        for size in [2068, 20, 2068, 64, 20, 2068] {
            assert_eq!(serialiser.time(size), rate.time_for(Bytes(u64::from(size))));
        }
    }
}
