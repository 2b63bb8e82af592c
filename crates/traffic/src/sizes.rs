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

    /// The least size that may be drawn.
    pub fn least(&self) -> Bytes {
        match *self {
            Sizes::Fixed(size) => size,
            Sizes::Cdf(ref cdf) => cdf.quantile(0.0),
            Sizes::Listed => Bytes(1),
            Sizes::Pareto { shape, mean, most } => {
                let smallest = Bytes((mean.0 as f64 * (shape - 1.0) / shape + 0.5) as u64).max(Bytes(1));
                most.map_or(smallest, |most| most.min(smallest))
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
                let terms = most.map_or(u64::MAX, |most| most.0.div_ceil(piece));
                let one_by_one = terms.min(ONE_BY_ONE);
                let shares = Shares { smallest, shape, piece: piece as f64 };
                let sum = 1.0 + shares.sum(one_by_one, |pieces| shares.share(pieces));
                if one_by_one == terms {
                    return sum;
                }
                let end = most.map_or(f64::INFINITY, |_| terms as f64 - 0.5);
                sum + shares.integral(one_by_one as f64 - 0.5, end)
            }
        }
    }
}

/// Terms of a sum over all sizes in which every term counts. Further ones differ so little from their neighbours that an
/// integral has their sum.
const ONE_BY_ONE: u64 = 1 << 15;

/// Of these terms, those that are added up where shares begin to fall. Behind them a term is so like its neighbours that
/// the Euler-Maclaurin formula with two corrections has the sum to about 13 digits.
const STEEP: u64 = 128;

/// The share of messages of a Pareto distribution that are larger than a number of pieces.
struct Shares {
    smallest: f64,
    shape: f64,
    piece: f64,
}

impl Shares {
    /// The bytes of so many pieces. Sizes are rounded: as many are above `size` as were drawn above this.
    fn drawn(&self, pieces: f64) -> f64 {
        pieces * self.piece + 0.5
    }

    fn share(&self, pieces: f64) -> f64 {
        libm::pow(self.smallest / self.drawn(pieces).max(self.smallest), self.shape)
    }

    /// The sum of the shares (`share`) that are larger than 1, 2, ... pieces, before `end` pieces.
    fn sum(&self, end: u64, share: impl Fn(f64) -> f64) -> f64 {
        // Every message is larger than these.
        let all = (((self.smallest - 0.5) / self.piece) as u64).min(end.max(1) - 1);
        let flat = end.min(all + 1 + STEEP);
        let sum = (all + 1..flat).fold(all as f64, |sum, pieces| sum + share(pieces as f64));
        if flat >= end {
            return sum;
        }
        let (low, high) = (flat as f64 - 0.5, end as f64 - 0.5);
        let correction = |pieces: f64| {
            let (step, shape) = (self.piece / self.drawn(pieces), self.shape);
            let third = (shape + 1.0) * (shape + 2.0) * step * step;
            share(pieces) * shape * step * (7.0 / 5760.0 * third - 1.0 / 24.0)
        };
        sum + self.integral(low, high) + correction(low) - correction(high)
    }

    /// The integral of the share from one number of pieces to another.
    fn integral(&self, low: f64, high: f64) -> f64 {
        let (smallest, shape) = (self.smallest, self.shape);
        let (low, high) = (self.drawn(low), self.drawn(high));
        let all = (high.min(smallest) - low).max(0.0);
        let from = |x: f64| libm::pow(smallest / x.max(smallest), shape - 1.0);
        (all + smallest / (shape - 1.0) * (from(low) - from(high))) / self.piece
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

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

    #[test]
    fn few_terms_of_a_sum_are_worked_out() {
        for smallest in [0.2, 8_333.0, 1e9] {
            let shares = Shares { smallest, shape: 1.2, piece: 1.0 };
            let counted = Cell::new(0);
            let sum = shares.sum(ONE_BY_ONE, |pieces| {
                counted.set(counted.get() + 1);
                shares.share(pieces)
            });
            let expected: f64 = (1..ONE_BY_ONE).map(|pieces| shares.share(pieces as f64)).sum();
            assert!((sum / expected - 1.0).abs() < 1e-12, "{sum}, expected {expected}");
            assert!(counted.get() <= STEEP + 2, "{}", counted.get());
        }
    }
}
