//! The round-trip time estimate and the retransmission timer of TCP (RFC 6298).
//!
//! | here       | RFC 6298 | unit    |
//! |------------|----------|---------|
//! | `smoothed` | SRTT     | seconds |
//! | `varies`   | RTTVAR   | seconds |

use congestree_units::Span;

/// Before the first measurement (RFC 6298 section 2.1).
const INITIAL: f64 = 1.0;
/// The longest wait (RFC 6298 section 2.5 allows at least this).
const LONGEST: f64 = 60.0;

/// What a sender knows of its round-trip time.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundTrip {
    smoothed: Option<f64>,
    varies: f64,
    least: f64,
    /// How often the timer was doubled since the last measurement.
    doubled: u32,
}

impl RoundTrip {
    /// No measurement yet; the timer never goes below `least`.
    pub(crate) fn new(least: Span) -> Self {
        Self { smoothed: None, varies: 0.0, least: least.as_secs(), doubled: 0 }
    }

    /// A packet was acknowledged after this time.
    pub(crate) fn measured(&mut self, rtt: Span) {
        let rtt = rtt.as_secs();
        self.doubled = 0;
        match self.smoothed {
            None => {
                self.smoothed = Some(rtt);
                self.varies = rtt / 2.0;
            }
            Some(smoothed) => {
                self.varies = 0.75 * self.varies + 0.25 * (smoothed - rtt).abs();
                self.smoothed = Some(0.875 * smoothed + 0.125 * rtt);
            }
        }
    }

    /// The timer ran out: the next wait is twice as long (RFC 6298 section 5.5).
    pub(crate) fn timed_out(&mut self) {
        self.doubled = (self.doubled + 1).min(16);
    }

    /// The timer ran out, and nothing was measured since.
    pub(crate) fn waits_longer(&self) -> bool {
        self.doubled > 0
    }

    /// The estimate; `None` before the first measurement.
    pub(crate) fn smoothed(&self) -> Option<f64> {
        self.smoothed
    }

    /// How long to wait for an ACK (RTO).
    pub(crate) fn timeout(&self) -> Span {
        let base = self.smoothed.map_or(INITIAL, |smoothed| smoothed + 4.0 * self.varies);
        let seconds = (base.max(self.least) * f64::from(1u32 << self.doubled)).min(LONGEST.max(self.least));
        Span((seconds * 1e12 + 0.5) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_measurement_sets_the_timer_to_three_times_itself() {
        let mut trip = RoundTrip::new(Span::ZERO);
        assert_eq!(trip.timeout(), Span::from_ms(1_000));
        trip.measured(Span::from_ms(40));
        assert_eq!(trip.timeout(), Span::from_ms(120));
    }

    #[test]
    fn the_timer_doubles_until_an_answer_comes() {
        let mut trip = RoundTrip::new(Span::from_ms(200));
        trip.measured(Span::from_us(100));
        assert_eq!(trip.timeout(), Span::from_ms(200));
        trip.timed_out();
        trip.timed_out();
        assert_eq!(trip.timeout(), Span::from_ms(800));
        trip.measured(Span::from_us(100));
        assert_eq!(trip.timeout(), Span::from_ms(200));
    }
}
