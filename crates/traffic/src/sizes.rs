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

    /// The mean size, before any truncation, to the nearest byte.
    pub fn mean(&self) -> Bytes {
        match self {
            Sizes::Fixed(size) => *size,
            Sizes::Pareto { mean, .. } => *mean,
            Sizes::Cdf(cdf) => Bytes((cdf.mean() + 0.5) as u64),
            Sizes::Listed => Bytes(1),
        }
    }
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
    }
}
