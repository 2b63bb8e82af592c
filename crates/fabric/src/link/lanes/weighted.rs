//! Which lane may use a link next (VL arbitration).
//!
//! Either lanes take turns, or two tables of weights decide. Lanes of the *high* table go first, until they have used
//! up their limit and the *low* table must be tried once. Within a table lanes take turns, and each may send as many
//! bytes in a row as its weight says; the packet that uses up the weight is sent whole. A lane is passed over while
//! it has nothing that can be sent. (InfiniBand Architecture Specification, volume 1, section 7.6.9.)

use crate::plan::LaneWeights;

/// Bytes that one unit of weight stands for.
const WEIGHT_UNIT: u32 = 64;
/// Bytes that one unit of the limit of the high table stands for.
const LIMIT_UNIT: u32 = 4096;
/// The value of the limit that means no limit.
const NO_LIMIT: u8 = 255;

/// The position of one port in its tables.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LaneTurn {
    high: TablePosition,
    low: TablePosition,
    /// Bytes sent from the high table since the low one was last tried.
    since_low: u32,
}

/// The position of a port in one table.
#[derive(Clone, Copy, Debug, Default)]
struct TablePosition {
    entry: u8,
    /// Bytes that the entry has sent in a row.
    used: u32,
}

/// A lane to try, and the table and entry that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The lane.
    pub lane: u8,
    high: bool,
    entry: u8,
    /// The entry starts with its full weight: it is not the present entry, or the present one has used up its weight.
    full_weight: bool,
}

impl LaneTurn {
    /// The lanes in the order in which they are to be tried.
    pub(crate) fn order<'a>(&self, weights: &'a LaneWeights) -> impl Iterator<Item = Candidate> + use<'a> {
        let high = self.high.order(&weights.high, true);
        let low = self.low.order(&weights.low, false);
        // The low table goes first, once, when the high one is over its limit.
        let swap = weights.limit != NO_LIMIT && self.since_low > u32::from(weights.limit) * LIMIT_UNIT;
        let (first, second) = if swap { (low, high) } else { (high, low) };
        first.chain(second)
    }

    /// The candidate sends this many bytes.
    pub(crate) fn sends(&mut self, candidate: Candidate, bytes: u32) {
        let place = if candidate.high { &mut self.high } else { &mut self.low };
        if candidate.full_weight {
            *place = TablePosition { entry: candidate.entry, used: 0 };
        }
        place.used += bytes.div_ceil(WEIGHT_UNIT) * WEIGHT_UNIT;
        self.since_low = if candidate.high { self.since_low.saturating_add(bytes) } else { 0 };
    }
}

impl TablePosition {
    /// The entries of a table from this place on: the present one first if it has weight left, otherwise last.
    fn order(self, table: &[(u8, u8)], high: bool) -> impl Iterator<Item = Candidate> + use<'_> {
        let count = table.len();
        let weight = table.get(usize::from(self.entry)).map_or(0, |&(_, weight)| u32::from(weight) * WEIGHT_UNIT);
        let skip = usize::from(self.used >= weight);
        (0..count).filter_map(move |i| {
            let entry = (usize::from(self.entry) + skip + i) % count;
            let (lane, weight) = table[entry];
            (weight > 0).then_some(Candidate { lane, high, entry: entry as u8, full_weight: skip + i > 0 })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lanes in the order in which they send packets of `size`, if the lanes in `busy` always have one.
    fn sent(weights: &LaneWeights, busy: &[u8], size: u32, packets: usize) -> Vec<u8> {
        let mut turn = LaneTurn::default();
        (0..packets)
            .filter_map(|_| {
                let chosen = turn.order(weights).find(|candidate| busy.contains(&candidate.lane))?;
                turn.sends(chosen, size);
                Some(chosen.lane)
            })
            .collect()
    }

    fn weights(high: &[(u8, u8)], low: &[(u8, u8)], limit: u8) -> LaneWeights {
        LaneWeights { high: high.to_vec(), low: low.to_vec(), limit }
    }

    #[test]
    fn lanes_share_by_weight() {
        // 192 and 64 bytes in a row.
        let weights = weights(&[], &[(0, 3), (1, 1)], NO_LIMIT);
        assert_eq!(sent(&weights, &[0, 1], 64, 8), [0, 0, 0, 1, 0, 0, 0, 1]);
    }

    #[test]
    fn the_packet_that_uses_up_the_weight_is_sent_whole() {
        let weights = weights(&[], &[(0, 3), (1, 1)], NO_LIMIT);
        assert_eq!(sent(&weights, &[0, 1], 128, 6), [0, 0, 1, 0, 0, 1]);
    }

    #[test]
    fn a_lane_without_packets_is_passed_over() {
        let weights = weights(&[(2, 1)], &[(0, 3), (1, 1)], NO_LIMIT);
        assert_eq!(sent(&weights, &[1], 64, 3), [1, 1, 1]);
    }

    #[test]
    fn a_lane_that_was_alone_has_no_debt() {
        let weights = weights(&[], &[(0, 3), (1, 1)], NO_LIMIT);
        let mut turn = LaneTurn::default();
        let mut lane = |busy: &[u8]| {
            let chosen = turn.order(&weights).find(|candidate| busy.contains(&candidate.lane)).expect("one is busy");
            turn.sends(chosen, 64);
            chosen.lane
        };
        // The fourth packet begins a new run of three, which continues when lane 1 has something.
        assert_eq!([[0; 4].map(|_| lane(&[0])), [0; 4].map(|_| lane(&[0, 1]))], [[0, 0, 0, 0], [0, 0, 1, 0]]);
    }

    #[test]
    fn without_a_limit_the_high_table_always_wins() {
        let weights = weights(&[(1, 1)], &[(0, 1)], NO_LIMIT);
        assert_eq!(sent(&weights, &[0, 1], 2048, 50), [1; 50]);
    }

    #[test]
    fn over_its_limit_the_high_table_lets_one_packet_of_the_low_one_pass() {
        let weights = weights(&[(1, 1)], &[(0, 1)], 1);
        // 4,096 bytes are not over the limit, 6,144 are.
        assert_eq!(sent(&weights, &[0, 1], 2048, 8), [1, 1, 1, 0, 1, 1, 1, 0]);
    }

    #[test]
    fn over_its_limit_the_high_table_still_goes_if_the_low_one_has_nothing() {
        let weights = weights(&[(1, 1)], &[(0, 1)], 0);
        assert_eq!(sent(&weights, &[1], 2048, 3), [1, 1, 1]);
    }
}
