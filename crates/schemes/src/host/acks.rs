//! Which packets one ACK acknowledges (coalesced ACKs): a number of them, or those that arrived within a time.
//!
//! All packets that one ACK acknowledges have the same feedback. Before a packet with different feedback, those that
//! wait are acknowledged, so that the sender knows how many were marked. That is the state machine of DCTCP's receiver
//! (RFC 8257, section 3.2), which delays ACKs as TCP does (RFC 5681, section 4.2: every second packet, or after a
//! time). Time stamp and telemetry are those of the packet that arrived last.

use congestree_units::{Span, Time};

use crate::host::react::Feedback;

/// When an ACK is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckRule {
    /// Number of packets that one ACK acknowledges.
    pub every: u32,
    /// The longest that a packet waits for its ACK; `None`: without limit.
    pub flush: Option<Span>,
}

/// Packets of a flow that have arrived and have not been acknowledged.
#[derive(Clone, Copy, Debug)]
pub struct Unanswered {
    packets: u32,
    feedback: Feedback,
    due_at: Time,
}

impl Default for Unanswered {
    fn default() -> Self {
        Self { packets: 0, feedback: Feedback::Clear, due_at: Time::NEVER }
    }
}

impl Unanswered {
    /// Whether any packet waits.
    pub fn waits(&self) -> bool {
        self.packets > 0
    }

    /// Whether packets wait that have other feedback than this, so that they are acknowledged before it.
    pub fn differs(&self, feedback: Feedback) -> bool {
        self.packets > 0 && self.feedback != feedback
    }

    /// One more has arrived. Returns whether there are enough for an ACK.
    pub fn add(&mut self, now: Time, rule: AckRule, feedback: Feedback) -> bool {
        if self.packets == 0 {
            self.due_at = rule.flush.map_or(Time::NEVER, |flush| now + flush);
        }
        (self.packets, self.feedback) = (self.packets + 1, feedback);
        self.packets >= rule.every
    }

    /// All are acknowledged: how many, and their feedback.
    pub fn take(&mut self) -> (u32, Feedback) {
        let taken = std::mem::take(self);
        (taken.packets, taken.feedback)
    }

    /// The latest time at which they are acknowledged; never if none waits.
    pub fn due_at(&self) -> Time {
        self.due_at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Feedback::{Clear, Congested};

    const THREE: AckRule = AckRule { every: 3, flush: Some(Span(100)) };

    #[test]
    fn the_third_packet_is_answered_and_the_time_runs_from_the_first() {
        let mut waiting = Unanswered::default();
        assert_eq!(waiting.due_at(), Time::NEVER);
        assert!(!waiting.add(Time(10), THREE, Clear));
        assert!(!waiting.add(Time(50), THREE, Clear));
        assert_eq!(waiting.due_at(), Time(110));
        assert!(waiting.add(Time(60), THREE, Clear));
        assert_eq!((waiting.take(), waiting.due_at()), ((3, Clear), Time::NEVER));
    }

    #[test]
    fn those_that_wait_are_told_from_one_that_has_met_something_else() {
        let mut waiting = Unanswered::default();
        assert!(!waiting.differs(Congested), "nobody waits");
        waiting.add(Time(0), THREE, Congested);
        assert!(!waiting.differs(Congested) && waiting.differs(Clear));
        assert_eq!(waiting.take(), (1, Congested));
    }
}
