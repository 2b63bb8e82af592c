//! Promises of room. The sender of a link holds, for each lane, the credit units it may still use; units that are on
//! their way back are notes with the time from which they may be used, and cost an event only if the sender waits.

use congestree_units::Time;
use prefetch_index::prefetch_index;

use crate::gate::Gate;

/// No note.
const NONE: u32 = u32::MAX;
/// So much credit that it is never counted: the receiver always has room.
pub(crate) const UNLIMITED: u32 = u32::MAX;

/// A lane at the sending side of a link; two to a cache line, none across two.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Lane {
    /// Units that may be used now, as of the last settling.
    pub credit: u32,
    /// The sender waits for this many units; zero if it does not wait.
    pub starved: u32,
    first: u32,
    last: u32,
    /// From when on the last of the units on their way back may be used, if any are.
    last_at: Time,
    /// The input served last, as a local port number (round robin).
    pub turn: u16,
    /// No packet at the head of a queue for this output takes fewer units (virtual output queues, round robin): with
    /// less credit there is no need to look at them all.
    pub least: u16,
    /// What the marker of the output need not be asked for now.
    pub gate: Gate,
}

impl Lane {
    pub(crate) fn new(credit: u32, turn: u16) -> Self {
        Self {
            credit,
            starved: 0,
            first: NONE,
            last: NONE,
            last_at: Time::START,
            turn,
            least: u16::MAX,
            gate: Gate::SHUT,
        }
    }

    /// With this gate before its marker.
    pub(crate) fn behind(self, gate: Gate) -> Self {
        Self { gate, ..self }
    }

    /// So many units may be used (after settling).
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
struct Note {
    at: Time,
    units: u32,
    next: u32,
}

/// All notes of the fabric, in one slab; each lane has a list of its own, earliest first.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    notes: Vec<Note>,
    free: Vec<u32>,
}

impl Notes {
    /// Memory of a note, and of its place in the list of free ones.
    pub(crate) const BYTES: usize = size_of::<Note>() + size_of::<u32>();

    /// Credits what has come back by now.
    #[inline]
    pub(crate) fn settle(&mut self, lane: &mut Lane, now: Time) {
        while lane.first != NONE {
            let note = self.notes[lane.first as usize];
            if note.at > now {
                return;
            }
            self.free.push(lane.first);
            lane.credit += note.units;
            lane.first = note.next;
        }
    }

    /// `units` may be used again from `at` on.
    #[inline(always)]
    pub(crate) fn add(&mut self, lane: &mut Lane, at: Time, units: u32) {
        let id = match self.free.pop() {
            Some(id) => id,
            None => {
                self.notes.push(Note { at, units, next: NONE });
                self.notes.len() as u32 - 1
            }
        };
        self.notes[id as usize] = Note { at, units, next: NONE };
        if lane.first == NONE {
            lane.first = id;
        } else if lane.last_at <= at {
            self.notes[lane.last as usize].next = id;
        } else {
            return self.insert(lane, id);
        }
        (lane.last, lane.last_at) = (id, at);
    }

    /// A note that is not the latest: links of different rates feed from one buffer.
    #[cold]
    fn insert(&mut self, lane: &mut Lane, id: u32) {
        let at = self.notes[id as usize].at;
        let mut before = NONE;
        let mut after = lane.first;
        while after != NONE && self.notes[after as usize].at <= at {
            before = after;
            after = self.notes[after as usize].next;
        }
        self.notes[id as usize].next = after;
        if before == NONE {
            lane.first = id;
        } else {
            self.notes[before as usize].next = id;
        }
    }

    /// Fetches the earliest note of a lane, see `foresight`.
    #[inline]
    pub(crate) fn fetch(&self, lane: &Lane) {
        prefetch_index(&self.notes, lane.first as usize);
    }

    /// So many units may be used at `now`, if what has come back by then is counted.
    pub(crate) fn usable(&self, lane: &Lane, now: Time, units: u16) -> bool {
        lane.fits(units) || self.when(lane, u32::from(units)).is_some_and(|at| at <= now)
    }

    /// When the lane will have this many units, if what is on its way back is enough.
    pub(crate) fn when(&self, lane: &Lane, units: u32) -> Option<Time> {
        let mut credit = lane.credit;
        let mut next = lane.first;
        while next != NONE {
            let note = self.notes[next as usize];
            credit += note.units;
            if credit >= units {
                return Some(note.at);
            }
            next = note.next;
        }
        None
    }

    /// Units on their way back to a lane that it may use at `now`, settled or not.
    pub(crate) fn due(&self, lane: &Lane, now: Time) -> u64 {
        let mut due = 0;
        let mut next = lane.first;
        while next != NONE && self.notes[next as usize].at <= now {
            due += u64::from(self.notes[next as usize].units);
            next = self.notes[next as usize].next;
        }
        due
    }

    /// All units on their way back to a lane.
    pub(crate) fn total(&self, lane: &Lane) -> u64 {
        let mut total = 0;
        let mut next = lane.first;
        while next != NONE {
            total += u64::from(self.notes[next as usize].units);
            next = self.notes[next as usize].next;
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_in_flight_and_its_note_take_at_most_100_bytes() {
        assert!(size_of::<congestree_wire::Packet>() + Notes::BYTES <= 100);
    }

    #[test]
    fn credit_is_usable_from_its_very_instant() {
        let (mut notes, mut lane) = (Notes::default(), Lane::new(0, 0));
        notes.add(&mut lane, Time(10), 3);
        notes.settle(&mut lane, Time(9));
        assert_eq!(lane.credit, 0);
        notes.settle(&mut lane, Time(10));
        assert_eq!(lane.credit, 3);
    }

    #[test]
    fn notes_are_kept_in_order_of_time() {
        let (mut notes, mut lane) = (Notes::default(), Lane::new(1, 0));
        for (at, units) in [(30, 3), (10, 1), (20, 2), (5, 7)] {
            notes.add(&mut lane, Time(at), units);
        }
        assert_eq!(notes.when(&lane, 8), Some(Time(5)));
        assert_eq!(notes.when(&lane, 9), Some(Time(10)));
        assert_eq!(notes.when(&lane, 11), Some(Time(20)));
        assert_eq!(notes.when(&lane, 15), None);
        assert_eq!(notes.total(&lane), 13);
        assert_eq!((notes.due(&lane, Time(4)), notes.due(&lane, Time(20))), (0, 10));
        notes.settle(&mut lane, Time(20));
        assert_eq!((lane.credit, notes.total(&lane)), (11, 3));
    }
}
