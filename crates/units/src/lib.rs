//! Quantities: time, sizes and rates as exact integers.
//!
//! Time is counted in picoseconds, sizes in bytes, rates in bits per second. The one place where a
//! quantity is rounded is [`Rate::time_for`], which rounds up: a tail never leaves before its last bit.
//!
//! People write quantities with units (`"1.5 us"`, `"2 KiB"`, `"20 Gbit/s"`); [`text`] reads and prints them.

pub mod text;

use std::ops::{Add, AddAssign, Sub};

/// An instant: picoseconds since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u64);

/// A length of time in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(pub u64);

/// A size in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// A rate in bits per second; never zero in a checked plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(pub u64);

/// Picoseconds in a second.
pub const PS_PER_S: u64 = 1_000_000_000_000;

impl Time {
    /// The first instant of every run.
    pub const START: Time = Time(0);
    /// Later than every instant: "never".
    pub const NEVER: Time = Time(u64::MAX);

    /// This instant in seconds, for tables and plots.
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / PS_PER_S as f64
    }

    /// How long after `earlier` this instant is; zero if it is not after.
    pub fn since(self, earlier: Time) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// So many nanoseconds.
    pub const fn from_ns(ns: u64) -> Self {
        Span(ns * 1_000)
    }
    /// So many microseconds.
    pub const fn from_us(us: u64) -> Self {
        Span(us * 1_000_000)
    }
    /// So many milliseconds.
    pub const fn from_ms(ms: u64) -> Self {
        Span(ms * 1_000_000_000)
    }

    /// This span in seconds, for tables and plots.
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / PS_PER_S as f64
    }

    /// This span times a factor, rounded to the nearest picosecond (halves up).
    pub fn scaled(self, factor: f64) -> Span {
        Span((self.0 as f64 * factor + 0.5).floor() as u64)
    }
}

impl Rate {
    /// So many gigabits per second.
    pub const fn from_gbps(gbps: u64) -> Self {
        Rate(gbps * 1_000_000_000)
    }

    /// Time to put `size` on a link of this rate, rounded up to a picosecond.
    ///
    /// The intermediate product is 128 bits wide, so no size or rate overflows it; a time that does not fit is the longest.
    pub fn time_for(self, size: Bytes) -> Span {
        let bits_ps = u128::from(size.0) * 8 * u128::from(PS_PER_S);
        Span(u64::try_from(bits_ps.div_ceil(u128::from(self.0))).unwrap_or(u64::MAX))
    }

    /// Whole bytes that a link of this rate carries in a time.
    pub fn carries_in(self, time: Span) -> Bytes {
        let bytes = u128::from(self.0) * u128::from(time.0) / (8 * u128::from(PS_PER_S));
        Bytes(u64::try_from(bytes).unwrap_or(u64::MAX))
    }

    /// This rate in bytes per second, for tables and plots.
    pub fn as_bytes_per_sec(self) -> f64 {
        self.0 as f64 / 8.0
    }
}

impl Bytes {
    /// This size at links of the rate `of`, and in proportion at a link of `rate`, rounded down; the same at all links
    /// if `of` is not given.
    pub fn at_rate(self, rate: Rate, of: Option<Rate>) -> Bytes {
        let Some(of) = of else { return self };
        let bytes = u128::from(self.0) * u128::from(rate.0) / u128::from(of.0.max(1));
        Bytes(u64::try_from(bytes).unwrap_or(u64::MAX))
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    fn sub(self, span: Span) -> Time {
        Time(self.0.saturating_sub(span.0))
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl Add for Bytes {
    type Output = Bytes;
    fn add(self, other: Bytes) -> Bytes {
        Bytes(self.0.saturating_add(other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_2_kib_packet_at_100_gbps_takes_163_84_ns() {
        assert_eq!(Rate::from_gbps(100).time_for(Bytes(2048)), Span(163_840));
    }

    #[test]
    fn serialisation_rounds_up_so_that_no_bit_leaves_early() {
        assert_eq!(Rate(3 * PS_PER_S).time_for(Bytes(1)), Span(3));
    }

    #[test]
    fn sizes_for_a_rate_are_in_proportion_at_others() {
        let (ten, forty) = (Rate::from_gbps(10), Rate::from_gbps(40));
        assert_eq!([None, Some(forty), Some(ten)].map(|of| Bytes(1_001).at_rate(ten, of).0), [1_001, 250, 1_001]);
        assert_eq!(Bytes(u64::MAX).at_rate(forty, Some(ten)), Bytes(u64::MAX));
    }

    #[test]
    fn a_link_has_carried_a_packet_when_its_time_is_over_and_not_before() {
        for (rate, size) in
            [(Rate(10_000_000_000), Bytes(2_068)), (Rate(13_300_000_000), Bytes(1)), (Rate(7), Bytes(9))]
        {
            let time = rate.time_for(size);
            assert_eq!([rate.carries_in(time), rate.carries_in(Span(time.0 - 1))], [size, Bytes(size.0 - 1)]);
        }
        assert_eq!(Rate(u64::MAX).carries_in(Span(u64::MAX)), Bytes(u64::MAX));
    }

    #[test]
    fn the_largest_sizes_do_not_overflow() {
        assert_eq!(Rate(8 * PS_PER_S).time_for(Bytes(u64::MAX / 2)), Span(u64::MAX / 2));
    }

    #[test]
    fn instants_and_spans_add_up_and_stop_at_the_ends_of_time() {
        let (early, late) = (Time(3), Time(10));
        assert_eq!([late.since(early), early.since(late)], [Span(7), Span::ZERO]);
        assert_eq!([early + Span(7), late - Span(7), early - Span(7)], [late, early, Time::START]);
        assert_eq!([Time::NEVER + Span(1), late + Span(u64::MAX)], [Time::NEVER; 2]);
        assert_eq!([Span(3) + Span(4), Span(3) + Span(u64::MAX)], [Span(7), Span(u64::MAX)]);
        let mut moving = early;
        moving += Span(7);
        assert_eq!((moving, Bytes(3) + Bytes(4)), (late, Bytes(7)));
    }

    #[test]
    fn a_scaled_span_is_rounded_to_the_nearest_picosecond_and_halves_up() {
        let scaled = [0.1, 0.24, 0.25, 0.5, 1.0, 1.4, 1.5, 2.6].map(|factor| Span(2).scaled(factor).0);
        assert_eq!(scaled, [0, 0, 1, 1, 2, 3, 3, 5]);
    }

    #[test]
    fn tables_are_in_seconds_and_bytes_a_second() {
        assert_eq!([Time(1_500_000_000_000).as_secs(), Span::from_ms(2).as_secs()], [1.5, 0.002]);
        assert_eq!(Rate::from_gbps(100).as_bytes_per_sec(), 12.5e9);
        let spans = [Span::from_ns(7), Span::from_us(7), Span::from_ms(7)];
        assert_eq!(spans, [Span(7_000), Span(7_000_000), Span(7_000_000_000)]);
    }
}
