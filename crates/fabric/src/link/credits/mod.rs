//! Credits: promises of room. The sender of a link holds, for each lane, the credit units that it may still use. Units
//! on their way back are kept with the time from which they may be used, and cost an event only if the sender waits for
//! them. How credits are used is in `ledger.rs`; where queues have buffer space of their own, `queue_credits.rs` has
//! the part that is not shared.

pub(crate) mod ledger;
pub(crate) mod messages;
pub(crate) mod queue_credits;
pub(crate) mod tellers;

use congestree_units::Time;
use prefetch_index::prefetch_index;

use crate::control::marking::filter::MarkingFilter;

/// No entry.
const NONE: u32 = u32::MAX;
/// Credit that is never counted: the receiver always has room.
pub(crate) const UNLIMITED: u32 = u32::MAX;

/// A lane at the sending side of a link: one cache line, with everything that its output looks at to decide.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct LaneCredits {
    /// Units that may be used now, as of the last settling.
    pub credit: u32,
    /// The sender waits for this many units; zero if it does not wait.
    pub starved: u32,
    /// The earliest returning credit, which is often the only one; `NOTHING` if there is none.
    first: ReturningCredit,
    /// The latest entry in the slab, if the lane has any there.
    last: u32,
    /// From when the last of the units on their way back may be used, if there are any.
    last_at: Time,
    /// The inputs with a packet for this output, one bit each, if the switch has up to 64; see `requests`.
    pub requests: u64,
    /// The input served last, as a local port number (round robin).
    pub turn: u16,
    /// No packet at the head of a queue for this output takes fewer units (virtual output queues, round robin). With
    /// less credit than this the heads need not be looked at.
    pub least: u16,
    /// For which packets the output's marker need not be called now.
    pub filter: MarkingFilter,
}

impl LaneCredits {
    pub(crate) fn new(credit: u32, turn: u16) -> Self {
        Self {
            credit,
            starved: 0,
            first: NOTHING,
            last: NONE,
            last_at: Time::START,
            requests: 0,
            turn,
            least: u16::MAX,
            filter: MarkingFilter::SHUT,
        }
    }

    /// The same with this filter before its marker.
    pub(crate) fn with_filter(self, filter: MarkingFilter) -> Self {
        Self { filter, ..self }
    }

    /// This many units may be used (after settling).
    #[inline]
    pub(crate) fn fits(&self, units: u16) -> bool {
        u32::from(units) <= self.credit
    }

    /// Uses up units for a packet.
    #[inline]
    pub(crate) fn take(&mut self, units: u16) {
        if self.credit != UNLIMITED {
            debug_assert!(self.fits(units));
            self.credit -= u32::from(units);
        }
    }
}

/// Units on their way back.
#[derive(Clone, Copy, Debug)]
struct ReturningCredit {
    at: Time,
    units: u32,
    next: u32,
}

/// No entry.
const NOTHING: ReturningCredit = ReturningCredit { at: Time::NEVER, units: 0, next: NONE };

/// The returning credits of the fabric that are not the earliest of their lane, in one slab; each lane has a linked
/// list, earliest first.
#[derive(Debug)]
pub(crate) struct ReturningCredits {
    slab: Vec<ReturningCredit>,
    /// The first free place of the slab; each free place links to the next.
    free: u32,
}

impl Default for ReturningCredits {
    fn default() -> Self {
        Self { slab: Vec::new(), free: NONE }
    }
}

impl ReturningCredits {
    /// Memory of the most entries that were in the slab at once (B).
    pub(crate) fn bytes(&self) -> usize {
        self.slab.len() * size_of::<ReturningCredit>()
    }

    /// Adds the units that have come back by now to the credit.
    #[inline]
    pub(crate) fn settle(&mut self, lane: &mut LaneCredits, now: Time) {
        self.come_back(lane, now, |lane, units| lane.credit += units);
    }

    /// Units that have come back by now may be used; the caller's `use_again` says how.
    #[inline(always)]
    pub(super) fn come_back(
        &mut self,
        lane: &mut LaneCredits,
        now: Time,
        mut use_again: impl FnMut(&mut LaneCredits, u32),
    ) {
        while lane.first.at <= now && lane.first.at != Time::NEVER {
            use_again(lane, lane.first.units);
            lane.first = match lane.first.next {
                NONE => NOTHING,
                next => {
                    let free = std::mem::replace(&mut self.free, next);
                    let place = &mut self.slab[next as usize];
                    std::mem::replace(place, ReturningCredit { next: free, ..NOTHING })
                }
            };
        }
    }

    /// `units` may be used again from `at` on.
    #[inline(always)]
    pub(crate) fn add(&mut self, lane: &mut LaneCredits, at: Time, units: u32) {
        let entry = ReturningCredit { at, units, next: NONE };
        if lane.first.at == Time::NEVER {
            (lane.first, lane.last_at) = (entry, at);
        } else if lane.last_at <= at {
            let id = self.put(entry);
            match lane.first.next {
                NONE => lane.first.next = id,
                _ => self.slab[lane.last as usize].next = id,
            }
            (lane.last, lane.last_at) = (id, at);
        } else {
            self.insert(lane, entry);
        }
    }

    /// A place in the slab for an entry.
    #[inline(always)]
    fn put(&mut self, entry: ReturningCredit) -> u32 {
        match self.free {
            NONE => {
                self.slab.push(entry);
                self.slab.len() as u32 - 1
            }
            id => {
                self.free = std::mem::replace(&mut self.slab[id as usize], entry).next;
                id
            }
        }
    }

    /// Inserts an entry that is not the latest: this happens where links of different rates empty the same buffer.
    #[cold]
    fn insert(&mut self, lane: &mut LaneCredits, entry: ReturningCredit) {
        if entry.at < lane.first.at {
            let second = self.put(lane.first);
            if lane.first.next == NONE {
                lane.last = second;
            }
            lane.first = ReturningCredit { next: second, ..entry };
            return;
        }
        let (mut before, mut after) = (NONE, lane.first.next);
        while after != NONE && self.slab[after as usize].at <= entry.at {
            before = after;
            after = self.slab[after as usize].next;
        }
        let id = self.put(ReturningCredit { next: after, ..entry });
        match before {
            NONE => lane.first.next = id,
            _ => self.slab[before as usize].next = id,
        }
    }

    /// Copies a lane of another part of the network, with its returning credits, into this slab.
    pub(crate) fn copy(&mut self, from: &ReturningCredits, lane: &LaneCredits) -> LaneCredits {
        let mut copy = LaneCredits { first: NOTHING, last: NONE, last_at: Time::START, ..*lane };
        for entry in from.of(lane) {
            self.add(&mut copy, entry.at, entry.units);
        }
        copy
    }

    /// The returning credits of a lane, earliest first.
    fn of<'a>(&'a self, lane: &LaneCredits) -> impl Iterator<Item = ReturningCredit> + 'a {
        let first = (lane.first.at != Time::NEVER).then_some(lane.first);
        std::iter::successors(first, |entry| (entry.next != NONE).then(|| self.slab[entry.next as usize]))
    }

    /// From when the last of the units on their way back may be used, if there are any.
    pub(super) fn latest(&self, lane: &LaneCredits) -> Option<Time> {
        (lane.first.at != Time::NEVER).then_some(lane.last_at)
    }

    /// The units of each returning credit of a lane up to an instant.
    pub(super) fn until<'a>(&'a self, lane: &LaneCredits, at: Time) -> impl Iterator<Item = u32> + 'a {
        self.of(lane).take_while(move |entry| entry.at <= at).map(|entry| entry.units)
    }

    /// The units of all returning credits of a lane.
    pub(super) fn units<'a>(&'a self, lane: &LaneCredits) -> impl Iterator<Item = u32> + 'a {
        self.of(lane).map(|entry| entry.units)
    }

    /// Prefetches the second returning credit of a lane, see `tune/prefetch.rs`.
    #[inline]
    pub(crate) fn fetch(&self, lane: &LaneCredits) {
        prefetch_index(&self.slab, lane.first.next as usize);
    }

    /// This many units may be used at `now`, if what has come back by then is counted.
    pub(crate) fn usable(&self, lane: &LaneCredits, now: Time, units: u16) -> bool {
        lane.fits(units) || self.when(lane, u32::from(units)).is_some_and(|at| at <= now)
    }

    /// When the lane will have this many units, if what is on its way back suffices.
    pub(crate) fn when(&self, lane: &LaneCredits, units: u32) -> Option<Time> {
        let mut credit = lane.credit;
        self.of(lane).find_map(|entry| {
            credit += entry.units;
            (credit >= units).then_some(entry.at)
        })
    }

    /// Units on their way back to a lane that it may use at `now`, settled or not.
    pub(crate) fn due(&self, lane: &LaneCredits, now: Time) -> u64 {
        self.of(lane).take_while(|entry| entry.at <= now).map(|entry| u64::from(entry.units)).sum()
    }

    /// All units on their way back to a lane.
    pub(crate) fn total(&self, lane: &LaneCredits) -> u64 {
        self.of(lane).map(|entry| u64::from(entry.units)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_is_a_cache_line() {
        assert_eq!(size_of::<LaneCredits>(), 64);
    }

    #[test]
    fn places_of_credits_that_are_back_are_taken_again() {
        let (mut returning, mut lane) = (ReturningCredits::default(), LaneCredits::new(0, 0));
        for round in 0..10u64 {
            let at = |place: u64| Time(100 * round + place);
            (0..=3 + round % 3).for_each(|place| returning.add(&mut lane, at(place), 1));
            returning.settle(&mut lane, at(9));
        }
        // The first returning credit of a lane is stored in the lane itself.
        assert_eq!((lane.credit, returning.total(&lane), returning.bytes()), (49, 0, 5 * 16));
    }

    #[test]
    fn credit_is_usable_from_its_very_instant() {
        let (mut returning, mut lane) = (ReturningCredits::default(), LaneCredits::new(0, 0));
        returning.add(&mut lane, Time(10), 3);
        returning.settle(&mut lane, Time(9));
        assert_eq!(lane.credit, 0);
        returning.settle(&mut lane, Time(10));
        assert_eq!(lane.credit, 3);
    }

    #[test]
    fn returning_credits_are_kept_in_order_of_time() {
        let (mut returning, mut lane) = (ReturningCredits::default(), LaneCredits::new(1, 0));
        for (at, units) in [(30, 3), (10, 1), (20, 2), (5, 7)] {
            returning.add(&mut lane, Time(at), units);
        }
        assert_eq!(returning.when(&lane, 8), Some(Time(5)));
        assert_eq!(returning.when(&lane, 9), Some(Time(10)));
        assert_eq!(returning.when(&lane, 11), Some(Time(20)));
        assert_eq!(returning.when(&lane, 15), None);
        assert_eq!(returning.total(&lane), 13);
        assert_eq!((returning.due(&lane, Time(4)), returning.due(&lane, Time(20))), (0, 10));
        returning.settle(&mut lane, Time(20));
        assert_eq!((lane.credit, returning.total(&lane)), (11, 3));
    }
}
