//! How large messages are.

use std::sync::Arc;

use congestree_kernel::Rng;
use congestree_units::Bytes;

use crate::cdf::Cdf;

/// A distribution of message sizes.
#[derive(Clone, Debug, PartialEq)]
pub enum Sizes {
    /// All equal.
    Fixed(Bytes),
    /// Few messages carry most of the bytes: P(size > x) = (m/x)^shape, with the smallest size m = mean (shape - 1)/shape.
    Pareto {
        /// Exponent of the tail; above 1, or there is no mean.
        shape: f64,
        /// Mean of the distribution before it is truncated.
        mean: Bytes,
        /// Larger sizes are reduced to this.
        most: Option<Bytes>,
    },
    /// As in a table.
    Cdf(Arc<Cdf>),
    /// As in the list of the source.
    Listed,
}

impl Sizes {
    /// Draws a size; at least one byte.
    #[inline(never)]
    pub fn draw(&self, rng: &mut Rng) -> Bytes {
        match *self {
            Sizes::Fixed(size) => size,
            Sizes::Cdf(ref cdf) => cdf.draw(rng),
            Sizes::Listed => Bytes(1),
            Sizes::Pareto { shape, mean, most } => {
                let smallest = mean.0 as f64 * (shape - 1.0) / shape;
                let size = smallest * libm::pow(1.0 - rng.unit(), -1.0 / shape);
                let most = most.map_or(u64::MAX, |most| most.0);
                Bytes(((size + 0.5) as u64).clamp(1, most))
            }
        }
    }

    /// The mean of the sizes that are drawn, to the nearest byte.
    pub fn mean(&self) -> Bytes {
        match self {
            Sizes::Fixed(size) => *size,
            Sizes::Pareto { .. } | Sizes::Cdf(_) => Bytes((self.mean_pieces(1) + 0.5) as u64),
            Sizes::Listed => Bytes(1),
        }
    }

    /// The mean number of pieces that a message is cut into, each of at most `piece` bytes: the sum over k of the share
    /// of messages that are larger than k pieces. For pieces of one byte, the mean size.
    pub fn mean_pieces(&self, piece: u64) -> f64 {
        let piece = piece.max(1);
        match *self {
            Sizes::Fixed(size) => size.0.div_ceil(piece) as f64,
            Sizes::Listed => 1.0,
            Sizes::Cdf(ref cdf) => cdf.mean_pieces(piece),
            Sizes::Pareto { shape, mean, most } => {
                let smallest = mean.0 as f64 * (shape - 1.0) / shape;
                // Sizes are rounded: as many are above `size` as were drawn above this.
                let drawn = |pieces: f64| pieces * piece as f64 + 0.5;
                let share = |pieces: u64| libm::pow(smallest / drawn(pieces as f64).max(smallest), shape);
                let terms = most.map_or(u64::MAX, |most| most.0.div_ceil(piece));
                let one_by_one = terms.min(ONE_BY_ONE);
                let sum = (1..one_by_one).fold(1.0, |sum, pieces| sum + share(pieces));
                if one_by_one == terms {
                    return sum;
                }
                let end = most.map_or(f64::INFINITY, |_| drawn(terms as f64 - 0.5));
                sum + above(smallest, shape, drawn(one_by_one as f64 - 0.5), end) / piece as f64
            }
        }
    }
}

/// Terms that a sum over all sizes adds up. Further ones differ so little from their neighbours that an integral has
/// their sum.
const ONE_BY_ONE: u64 = 1 << 15;

/// The integral of the share of sizes above x, from `low` to `high`.
fn above(smallest: f64, shape: f64, low: f64, high: f64) -> f64 {
    let all = (high.min(smallest) - low).max(0.0);
    let (low, high) = (low.max(smallest), high.max(smallest));
    let from = |x: f64| libm::pow(smallest / x, shape - 1.0);
    all + smallest / (shape - 1.0) * (from(low) - from(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With shape 1.2 and cut at 600 times the smallest size, the mean is m (shape - 600^(1 - shape)) / (shape - 1).
    #[test]
    fn pareto_sizes_have_their_smallest_median_and_cut_mean() {
        let sizes = Sizes::Pareto { shape: 1.2, mean: Bytes(100_000), most: Some(Bytes(10_000_000)) };
        let mut rng = Rng::stream(1, "sizes", 0);
        let mut drawn: Vec<u64> = (0..400_000).map(|_| sizes.draw(&mut rng).0).collect();
        drawn.sort_unstable();
        let (smallest, median) = (drawn[0] as f64, drawn[drawn.len() / 2] as f64);
        let m = 100_000.0 / 6.0;
        assert!((smallest / m - 1.0).abs() < 1e-3, "{smallest}");
        assert!((median / (m * libm::pow(2.0, 1.0 / 1.2)) - 1.0).abs() < 0.01, "{median}");
        assert_eq!(drawn[drawn.len() - 1], 10_000_000);
        let mean = drawn.iter().sum::<u64>() as f64 / drawn.len() as f64;
        let expected = m * (1.2 - libm::pow(600.0, -0.2)) / 0.2;
        assert!((mean / expected - 1.0).abs() < 0.03, "{mean}, expected {expected}");
        assert!((sizes.mean().0 as f64 / expected - 1.0).abs() < 1e-4, "{}", sizes.mean());
    }

    /// Sums of all sizes one by one; where sizes have no limit, of so many that the rest is nothing.
    #[test]
    fn means_of_pareto_sizes_are_those_of_all_sizes() {
        for (shape, mean, most) in
            [(1.2, 1, Some(900)), (1.2, 100_000, Some(1_000_000)), (3.0, 300, None), (8.0, 40_000, Some(70_000))]
        {
            let sizes = Sizes::Pareto { shape, mean: Bytes(mean), most: most.map(Bytes) };
            let smallest = mean as f64 * (shape - 1.0) / shape;
            let larger = |size: u64| libm::pow((smallest / (size as f64 + 0.5)).min(1.0), shape);
            for piece in [1, 256, 2048] {
                let all = (piece..most.unwrap_or(3_000_000)).step_by(piece as usize);
                let expected = 1.0 + all.map(larger).sum::<f64>();
                let found = sizes.mean_pieces(piece);
                assert!((found / expected - 1.0).abs() < 1e-6, "{found}, expected {expected}");
            }
        }
    }
}
