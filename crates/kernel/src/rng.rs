//! Named random streams.
//!
//! Each user of random numbers draws from a stream of its own, named by the run's seed, a word and an index, so that
//! the draws of one part never shift those of another. The generator is SplitMix64 (Steele, Lea and Flood 2014): two
//! lines of code, the same on every machine, and easily written again in another language.

use congestree_units::Span;

mod logarithm;

/// A random stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Rng {
    /// The stream `name` number `index` of a run with this seed.
    pub fn stream(seed: u64, name: &str, index: u64) -> Self {
        let state = mix(mix(seed) ^ mix(fnv1a(name.as_bytes())) ^ mix(index.wrapping_add(GOLDEN)));
        Self { state }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A whole number in `0..n`; `n` must not be zero.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// An exponentially distributed span, to the nearest picosecond and at least one.
    pub fn exponential(&mut self, mean: Span) -> Span {
        Span(logarithm::times(1.0 - self.unit(), mean.0).max(1))
    }
}

/// The finaliser of SplitMix64: every bit of the input moves every bit of the output.
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// FNV-1a, to turn a name into a number.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_seed_name_and_index() {
        let firsts: Vec<u64> = [(1, "a", 0), (2, "a", 0), (1, "b", 0), (1, "a", 1)]
            .map(|(seed, name, index)| Rng::stream(seed, name, index).bits())
            .to_vec();
        for (i, a) in firsts.iter().enumerate() {
            assert!(!firsts[i + 1..].contains(a));
        }
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // First outputs of SplitMix64 from state zero.
        let mut rng = Rng { state: 0 };
        assert_eq!(rng.bits(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(rng.bits(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn exponential_spans_have_their_mean() {
        let mut rng = Rng::stream(1, "test", 0);
        let n = 100_000;
        let total: u64 = (0..n).map(|_| rng.exponential(Span::from_us(1)).0).sum();
        let mean = total as f64 / f64::from(n);
        assert!((mean / 1e6 - 1.0).abs() < 0.02, "{mean}");
    }

    #[test]
    fn below_reaches_every_value_evenly() {
        let mut rng = Rng::stream(7, "test", 3);
        let mut counts = [0u32; 10];
        for _ in 0..100_000 {
            counts[rng.below(10) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (9_500..10_500).contains(&count)), "{counts:?}");
    }
}
