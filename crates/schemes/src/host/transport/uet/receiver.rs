//! The receiving end: which packets have arrived, and when they are reported.
//!
//! An ACK is sent at once for the first packet of a connection, for one that is marked, that had arrived before, or
//! whose sender requests it, and when the last gap before a requesting packet is closed; otherwise when `ack_after`
//! bytes have arrived. It reports all packets below a number, 64 packets around the one that caused it, and how many
//! bytes have arrived for the first time.
//!
//! Ultra Ethernet Specification 1.0, section 3.5; uet-htsim, `UecSink`.

use std::collections::VecDeque;
use std::ops::Range;

use congestree_units::Bytes;

use super::super::header::{Arrived, Header, Role};
use super::{DeliveryMode, UetParams};
use crate::host::react::Feedback;

/// The receiving end of one flow.
#[derive(Clone, Debug)]
pub struct Selective {
    ack_after: Bytes,
    ordered: bool,
    /// The first packet that is missing.
    expected: u32,
    /// Which of those from there on are here.
    here: VecDeque<bool>,
    ahead: u32,
    unanswered: u64,
    received: u64,
    /// A packet has asked for an answer, and one before it is missing.
    asked: bool,
    begun: bool,
}

impl Selective {
    /// A receiver that waits for packet zero.
    pub fn new(params: &UetParams) -> Self {
        Self {
            ack_after: params.ack_after,
            ordered: params.delivery == DeliveryMode::Ordered,
            expected: 0,
            here: VecDeque::new(),
            ahead: 0,
            unanswered: 0,
            received: 0,
            asked: false,
            begun: false,
        }
    }

    /// The first packet that is missing.
    pub fn expected(&self) -> u32 {
        self.expected
    }

    /// Whether messages count as received in their order.
    pub fn in_order(&self) -> bool {
        self.ordered
    }

    /// All of these packets have come in.
    pub fn has_all(&self, packets: Range<u32>) -> bool {
        let known = self.expected + self.here.len() as u32;
        // The last ones are missing most often, so they are looked at first.
        packets.end <= known && (packets.start.max(self.expected)..packets.end).rev().all(|packet| self.has(packet))
    }

    /// Packets that are here ahead of a missing one.
    pub fn held(&self) -> u64 {
        u64::from(self.ahead)
    }

    /// It has come in before.
    fn has(&self, sequence: u32) -> bool {
        sequence < self.expected || self.here.get((sequence - self.expected) as usize).copied().unwrap_or(false)
    }

    /// A complete packet has arrived. Returns how many are passed on now, whether it was useless, and the ACK if there
    /// is one.
    pub fn on_data(&mut self, packet: &Arrived) -> (u32, bool, Option<Header>) {
        self.unanswered += u64::from(packet.size);
        if self.has(packet.sequence) {
            return (0, true, Some(self.answer(packet)));
        }
        let mut at_once = packet.marked || packet.header.asks || !self.begun;
        (self.begun, self.asked) = (true, self.asked || packet.header.asks);
        self.received += u64::from(packet.size);
        let before = self.expected;
        self.take(packet.sequence);
        let moved = self.expected - before;
        if self.ahead == 0 && self.asked {
            (at_once, self.asked) = (true, false);
        }
        let passed_on = if self.ordered { moved } else { 1 };
        let answers = at_once || self.unanswered >= self.ack_after.0;
        (passed_on, false, answers.then(|| self.answer(packet)))
    }

    /// A packet has arrived without its payload. Returns a NACK, or an ACK if it has arrived completely before.
    pub fn on_trimmed(&mut self, packet: &Arrived) -> Header {
        if self.has(packet.sequence) {
            return self.answer(packet);
        }
        Header { role: Role::Nack, last_hop: packet.header.last_hop, ..self.tell(packet) }
    }

    /// The sender requests credit, and is told what has arrived.
    pub fn on_request(&mut self, packet: &Arrived) -> Header {
        Header { to_request: true, ..self.answer(packet) }
    }

    fn take(&mut self, sequence: u32) {
        let place = (sequence - self.expected) as usize;
        if place > 0 {
            if self.here.len() <= place {
                self.here.resize(place + 1, false);
            }
            self.here[place] = true;
            self.ahead += 1;
            return;
        }
        self.here.pop_front();
        self.expected += 1;
        while self.here.front() == Some(&true) {
            self.here.pop_front();
            self.expected += 1;
            self.ahead -= 1;
        }
    }

    fn answer(&mut self, packet: &Arrived) -> Header {
        self.unanswered = 0;
        self.tell(packet)
    }

    /// Which of the 64 packets from `base` on arrived ahead of a missing one, one bit each.
    fn bits_from(&self, base: u32) -> u64 {
        let (skip, shift) = (base.saturating_sub(self.expected), self.expected.saturating_sub(base).min(64));
        let here = self.here.range((skip as usize).min(self.here.len())..).take(64 - shift as usize);
        here.enumerate().fold(0, |bits, (i, &here)| bits | u64::from(here) << (i as u32 + shift))
    }

    /// The answer with everything that is known, sent because of a packet.
    fn tell(&self, packet: &Arrived) -> Header {
        let own = packet.marked || packet.header.asks;
        let base = if own { packet.sequence } else { packet.sequence.saturating_sub(63).max(self.expected + 1) };
        Header {
            role: Role::Ack,
            entropy: packet.header.entropy,
            again: packet.header.again,
            feedback: if packet.marked { Feedback::Congested } else { Feedback::Clear },
            number: self.expected,
            cause: packet.sequence,
            base,
            bits: if self.ahead == 0 { 0 } else { self.bits_from(base) },
            received: self.received,
            ahead: self.ahead,
            ..Header::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(sequence: u32) -> Arrived {
        Arrived { sequence, size: 4_150, marked: false, header: Header::default() }
    }

    fn receiver() -> Selective {
        Selective::new(&UetParams::default())
    }

    #[test]
    fn unmarked_packets_are_answered_four_at_a_time_after_the_first() {
        let mut receiver = receiver();
        let acks: Vec<u32> = (0..12).filter_map(|n| receiver.on_data(&data(n)).2).map(|header| header.number).collect();
        assert_eq!(acks, [1, 5, 9]);
    }

    #[test]
    fn the_64_packets_of_an_ack_end_with_the_one_that_it_answers() {
        let mut receiver = Selective::new(&UetParams { ack_after: Bytes(1), ..Default::default() });
        let last = (1..=70).filter_map(|n| receiver.on_data(&data(n)).2).last().unwrap();
        assert_eq!((last.number, last.cause, last.base, last.bits), (0, 70, 7, u64::MAX));
    }

    #[test]
    fn marks_duplicates_and_those_who_ask_are_answered_at_once() {
        let mut receiver = receiver();
        receiver.on_data(&data(0));
        assert!(receiver.on_data(&data(1)).2.is_none());
        let marked = receiver.on_data(&Arrived { marked: true, ..data(2) }).2;
        assert!(marked.is_some_and(|header| header.marked() && header.number == 3));
        let again = receiver.on_data(&data(1));
        assert!(again.1 && again.2.is_some());
        let asks = Header { asks: true, ..Header::default() };
        assert!(receiver.on_data(&Arrived { header: asks, ..data(3) }).2.is_some());
    }

    #[test]
    fn what_is_ahead_stands_in_the_bits_and_closing_the_gap_answers_who_asked() {
        let mut receiver = receiver();
        receiver.on_data(&data(0));
        let asks = Header { asks: true, ..Header::default() };
        receiver.on_data(&data(2));
        let ahead =
            receiver.on_data(&Arrived { header: asks, ..data(4) }).2.map(|h| (h.number, h.base, h.bits, h.ahead));
        assert_eq!(ahead, Some((1, 4, 1, 2)));
        let nack = receiver.on_trimmed(&data(3));
        assert_eq!((nack.role, nack.cause, nack.base, nack.bits), (Role::Nack, 3, 2, 0b101));
        assert!(receiver.on_data(&data(1)).2.is_none());
        let closed = receiver.on_data(&data(3)).2.map(|h| (h.number, h.received, h.bits));
        assert_eq!(closed, Some((5, 5 * 4_150, 0)));
    }

    #[test]
    fn packets_of_a_message_are_known_whatever_is_missing_before_it() {
        let mut receiver = receiver();
        for packet in [0, 4, 6, 5] {
            receiver.on_data(&data(packet));
        }
        assert!([0..1, 4..7, 5..6].into_iter().all(|packets| receiver.has_all(packets)));
        assert!([0..2, 1..4, 3..5, 4..8, 9..10].into_iter().all(|packets| !receiver.has_all(packets)));
    }

    #[test]
    fn in_order_packets_wait_for_what_is_missing() {
        let mut receiver = Selective::new(&UetParams { delivery: DeliveryMode::Ordered, ..Default::default() });
        let passed = [1, 2, 0, 4, 3].map(|n| receiver.on_data(&data(n)).0);
        assert_eq!(passed, [0, 0, 3, 0, 2]);
    }
}
