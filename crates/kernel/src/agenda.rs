//! The agenda: what happens next.

pub mod heap;
mod sorting;
pub mod wheel;

use std::cmp::Ordering;

use congestree_units::{Span, Time};

/// Something that will happen: when, and what (the rank, which also decides the order within the instant).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The instant.
    pub at: Time,
    /// Order within the instant, smallest first; otherwise its meaning is up to the owner.
    pub rank: u64,
}

impl Entry {
    /// Instant and rank as one number, so that comparing two entries takes no branch.
    #[inline(always)]
    fn key(self) -> u128 {
        u128::from(self.at.0) << 64 | u128::from(self.rank)
    }
}

impl Ord for Entry {
    #[inline(always)]
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Entry {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    #[inline(always)]
    fn lt(&self, other: &Self) -> bool {
        self.key() < other.key()
    }
}

/// How many changes of the view before it is taken an entry is first shown, see [`Agenda::in_view`].
pub const STEPS: usize = 3;

/// A monotone priority queue: nothing may be scheduled before the entry that was taken last.
pub trait Agenda {
    /// An empty agenda for about `pending` entries at a time, which lie about `typical` ahead. Both are hints.
    fn new(typical: Span, pending: usize) -> Self;
    /// Adds an entry.
    fn schedule(&mut self, entry: Entry);
    /// Another entry lies at `now`, the instant of the entry taken last.
    fn more_at(&self, now: Time) -> bool;
    /// Takes the next entry.
    fn take(&mut self) -> Option<Entry>;
    /// Takes the next entry if it lies before `limit`. Entries from `limit` on may be scheduled afterwards.
    fn take_before(&mut self, limit: Time) -> Option<Entry>;
    /// The instant of the next entry.
    fn next_at(&self) -> Option<Time>;
    /// The view would be different now from the one at the last call.
    fn view_has_changed(&mut self) -> bool {
        false
    }
    /// Brings entries into view, up to this many changes ahead.
    fn look_ahead(&mut self, _steps: usize) {}
    /// Entries that will be taken when the view has changed `steps` more times, so that the owner can prefetch the data
    /// that they need: from [`STEPS`] changes on down to one. Which entries come into view together, and whether any
    /// do, is up to the agenda.
    fn in_view(&self, _steps: usize) -> &[Entry] {
        &[]
    }
    /// Number of entries that come into view one by one between two steps; zero if all come at once.
    fn between_steps(&self) -> usize {
        0
    }
    /// How many entries there are.
    fn len(&self) -> usize;
    /// Nothing is scheduled any more.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Agenda, Entry, STEPS, Span, Time, heap::HeapAgenda, wheel::Wheel};
    use crate::Rng;
    use proptest::prelude::*;

    proptest! {
        /// Whatever is scheduled, near or far, the wheel returns it in the same order as a heap.
        #[test]
        fn the_wheel_is_a_heap(
            typical in 1_000u64..50_000_000,
            pending in 1usize..100_000,
            steps in prop::collection::vec((prop::option::weighted(0.6, 0u64..200_000_000), 0u64..1000), 1..400),
        ) {
            let mut wheel = Wheel::new(Span(typical), pending);
            let mut heap = HeapAgenda::new(Span(typical), pending);
            let mut now = Time::START;
            for (ahead, rank) in steps {
                if let Some(ahead) = ahead {
                    // Cubing the lead makes many near events and a few very far ones.
                    let lead = (ahead / 1000) * (ahead % 1000);
                    let entry = Entry { at: now + Span(lead), rank };
                    wheel.schedule(entry);
                    heap.schedule(entry);
                } else {
                    prop_assert_eq!(wheel.more_at(now), heap.more_at(now));
                    let (a, b) = (wheel.take(), heap.take());
                    prop_assert_eq!(a, b);
                    if let Some(entry) = a { now = entry.at; }
                }
                prop_assert_eq!(wheel.len(), heap.len());
            }
            while let Some(entry) = heap.take() {
                prop_assert_eq!(wheel.take(), Some(entry));
            }
            prop_assert!(wheel.is_empty());
        }

        /// Windows of time, with entries that are scheduled between them, give the same order as one run.
        #[test]
        fn windows_hand_out_what_a_heap_does(
            typical in 1_000u64..50_000_000,
            pending in 1usize..10_000,
            windows in prop::collection::vec((1u64..3_000_000, prop::collection::vec(0u64..20_000_000, 0..6)), 1..100),
        ) {
            let mut wheel = Wheel::new(Span(typical), pending);
            let mut heap = HeapAgenda::new(Span(typical), pending);
            let mut limit = Time::START;
            for (rank, (length, leads)) in windows.into_iter().enumerate() {
                for lead in leads {
                    let entry = Entry { at: limit + Span(lead), rank: rank as u64 };
                    wheel.schedule(entry);
                    heap.schedule(entry);
                }
                prop_assert_eq!(wheel.next_at(), heap.next_at());
                limit += Span(length);
                loop {
                    let (a, b) = (wheel.take_before(limit), heap.take_before(limit));
                    prop_assert_eq!(a, b);
                    if a.is_none() { break; }
                }
            }
            while let Some(entry) = heap.take() {
                prop_assert_eq!(wheel.take(), Some(entry));
            }
        }

        /// Entries that were scheduled before the view reached them come nearer step by step, and are taken when their
        /// turn comes. All of them lie within the 64 buckets of 2^15 ps that the smallest of these wheels sees ahead:
        /// far entries are seen only when they come near.
        #[test]
        fn entries_come_into_view_before_they_are_taken(
            pending in 1usize..2000,
            leads in prop::collection::vec(0u64..(64 << 15) - 100_000, 1..300),
        ) {
            let mut wheel = Wheel::new(Span::from_us(1), pending);
            // The entry that is taken first, from which on the others are seen.
            for (rank, lead) in std::iter::once(0).chain(leads.iter().map(|lead| lead + 100_000)).enumerate() {
                wheel.schedule(Entry { at: Time(lead), rank: rank as u64 });
            }
            // By step: the ranks in view; step 0 holds those that are taken now.
            let mut seen = [vec![0], vec![], vec![], vec![]];
            let mut first = true;
            while let Some(entry) = wheel.take() {
                if wheel.view_has_changed() {
                    wheel.look_ahead(STEPS);
                    let view = [1, 2, 3].map(|steps| wheel.in_view(steps).iter().map(|entry| entry.rank).collect());
                    let [_, near, middle, far] = seen;
                    seen = match first {
                        true => [vec![0], vec![], vec![], vec![]],
                        false => [near, middle, far, vec![]],
                    };
                    if !first {
                        prop_assert_eq!(&seen[1..3], &view[..2]);
                    }
                    seen[1..].clone_from_slice(&view);
                    first = false;
                }
                prop_assert!(seen[0].contains(&entry.rank));
            }
        }
    }

    /// Of thousands of entries in one bucket, all but the first are shown in every step before they are taken, a fixed
    /// number of entries apart.
    #[test]
    fn a_crowd_comes_into_view_one_by_one() {
        let mut wheel = Wheel::new(Span::from_us(1), 100);
        let crowd = 5000;
        for rank in 0..crowd {
            wheel.schedule(Entry { at: Time::START, rank });
        }
        let mut shown = [const { Vec::new() }; STEPS];
        while let Some(entry) = wheel.take() {
            assert!(entry.rank == 0 || shown[0].contains(&entry.rank), "entry {} was not in view", entry.rank);
            if wheel.view_has_changed() {
                wheel.look_ahead(STEPS);
                for (steps, shown) in (1..).zip(&mut shown) {
                    let view = wheel.in_view(steps);
                    assert!(view.len() <= 1 || entry.rank == 0);
                    assert!(view.iter().all(|other| other.rank > entry.rank));
                    shown.extend(view.iter().map(|other| other.rank));
                }
            }
        }
        let ahead = shown[1][0] - shown[0][0];
        for (steps, shown) in (0..).zip(shown) {
            assert_eq!(shown, (1 + steps * ahead..crowd).collect::<Vec<_>>());
        }
    }

    /// As in a network, each event causes another a while later. However wrong the hints are, and while the rate of
    /// events goes up and down a thousandfold, the order is that of a heap, with windows and without.
    #[test]
    fn buckets_that_are_fitted_hand_out_what_a_heap_does() {
        for (typical, windows) in [(1_000, false), (100_000_000, false), (1_000, true), (100_000_000, true)] {
            let mut wheel = Wheel::new(Span(typical), 500);
            let mut heap = HeapAgenda::new(Span(typical), 500);
            let mut rng = Rng::stream(1, "test", typical);
            let both = |wheel: &mut Wheel, heap: &mut HeapAgenda, entry| {
                wheel.schedule(entry);
                heap.schedule(entry);
            };
            (0..500).for_each(|rank| both(&mut wheel, &mut heap, Entry { at: Time(rank / 9), rank }));
            let mut limit = Time::NEVER;
            for turn in 0..200_000u64 {
                if windows && turn % 100 == 0 {
                    limit = heap.next_at().map_or(Time::NEVER, |at| at + Span(turn % 5_000 + 1));
                }
                let (a, b) = (wheel.take_before(limit), heap.take_before(limit));
                assert_eq!(a, b);
                let Some(entry) = a else { continue };
                assert_eq!(wheel.more_at(entry.at), heap.more_at(entry.at));
                let lead = if turn / 50_000 % 2 == 0 { 1_000 } else { 1_000_000 };
                let at = entry.at + Span(rng.below(lead) * rng.below(3));
                both(&mut wheel, &mut heap, Entry { at, rank: entry.rank });
            }
            assert_eq!(wheel.len(), 500);
        }
    }

    #[test]
    fn within_an_instant_the_rank_decides() {
        let mut agenda = Wheel::new(Span::from_us(1), 100);
        for rank in [3, 1, 2] {
            agenda.schedule(Entry { at: Time(5), rank });
        }
        let order: Vec<u64> = std::iter::from_fn(|| agenda.take()).map(|entry| entry.rank).collect();
        assert_eq!(order, [1, 2, 3]);
    }
}
