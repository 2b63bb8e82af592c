//! The credit that a receiver has granted to a sender, and when the sender asks for more.

use congestree_units::{Span, Time};

use super::super::super::grants::{FIRST, QUANTUM};

/// The credit of one sender.
#[derive(Clone, Copy, Debug)]
pub(super) struct GrantedCredit {
    /// Bytes that may be sent with it: below zero by a packet at most.
    pub bytes: i64,
    /// The last number granted.
    pub granted: u32,
    /// No answer has arrived yet.
    pub speculating: bool,
    /// When credit, or the reception state, was last requested.
    requested_at: Option<Time>,
    wants_request: bool,
    /// When it requests credit, because it has none and nothing is in flight, or the reception state, because nothing
    /// more will follow; never otherwise.
    ask_at: Time,
}

impl GrantedCredit {
    /// Nothing granted and nothing requested.
    pub(super) fn new() -> Self {
        Self {
            bytes: 0,
            granted: FIRST,
            speculating: true,
            requested_at: None,
            wants_request: false,
            ask_at: Time::NEVER,
        }
    }

    /// The first answer ends the sending without credit.
    pub(super) fn answered(&mut self) {
        if std::mem::take(&mut self.speculating) {
            self.bytes = self.bytes.min(0);
        }
    }

    /// A grant up to this number has arrived; it holds at most `most` bytes.
    pub(super) fn grant(&mut self, number: u32, most: i64) {
        let quanta = number.saturating_sub(self.granted);
        self.granted += quanta;
        self.bytes = (self.bytes + i64::from(quanta) * QUANTUM as i64).min(most.max(self.bytes));
    }

    /// The number up to which a sender could use credit for so many bytes more.
    pub(super) fn up_to(&self, bytes: u64) -> u32 {
        self.granted + bytes.div_ceil(QUANTUM) as u32
    }

    /// When it asks by itself; never if it need not.
    pub(super) fn ask_at(&self) -> Time {
        self.ask_at
    }

    /// Whether it must ask has changed, or not: a first request comes at `then`.
    pub(super) fn asks(&mut self, asks: bool, then: Time) {
        self.ask_at = match (asks, self.ask_at) {
            (false, _) => Time::NEVER,
            (true, Time::NEVER) => then,
            (true, at) => at,
        };
    }

    /// The timer is due: if it is time to ask, it asks, and again after `pause`.
    pub(super) fn ask_if_due(&mut self, now: Time, pause: Span) {
        if self.ask_at <= now {
            self.ask_at = now + pause;
            self.request(now);
        }
    }

    /// It has not asked for this long.
    pub(super) fn rested(&self, now: Time, pause: Span) -> bool {
        self.requested_at.is_none_or(|before| now.since(before) >= pause)
    }

    /// A request is to be sent.
    pub(super) fn request(&mut self, now: Time) {
        (self.requested_at, self.wants_request) = (Some(now), true);
    }

    /// Whether a request is to be sent, which is done now.
    pub(super) fn take_request(&mut self) -> bool {
        std::mem::take(&mut self.wants_request)
    }
}
