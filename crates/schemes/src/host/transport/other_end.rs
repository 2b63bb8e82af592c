//! The receiving end of any transport.

use congestree_units::Time;

use super::ReceiverParams;
use super::header::{Arrived, Header, Role};
use super::receiver::Receiver;
use super::uet::Selective;
use crate::host::react::Feedback;

/// The receiving end of one flow.
#[derive(Clone, Debug)]
pub enum OtherEnd {
    /// Packets are passed on in order, and answered by cumulative ACKs.
    InOrder(Receiver),
    /// Packets come in out of order, and are acknowledged one by one.
    Selective(Selective),
}

/// What came of a packet.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Packets that are passed on now.
    pub passed_on: u32,
    /// It was of no use.
    pub discarded: bool,
    /// The answer to those that waited, if this packet has met something else.
    pub before: Option<Header>,
    /// The answer, if there is one at once.
    pub answer: Option<Header>,
}

impl OtherEnd {
    /// One that takes packets in order.
    pub fn of(params: ReceiverParams) -> Self {
        OtherEnd::InOrder(Receiver::new(params))
    }

    /// A whole packet is in; sent at `stamp`, the `last` of its group as far as its sender knows. `feedback` is what it has met,
    /// if a reaction point wants to hear of that from ACKs.
    pub fn on_packet(&mut self, now: Time, packet: &Arrived, stamp: Time, last: bool, feedback: Feedback) -> Outcome {
        match self {
            OtherEnd::InOrder(receiver) => {
                let receipt = receiver.on_packet(now, packet.sequence, stamp, last, feedback);
                let answer = receipt.ack.map(|ack| Header { cause: packet.sequence, ..Header::from(ack) });
                let before = receipt.before.map(Header::from);
                Outcome { passed_on: receipt.passed_on, discarded: receipt.discarded, before, answer }
            }
            OtherEnd::Selective(receiver) => {
                let (passed_on, discarded, answer) = receiver.on_data(packet);
                Outcome { passed_on, discarded, before: None, answer }
            }
        }
    }

    /// A packet without its payload, or a request, is in.
    pub fn on_control(&mut self, packet: &Arrived) -> Option<Header> {
        match (self, packet.header.role) {
            (OtherEnd::Selective(receiver), Role::Trimmed) => Some(receiver.on_trimmed(packet)),
            (OtherEnd::Selective(receiver), Role::Request) => Some(receiver.on_request(packet)),
            _ => None,
        }
    }

    /// The timer is due.
    pub fn on_timer(&mut self, now: Time) -> Option<Header> {
        match self {
            OtherEnd::InOrder(receiver) => receiver.on_timer(now).map(Header::from),
            OtherEnd::Selective(_) => None,
        }
    }

    /// When it wants to be called for its timer; never if it has none.
    pub fn next_timer(&self) -> Time {
        match self {
            OtherEnd::InOrder(receiver) => receiver.next_timer(),
            OtherEnd::Selective(_) => Time::NEVER,
        }
    }

    /// The first packet that is missing.
    pub fn expected(&self) -> u32 {
        match self {
            OtherEnd::InOrder(receiver) => receiver.expected(),
            OtherEnd::Selective(receiver) => receiver.expected(),
        }
    }

    /// Packets that are here ahead of a missing one.
    pub fn held(&self) -> u64 {
        match self {
            OtherEnd::InOrder(receiver) => receiver.held(),
            OtherEnd::Selective(receiver) => receiver.held(),
        }
    }
}
