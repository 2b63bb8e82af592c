//! The receiving end of a link with retry: what is taken, and what the sender is told of it.
//!
//! The frame with the number that is expected is taken, if it is whole. One that is damaged, or whose number is too high,
//! has the receiver tell so once (`Nack`) and discard everything until the expected frame comes. Frames that have been
//! taken before are discarded, too; they mean that an ACK was lost, so that it is told again. Whatever is told says how far
//! all has come in, and two words are so far apart on the link as `spacing` says: what becomes due meanwhile is told by one
//! word.

use congestree_units::{Span, Time};

use crate::link::cyclic::Cyclic;

/// What the receiving end of a link tells the sending one: the number of the frame that it expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// All before it has come in.
    Ack(Cyclic),
    /// So it has, and what follows must be sent again.
    Nack(Cyclic),
}

/// What becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It goes on.
    Taken,
    /// It has come in before.
    Duplicate,
    /// It is damaged, or one before it is missing.
    Refused,
}

/// What the sender is to be told.
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
    /// The number of the frame that is taken next.
    expected: Cyclic,
    /// Everything else is discarded without a word.
    refuses: bool,
    owed: Owed,
    /// No word may be told before.
    next_word: Time,
}

impl Receiver {
    /// The number of the frame that is taken next.
    pub(crate) fn expected(&self) -> Cyclic {
        self.expected
    }

    /// All of a frame has come in.
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

    /// When it has something to tell, if it has: now, or later.
    pub(crate) fn tells_at(&self, now: Time) -> Option<Time> {
        (self.owed != Owed::Nothing).then(|| self.next_word.max(now))
    }

    /// What it tells now; the next word may follow `spacing` later.
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
        // A damaged frame is behind it: that is told, not the duplicate.
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
