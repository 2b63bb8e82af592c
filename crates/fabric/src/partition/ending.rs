//! How far each part may go in a run in parts that ends with its jobs.
//!
//! When the last rank finishes, nothing happens any more from the next instant on, in any part; and no part can undo
//! what it has done. So a part whose own ranks have all finished stops in that instant. From there it advances only as
//! far as the run is certain to go: to where some other part has come whose ranks have not finished. If that other part
//! awaits a message that nobody has sent yet, its ranks finish no earlier than after the time of a message over the
//! link into a host, and the waiting part may advance by that much more. So parts work side by side until almost the
//! end. The run is over when the last part has stopped.

use std::sync::atomic::{AtomicU64, Ordering};

use congestree_units::{Span, Time};

use crate::partition::cut::Cut;
use crate::partition::window_length::{RING, place};

/// How far the parts have come, by window (its place in the ring).
pub(super) struct EndOfJobs {
    told: [Vec<Told>; RING],
    /// The least time that a message takes once it is sent, but never more than a window.
    message: Span,
    over_at: AtomicU64,
}

/// What a part reports after a window.
struct Told {
    /// When its jobs finished; never, if they have not.
    over_at: AtomicU64,
    /// Its jobs finish no earlier than this.
    open_until: AtomicU64,
}

/// What follows from the reports for the next window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunEnd {
    /// The run goes on at least until the end of this instant.
    NotBefore(Time),
    /// The run is over after this instant.
    At(Time),
}

impl EndOfJobs {
    pub(super) fn new(parts: usize, cut: &Cut) -> Self {
        let told = || (0..parts).map(|_| Told { over_at: AtomicU64::new(0), open_until: AtomicU64::new(0) }).collect();
        let message = cut.lookahead.min(cut.delivery);
        Self { told: std::array::from_fn(|_| told()), message, over_at: AtomicU64::new(u64::MAX) }
    }

    /// A part reports how far it has come in a window, and whether it awaits messages that nobody has sent yet.
    pub(super) fn tell(&self, part: usize, window: u64, over_at: Time, reached: Time, awaits_more: bool) {
        let told = &self.told[place(window)][part];
        let further = if awaits_more { self.message.0 } else { 0 };
        told.over_at.store(over_at.0, Ordering::Relaxed);
        told.open_until.store(reached.0.saturating_add(further), Ordering::Relaxed);
    }

    /// What follows from the reports of all parts for a window.
    pub(super) fn all(&self, window: u64) -> RunEnd {
        let told = &self.told[place(window)];
        let over_at = told.iter().map(|told| told.over_at.load(Ordering::Relaxed)).max().unwrap_or(0);
        if over_at != u64::MAX {
            self.over_at.store(over_at, Ordering::Relaxed);
            return RunEnd::At(Time(over_at));
        }
        let open = told.iter().filter(|told| told.over_at.load(Ordering::Relaxed) == u64::MAX);
        RunEnd::NotBefore(Time(open.map(|told| told.open_until.load(Ordering::Relaxed)).max().unwrap_or(0)))
    }

    /// When the run was over, if its jobs have finished.
    pub(super) fn over_at(&self) -> Option<Time> {
        Some(Time(self.over_at.load(Ordering::Relaxed))).filter(|&at| at != Time::NEVER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_has_finished_waits_for_the_others_and_the_run_ends_with_the_last() {
        let cut = Cut { of_port: [0, 1].into(), parts: 2, lookahead: Span(50), delivery: Span(30) };
        let end_of_jobs = EndOfJobs::new(2, &cut);
        let tell = |window, first: (Time, u64, bool), second: (Time, u64, bool)| {
            end_of_jobs.tell(0, window, first.0, Time(first.1), first.2);
            end_of_jobs.tell(1, window, second.0, Time(second.1), second.2);
            end_of_jobs.all(window)
        };
        assert_eq!(tell(0, (Time::NEVER, 100, true), (Time::NEVER, 100, false)), RunEnd::NotBefore(Time(130)));
        assert_eq!(tell(1, (Time(120), 120, false), (Time::NEVER, 150, false)), RunEnd::NotBefore(Time(150)));
        assert_eq!(end_of_jobs.over_at(), None);
        assert_eq!(tell(2, (Time(120), 150, false), (Time(170), 170, false)), RunEnd::At(Time(170)));
        assert_eq!(end_of_jobs.over_at(), Some(Time(170)));
    }
}
