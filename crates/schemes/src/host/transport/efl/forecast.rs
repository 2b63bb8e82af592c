//! Prediction of the round-trip time (EFL section III.6).
//!
//! An ACK shows how long the queue was a round trip ago. If packets are received more slowly than they were sent, the
//! queue has grown since then, in proportion: eq. (4) is RTT_p = RTT · R/R_recv. The rates are taken over the last few
//! ACKs.
//!
//! | here       | EFL     | unit |
//! |------------|---------|------|
//! | `measured` | RTT     | time |
//! | answer     | RTT_p   | time |
//!
//! Which R? With the same packets on both sides of the fraction, their number cancels out: the ratio is the time
//! between their ACKs over the time between their sending. Read literally, R is the rate at which the source sends now.

use congestree_units::{Span, Time};

use super::super::Ack;

/// The largest number of ACK intervals that are used.
const MOST_INTERVALS: usize = 7;

/// The last ACKs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forecast {
    intervals: usize,
    /// Arrival and content; the newest at `count - 1`, modulo the length.
    records: [(Time, Ack); MOST_INTERVALS + 1],
    count: usize,
}

impl Forecast {
    /// Uses this many intervals between ACKs.
    pub(crate) fn new(intervals: u32) -> Self {
        let intervals = (intervals as usize).clamp(1, MOST_INTERVALS);
        let nothing = (Time::START, Ack::default());
        Self { intervals, records: [nothing; MOST_INTERVALS + 1], count: 0 }
    }

    /// An ACK with new information has arrived.
    pub(crate) fn note(&mut self, now: Time, ack: Ack) {
        self.records[self.count % self.records.len()] = (now, ack);
        self.count += 1;
    }

    /// Past ACKs are no longer valid.
    pub(crate) fn forget(&mut self) {
        self.count = 0;
    }

    /// The oldest and the newest ACK of the window, if it holds packets from number `from` on only.
    fn window(&self, from: u32) -> Option<((Time, Ack), (Time, Ack))> {
        let oldest = self.count.checked_sub(self.intervals + 1)?;
        let oldest = self.records[oldest % self.records.len()];
        let newest = self.records[(self.count - 1) % self.records.len()];
        (oldest.1.number >= from && newest.1.stamp > oldest.1.stamp && newest.0 > oldest.0).then_some((oldest, newest))
    }

    /// The prediction from the rates at which the same packets were sent and received.
    pub(crate) fn same_packets(&self, from: u32, measured: Span) -> Option<Span> {
        let (oldest, newest) = self.window(from)?;
        let received = newest.0.since(oldest.0).0 as f64;
        let sent = newest.1.stamp.since(oldest.1.stamp).0 as f64;
        Some(measured.scaled(received / sent))
    }

    /// The prediction from the rate at which the source sends now, in packets per second.
    pub(crate) fn current_rate(&self, from: u32, measured: Span, packets_per_second: f64) -> Option<Span> {
        let (oldest, newest) = self.window(from)?;
        let packets = f64::from(newest.1.number - oldest.1.number);
        let received = packets / newest.0.since(oldest.0).as_secs();
        Some(measured.scaled(packets_per_second / received))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ACKs for every tenth packet, sent `sent` ns apart and answered `received` ns apart.
    fn forecast(sent: u64, received: u64) -> Forecast {
        let mut forecast = Forecast::new(3);
        for k in 0..6 {
            let ack = Ack { number: 10 * k as u32, stamp: Time(k * sent * 1000), ..Ack::default() };
            forecast.note(Time(100_000_000 + k * received * 1000), ack);
        }
        forecast
    }

    const RTT: Span = Span::from_us(120);

    #[test]
    fn a_queue_that_grows_is_predicted_longer_and_one_that_shrinks_shorter() {
        assert_eq!(forecast(1000, 1000).same_packets(0, RTT), Some(RTT));
        assert_eq!(forecast(1000, 1500).same_packets(0, RTT), Some(Span::from_us(180)));
        assert_eq!(forecast(1000, 500).same_packets(0, RTT), Some(Span::from_us(60)));
    }

    #[test]
    fn read_literally_the_rate_of_now_counts() {
        // Received: 10 packets a microsecond.
        let literal = |rate| forecast(1000, 1000).current_rate(0, RTT, rate);
        assert_eq!(literal(10e6), Some(RTT));
        assert_eq!(literal(20e6), Some(Span::from_us(240)));
        assert_eq!(literal(5e6), Some(Span::from_us(60)));
    }

    #[test]
    fn there_is_no_forecast_before_the_window_is_full_of_the_right_packets() {
        let full = forecast(1000, 1000);
        assert!(full.same_packets(20, RTT).is_some());
        assert!(full.same_packets(21, RTT).is_none());
        let mut forecast = Forecast::new(3);
        forecast.note(Time(5), Ack { number: 10, stamp: Time(1), ..Ack::default() });
        assert!(forecast.same_packets(0, RTT).is_none());
        let mut forgotten = full;
        forgotten.forget();
        assert!(forgotten.same_packets(0, RTT).is_none());
    }
}
