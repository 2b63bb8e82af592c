//! How long windows are, and how far ahead one part may be of another.
//!
//! What happens at `t` in one part matters to another at `t + lookahead` at the earliest. If all parts met after every
//! window of that length, each window would take as long as its slowest part. So windows are half as long, and a part
//! begins a window as soon as all parts have finished the window *before the last*: it knows what was told up to there,
//! and nothing that another part does in the meantime can matter within the window. A part that is slow in one window
//! and fast in the next keeps no other part waiting.

use congestree_units::{Span, Time};

/// Number of windows that a part may be ahead of another.
pub(super) const BEHIND: u64 = 1;

/// Number of windows whose mail and reports are kept apart: while one thread writes those of a window, another may
/// still read those of `2 * BEHIND` windows before.
pub(super) const RING: usize = 2 * BEHIND as usize + 2;

/// The place of a window in that ring.
pub(super) fn place(window: u64) -> usize {
    (window % RING as u64) as usize
}

/// The windows of a run: the same in all threads.
#[derive(Debug)]
pub(super) struct WindowPace {
    lookahead: Span,
    /// No part has anything left to do before this instant.
    pub start: Time,
    /// The end of the next window.
    pub limit: Time,
    /// The earliest instant at which what was told in the previous window begins to matter.
    told: Time,
}

impl WindowPace {
    pub(super) fn new(lookahead: Span) -> Self {
        let mut pace = Self { lookahead, start: Time::START, limit: Time::START, told: Time::NEVER };
        pace.go_on();
        pace
    }

    /// All parts have finished a window. `next` is when the next event of any part is due; `told` is when the first of
    /// what was told in the window begins to matter.
    pub(super) fn hear(&mut self, next: Time, told: Time) {
        let unread = std::mem::replace(&mut self.told, told);
        self.start = next.min(told).min(unread);
    }

    /// Sets the end of the next window.
    pub(super) fn go_on(&mut self) {
        let length = self.lookahead.0.div_ceil(BEHIND + 1);
        let next = self.limit.max(self.start).0.saturating_add(length);
        self.limit = Time(next.min(self.start.0.saturating_add(self.lookahead.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_half_a_lookahead_long_and_begin_where_something_happens() {
        let mut pace = WindowPace::new(Span(100));
        assert_eq!(pace.limit, Time(50));
        pace.go_on();
        assert_eq!(pace.limit, Time(100));
        pace.hear(Time(50), Time(130));
        pace.go_on();
        assert_eq!((pace.start, pace.limit), (Time(50), Time(150)));
        // No event is due for a long time, but some parts had not yet read earlier mail when they reported their next
        // events.
        pace.hear(Time(900), Time::NEVER);
        pace.go_on();
        assert_eq!((pace.start, pace.limit), (Time(130), Time(200)));
        pace.hear(Time(900), Time::NEVER);
        pace.go_on();
        assert_eq!((pace.start, pace.limit), (Time(900), Time(950)));
    }

    #[test]
    fn no_window_ends_later_than_what_is_told_meanwhile_matters() {
        for lookahead in [1, 2, 3, 100] {
            let mut pace = WindowPace::new(Span(lookahead));
            for next in [0, 0, 1, 7, 7, 50, 51, 52, 400, 900, 901] {
                let before = pace.limit;
                pace.hear(Time(next), Time::NEVER);
                pace.go_on();
                assert!(pace.limit >= before && pace.limit.0 <= next + lookahead);
            }
        }
    }
}
