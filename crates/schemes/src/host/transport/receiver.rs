//! The receiving end of a transport: packets are passed on in order, and acknowledged cumulatively.
//!
//! An ACK is due after every `every` packets, at the last packet of a group, at once for a packet out of order (a
//! *duplicate* ACK, which tells the sender that something is missing), and `flush` after the first unacknowledged
//! packet. All packets that one ACK acknowledges have the same feedback: before a packet with different feedback, those
//! that wait are acknowledged, so that the sender knows how many were marked (DCTCP: RFC 8257, section 3.2). Without
//! `keep`, a packet out of order is discarded, as in go-back-N (EFL section II); with it, packets wait for the missing
//! one, as in TCP.

use std::collections::VecDeque;

use congestree_units::{Span, Time};

use super::Ack;
use crate::host::acks::{AckRule, Unanswered};
use crate::host::react::Feedback;

/// How a receiver answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiverParams {
    /// Number of packets that one ACK acknowledges.
    pub every: u32,
    /// The longest that a packet waits for its ACK; `None`: without limit.
    pub flush: Option<Span>,
    /// Packets out of order are kept.
    pub keep: bool,
}

/// What came of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Packets that are in order now and were not before.
    pub passed_on: u32,
    /// The packet was useless: it had arrived before, or is out of order and not kept.
    pub discarded: bool,
    /// The answer to those that waited, if this packet has different feedback.
    pub before: Option<Ack>,
    /// Time stamp of the last packet that has waited for the same answer as this one, if any has.
    pub together: Option<Time>,
    /// The answer, if it is sent at once.
    pub ack: Option<Ack>,
}

/// The receiving end of one flow.
#[derive(Clone, Debug)]
pub struct InOrderReceiver {
    params: ReceiverParams,
    /// The packet that is due.
    expected: u32,
    /// Which of the packets behind `expected` are here.
    kept: VecDeque<bool>,
    /// Packets that have not been acknowledged.
    unanswered: Unanswered,
    /// Time stamp of the last of them.
    stamp: Time,
    /// It came behind a missing packet.
    behind_gap: bool,
}

impl InOrderReceiver {
    /// A receiver that waits for packet zero.
    pub fn new(params: ReceiverParams) -> Self {
        Self {
            params,
            expected: 0,
            kept: VecDeque::new(),
            unanswered: Unanswered::default(),
            stamp: Time::START,
            behind_gap: false,
        }
    }

    /// The next expected packet; all before have been passed on.
    pub fn expected(&self) -> u32 {
        self.expected
    }

    /// Packets that wait for a missing one.
    pub fn held(&self) -> u64 {
        self.kept.iter().filter(|&&here| here).count() as u64
    }

    /// A packet has arrived that was sent at `stamp`; `last` of its group, as far as its sender knows. `feedback` is
    /// about this packet, if a reaction point needs it.
    pub fn on_packet(&mut self, now: Time, sequence: u32, stamp: Time, last: bool, feedback: Feedback) -> Receipt {
        let before = self.unanswered.differs(feedback).then(|| self.answer());
        let together = self.unanswered.waits().then_some(self.stamp);
        let in_order = sequence == self.expected;
        let held = in_order && !self.kept.is_empty();
        self.behind_gap = sequence > self.expected;
        let (passed_on, discarded) = self.take(sequence);
        self.stamp = stamp;
        let rule = AckRule { every: self.params.every, flush: self.params.flush };
        let enough = self.unanswered.add(now, rule, feedback);
        // A gap, or a filled gap, is reported at once; so is a packet that the sender should know to have arrived (RFC
        // 5681).
        let at_once = !in_order || held || last || enough;
        Receipt { passed_on, discarded, before, together, ack: at_once.then(|| self.answer()) }
    }

    /// The timer is due.
    pub fn on_timer(&mut self, now: Time) -> Option<Ack> {
        (self.unanswered.due_at() <= now).then(|| self.answer())
    }

    /// When its timer expires; never if it has none.
    pub fn next_timer(&self) -> Time {
        self.unanswered.due_at()
    }

    fn answer(&mut self) -> Ack {
        let (_, feedback) = self.unanswered.take();
        Ack { number: self.expected, stamp: self.stamp, feedback, behind_gap: self.behind_gap }
    }

    /// Accepts the packet. Returns how many packets are in order now, and whether it was useless.
    fn take(&mut self, sequence: u32) -> (u32, bool) {
        if sequence < self.expected {
            return (0, true);
        }
        let ahead = (sequence - self.expected) as usize;
        if ahead > 0 {
            if !self.params.keep {
                return (0, true);
            }
            if self.kept.len() < ahead {
                self.kept.resize(ahead, false);
            }
            return (0, std::mem::replace(&mut self.kept[ahead - 1], true));
        }
        let mut passed_on = 1;
        while self.kept.pop_front() == Some(true) {
            passed_on += 1;
        }
        self.expected += passed_on;
        (passed_on, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: ReceiverParams = ReceiverParams { every: 10, flush: Some(Span::from_us(10)), keep: false };
    const KEEPS: ReceiverParams = ReceiverParams { every: 1, flush: None, keep: true };

    fn take(receiver: &mut InOrderReceiver, sequence: u32) -> Receipt {
        receiver.on_packet(Time(u64::from(sequence)), sequence, Time(u64::from(sequence)), false, Feedback::Clear)
    }

    fn ack(number: u32, stamp: u64) -> Ack {
        Ack { number, stamp: Time(stamp), ..Ack::default() }
    }

    #[test]
    fn packets_that_one_ack_answers_have_all_met_the_same() {
        let mut receiver = InOrderReceiver::new(TEN);
        let marked = |sequence: u32| (4..6).contains(&sequence) || sequence >= 19;
        let mut acks = Vec::new();
        for sequence in 0..22 {
            let feedback = if marked(sequence) { Feedback::Congested } else { Feedback::Clear };
            let stamp = Time(u64::from(sequence));
            let receipt = receiver.on_packet(stamp, sequence, stamp, false, feedback);
            acks.extend(receipt.before.into_iter().chain(receipt.ack).map(|ack| (ack.number, ack.feedback)));
        }
        use Feedback::{Clear, Congested};
        assert_eq!(acks, [(4, Clear), (6, Congested), (16, Clear), (19, Clear)]);
        assert_eq!(receiver.on_timer(receiver.next_timer()), Some(Ack { feedback: Congested, ..ack(22, 21) }));
    }

    #[test]
    fn every_tenth_packet_is_answered_with_its_own_time_stamp() {
        let mut receiver = InOrderReceiver::new(TEN);
        let acks: Vec<Ack> = (0..25).filter_map(|sequence| take(&mut receiver, sequence).ack).collect();
        assert_eq!(acks, [ack(10, 9), ack(20, 19)]);
        assert_eq!(receiver.next_timer(), Time(20) + Span::from_us(10));
        assert_eq!(receiver.on_timer(receiver.next_timer()), Some(ack(25, 24)));
        assert_eq!(receiver.next_timer(), Time::NEVER);
    }

    #[test]
    fn the_last_packet_of_a_group_is_answered_at_once() {
        let mut receiver = InOrderReceiver::new(TEN);
        let receipt = receiver.on_packet(Time(5), 0, Time(1), true, Feedback::Clear);
        assert_eq!(receipt.ack, Some(ack(1, 1)));
    }

    #[test]
    fn a_gap_is_reported_by_each_packet_behind_it_and_nothing_is_kept() {
        let mut receiver = InOrderReceiver::new(TEN);
        take(&mut receiver, 0);
        for (sequence, together) in [(2, Some(Time(0))), (3, None)] {
            let receipt = take(&mut receiver, sequence);
            let ack = Some(Ack { behind_gap: true, ..ack(1, u64::from(sequence)) });
            assert_eq!(receipt, Receipt { passed_on: 0, discarded: true, before: None, together, ack });
        }
        assert_eq!(take(&mut receiver, 1).passed_on, 1);
        // One that had arrived before says nothing of a gap.
        assert_eq!(take(&mut receiver, 0).ack, Some(ack(2, 0)));
    }

    #[test]
    fn kept_packets_are_passed_on_once_the_gap_is_filled() {
        let mut receiver = InOrderReceiver::new(KEEPS);
        for sequence in [0, 2, 3, 5] {
            take(&mut receiver, sequence);
        }
        assert!(take(&mut receiver, 3).discarded);
        assert_eq!(receiver.held(), 3);
        let receipt = take(&mut receiver, 1);
        assert_eq!((receipt.passed_on, receipt.ack.map(|ack| ack.number)), (3, Some(4)));
        assert_eq!(take(&mut receiver, 4).passed_on, 2);
        assert_eq!((receiver.expected(), receiver.held()), (6, 0));
    }
}
