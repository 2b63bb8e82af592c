//! The receiving end of any transport.

use std::ops::Range;

use congestree_units::Time;

use super::ReceiverParams;
use super::header::{Arrived, Header, Role};
use super::receiver::{InOrderReceiver, Receipt};
use super::uet::Selective;
use crate::host::react::Feedback;

/// The receiving end of one flow.
#[derive(Clone, Debug)]
pub enum AnyReceiver {
    /// Packets are passed on in order, and acknowledged cumulatively.
    InOrder(InOrderReceiver),
    /// Packets arrive out of order, and are acknowledged individually.
    Selective(Selective),
}

/// What came of a packet.
#[derive(Clone, Copy, Debug)]
pub struct Received {
    /// Packets that are passed on now.
    pub passed_on: u32,
    /// It was of no use.
    pub discarded: bool,
    /// The answer to those that waited, if this packet has different feedback.
    pub before: Option<Header>,
    /// When the packet was sent that has waited for the same answer as this one, if any has: the last of them.
    pub together: Option<Time>,
    /// The answer, if it is sent at once.
    pub answer: Option<Header>,
}

impl AnyReceiver {
    /// One that takes packets in order.
    pub fn of(params: ReceiverParams) -> Self {
        AnyReceiver::InOrder(InOrderReceiver::new(params))
    }

    /// A complete packet has arrived; sent at `stamp`, and the `last` of its group as far as its sender knows.
    /// `feedback` is about this packet, if a reaction point needs feedback in ACKs.
    pub fn on_packet(&mut self, now: Time, packet: &Arrived, stamp: Time, last: bool, feedback: Feedback) -> Received {
        match self {
            AnyReceiver::InOrder(receiver) => {
                let receipt = receiver.on_packet(now, packet.sequence, stamp, last, feedback);
                let answer = receipt.ack.map(|ack| Header { cause: packet.sequence, ..Header::from(ack) });
                let before = receipt.before.map(Header::from);
                let Receipt { passed_on, discarded, together, .. } = receipt;
                Received { passed_on, discarded, before, together, answer }
            }
            AnyReceiver::Selective(receiver) => {
                let (passed_on, discarded, answer) = receiver.on_data(packet);
                let answer = answer.map(|answer| Header { stamp, ..answer });
                Received { passed_on, discarded, before: None, together: None, answer }
            }
        }
    }

    /// A packet without its payload, or a request, has arrived; sent at `stamp`.
    pub fn on_control(&mut self, packet: &Arrived, stamp: Time) -> Option<Header> {
        let answer = match (self, packet.header.role) {
            (AnyReceiver::Selective(receiver), Role::Trimmed) => receiver.on_trimmed(packet),
            (AnyReceiver::Selective(receiver), Role::Request) => receiver.on_request(packet),
            _ => return None,
        };
        Some(Header { stamp, ..answer })
    }

    /// The timer is due.
    pub fn on_timer(&mut self, now: Time) -> Option<Header> {
        match self {
            AnyReceiver::InOrder(receiver) => receiver.on_timer(now).map(Header::from),
            AnyReceiver::Selective(_) => None,
        }
    }

    /// When its timer expires; never if it has none.
    pub fn next_timer(&self) -> Time {
        match self {
            AnyReceiver::InOrder(receiver) => receiver.next_timer(),
            AnyReceiver::Selective(_) => Time::NEVER,
        }
    }

    /// The first packet that is missing.
    pub fn expected(&self) -> u32 {
        match self {
            AnyReceiver::InOrder(receiver) => receiver.expected(),
            AnyReceiver::Selective(receiver) => receiver.expected(),
        }
    }

    /// Whether messages count as received in their order: a complete one waits until all before it are complete.
    pub fn in_order(&self) -> bool {
        match self {
            AnyReceiver::InOrder(_) => true,
            AnyReceiver::Selective(receiver) => receiver.in_order(),
        }
    }

    /// All of these packets have arrived.
    pub fn has_all(&self, packets: Range<u32>) -> bool {
        match self {
            AnyReceiver::InOrder(receiver) => packets.end <= receiver.expected(),
            AnyReceiver::Selective(receiver) => receiver.has_all(packets),
        }
    }

    /// Number of packets that arrived ahead of a missing one.
    pub fn held(&self) -> u64 {
        match self {
            AnyReceiver::InOrder(receiver) => receiver.held(),
            AnyReceiver::Selective(receiver) => receiver.held(),
        }
    }
}
