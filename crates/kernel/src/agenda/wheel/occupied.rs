//! Which slots of a wheel hold entries: a bit for each slot, and a bit for each word of them, so that the next one is
//! found in a few steps however many are empty.

/// The slots with entries.
#[derive(Debug)]
pub(super) struct Occupied {
    /// One bit for each slot: it holds entries.
    slots: Vec<u64>,
    /// One bit for each word of `slots`: the word is not zero.
    words: Vec<u64>,
    /// The last slot.
    last: usize,
}

impl Occupied {
    /// So many empty slots: a power of two, at least 64.
    pub(super) fn none_of(slots: usize) -> Self {
        Self { slots: vec![0; slots / 64], words: vec![0; slots.div_ceil(64 * 64)], last: slots - 1 }
    }

    /// A slot holds entries from now on.
    #[inline]
    pub(super) fn fill(&mut self, slot: usize) {
        self.slots[slot / 64] |= 1 << (slot % 64);
        self.words[slot / 4096] |= 1 << (slot / 64 % 64);
    }

    /// A slot is empty from now on.
    #[inline]
    pub(super) fn clear(&mut self, slot: usize) {
        self.slots[slot / 64] &= !(1 << (slot % 64));
        if self.slots[slot / 64] == 0 {
            self.words[slot / 4096] &= !(1 << (slot / 64 % 64));
        }
    }

    /// The first slot after another one that holds entries, going round the wheel.
    #[inline]
    pub(super) fn after(&self, slot: usize) -> Option<usize> {
        let start = (slot + 1) & self.last;
        self.from(start).or_else(|| self.from(0))
    }

    /// The first slot from `start` to the end that holds entries.
    #[inline]
    fn from(&self, start: usize) -> Option<usize> {
        let word = start / 64;
        let bits = self.slots[word] & (!0 << (start % 64));
        if bits != 0 {
            return Some(word * 64 + bits.trailing_zeros() as usize);
        }
        let later = word + 1;
        let mut part = later / 64;
        let mut words = self.words.get(part)? & (!0 << (later % 64));
        while words == 0 {
            part += 1;
            words = *self.words.get(part)?;
        }
        let word = part * 64 + words.trailing_zeros() as usize;
        Some(word * 64 + self.slots[word].trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::Occupied;

    #[test]
    fn the_next_slot_is_found_across_words_and_round_the_wheel() {
        let filled = [0, 63, 64, 130, 4_095, 4_096, 8_191];
        let mut occupied = Occupied::none_of(8_192);
        assert_eq!(occupied.after(5), None);
        filled.iter().for_each(|&slot| occupied.fill(slot));
        for slot in 0..8_192 {
            let next = filled.iter().copied().find(|&other| other > slot).unwrap_or(filled[0]);
            assert_eq!(occupied.after(slot), Some(next), "after {slot}");
        }
        filled[1..].iter().for_each(|&slot| occupied.clear(slot));
        assert_eq!((occupied.after(0), occupied.after(8_191)), (Some(0), Some(0)));
    }
}
