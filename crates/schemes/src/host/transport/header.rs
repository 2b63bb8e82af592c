//! The transport headers of packets: sequence numbers that are acknowledged individually, requests and grants, and the
//! entropy that switches hash. They are stored beside the packets, so that networks without them have no cost.

use congestree_units::Time;

use super::{Ack, Label};
use crate::host::react::Feedback;

/// What a packet is for its transport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// It carries payload.
    #[default]
    Data,
    /// It carried payload, which a switch has cut off.
    Trimmed,
    /// It tells what has arrived.
    Ack,
    /// It tells that a packet was trimmed.
    Nack,
    /// It grants the sender bytes.
    Grant,
    /// It asks the receiver for a grant, without payload (RTS).
    Request,
}

/// The header of a packet, in a cache line of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct Header {
    /// What the packet is for.
    pub role: Role,
    /// The path it takes: hashed by switches; an answer returns that of the packet it answers.
    pub entropy: u16,
    /// Data: an answer is requested at once.
    pub asks: bool,
    /// Data: it was sent before; answers return it.
    pub again: bool,
    /// An answer: feedback about the packets that it acknowledges.
    pub feedback: Feedback,
    /// Trimmed data and its NACK: the queue was that in front of the receiving host.
    pub last_hop: bool,
    /// An answer to a request and not to data.
    pub to_request: bool,
    /// An answer: the packet that caused it came behind a missing one.
    pub behind_gap: bool,
    /// An answer: all packets below this number have arrived.
    pub number: u32,
    /// An answer: the packet that caused it.
    pub cause: u32,
    /// An answer: the packet of bit 0 of `bits`.
    pub base: u32,
    /// An answer: packets that have arrived, one bit each from `base` on.
    pub bits: u64,
    /// An answer: total bytes on the wire that arrived for the first time.
    pub received: u64,
    /// An answer: packets that have arrived ahead of a missing one.
    pub ahead: u32,
    /// Data and requests: the number up to which the sender could use grants. A grant: the number up to which it has
    /// them. In quanta.
    pub quanta: u32,
    /// An answer: when the packet was sent that caused it (its time stamp, by which some transports measure round
    /// trips).
    pub stamp: Time,
}

/// A packet of a transport that has arrived, as its receiver sees it.
#[derive(Clone, Copy, Debug)]
pub struct Arrived {
    /// Its number.
    pub sequence: u32,
    /// Bytes on the wire.
    pub size: u32,
    /// It is marked.
    pub marked: bool,
    /// What else it carries.
    pub header: Header,
}

impl Header {
    /// An answer: the packet that caused it was marked.
    pub fn marked(&self) -> bool {
        self.feedback == Feedback::Congested
    }
}

impl From<Ack> for Header {
    fn from(ack: Ack) -> Self {
        let Ack { number, stamp, feedback, behind_gap } = ack;
        Header { role: Role::Ack, number, stamp, feedback, behind_gap, ..Header::default() }
    }
}

impl From<Label> for Header {
    fn from(label: Label) -> Self {
        let Label { entropy, asks, again, quanta } = label;
        Header { entropy, asks, again, quanta, ..Header::default() }
    }
}
