//! A table of sizes and cumulative shares, as workloads are published.
//!
//! Between two rows the share grows in proportion to the size. (The tables do not say how; simulators that read them do
//! it this way.) A first row above a share of zero is a size that many messages have exactly, and so are two rows of
//! one size. Sizes are rounded up to whole bytes, and no message is empty. The mean load of a workload is summed
//! exactly, not sampled: with sizes from a few bytes to a gigabyte, sampling would take hours to determine the mean.

use congestree_kernel::Rng;
use congestree_units::Bytes;

/// Sizes with the share of messages that are no larger. Sizes and shares never decrease, and the last share is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Cdf {
    rows: Vec<(u64, f64)>,
}

impl Cdf {
    /// The table with these rows, which must be in order and end at one.
    pub fn new(rows: Vec<(Bytes, f64)>) -> Self {
        Self { rows: rows.into_iter().map(|(size, share)| (size.0, share)).collect() }
    }

    /// Draws a size; at least one byte.
    pub fn draw(&self, rng: &mut Rng) -> Bytes {
        self.quantile(rng.unit())
    }

    /// The size that this share of the messages, from 0 to below 1, does not exceed.
    pub fn quantile(&self, share: f64) -> Bytes {
        let above = self.rows.partition_point(|&(_, below)| below <= share);
        let Some(&(high, to)) = self.rows.get(above) else { return self.largest() };
        let Some(&(low, from)) = above.checked_sub(1).and_then(|before| self.rows.get(before)) else {
            return Bytes(high.max(1));
        };
        let size = low as f64 + (high - low) as f64 * ((share - from) / (to - from));
        Bytes((libm::ceil(size) as u64).clamp(1, high.max(1)))
    }

    /// The largest size.
    pub fn largest(&self) -> Bytes {
        Bytes(self.rows.last().map_or(1, |&(size, _)| size.max(1)))
    }

    /// The mean size in bytes.
    pub fn mean(&self) -> f64 {
        self.mean_pieces(1)
    }

    /// The mean number of pieces that a message is cut into, each of at most `piece` bytes: the sum over k of the share
    /// of messages that are larger than k pieces.
    pub fn mean_pieces(&self, piece: u64) -> f64 {
        let piece = piece.max(1);
        // Multiples of `piece` from `low` to below `high`, without zero: their number, and their sum in pieces.
        let multiples = |low: u64, high: u64| {
            let (first, end) = (low.div_ceil(piece).max(1), high.div_ceil(piece).max(1));
            let count = end.saturating_sub(first) as f64;
            (count, count * (first as f64 + (count - 1.0) / 2.0))
        };
        let smallest = self.rows.first().map_or(0, |&(size, _)| size);
        let mut mean = 1.0 + multiples(0, smallest).0;
        for pair in self.rows.windows(2) {
            let ((low, from), (high, to)) = (pair[0], pair[1]);
            if low == high {
                continue;
            }
            let (count, sum) = multiples(low, high);
            let slope = (to - from) / (high - low) as f64;
            mean += count * (1.0 - from) - slope * (sum * piece as f64 - count * low as f64);
        }
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(u64, f64)]) -> Cdf {
        Cdf::new(rows.iter().map(|&(size, share)| (Bytes(size), share)).collect())
    }

    /// By hand: sizes 1 to 10, a tenth each.
    #[test]
    fn a_straight_line_is_uniform() {
        let cdf = table(&[(0, 0.0), (10, 1.0)]);
        assert!((cdf.mean() - 5.5).abs() < 1e-12);
        // Of 4 bytes a piece: sizes 1-4 have one, 5-8 two, 9 and 10 three.
        assert!((cdf.mean_pieces(4) - 1.8).abs() < 1e-12);
        let mut seen = [0; 11];
        for step in 0..1000 {
            seen[cdf.quantile((f64::from(step) + 0.5) / 1000.0).0 as usize] += 1;
        }
        assert_eq!(seen[0], 0);
        assert!(seen[1..].iter().all(|&count| count == 100), "{seen:?}");
    }

    #[test]
    fn jumps_are_sizes_that_many_messages_have() {
        let cdf = table(&[(64, 0.5), (1000, 0.5), (1000, 1.0)]);
        assert_eq!((cdf.quantile(0.0), cdf.quantile(0.499)), (Bytes(64), Bytes(64)));
        assert_eq!((cdf.quantile(0.5), cdf.quantile(0.999)), (Bytes(1000), Bytes(1000)));
        assert!((cdf.mean() - 532.0).abs() < 1e-9);
        assert!((cdf.mean_pieces(100) - 5.5).abs() < 1e-9);
        assert!((table(&[(4096, 1.0)]).mean_pieces(1024) - 4.0).abs() < 1e-12);
    }

    /// For a table like the published ones, in bytes and in packets.
    #[test]
    fn the_mean_is_that_of_the_draws() {
        let cdf = table(&[(0, 0.0), (180, 0.1), (1100, 0.5), (10_000, 0.8), (400_000, 0.97), (3_160_000, 1.0)]);
        let draws = 2_000_000u64;
        let (mut bytes, mut packets) = (0u64, 0u64);
        for step in 0..draws {
            let size = cdf.quantile((step as f64 + 0.5) / draws as f64).0;
            bytes += size;
            packets += size.div_ceil(1024);
        }
        let (bytes, packets) = (bytes as f64 / draws as f64, packets as f64 / draws as f64);
        assert!((cdf.mean() / bytes - 1.0).abs() < 1e-5, "{} {bytes}", cdf.mean());
        assert!((cdf.mean_pieces(1024) / packets - 1.0).abs() < 1e-4, "{} {packets}", cdf.mean_pieces(1024));
    }

    #[test]
    fn draws_follow_the_table() {
        let cdf = table(&[(0, 0.0), (100, 0.25), (1000, 1.0)]);
        let mut rng = Rng::stream(3, "sizes", 0);
        let small = (0..100_000).filter(|_| cdf.draw(&mut rng).0 <= 100).count();
        assert!((24_500..25_500).contains(&small), "{small}");
    }
}
