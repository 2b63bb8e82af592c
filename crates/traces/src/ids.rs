//! A set of ids as ranges: the ids of a trace are mostly consecutive, so a set of millions is a few ranges.

use std::collections::BTreeMap;

/// Ids seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ids {
    /// First and last of each range.
    ranges: BTreeMap<u64, u64>,
}

impl Ids {
    /// Whether it is in the set.
    pub(crate) fn has(&self, id: u64) -> bool {
        self.ranges.range(..=id).next_back().is_some_and(|(_, &last)| id <= last)
    }

    /// Adds one; returns false if it is there already.
    pub(crate) fn add(&mut self, id: u64) -> bool {
        if self.has(id) {
            return false;
        }
        let before = self.ranges.range(..id).next_back().map(|(&first, &last)| (first, last));
        let first = match before {
            Some((first, last)) if last + 1 == id => first,
            _ => id,
        };
        let last = id.checked_add(1).and_then(|next| self.ranges.remove(&next)).unwrap_or(id);
        self.ranges.insert(first, last);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn it_holds_what_was_added_and_joins_neighbours() {
        let (mut ids, mut plain) = (Ids::default(), BTreeSet::new());
        let mut x = 1u64;
        for _ in 0..3000 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let id = (x >> 33) % 500;
            assert_eq!(ids.add(id), plain.insert(id));
        }
        assert!((0..501).all(|id| ids.has(id) == plain.contains(&id)));
        let mut run = Ids::default();
        (0..1000).rev().chain([u64::MAX, u64::MAX - 1]).for_each(|id| assert!(run.add(id)));
        assert_eq!(run.ranges.len(), 2);
    }
}
