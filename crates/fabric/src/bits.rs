//! Sets of ports as one bit each. What is asked for every packet of a large network then fits the first-level cache.

/// Whether a set holds a number.
#[inline(always)]
pub(crate) fn holds(set: &[u64], number: usize) -> bool {
    set[number / 64] & (1 << (number % 64)) != 0
}

/// Puts a number into a set, or takes it out.
#[inline]
pub(crate) fn put(set: &mut [u64], number: usize, held: bool) {
    let (word, bit) = (&mut set[number / 64], 1 << (number % 64));
    *word = if held { *word | bit } else { *word & !bit };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_held_until_it_is_taken_out() {
        let mut set = [0; 2];
        put(&mut set, 63, true);
        put(&mut set, 64, true);
        put(&mut set, 63, false);
        assert_eq!([62, 63, 64, 65].map(|number| holds(&set, number)), [false, false, true, false]);
    }
}
