//! The receiving end of a link with retry: what it accepts, and what it tells the sender.
//!
//! The frame with the expected number is accepted if it is undamaged. On a damaged frame, or one whose number is too
//! high, the receiver sends a `Nack` once and discards everything until the expected frame comes. Frames that were
//! accepted before are discarded too; they show that an ACK was lost, so the ACK is sent again. Every word says up to
//! which number all frames have arrived. Two words are at least `spacing` apart on the link; whatever becomes due in
//! between is said by one word.

use congestree_units::{Span, Time};

use crate::link::cyclic::Cyclic;

/// What the receiving end of a link tells the sending one: the number of the frame that it expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// All frames before this number have arrived.
    Ack(Cyclic),
    /// The same, and what follows must be sent again.
    Nack(Cyclic),
}

/// What the receiver does with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Accepted: it is forwarded.
    Taken,
    /// A duplicate: it was accepted before.
    Duplicate,
    /// Refused: it is damaged, or a frame before it is missing.
    Refused,
}

/// Which word the sender is to be sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Owed {
    #[default]
    Nothing,
    Ack,
    Nack,
}

/// The receiving end of one direction of a link.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Receiver {
    /// The number of the frame that is accepted next.
    expected: Cyclic,
    /// All other frames are discarded without a further word.
    refuses: bool,
    owed: Owed,
    /// No word may be sent before this time.
    next_word: Time,
}

impl Receiver {
    /// The number of the frame that is accepted next.
    pub(crate) fn expected(&self) -> Cyclic {
        self.expected
    }

    /// All of a frame has arrived.
    pub(crate) fn frame(&mut self, number: Cyclic, whole: bool) -> Verdict {
        if whole && number == self.expected {
            self.expected = self.expected.plus(1);
            (self.refuses, self.owed) = (false, Owed::Ack);
            return Verdict::Taken;
        }
        if whole && number.is_before(self.expected) {
            if self.owed == Owed::Nothing {
                self.owed = Owed::Ack;
            }
            return Verdict::Duplicate;
        }
        if !self.refuses {
            (self.refuses, self.owed) = (true, Owed::Nack);
        }
        Verdict::Refused
    }

    /// When it can send its next word, if it has one to send: now or later.
    pub(crate) fn tells_at(&self, now: Time) -> Option<Time> {
        (self.owed != Owed::Nothing).then(|| self.next_word.max(now))
    }

    /// The word that it sends now; the next one may follow `spacing` later.
    pub(crate) fn word(&mut self, now: Time, spacing: Span) -> Option<Word> {
        if self.tells_at(now)? > now {
            return None;
        }
        self.next_word = now + spacing;
        match std::mem::take(&mut self.owed) {
            Owed::Nothing => None,
            Owed::Ack => Some(Word::Ack(self.expected)),
            Owed::Nack => Some(Word::Nack(self.expected)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACING: Span = Span(10);

    fn number(count: u32) -> Cyclic {
        Cyclic::of(count)
    }

    #[test]
    fn good_frames_are_acknowledged_together_and_spaced() {
        let mut receiver = Receiver::default();
        assert_eq!(receiver.frame(number(0), true), Verdict::Taken);
        assert_eq!(receiver.word(Time(5), SPACING), Some(Word::Ack(number(1))));
        assert_eq!(receiver.tells_at(Time(5)), None);
        assert_eq!(receiver.frame(number(1), true), Verdict::Taken);
        assert_eq!(receiver.frame(number(2), true), Verdict::Taken);
        assert_eq!(receiver.tells_at(Time(7)), Some(Time(15)));
        assert_eq!(receiver.word(Time(7), SPACING), None);
        assert_eq!(receiver.word(Time(15), SPACING), Some(Word::Ack(number(3))));
    }

    #[test]
    fn a_damaged_frame_is_told_once_and_all_is_discarded_until_it_comes_again() {
        let mut receiver = Receiver::default();
        receiver.frame(number(0), true);
        assert_eq!(receiver.frame(number(1), false), Verdict::Refused);
        assert_eq!(receiver.word(Time(0), SPACING), Some(Word::Nack(number(1))));
        assert_eq!(receiver.frame(number(2), true), Verdict::Refused);
        assert_eq!(receiver.frame(number(1), false), Verdict::Refused);
        assert_eq!(receiver.tells_at(Time(20)), None, "nothing more is told");
        assert_eq!(receiver.frame(number(1), true), Verdict::Taken);
        assert_eq!(receiver.word(Time(20), SPACING), Some(Word::Ack(number(2))));
    }

    #[test]
    fn a_number_that_is_too_high_tells_of_a_frame_that_nobody_saw() {
        let mut receiver = Receiver::default();
        assert_eq!(receiver.frame(number(1), true), Verdict::Refused);
        assert_eq!(receiver.word(Time(0), SPACING), Some(Word::Nack(number(0))));
    }

    #[test]
    fn duplicates_are_acknowledged_again_because_the_ack_was_lost() {
        let mut receiver = Receiver::default();
        receiver.frame(number(0), true);
        receiver.word(Time(0), SPACING);
        assert_eq!(receiver.frame(number(0), true), Verdict::Duplicate);
        assert_eq!(receiver.word(Time(30), SPACING), Some(Word::Ack(number(1))));
        // A damaged frame follows the duplicate: the word reports the damage, not the duplicate.
        receiver.frame(number(1), false);
        assert_eq!(receiver.frame(number(0), true), Verdict::Duplicate);
        assert_eq!(receiver.word(Time(50), SPACING), Some(Word::Nack(number(1))));
    }

    #[test]
    fn numbers_begin_anew() {
        let mut receiver = Receiver { expected: number(Cyclic::ALL - 1), ..Receiver::default() };
        assert_eq!(receiver.frame(number(Cyclic::ALL - 1), true), Verdict::Taken);
        assert_eq!(receiver.frame(number(Cyclic::ALL - 1), true), Verdict::Duplicate);
        assert_eq!(receiver.frame(number(0), true), Verdict::Taken);
        assert_eq!(receiver.expected(), number(1));
    }
}
