//! A mean times a logarithm, rounded to a whole number: this is how exponential gaps are drawn.
//!
//! The result is that of `libm::log`, to the last picosecond, so that a run is the same on every machine and as it
//! has always been. But a logarithm that is exact to the last bit is seldom needed for rounding: an estimate with an
//! error of at most [`ERROR`] decides all but a few draws in a million, and only those are computed in full.

/// Number of intervals of [1, 2) that have a logarithm in the table.
const PLACES: usize = 128;

/// The largest error of an estimate, including both roundings of the full computation. Four terms of the series leave
/// `2^-40 / 5`; all roundings together are below `2^-46`.
const ERROR: f64 = 1.0 / (1u64 << 41) as f64;

/// By interval: the reciprocal of its middle, and the logarithm of that middle.
static MIDDLES: [(f64, f64); PLACES] = middles();

const fn middles() -> [(f64, f64); PLACES] {
    let mut table = [(0.0, 0.0); PLACES];
    let mut place = 0;
    while place < PLACES {
        let middle = 1.0 + (place as f64 + 0.5) / PLACES as f64;
        table[place] = (1.0 / middle, series(middle));
        place += 1;
    }
    table
}

/// ln x = 2 artanh((x - 1) / (x + 1)), for x in [1, 2].
const fn series(x: f64) -> f64 {
    let y = (x - 1.0) / (x + 1.0);
    let (mut sum, mut power, mut odd) = (0.0, y, 1);
    while odd < 61 {
        sum += power / odd as f64;
        power *= y * y;
        odd += 2;
    }
    2.0 * sum
}

/// An estimate of ln x, for x in (0, 1] that is not subnormal.
#[inline]
fn estimate(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits >> 52) as i32 - 1023;
    let (inverse, logarithm) = MIDDLES[(bits >> 45) as usize % PLACES];
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    let r = mantissa * inverse - 1.0;
    let tail = r * (1.0 - r * (0.5 - r * (1.0 / 3.0 - r * 0.25)));
    f64::from(exponent) * std::f64::consts::LN_2 + (logarithm + tail)
}

/// `-ln(x) * mean` for x in (0, 1] that is not subnormal, rounded: halves up.
#[inline]
pub(super) fn times(x: f64, mean: u64) -> u64 {
    let mean = mean as f64;
    let (about, error) = (0.5 - estimate(x) * mean, ERROR * mean);
    let (low, high) = ((about - error) as i64, (about + error) as i64);
    if low == high && error < 0.25 { low as u64 } else { in_full(x, mean) }
}

#[cold]
#[inline(never)]
fn in_full(x: f64, mean: f64) -> u64 {
    (-libm::log(x) * mean + 0.5).floor() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn estimates_are_within_their_error() {
        let mut rng = Rng::stream(1, "test", 0);
        let edges = (0..=256).map(|step| 1.0 - f64::from(step) / 512.0);
        let draws = (0..200_000).map(|_| 1.0 - rng.unit());
        let tiny = (1..=53).map(|power| libm::exp2(-f64::from(power)));
        for x in edges.chain(draws).chain(tiny) {
            assert!((estimate(x) - libm::log(x)).abs() < ERROR / 2.0, "{x}: {} {}", estimate(x), libm::log(x));
        }
    }

    #[test]
    fn spans_are_those_of_the_full_logarithm_to_the_last_digit() {
        let mut rng = Rng::stream(2, "test", 0);
        for mean in [1, 2, 3, 1_000, 163_840, 204_801, 987_654_321, 1_000_000_000_000, 1 << 60] {
            for _ in 0..100_000 {
                let x = 1.0 - rng.unit();
                assert_eq!(times(x, mean), in_full(x, mean as f64), "{x} {mean}");
            }
        }
    }

    #[test]
    fn few_draws_need_the_full_logarithm() {
        let mut rng = Rng::stream(3, "test", 0);
        let (mean, error) = (204_800.0, ERROR * 204_800.0);
        let unsure = (0..1_000_000).filter(|_| {
            let about = 0.5 - estimate(1.0 - rng.unit()) * mean;
            (about - error).floor() != (about + error).floor()
        });
        assert!(unsure.count() < 10);
    }
}
