//! A timing wheel: buckets of equal width for the near future, a heap for the far one.
//!
//! A bucket is sorted when its turn comes. The width of a bucket decides the speed: it should be wide enough to hold a
//! handful of entries, so that few buckets are empty, and narrow enough that sorting stays cheap. So a small network
//! has a few wide buckets and a large one thousands of narrow ones. The rate of events is not known beforehand: after
//! every thousand buckets the width is adjusted to what they held. Emptied buckets lend their memory to the next ones
//! that are filled, which keeps the memory in use within the second-level cache.
//!
//! | here     | unit    | meaning                                                    |
//! |----------|---------|------------------------------------------------------------|
//! | `shift`  | log2 ps | a bucket is `2^shift` picoseconds wide                     |
//! | `turn`   | buckets | number of the bucket being emptied, counted from time zero |
//! | `slots`  | buckets | how far the wheel sees ahead; a power of two               |

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use congestree_units::{Span, Time};

use super::sorting::sort_into;
use super::{Agenda, Entry, STEPS};

mod occupied;

use occupied::Occupied;

/// Entries that a bucket should hold: with fewer, turning to the next bucket costs more than is saved by sorting less.
const PER_BUCKET: usize = 9;
/// How many typical leads the wheel sees ahead, so that hardly any entry is in the far heap.
const LEADS: usize = 4;
/// The least and the most buckets.
const SLOTS: std::ops::RangeInclusive<usize> = 64..=8192;

/// Number of buckets after which their width is adjusted to what they held.
const FIT_EVERY: usize = 1024;
/// Up to this many entries are sorted fastest by insertion.
const FEW: usize = 16;
/// A bucket with more entries than this is crowded, as when thousands of hosts run in step: what is prefetched for all
/// of them at once has left the second-level cache again before the last of them is taken.
const CROWD: usize = 2048;
/// Entries of a crowded bucket between two steps of the view.
const AHEAD: usize = 16;
/// No slot.
const NONE: usize = usize::MAX;
/// The turn before that of bucket 0: what is scheduled before anything happens waits in its bucket and is sorted once,
/// however much it is.
const BEFORE: u64 = u64::MAX;

/// The wheel.
#[derive(Debug)]
pub struct Wheel {
    shift: u32,
    turn: u64,
    /// Entries of the bucket being emptied, earliest first.
    current: Vec<Entry>,
    /// How many of them have been taken.
    taken: usize,
    /// The view has changed since it was last asked for.
    view_changed: bool,
    /// The bucket being emptied is crowded: with each entry that is taken, one of its own entries comes into view.
    crowded: bool,
    /// The slots of the next buckets with entries; `NONE` beyond the last.
    view: [usize; STEPS],
    slots: Vec<Vec<Entry>>,
    /// Which of them hold entries.
    occupied: Occupied,
    /// Memory of emptied buckets, to be used again.
    spare: Vec<Vec<Entry>>,
    far: BinaryHeap<Reverse<Entry>>,
    /// Scratch memory for sorting.
    numbers: Vec<u64>,
    len: usize,
    /// Buckets emptied since the width was last fitted, and what they held.
    emptied: usize,
    held: usize,
}

/// How often `much` must be halved to come near to `wanted`; not while it is less than one and a half times as much, so
/// that an adjusted width does not go back and forth.
fn halvings(much: usize, wanted: usize) -> u32 {
    (much * 4 / (wanted * 3)).max(1).ilog2()
}

impl Agenda for Wheel {
    fn new(typical: Span, pending: usize) -> Self {
        let slots = (pending * LEADS / PER_BUCKET).next_power_of_two().clamp(*SLOTS.start(), *SLOTS.end());
        let width = (typical.0.saturating_mul(LEADS as u64) / slots as u64).max(1);
        Self {
            shift: width.ilog2(),
            turn: BEFORE,
            current: Vec::new(),
            taken: 0,
            view_changed: false,
            crowded: false,
            view: [NONE; STEPS],
            slots: vec![Vec::new(); slots],
            occupied: Occupied::none_of(slots),
            spare: Vec::new(),
            far: BinaryHeap::new(),
            numbers: Vec::new(),
            len: 0,
            emptied: 0,
            held: 0,
        }
    }

    /// Fast path of most entries: their bucket lies ahead and has room left.
    #[inline(always)]
    fn schedule(&mut self, entry: Entry) {
        self.len += 1;
        let bucket = entry.at.0 >> self.shift;
        let last = self.slots.len() - 1;
        let entries = &mut self.slots[bucket as usize & last];
        let is_ahead = bucket.wrapping_sub(self.turn).wrapping_sub(1) < last as u64;
        if is_ahead && entries.len() < entries.capacity() {
            entries.push(entry);
        } else {
            self.schedule_elsewhere(bucket, entry);
        }
    }

    /// All entries of the present instant are in the bucket being emptied.
    #[inline]
    fn more_at(&self, now: Time) -> bool {
        match self.current.get(self.taken) {
            Some(entry) => entry.at == now,
            None => self.turn == BEFORE && self.slots[0].iter().any(|entry| entry.at == now),
        }
    }

    #[inline]
    fn take(&mut self) -> Option<Entry> {
        if self.taken == self.current.len() && !self.advance() {
            return None;
        }
        let next = self.current.get(self.taken).copied();
        self.taken += 1;
        self.len -= 1;
        next
    }

    #[inline]
    fn take_before(&mut self, limit: Time) -> Option<Entry> {
        if self.taken == self.current.len() && !self.advance_before(limit) {
            return None;
        }
        let next = self.current.get(self.taken).copied().filter(|entry| entry.at < limit)?;
        self.taken += 1;
        self.len -= 1;
        Some(next)
    }

    fn next_at(&self) -> Option<Time> {
        if let Some(entry) = self.current.get(self.taken) {
            return Some(entry.at);
        }
        let near = self.next_filled().map(|bucket| bucket as usize & (self.slots.len() - 1));
        let near = near.and_then(|slot| self.slots[slot].iter().map(|entry| entry.at).min());
        let far = self.far.peek().map(|Reverse(entry)| entry.at);
        near.into_iter().chain(far).min()
    }

    #[inline(always)]
    fn view_has_changed(&mut self) -> bool {
        std::mem::replace(&mut self.view_changed, self.crowded)
    }

    /// Finds the buckets after the current one that come into view.
    #[inline]
    fn look_ahead(&mut self, steps: usize) {
        if self.crowded {
            return;
        }
        self.view = [NONE; STEPS];
        let mut last = self.turn as usize & (self.slots.len() - 1);
        for place in 0..steps.min(STEPS) {
            let Some(behind) = self.occupied.after(last).filter(|&behind| behind != self.view[0]) else { break };
            self.view[place] = behind;
            last = behind;
        }
    }

    /// When the first entry of a crowded bucket is taken, the next entries come into view all at once; later one at a
    /// time.
    #[inline]
    fn in_view(&self, steps: usize) -> &[Entry] {
        if self.crowded {
            let end = self.taken + steps * AHEAD;
            let begin = end - if self.taken == 1 { AHEAD } else { 1 };
            return self.current.get(begin..end.min(self.current.len())).unwrap_or_default();
        }
        let entries = self.slots.get(self.view[steps - 1]).map_or(&[][..], Vec::as_slice);
        if entries.len() > CROWD { &[] } else { entries }
    }

    #[inline]
    fn between_steps(&self) -> usize {
        if self.crowded { AHEAD } else { 0 }
    }

    fn len(&self) -> usize {
        self.len
    }
}

impl Wheel {
    /// Inserts an entry for the bucket being emptied among its remaining entries.
    fn insert_now(&mut self, entry: Entry) {
        if self.taken > 2 * FEW && self.taken > self.current.len() / 2 {
            self.current.drain(..std::mem::take(&mut self.taken));
        }
        let left = &self.current[self.taken..];
        let soon = left.iter().take(FEW).take_while(|held| **held < entry).count();
        let before = if soon < FEW { soon } else { left.partition_point(|held| *held < entry) };
        self.current.insert(self.taken + before, entry);
    }

    /// The slow path of scheduling: an entry for the bucket being emptied, for a bucket without room (an empty bucket
    /// has none, since its memory was lent to another), or for the far heap.
    #[inline(never)]
    fn schedule_elsewhere(&mut self, bucket: u64, entry: Entry) {
        match bucket.wrapping_sub(self.turn) {
            0 => self.insert_now(entry),
            ahead if ahead < self.slots.len() as u64 => self.put(bucket, entry),
            _ => self.far.push(Reverse(entry)),
        }
    }

    /// Puts an entry into a bucket ahead.
    fn put(&mut self, bucket: u64, entry: Entry) {
        let slot = bucket as usize & (self.slots.len() - 1);
        let entries = &mut self.slots[slot];
        if entries.is_empty() {
            self.occupied.fill(slot);
            if let Some(memory) = self.spare.pop() {
                *entries = memory;
            }
        }
        entries.push(entry);
    }

    /// Makes the next bucket with entries the current one, but only if it begins before the limit: entries scheduled
    /// later, from the limit on, still find their bucket ahead, or are sorted into the current one.
    #[cold]
    #[inline(never)]
    fn advance_before(&mut self, limit: Time) -> bool {
        self.fit();
        self.taken < self.current.len()
            || self.next_bucket().is_some_and(|next| next << self.shift < limit.0) && self.advance()
    }

    /// Makes the next bucket with entries the current one; `false` if there is none.
    #[cold]
    #[inline(never)]
    fn advance(&mut self) -> bool {
        self.fit();
        if self.taken < self.current.len() {
            return true;
        }
        let Some(next) = self.next_bucket() else { return false };
        self.turn = next;
        if !self.far.is_empty() {
            self.bring_near(next);
        }
        let slot = next as usize & (self.slots.len() - 1);
        self.occupied.clear(slot);
        let mut bucket = std::mem::take(&mut self.slots[slot]);
        sort_into(&mut self.current, &bucket, self.shift, &mut self.numbers);
        bucket.clear();
        self.spare.push(bucket);
        self.taken = 0;
        self.emptied += 1;
        self.held += self.current.len();
        (self.view_changed, self.crowded) = (true, self.current.len() > CROWD);
        true
    }

    /// If recent buckets have held far more entries than they should, or far fewer, makes buckets narrower or wider;
    /// the wheel then sees as far ahead as before. Called between two buckets.
    #[inline]
    fn fit(&mut self) {
        if self.emptied < FIT_EVERY {
            return;
        }
        let wanted = self.emptied * PER_BUCKET;
        let (narrower, wider) = (halvings(self.held, wanted), halvings(wanted, self.held.max(1)));
        (self.emptied, self.held) = (0, 0);
        let most = (SLOTS.end() / self.slots.len()).ilog2();
        let least = (self.slots.len() / SLOTS.start()).ilog2();
        let (narrower, wider) = (narrower.min(most).min(self.shift), wider.min(least));
        if narrower > 0 {
            self.rebuild(self.shift - narrower, self.slots.len() << narrower);
        } else if wider > 0 {
            self.rebuild(self.shift + wider, self.slots.len() >> wider);
        }
    }

    /// Puts all entries into buckets of another width. Those that fall into the bucket emptied last become the current
    /// bucket.
    #[cold]
    #[inline(never)]
    fn rebuild(&mut self, shift: u32, slots: usize) {
        let begin = self.turn << self.shift;
        (self.shift, self.turn) = (shift, begin >> shift);
        let before = std::mem::replace(&mut self.slots, vec![Vec::new(); slots]);
        self.occupied = Occupied::none_of(slots);
        self.view = [NONE; STEPS];
        self.len = 0;
        let far = std::mem::take(&mut self.far).into_vec().into_iter().map(|Reverse(entry)| entry);
        for entry in before.into_iter().flatten().chain(far) {
            self.schedule(entry);
        }
    }

    /// The next bucket with entries, near or far.
    #[inline]
    fn next_bucket(&self) -> Option<u64> {
        let near = self.next_filled();
        match self.far.peek().map(|Reverse(entry)| entry.at.0 >> self.shift) {
            None => near,
            Some(far) => Some(near.map_or(far, |near| near.min(far))),
        }
    }

    /// Moves entries from the far heap onto the wheel; each must be there before the turn of its bucket.
    fn bring_near(&mut self, next: u64) {
        while let Some(Reverse(entry)) = self.far.peek() {
            let bucket = entry.at.0 >> self.shift;
            if bucket - next >= self.slots.len() as u64 {
                break;
            }
            let entry = *entry;
            self.far.pop();
            self.put(bucket, entry);
        }
    }

    /// The first bucket after the current one that holds entries.
    #[inline]
    fn next_filled(&self) -> Option<u64> {
        let mask = self.slots.len() - 1;
        let next = self.turn.wrapping_add(1);
        let slot = self.occupied.after(self.turn as usize & mask)?;
        Some(next + (slot.wrapping_sub(next as usize) & mask) as u64)
    }
}
