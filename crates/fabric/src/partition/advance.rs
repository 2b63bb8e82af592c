//! A part of a network at work by itself: everything that happens in it before an instant.

use congestree_kernel::Agenda;
use congestree_probes::Parted;
use congestree_units::Time;

use crate::event::{DECISIONS, Event};
use crate::fabric::Fabric;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Parted, S: Variant> Fabric<A, P, S> {
    /// Handles everything before the limit, or up to the instant in which all jobs of this part have finished. At a
    /// check for deadlock, which concerns all parts at once, it schedules the next check and stops; returns whether it
    /// did.
    ///
    /// Calls `take_samples` when samples of the fabric are due, with the instant before which they are due.
    pub(super) fn advance(&mut self, limit: Time, take_samples: &mut impl FnMut(&mut Self, Time)) -> bool {
        let over_at = self.border.over_at;
        while self.records.stop.is_none() {
            if !self.deciding.is_empty() && !self.agenda.more_at(self.now) {
                self.probe.happens(DECISIONS);
                self.decide_all();
            }
            let over = self.border.over_at != over_at;
            let until = if over { limit.min(Time(self.now.0 + 1)) } else { limit };
            let Some(entry) = self.agenda.take_before(until) else {
                take_samples(self, until);
                return false;
            };
            if entry.at > self.probe.sample_due() {
                take_samples(self, entry.at);
            }
            debug_assert!(entry.at >= self.now, "an event lies in the past");
            self.prefetch();
            self.now = entry.at;
            self.probe.happens(Event::place(entry.rank));
            let event = Event::from_rank(entry.rank);
            if event == Event::DeadlockCheck {
                self.schedule_deadlock_check();
                return true;
            }
            self.handle(event);
            self.records.events += 1;
        }
        false
    }

    /// When this part has something to do next.
    pub(super) fn goes_on_at(&self) -> Time {
        if self.deciding.is_empty() { self.agenda.next_at().unwrap_or(Time::NEVER) } else { self.now }
    }
}
