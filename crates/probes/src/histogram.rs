//! A histogram of times with a relative error below one per cent: 64 buckets per power of two.
//! The middle of a bucket is at most 1/128 away from what is in it.

use congestree_units::Span;

const BITS: u32 = 6;

/// Picoseconds.
const PER_SECOND: f64 = 1e12;

/// Counts of spans by size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Histogram {
    counts: Vec<u64>,
    total: u64,
    /// In picoseconds: sums of integers do not depend on the order.
    sum: u128,
    max: Span,
}

impl Histogram {
    pub(crate) fn add(&mut self, span: Span) {
        let bucket = bucket_of(span.0);
        if bucket >= self.counts.len() {
            self.counts.resize(bucket + 1, 0);
        }
        self.counts[bucket] += 1;
        self.total += 1;
        self.sum += u128::from(span.0);
        self.max = self.max.max(span);
    }

    /// Adds another histogram.
    pub(crate) fn take_in(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, count)| *sum += count);
        self.total += other.total;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    pub(crate) fn count(&self) -> u64 {
        self.total
    }

    /// In seconds; NaN if there are no spans.
    pub(crate) fn mean(&self) -> f64 {
        self.sum as f64 / self.total as f64 / PER_SECOND
    }

    /// In seconds.
    pub(crate) fn max(&self) -> f64 {
        self.max.as_secs()
    }

    /// The middle of the smallest bucket such that at least this share of the spans is in it or below, in seconds.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let wanted = (share * self.total as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (bucket, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return middle_of(bucket).min(self.max).as_secs();
            }
        }
        f64::NAN
    }
}

fn bucket_of(value: u64) -> usize {
    let power = (value | 1).ilog2();
    if power < BITS {
        return value as usize;
    }
    let shift = power - BITS;
    (((shift + 1) << BITS) + ((value >> shift) as u32 & ((1 << BITS) - 1))) as usize
}

fn middle_of(bucket: usize) -> Span {
    let bucket = bucket as u64;
    if bucket < 1 << BITS {
        return Span(bucket);
    }
    let shift = (bucket >> BITS) - 1;
    let low = ((1 << BITS) + (bucket & ((1 << BITS) - 1))) << shift;
    Span(low + (1u64 << shift) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_as_near_as_the_table_says() {
        let mut histogram = Histogram::default();
        for ns in 1..=10_000 {
            histogram.add(Span::from_ns(ns));
        }
        for share in [0.5, 0.9, 0.99] {
            let exact = share * 10_000.0 * 1e-9;
            assert!((histogram.quantile(share) / exact - 1.0).abs() < 0.008);
        }
        assert_eq!(histogram.max(), 10_000.0 * 1e-9);
    }

    #[test]
    fn every_value_lies_in_the_bucket_that_names_it() {
        for value in [0u64, 1, 63, 64, 65, 127, 128, 1_000_003, u64::MAX / 4] {
            let middle = middle_of(bucket_of(value)).0 as f64;
            assert!((middle - value as f64).abs() <= 0.01 * value as f64 + 0.5, "{value} {middle}");
        }
    }
}
