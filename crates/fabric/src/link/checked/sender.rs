//! The sending end of a link with retry: numbers, the replay buffer, and the timer.
//!
//! Every frame gets the next number and a place in the replay buffer, which holds a bounded number of frames and
//! bytes: a sender without a free place waits. An `Ack` frees all frames before the number that it names. A `Nack`
//! does so too, and makes the sender send all remaining frames again, in order, before any new one. The replay timer
//! runs from the last progress (from when the buffer was last empty, or a word freed frames); when it expires, all frames
//! are sent again.

use std::collections::VecDeque;

use congestree_units::{Span, Time};
use congestree_wire::PacketId;

use crate::link::checked::receiver::Word;
use crate::link::cyclic::Cyclic;

/// What the sender keeps of a frame until it is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    /// The packet; it may have gone on already if its ACK is still on the way.
    pub packet: PacketId,
    /// Bytes on the wire.
    pub size: u32,
}

/// Most frames and bytes of a replay buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    pub frames: usize,
    pub bytes: u64,
}

/// The sending end of one direction of a link.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sender {
    /// Frames that are not acknowledged, oldest first.
    kept: VecDeque<Kept>,
    /// The number of the oldest kept frame, or of the next new one if none is kept.
    first: Cyclic,
    /// How many of the kept frames, from the oldest on, need not be sent again: all of them unless a replay is under
    /// way.
    sent: usize,
    /// Bytes of the kept frames.
    bytes: u64,
    /// When all frames are sent again if no word arrives; never if none waits for an ACK.
    pub deadline: Time,
}

impl Sender {
    pub(crate) fn new() -> Self {
        Self { deadline: Time::NEVER, ..Self::default() }
    }

    /// There is no place for a new frame of up to `largest` bytes.
    #[inline]
    pub(crate) fn is_full(&self, places: Places, largest: u64) -> bool {
        self.kept.len() >= places.frames || self.bytes + largest > places.bytes
    }

    /// Some frames wait to be sent again.
    #[inline]
    pub(crate) fn replays(&self) -> bool {
        self.sent < self.kept.len()
    }

    /// A new frame starts. Returns its number. No frame may be waiting to be sent again.
    pub(crate) fn start(&mut self, frame: Kept, now: Time, timeout: Span) -> Cyclic {
        debug_assert!(!self.replays(), "new frames go behind those that are sent again");
        if self.kept.is_empty() {
            self.deadline = now + timeout;
        }
        let number = self.first.plus(self.kept.len() as u32);
        self.kept.push_back(frame);
        self.sent = self.kept.len();
        self.bytes += u64::from(frame.size);
        number
    }

    /// The next frame to be sent again, with its number.
    pub(crate) fn replay(&mut self) -> Option<(Kept, Cyclic)> {
        let frame = *self.kept.get(self.sent)?;
        let number = self.first.plus(self.sent as u32);
        self.sent += 1;
        Some((frame, number))
    }

    /// A word from the receiver has arrived.
    pub(crate) fn hear(&mut self, word: Word, now: Time, timeout: Span) {
        let (Word::Ack(expected) | Word::Nack(expected)) = word;
        let freed = expected.since(self.first) as usize;
        // A word that was sent before the last progress brings nothing new.
        if freed > self.kept.len() {
            return;
        }
        for frame in self.kept.drain(..freed) {
            self.bytes -= u64::from(frame.size);
        }
        self.first = expected;
        self.sent = self.sent.saturating_sub(freed);
        if let Word::Nack(_) = word {
            self.sent = 0;
        }
        if self.kept.is_empty() {
            self.deadline = Time::NEVER;
        } else if freed > 0 {
            self.deadline = now + timeout;
        }
    }

    /// The timer may have expired. Returns whether it has.
    pub(crate) fn expires(&mut self, now: Time, timeout: Span) -> bool {
        if self.deadline != now {
            return false;
        }
        self.sent = 0;
        self.deadline = now + timeout;
        true
    }

    /// The timer, if it runs, expires later than it was to.
    pub(crate) fn put_off(&mut self, by: Span) {
        if self.deadline != Time::NEVER {
            self.deadline += by;
        }
    }

    /// The number is that of a kept frame, or of the next new one.
    pub(crate) fn knows(&self, number: Cyclic) -> bool {
        number.since(self.first) as usize <= self.kept.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER: Span = Span(100);

    fn frame(id: u32) -> Kept {
        Kept { packet: PacketId(id), size: 10 * (id + 1) }
    }

    /// A sender that has sent frames 0 to 3 at the times 0 to 3.
    fn four() -> Sender {
        let mut sender = Sender::new();
        for id in 0..4 {
            assert_eq!(sender.start(frame(id), Time(u64::from(id)), AFTER), Cyclic::of(id));
        }
        sender
    }

    fn again(sender: &mut Sender) -> Vec<u32> {
        std::iter::from_fn(|| sender.replay()).map(|(kept, _)| kept.packet.0).collect()
    }

    #[test]
    fn an_ack_frees_all_before_it_and_starts_the_timer_anew() {
        let mut sender = four();
        assert_eq!((sender.bytes, sender.deadline), (100, Time(100)));
        sender.hear(Word::Ack(Cyclic::of(3)), Time(50), AFTER);
        assert_eq!((sender.bytes, sender.kept.len(), sender.deadline), (40, 1, Time(150)));
        assert!(!sender.replays());
        sender.hear(Word::Ack(Cyclic::of(4)), Time(60), AFTER);
        assert_eq!((sender.bytes, sender.deadline), (0, Time::NEVER));
        assert_eq!(sender.start(frame(4), Time(70), AFTER), Cyclic::of(4));
        assert_eq!(sender.deadline, Time(170));
    }

    #[test]
    fn a_nack_has_all_after_it_sent_again_in_order() {
        let mut sender = four();
        sender.hear(Word::Nack(Cyclic::of(1)), Time(50), AFTER);
        assert!(sender.replays());
        assert_eq!(again(&mut sender), [1, 2, 3]);
        assert!(!sender.replays());
        assert_eq!(sender.start(frame(4), Time(60), AFTER), Cyclic::of(4));
    }

    #[test]
    fn an_ack_amid_a_replay_skips_what_has_arrived() {
        let mut sender = four();
        sender.hear(Word::Nack(Cyclic::of(0)), Time(50), AFTER);
        assert_eq!(sender.replay().map(|(kept, _)| kept.packet.0), Some(0));
        sender.hear(Word::Ack(Cyclic::of(2)), Time(60), AFTER);
        assert_eq!(again(&mut sender), [2, 3]);
    }

    #[test]
    fn old_news_changes_nothing() {
        let mut sender = four();
        sender.hear(Word::Ack(Cyclic::of(2)), Time(50), AFTER);
        sender.hear(Word::Ack(Cyclic::of(1)), Time(60), AFTER);
        assert_eq!((sender.kept.len(), sender.deadline), (2, Time(150)));
        sender.hear(Word::Ack(Cyclic::of(2)), Time(70), AFTER);
        assert_eq!(sender.deadline, Time(150), "nothing was freed, so that there was no progress");
    }

    #[test]
    fn the_timer_has_all_sent_again_and_runs_anew() {
        let mut sender = four();
        assert!(!sender.expires(Time(99), AFTER));
        assert!(sender.expires(Time(100), AFTER));
        assert_eq!((again(&mut sender), sender.deadline), (vec![0, 1, 2, 3], Time(200)));
    }

    #[test]
    fn a_buffer_is_full_by_frames_or_by_bytes() {
        let sender = four();
        assert!(sender.is_full(Places { frames: 4, bytes: 1_000 }, 10));
        assert!(!sender.is_full(Places { frames: 5, bytes: 110 }, 10));
        assert!(sender.is_full(Places { frames: 5, bytes: 109 }, 10));
    }

    #[test]
    fn numbers_begin_anew() {
        let mut sender = Sender::new();
        sender.first = Cyclic::of(Cyclic::ALL - 1);
        sender.start(frame(0), Time(0), AFTER);
        assert_eq!(sender.start(frame(1), Time(1), AFTER), Cyclic::of(0));
        sender.hear(Word::Nack(Cyclic::of(0)), Time(2), AFTER);
        assert_eq!(sender.replay(), Some((frame(1), Cyclic::of(0))));
    }
}
