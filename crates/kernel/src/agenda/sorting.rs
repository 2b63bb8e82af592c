//! Sorts a bucket without branches that a processor could mispredict.
//!
//! Whether one entry comes before another is practically random, and a mispredicted branch costs as much as twenty
//! instructions. So the entries of a bucket are not compared. Instead a number is made from each entry: it holds
//! everything that distinguishes the entry from others, and its place. These numbers are sorted, a few of them by
//! sorting networks of minima and maxima [knuth1998, section 5.3.4].

use super::Entry;

/// Up to this many entries are sorted by a network.
const FEW: usize = 16;
/// Bits of a number for the place of its entry.
const PLACE: u32 = 4;
/// Bits of the upper half of a rank.
const HALF: u32 = 32;

/// Sorts the entries of a bucket, which is `2^shift` picoseconds wide, earliest first. `numbers` is scratch memory.
#[inline]
pub(super) fn sort_into(sorted: &mut Vec<Entry>, bucket: &[Entry], shift: u32, numbers: &mut Vec<u64>) {
    let place = if bucket.len() <= FEW { PLACE } else { bucket.len().next_power_of_two().ilog2() };
    sorted.clear();
    if shift + HALF + place <= u64::BITS {
        let told_apart = match bucket.len() <= FEW {
            true => sort_few_into(sorted, bucket, shift),
            false => sort_many_into(sorted, bucket, shift, place, numbers),
        };
        if told_apart {
            return;
        }
        sorted.clear();
    }
    sorted.extend_from_slice(bucket);
    sorted.sort();
}

/// What distinguishes an entry from others of its bucket, except the lower half of its rank; followed by its place.
#[inline(always)]
fn number(entry: &Entry, shift: u32, place_bits: u32, place: usize) -> u64 {
    let within = (1 << shift) - 1;
    ((entry.at.0 & within) << HALF | entry.rank >> HALF) << place_bits | place as u64
}

/// Puts the entries in the order of their numbers. Returns whether that is their true order: it is not if two of them
/// differ only in the lower halves of their ranks.
#[inline(always)]
fn extend(sorted: &mut Vec<Entry>, bucket: &[Entry], place_bits: u32, numbers: &[u64]) -> bool {
    let places = (1 << place_bits) - 1;
    sorted.extend(numbers.iter().map(|number| bucket[(number & places) as usize]));
    numbers.array_windows().fold(true, |told_apart, &[a, b]| told_apart & (a >> place_bits != b >> place_bits))
}

#[inline]
fn sort_few_into(sorted: &mut Vec<Entry>, bucket: &[Entry], shift: u32) -> bool {
    let mut numbers = [u64::MAX; FEW];
    for (place, (slot, entry)) in numbers.iter_mut().zip(bucket).enumerate() {
        *slot = number(entry, shift, PLACE, place);
    }
    match bucket.len() {
        0..=4 => sort_4(&mut numbers),
        5..=8 => sort_8(&mut numbers),
        9..=12 => sort_12(&mut numbers),
        _ => sort_16(&mut numbers),
    }
    extend(sorted, bucket, PLACE, &numbers[..bucket.len().min(FEW)])
}

#[inline(never)]
fn sort_many_into(
    sorted: &mut Vec<Entry>,
    bucket: &[Entry],
    shift: u32,
    place_bits: u32,
    numbers: &mut Vec<u64>,
) -> bool {
    numbers.clear();
    numbers.extend(bucket.iter().enumerate().map(|(place, entry)| number(entry, shift, place_bits, place)));
    numbers.sort_unstable();
    extend(sorted, bucket, place_bits, numbers)
}

/// Makes functions that sort the first few numbers, each from its list of pairs that are put in order one after the
/// other.
macro_rules! networks {
    ($($name:ident: $($a:literal $b:literal),+;)+) => {$(
        #[inline]
        fn $name(numbers: &mut [u64; FEW]) {
            $((numbers[$a], numbers[$b]) = (numbers[$a].min(numbers[$b]), numbers[$a].max(numbers[$b]));)+
        }
    )+};
}

networks! {
    sort_4: 0 1, 2 3, 0 2, 1 3, 1 2;
    sort_8:
        0 2, 1 3, 4 6, 5 7, 0 4, 1 5, 2 6, 3 7, 0 1, 2 3, 4 5, 6 7, 2 4, 3 5, 1 4, 3 6, 1 2, 3 4, 5 6;
    sort_12:
        0 8, 1 7, 2 6, 3 11, 4 10, 5 9, 0 1, 2 5, 3 4, 6 9, 7 8, 10 11, 0 2, 1 6, 5 10, 9 11, 0 3, 1 2, 4 6, 5 7, 8 11, 9 10,
        1 4, 3 5, 6 8, 7 10, 1 3, 2 5, 6 9, 8 10, 2 3, 4 5, 6 7, 8 9, 4 6, 5 7, 3 4, 5 6, 7 8;
    sort_16:
        0 13, 1 12, 2 15, 3 14, 4 8, 5 6, 7 11, 9 10, 0 5, 1 7, 2 9, 3 4, 6 13, 8 14, 10 15, 11 12, 0 1, 2 3, 4 5, 6 8, 7 9,
        10 11, 12 13, 14 15, 0 2, 1 3, 4 10, 5 11, 6 7, 8 9, 12 14, 13 15, 1 2, 3 12, 4 6, 5 7, 8 10, 9 11, 13 14, 1 4, 2 6,
        5 8, 7 10, 9 13, 11 14, 2 4, 3 6, 9 12, 11 13, 3 5, 6 8, 7 9, 10 12, 3 4, 5 6, 7 8, 9 10, 11 12, 6 7, 8 9;
}

#[cfg(test)]
mod tests {
    use congestree_units::Time;
    use proptest::prelude::*;

    use super::*;

    /// A network that sorts all zeros and ones sorts all numbers [knuth1998, theorem Z].
    #[test]
    fn networks_sort() {
        for (width, sort) in [(4, sort_4 as fn(&mut [u64; FEW])), (8, sort_8), (12, sort_12), (16, sort_16)] {
            for bits in 0..1u64 << width {
                let mut numbers: [u64; FEW] =
                    std::array::from_fn(|place| if place < width { bits >> place & 1 } else { 1 });
                sort(&mut numbers);
                assert!(numbers.is_sorted(), "{width} numbers, {bits:b}");
            }
        }
    }

    proptest! {
        #[test]
        fn buckets_are_sorted_as_entries_compare(
            shift in 0..40u32,
            drawn in prop::collection::vec((any::<u64>(), 0..3u64, 0..3u64), 0..100),
        ) {
            let at = |drawn: u64| Time((7 << shift) + (drawn & ((1 << shift) - 1)));
            let bucket: Vec<Entry> =
                drawn.iter().map(|&(when, high, low)| Entry { at: at(when), rank: high << HALF | low }).collect();
            let mut sorted = vec![Entry { at: Time::START, rank: 0 }];
            sort_into(&mut sorted, &bucket, shift, &mut vec![7]);
            let mut expected = bucket;
            expected.sort();
            prop_assert_eq!(sorted, expected);
        }
    }
}
