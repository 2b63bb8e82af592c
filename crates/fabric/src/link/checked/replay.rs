//! Link-level retry at work: numbers for new frames, verdicts on arriving ones, words, and replays.
//!
//! The state machines are [`Sender`](super::sender::Sender) and [`Receiver`](super::receiver::Receiver); this file
//! connects them to ports. Frames that are sent again go after frames between neighbours and before packets. While
//! the replay buffer has no place for a packet of the largest size, the port starts no packet; that does not count as
//! blocked by flow control.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Span, Time};
use congestree_wire::PortId;

use crate::event::{Event, OnLink};
use crate::fabric::Fabric;
use crate::link::checked::errors::Fate;
use crate::link::checked::receiver::Verdict;
use crate::link::checked::receiver::Word;
use crate::link::checked::retry::WORD;
use crate::link::checked::sender::Kept;
use crate::link::cyclic::Cyclic;
use crate::link::frames::{ControlFrame, Frame};
use crate::observe::still::Still;
use crate::tune::features::Feature;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A new frame starts. Returns its number.
    pub(super) fn number(&mut self, port: PortId, frame: Kept) -> Cyclic {
        let now = self.now;
        let end = &mut self.links.checked.ends[port];
        let number = end.sender.start(frame, now, end.timeout);
        self.set_timer(port);
        number
    }

    /// The rate of a port has changed, and with it the times of both ends of its link. A timer that runs expires as much
    /// later as it would if it started now, but not earlier: frames may have been sent at the lower rate.
    pub(crate) fn set_retry_times(&mut self, port: PortId) {
        let Some(retry) = self.links.checked.retry else { return };
        let link = |port: PortId| {
            let rate = self.links.rates[usize::from(self.links.outs[port].rate)].rate();
            (rate, self.propagation(port))
        };
        let peer = self.links.outs[port].peer;
        let (own, back) = (link(port), link(peer));
        for (port, (timeout, spacing)) in [(port, retry.times(own, back)), (peer, retry.times(back, own))] {
            let end = &mut self.links.checked.ends[port];
            end.sender.put_off(Span(timeout.0.saturating_sub(end.timeout.0)));
            (end.timeout, end.spacing) = (timeout, spacing);
        }
    }

    /// The receiver has checked a frame that `port` sent. Returns whether it is forwarded.
    pub(super) fn judged(&mut self, port: PortId, number: Cyclic, fate: Fate) -> bool {
        if fate == Fate::Unseen {
            return false;
        }
        let peer = self.links.outs[port].peer;
        let verdict = self.links.checked.ends[peer].receiver.frame(number, fate == Fate::Whole);
        self.tell_word(peer);
        verdict == Verdict::Taken
    }

    /// The receiver at a port sends its word, now or as soon as it may.
    fn tell_word(&mut self, port: PortId) {
        let now = self.now;
        let end = &mut self.links.checked.ends[port];
        let Some(at) = end.receiver.tells_at(now) else { return };
        if let Some(word) = end.receiver.word(now, end.spacing) {
            self.tell(port, Frame { bytes: WORD, after: Span::ZERO, notice: ControlFrame::Retry(word) });
        } else if end.word_at != at {
            end.word_at = at;
            self.schedule(at, Event::Link { port, due: OnLink::Word });
        }
    }

    pub(super) fn word_is_due(&mut self, port: PortId) {
        self.links.checked.ends[port].word_at = Time::NEVER;
        self.tell_word(port);
    }

    /// A word has arrived at the sender of a port.
    pub(crate) fn hear_word(&mut self, port: PortId, word: Word) {
        let now = self.now;
        let end = &mut self.links.checked.ends[port];
        end.sender.hear(word, now, end.timeout);
        self.set_timer(port);
        self.retry_goes_on(port);
    }

    /// Keeps the timer of a port on the agenda while it runs.
    fn set_timer(&mut self, port: PortId) {
        let end = &mut self.links.checked.ends[port];
        if end.sender.deadline < end.timer_at {
            end.timer_at = end.sender.deadline;
            let at = end.timer_at;
            self.schedule(at, Event::Link { port, due: OnLink::Replay });
        }
    }

    /// The timer of a port was to expire now, but may have been put off, or brought forward where the rate has risen.
    pub(super) fn replay_is_due(&mut self, port: PortId) {
        let now = self.now;
        let end = &mut self.links.checked.ends[port];
        if end.timer_at != now {
            return;
        }
        end.timer_at = Time::NEVER;
        let all_again = end.sender.expires(now, end.timeout);
        self.set_timer(port);
        if all_again {
            self.retry_goes_on(port);
        }
    }

    /// The port has frames to send again, or new places in its replay buffer.
    fn retry_goes_on(&mut self, port: PortId) {
        let idle = self.links.outs[port].busy_until <= self.now;
        if self.pauses() && idle { self.consider(port) } else { self.ask(port) }
    }

    /// Frames that are sent again go before any packet. Returns whether no packet may start.
    #[inline(never)]
    pub(crate) fn retry_first(&mut self, port: PortId) -> bool {
        if !self.links.checked.ends[port].sender.replays() {
            let full = self.is_full(port);
            if full {
                self.note_unblocked(port);
            }
            return full;
        }
        let busy_until = self.links.outs[port].busy_until;
        if busy_until > self.now {
            self.wake_by(port, busy_until);
        } else {
            self.replay(port);
        }
        true
    }

    /// The replay buffer of the port has no place for another packet.
    pub(crate) fn is_full(&self, port: PortId) -> bool {
        let checked = &self.links.checked;
        let sender = &checked.ends[port].sender;
        checked.retry.is_some_and(|retry| sender.is_full(retry.places, retry.largest))
    }

    /// No new packet may start: frames are sent again, or the replay buffer is full.
    pub(crate) fn retry_holds(&self, port: PortId) -> bool {
        self.links.checked.ends[port].sender.replays() || self.is_full(port)
    }

    /// An idle port sends the next frame that is to be sent again.
    fn replay(&mut self, port: PortId) {
        let end = &mut self.links.checked.ends[port];
        let Some((frame, number)) = end.sender.replay() else { return };
        end.replayed += 1;
        end.replayed_bytes += u64::from(frame.size);
        self.forget_if_idle(port);
        self.note_unblocked(port);
        let out = &mut self.links.outs[port];
        let until = self.now + self.links.rates[usize::from(out.rate)].time(frame.size);
        out.busy_until = until;
        self.records.frame_repeated(self.now, port, frame.size);
        self.probe.sent_again(self.now, until, port.0, frame.size);
        self.fly(port, frame, number, until);
        self.wake_by(port, until);
    }
}

impl Still<'_> {
    /// Invariant: the kept frames reach up to the next number, and the receiver expects one of them or the next. So
    /// nothing is lost between the two.
    pub(crate) fn check_retry(&self) -> Result<(), String> {
        if !self.has(Feature::Retries) {
            return Ok(());
        }
        for (port, end) in self.links.checked.ends.with_ids() {
            let expected = self.links.checked.ends[self.links.outs[port].peer].receiver.expected();
            if !end.sender.knows(expected) {
                return Err(format!(
                    "at {} ps the far end of port {port} expects a frame that its replay buffer does not hold",
                    self.now.0
                ));
            }
        }
        Ok(())
    }
}
