//! Room behind a link by queue: a pool for all, and a reserve and a limit for each.

use congestree_units::Time;
use prefetch_index::prefetch_index;

use crate::host::flow::NONE;
use crate::link::credits::UNLIMITED;
use crate::link::port::{Far, In, Out};
use crate::plan::{Memory, Plan, QueueMap};

/// The sender's book of the room behind a link, in one lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Book {
    /// Units left in the pool; `UNLIMITED` if the receiver always has room.
    pub(super) pool: u32,
    /// Units that each queue has for itself.
    pub(super) reserve: u32,
    /// Most units of one queue.
    pub(super) limit: u32,
    /// The sender waits for room.
    pub(super) starved: bool,
    /// Units on their way back, earliest first.
    pub(super) first: u32,
    last: u32,
}

/// Units on their way back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    pub(super) at: Time,
    /// The queue whose they were; `NONE` in a host.
    pub(super) queue: u32,
    pub(super) units: u32,
    pub(super) next: u32,
}

/// All books.
#[derive(Debug, Default)]
pub(crate) struct Rooms {
    /// By port and lane.
    pub(super) books: Vec<Book>,
    /// By queue: units in use, those on their way back too.
    pub(super) used: Vec<u32>,
    pub(super) notes: Vec<Note>,
    free: Vec<u32>,
    /// Queues have room of their own.
    pub(super) by_queue: bool,
}

impl Book {
    /// Units that a queue takes from the pool when it has so many in use.
    #[inline]
    pub(super) fn pooled(&self, used: u32) -> u32 {
        used.saturating_sub(self.reserve)
    }

    /// A queue that uses so many units may use `units` more.
    #[inline]
    pub(super) fn fits(&self, used: u32, units: u32) -> bool {
        self.pool == UNLIMITED
            || (used + units <= self.limit && self.pooled(used + units) - self.pooled(used) <= self.pool)
    }
}

impl Rooms {
    pub(crate) fn new(plan: &Plan, outs: &[Out], ins: &[In], queues: usize) -> Self {
        if !plan.switch.books_rooms() {
            return Self::default();
        }
        let book = |out: &Out, lane: usize| {
            let (pool, reserve, limit) = match out.far {
                Far::Host => (plan.adapter.receive_units.unwrap_or(UNLIMITED), 0, u32::MAX),
                _ => plan.switch.rooms(lane, ins[out.peer as usize].radix),
            };
            Book { pool, reserve, limit, starved: false, first: NONE, last: NONE }
        };
        let lanes = usize::from(plan.lanes);
        Self {
            books: outs.iter().flat_map(|out| (0..lanes).map(move |lane| book(out, lane))).collect(),
            used: vec![0; queues],
            notes: Vec::new(),
            free: Vec::new(),
            by_queue: plan.switch.memory != Memory::Shared || plan.switch.queues == QueueMap::PerDestination,
        }
    }

    /// Fetches what settling will read first.
    #[inline]
    pub(crate) fn fetch(&self, place: usize) {
        prefetch_index(&self.notes, self.books[place].first as usize);
    }

    /// Room that has come back by now may be used.
    pub(crate) fn settle(&mut self, place: usize, now: Time) {
        let book = &mut self.books[place];
        while book.first != NONE {
            let note = self.notes[book.first as usize];
            if note.at > now {
                return;
            }
            self.free.push(book.first);
            book.first = note.next;
            if note.queue == NONE {
                book.pool += note.units;
            } else {
                let used = &mut self.used[note.queue as usize];
                book.pool += book.pooled(*used) - book.pooled(*used - note.units);
                *used -= note.units;
            }
        }
    }

    /// Units of a queue come back at `at`.
    pub(super) fn note(&mut self, place: usize, queue: u32, units: u32, at: Time) {
        let id = self.free.pop().unwrap_or(self.notes.len() as u32);
        let book = &mut self.books[place];
        // Most come back in the order in which they are promised; links of different rates may overtake.
        let (mut before, mut next) = (if book.first == NONE { NONE } else { book.last }, NONE);
        if before != NONE && self.notes[before as usize].at > at {
            (before, next) = (NONE, book.first);
            while self.notes[next as usize].at <= at {
                (before, next) = (next, self.notes[next as usize].next);
            }
        }
        let note = Note { at, queue, units, next };
        match self.notes.get_mut(id as usize) {
            Some(place) => *place = note,
            None => self.notes.push(note),
        }
        match before {
            NONE => book.first = id,
            _ => self.notes[before as usize].next = id,
        }
        if next == NONE {
            book.last = id;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rooms(pool: u32, reserve: u32, limit: u32) -> Rooms {
        let book = Book { pool, reserve, limit, starved: false, first: NONE, last: NONE };
        Rooms { books: vec![book], used: vec![0; 2], by_queue: true, ..Rooms::default() }
    }

    fn take(rooms: &mut Rooms, queue: usize, units: u32) -> bool {
        let (book, used) = (&mut rooms.books[0], &mut rooms.used[queue]);
        let fits = book.fits(*used, units);
        if fits {
            book.pool -= book.pooled(*used + units) - book.pooled(*used);
            *used += units;
        }
        fits
    }

    #[test]
    fn a_queue_uses_its_reserve_before_the_pool_and_stops_at_its_limit() {
        let mut rooms = rooms(4, 2, 5);
        assert!(take(&mut rooms, 0, 2));
        assert_eq!(rooms.books[0].pool, 4);
        assert!(take(&mut rooms, 0, 3));
        assert_eq!(rooms.books[0].pool, 1);
        assert!(!take(&mut rooms, 0, 1));
        assert!(take(&mut rooms, 1, 3));
        assert!(!take(&mut rooms, 1, 1));
    }

    #[test]
    fn room_comes_back_to_the_pool_first_and_in_order_of_time() {
        let mut rooms = rooms(4, 2, 9);
        assert!(take(&mut rooms, 0, 6));
        rooms.note(0, 0, 1, Time(30));
        rooms.note(0, 0, 3, Time(10));
        rooms.note(0, 0, 1, Time(20));
        rooms.settle(0, Time(10));
        assert_eq!((rooms.books[0].pool, rooms.used[0]), (3, 3));
        rooms.settle(0, Time(20));
        assert_eq!((rooms.books[0].pool, rooms.used[0]), (4, 2));
        rooms.note(0, 0, 1, Time(25));
        rooms.settle(0, Time(30));
        assert_eq!((rooms.books[0].pool, rooms.used[0], rooms.books[0].first), (4, 0, NONE));
    }
}
