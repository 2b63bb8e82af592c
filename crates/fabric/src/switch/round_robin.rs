//! Sets of small numbers as bits: the next member in cyclic order, for round robin, and all members.

/// The first member of a set of small numbers that is not below `start`, or else the first of all.
#[inline]
pub(crate) fn next_in(set: &[u64], start: usize) -> Option<usize> {
    if let [bits] = *set {
        let above = if start < 64 { bits & (!0 << start) } else { 0 };
        let bits = if above != 0 { above } else { bits };
        return (bits != 0).then(|| bits.trailing_zeros() as usize);
    }
    next_in_words(set, start)
}

/// The next member of a set of more than 64 numbers.
pub(super) fn next_in_words(set: &[u64], start: usize) -> Option<usize> {
    let first_in = |word: usize, bits: u64| (bits != 0).then(|| word * 64 + bits.trailing_zeros() as usize);
    let first = start / 64;
    let partial = set.get(first).and_then(|bits| first_in(first, bits & (!0 << (start % 64))));
    let behind = || set.iter().enumerate().skip(first + 1).find_map(|(word, bits)| first_in(word, *bits));
    let around = || set.iter().enumerate().find_map(|(word, bits)| first_in(word, *bits));
    partial.or_else(behind).or_else(around)
}

/// The next member of a set of at most 64 words, where `filled` has one bit for each word that is not zero.
#[inline]
pub(crate) fn next_in_filled(set: &[u64], filled: u64, start: usize) -> Option<usize> {
    if set.len() > 64 {
        return next_in_words(set, start);
    }
    let word = start / 64;
    let above = set.get(word).map_or(0, |bits| bits & (!0 << (start % 64)));
    if above != 0 {
        return Some(word * 64 + above.trailing_zeros() as usize);
    }
    let later = filled & u64::MAX.checked_shl(word as u32 + 1).unwrap_or(0);
    let filled = if later != 0 { later } else { filled };
    let word = (filled != 0).then(|| filled.trailing_zeros() as usize)?;
    Some(word * 64 + set[word].trailing_zeros() as usize)
}

/// The members of a set of small numbers in cyclic order, beginning with the first not below `start`.
#[inline]
pub(crate) fn cyclic(set: &[u64], start: usize) -> impl Iterator<Item = usize> + '_ {
    next_in(set, start).into_iter().flat_map(|first| cyclic_from(set, first))
}

/// The members of a set of small numbers in cyclic order, beginning with this one.
#[inline]
pub(crate) fn cyclic_from(set: &[u64], first: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(first), move |&last| next_in(set, last + 1).filter(|&next| next != first))
}

/// The members of a set of small numbers, in order.
#[inline]
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(word, &bits)| members_of_word(word, bits))
}

/// The members of one word of a set.
#[inline]
pub(crate) fn members_of_word(word: usize, bits: u64) -> impl Iterator<Item = usize> {
    let lowest_out = |&bits: &u64| Some(bits & (bits - 1)).filter(|&rest| rest != 0);
    std::iter::successors(Some(bits).filter(|&bits| bits != 0), lowest_out)
        .map(move |bits| word * 64 + bits.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::{cyclic, members, next_in, next_in_filled};

    #[test]
    fn words_that_are_known_to_be_empty_need_not_be_looked_at() {
        for set in [&[0u64, 1 << 9, 0, 1 << 63 | 1, 0][..], &[0, 0], &[1, 0, 1 << 5]] {
            let filled = set.iter().enumerate().map(|(word, &bits)| u64::from(bits != 0) << word).sum();
            for start in 0..=set.len() * 64 {
                assert_eq!(next_in_filled(set, filled, start), next_in(set, start), "{set:?} from {start}");
            }
        }
    }

    #[test]
    fn members_are_met_in_order_whatever_words_they_are_in() {
        assert_eq!(members(&[1 << 3 | 1 << 63, 0, 1 << 1]).collect::<Vec<_>>(), [3, 63, 129]);
        assert_eq!(members(&[!0]).collect::<Vec<_>>(), (0..64).collect::<Vec<_>>());
        assert_eq!(members(&[0, 0]).count(), 0);
    }

    #[test]
    fn a_turn_goes_round_once_and_visits_everyone() {
        let set = [1 << 3 | 1 << 63, 1 << 1];
        assert_eq!(cyclic(&set, 0).collect::<Vec<_>>(), [3, 63, 65]);
        assert_eq!(cyclic(&set, 4).collect::<Vec<_>>(), [63, 65, 3]);
        assert_eq!(cyclic(&set, 64).collect::<Vec<_>>(), [65, 3, 63]);
        assert_eq!(cyclic(&set, 66).collect::<Vec<_>>(), [3, 63, 65]);
        assert_eq!(cyclic(&set, 128).collect::<Vec<_>>(), [3, 63, 65]);
        assert_eq!(cyclic(&[0], 5).count(), 0);
    }
}
