//! A timing wheel: buckets of equal width for the near future, a heap for the far one.
//!
//! A bucket is sorted when its turn comes. The wheel is small on purpose: what decides its speed is that the
//! buckets in use stay in the second-level cache, so emptied buckets lend their memory to the next ones filled.
//!
//! | here       | unit         | meaning                                                   |
//! |------------|--------------|-----------------------------------------------------------|
//! | `shift`    | log2 ps      | a bucket is `2^shift` picoseconds wide                    |
//! | `turn`     | buckets      | number of the bucket being emptied, counted from time zero |
//! | `SLOTS`    | buckets      | how far the wheel sees ahead                              |

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use congestree_units::{Span, Time};

use super::{Agenda, Entry};

/// Buckets in the wheel: it sees four typical leads ahead, so that hardly anything overflows.
const SLOTS: usize = 2048;
/// Buckets that a typical lead spans: 2 ns each for a 2 KiB packet at 16 Gbit/s, so that a few entries are sorted at
/// a time even in a network of thousands of links.
const TYPICAL_SLOTS: u64 = 512;

/// The wheel.
#[derive(Debug)]
pub struct Wheel {
    shift: u32,
    turn: u64,
    /// Entries of the bucket being emptied, latest first.
    current: Vec<Entry>,
    /// That bucket has not been shown yet.
    fresh: bool,
    slots: Vec<Vec<Entry>>,
    /// One bit a slot: it holds entries.
    filled: [u64; SLOTS / 64],
    /// Memory of emptied buckets.
    spare: Vec<Vec<Entry>>,
    far: BinaryHeap<Reverse<Entry>>,
    len: usize,
}

impl Agenda for Wheel {
    fn new(typical: Span) -> Self {
        let width = (typical.0 / TYPICAL_SLOTS).max(1);
        Self {
            shift: width.ilog2(),
            turn: 0,
            current: Vec::new(),
            fresh: false,
            slots: vec![Vec::new(); SLOTS],
            filled: [0; SLOTS / 64],
            spare: Vec::new(),
            far: BinaryHeap::new(),
            len: 0,
        }
    }

    #[inline]
    fn schedule(&mut self, entry: Entry) {
        self.len += 1;
        let bucket = entry.at.0 >> self.shift;
        let ahead = bucket.wrapping_sub(self.turn);
        if ahead == 0 {
            self.insert_now(entry);
        } else if ahead < SLOTS as u64 {
            self.put(bucket, entry);
        } else {
            self.far.push(Reverse(entry));
        }
    }

    /// Whatever lies at the present instant is in the bucket being emptied.
    #[inline]
    fn more_at(&self, now: Time) -> bool {
        self.current.last().is_some_and(|entry| entry.at == now)
    }

    #[inline]
    fn take(&mut self) -> Option<Entry> {
        if self.current.is_empty() && !self.advance() {
            return None;
        }
        self.len -= 1;
        self.current.pop()
    }

    #[inline]
    fn in_view(&mut self) -> &[Entry] {
        if std::mem::take(&mut self.fresh) { &self.current } else { &[] }
    }

    fn len(&self) -> usize {
        self.len
    }
}

impl Wheel {
    /// An entry for the bucket being emptied goes to its place among those left.
    fn insert_now(&mut self, entry: Entry) {
        let mut place = self.current.len();
        while place > 0 && self.current[place - 1] < entry {
            place -= 1;
        }
        self.current.insert(place, entry);
    }

    #[inline]
    fn put(&mut self, bucket: u64, entry: Entry) {
        let slot = bucket as usize % SLOTS;
        let entries = &mut self.slots[slot];
        if entries.is_empty() {
            self.filled[slot / 64] |= 1 << (slot % 64);
            if entries.capacity() == 0
                && let Some(memory) = self.spare.pop()
            {
                *entries = memory;
            }
        }
        entries.push(entry);
    }

    /// Makes the next bucket with entries the current one; `false` if there is none.
    #[cold]
    #[inline(never)]
    fn advance(&mut self) -> bool {
        let near = self.next_filled();
        let far = self.far.peek().map(|Reverse(entry)| entry.at.0 >> self.shift);
        let Some(next) = [near, far].into_iter().flatten().min() else { return false };
        self.turn = next;
        // What was far may now be near; it must be on the wheel before its bucket's turn.
        while let Some(Reverse(entry)) = self.far.peek() {
            let bucket = entry.at.0 >> self.shift;
            if bucket - next >= SLOTS as u64 {
                break;
            }
            let entry = *entry;
            self.far.pop();
            self.put(bucket, entry);
        }
        let slot = next as usize % SLOTS;
        self.filled[slot / 64] &= !(1 << (slot % 64));
        let emptied = std::mem::replace(&mut self.current, std::mem::take(&mut self.slots[slot]));
        if emptied.capacity() > 0 {
            self.spare.push(emptied);
        }
        self.current.sort_unstable_by(|a, b| b.cmp(a));
        self.fresh = true;
        true
    }

    /// The first bucket after the current one that holds entries.
    fn next_filled(&self) -> Option<u64> {
        let start = (self.turn as usize + 1) % SLOTS;
        for step in 0..=SLOTS / 64 {
            let word = (start / 64 + step) % (SLOTS / 64);
            let mut bits = self.filled[word];
            if step == 0 {
                bits &= !0 << (start % 64);
            } else if step == SLOTS / 64 {
                bits &= !(!0 << (start % 64));
            }
            if bits != 0 {
                let slot = word * 64 + bits.trailing_zeros() as usize;
                let ahead = (slot + SLOTS - start) % SLOTS;
                return Some(self.turn + 1 + ahead as u64);
            }
        }
        None
    }
}
