//! TCP NewReno: slow start, congestion avoidance, fast retransmit and fast recovery with partial ACKs (RFC 5681, RFC
//! 6582), and a retransmission timer (RFC 6298). Windows are counted in segments, each of which is one packet.
//!
//! | here        | RFC 5681, RFC 6582          | unit     |
//! |-------------|-----------------------------|----------|
//! | `window`    | cwnd                        | segments |
//! | `threshold` | ssthresh                    | segments |
//! | `recover`   | recover                     | number   |
//!
//! Round-trip times are taken from time stamps that the receiver returns, so that repeated packets can be timed too.
//! Sources without `slow_start` begin in congestion avoidance, and return to it after a timeout.

use congestree_units::{Bytes, Span, Time};
use serde::{Deserialize, Serialize};

use super::numbers::Numbers;
use super::{
    Ack, Gauges, HostLink, LossCounts, Next, ReceiverParams, Transport, TransportKind, TransportPhase, check_flush,
    check_timeout,
};
use crate::check::{Diagnostics, Setting};
use round_trip::RoundTrip;

mod round_trip;

/// Parameters of NewReno.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NewRenoParams {
    /// Initial window, in segments, at the start of a group (a message, or the endless series of a greedy source).
    /// Default 1.
    #[schemars(range(min = 1))]
    pub initial_window: u32,
    /// The largest window, in segments. Absent: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub largest_window: Option<u32>,
    /// Slow start: double the window every round trip until the first loss.
    pub slow_start: bool,
    /// The window is kept at the end of a group (see `initial_window`); otherwise each group starts with a new window.
    pub keep_window: bool,
    /// Number of duplicate ACKs that indicate a loss. Default 3 (RFC 5681).
    #[schemars(range(min = 1))]
    pub duplicates: u32,
    /// The least retransmission timeout once a round trip has been measured; before that it is 1 s (RFC 6298, section
    /// 2.1). Default 200 ms, as in most systems (the RFC asks for 1 s).
    pub least_timeout: Span,
    /// Data packets per ACK. Default 1; 2 for delayed ACKs.
    #[schemars(range(min = 1))]
    pub ack_every: u32,
    /// The longest that a received packet waits until its ACK is sent. Default 100 ms; it matters only if `ack_every`
    /// is above 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ack_flush: Option<Span>,
}

impl Default for NewRenoParams {
    fn default() -> Self {
        Self {
            initial_window: 1,
            largest_window: None,
            slow_start: true,
            keep_window: false,
            duplicates: 3,
            least_timeout: Span::from_ms(200),
            ack_every: 1,
            ack_flush: Some(Span::from_ms(100)),
        }
    }
}

impl TransportKind for NewRenoParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        check_timeout("least_timeout", self.least_timeout, "the timer would run out at once", found);
        if let Some(most) = self.largest_window
            && most < self.initial_window
        {
            let fact = format!("a group begins with {} segments, more than {most}", self.initial_window);
            found.report("largest_window", fact, "make it larger, or initial_window smaller");
        }
        check_flush(self.ack_flush, self.ack_every, ("least_timeout", self.least_timeout), found);
    }

    fn receiver(&self) -> Option<ReceiverParams> {
        Some(ReceiverParams { every: self.ack_every.max(1), flush: self.ack_flush, keep: true })
    }
}

/// The sending side of one flow.
#[derive(Clone, Debug)]
pub struct NewReno {
    params: NewRenoParams,
    numbers: Numbers,
    window: f64,
    threshold: f64,
    duplicates: u32,
    /// In fast recovery.
    recovering: bool,
    /// The packets sent when the last loss was noticed: duplicate ACKs below this number indicate no new loss.
    recover: u32,
    /// An ACK of this recovery was partial already: it does not restart the timer again.
    partial: bool,
    trip: RoundTrip,
    measured: Span,
    last_size: Bytes,
    timer_at: Time,
    loss_counts: LossCounts,
}

impl NewReno {
    /// A connection that has sent nothing.
    pub fn new(params: &NewRenoParams) -> Self {
        Self {
            numbers: Numbers::default(),
            window: f64::from(params.initial_window),
            threshold: f64::INFINITY,
            duplicates: 0,
            recovering: false,
            recover: 0,
            partial: false,
            trip: RoundTrip::new(params.least_timeout),
            measured: Span::ZERO,
            last_size: Bytes(0),
            timer_at: Time::NEVER,
            loss_counts: LossCounts::default(),
            params: params.clone(),
        }
    }

    fn limit(&self) -> f64 {
        self.params.largest_window.map_or(self.window, |most| self.window.min(f64::from(most)))
    }

    fn slow_starts(&self) -> bool {
        self.params.slow_start && self.window < self.threshold
    }

    fn restart_timer(&mut self, now: Time) {
        self.timer_at = if self.numbers.outstanding() { now + self.trip.timeout() } else { Time::NEVER };
    }

    /// Half of the packets in flight, at least two segments (RFC 5681 eq. 4).
    fn halved(&self) -> f64 {
        (f64::from(self.numbers.flight()) / 2.0).max(2.0)
    }

    /// An ACK acknowledges this many new segments while nothing is being repaired.
    fn grow(&mut self, news: u32) {
        if self.slow_starts() {
            // By what is acknowledged, but by at most one segment (RFC 5681 eq. 2).
            self.window += f64::from(news.min(1));
        } else {
            self.window += 1.0 / self.window;
        }
        if let Some(most) = self.params.largest_window {
            self.window = self.window.min(f64::from(most));
        }
    }

    /// An ACK acknowledges new segments during fast recovery (RFC 6582 section 3.2, step 3).
    fn recovered(&mut self, now: Time, news: u32) {
        if self.numbers.first >= self.recover {
            self.recovering = false;
            self.window = self.threshold.min(f64::from(self.numbers.flight().max(1)) + 1.0);
            self.restart_timer(now);
            return;
        }
        // A partial ACK: the next missing segment is sent at once, and segments that have left the network are taken
        // off the window.
        self.numbers.repeat_first();
        self.window = (self.window - f64::from(news) + 1.0).max(1.0);
        if !self.partial {
            self.partial = true;
            self.restart_timer(now);
        }
    }

    fn on_duplicate(&mut self, now: Time, ack: Ack) {
        if ack.number < self.numbers.first || !self.numbers.outstanding() {
            return;
        }
        if self.recovering {
            self.window += 1.0;
            return;
        }
        self.duplicates += 1;
        // Not for segments of a repair that is already complete (RFC 6582 section 3.2, step 1).
        if self.duplicates == self.params.duplicates && self.numbers.first >= self.recover {
            self.loss_counts.losses += 1;
            self.threshold = self.halved();
            self.recover = self.numbers.top;
            self.recovering = true;
            self.partial = false;
            self.numbers.repeat_first();
            self.window = self.threshold + f64::from(self.params.duplicates);
            self.restart_timer(now);
        }
    }
}

impl Transport for NewReno {
    fn on_work(&mut self, _now: Time, end: u32, _link: HostLink) {
        let idle = !self.numbers.outstanding() && self.numbers.due().is_none();
        self.numbers.extend(end);
        if idle && !self.params.keep_window {
            self.window = f64::from(self.params.initial_window);
            self.threshold = f64::INFINITY;
        }
    }

    fn on_cut(&mut self, _now: Time) -> u32 {
        self.numbers.cut()
    }

    fn on_sent(&mut self, now: Time, size: Bytes, _link: HostLink) {
        self.numbers.sent();
        self.last_size = size;
        if self.timer_at == Time::NEVER {
            self.restart_timer(now);
        }
    }

    fn on_ack(&mut self, now: Time, ack: Ack, _link: HostLink) {
        let news = self.numbers.acknowledge(ack.number);
        if news == 0 {
            return self.on_duplicate(now, ack);
        }
        self.measured = now.since(ack.stamp);
        self.trip.measured(self.measured);
        self.duplicates = 0;
        if self.recovering {
            self.recovered(now, news);
        } else {
            self.grow(news);
            self.restart_timer(now);
        }
    }

    fn on_timer(&mut self, now: Time, _link: HostLink) {
        if self.timer_at > now {
            return;
        }
        self.loss_counts.timeouts += 1;
        // What the timer has repeated already tells nothing new of the path (RFC 5681, section 3.1).
        if !self.trip.waits_longer() {
            self.threshold = self.halved();
        }
        self.window = 1.0;
        // Repeated segments may have arrived already and cause duplicate ACKs: none counts before new segments are
        // acknowledged.
        self.recover = self.numbers.top + 1;
        self.recovering = false;
        self.duplicates = 0;
        self.trip.timed_out();
        self.numbers.go_back();
        self.restart_timer(now);
    }

    fn next_timer(&self) -> Time {
        self.timer_at
    }

    fn next(&self) -> Option<Next> {
        self.numbers.next(|flight| f64::from(flight) + 1.0 <= self.limit())
    }

    fn sent(&self) -> u32 {
        self.numbers.top
    }

    fn acknowledged(&self) -> u32 {
        self.numbers.first
    }

    fn in_flight(&self) -> u32 {
        self.numbers.flight()
    }

    fn loss_counts(&self) -> LossCounts {
        LossCounts { resent: self.numbers.resent, ..self.loss_counts }
    }

    fn gauges(&self) -> Gauges {
        let phase = match () {
            () if !self.numbers.outstanding() && self.numbers.due().is_none() => TransportPhase::Idle,
            () if self.recovering => TransportPhase::Recovery,
            () if self.slow_starts() => TransportPhase::SlowStart,
            () => TransportPhase::CongestionAvoidance,
        };
        let rate = self.trip.smoothed().map_or(0.0, |trip| self.limit() * self.last_size.0 as f64 / trip);
        Gauges { phase, rate, window: self.limit(), measured: self.measured, predicted: self.measured }
    }
}

#[cfg(test)]
mod tests {
    use congestree_units::Rate;

    use super::*;

    #[test]
    fn slow_start_ends_at_half_of_what_was_in_flight_before_the_first_of_several_timeouts() {
        let mut sender = NewReno::new(&NewRenoParams { initial_window: 20, ..Default::default() });
        let link = HostLink { line: Rate::from_gbps(10), packet: Bytes(1_000) };
        sender.on_work(Time::START, 100, link);
        for _ in 0..20 {
            sender.on_sent(Time::START, Bytes(1_000), link);
        }
        for _ in 0..3 {
            sender.on_timer(sender.next_timer(), link);
            assert_eq!((sender.threshold, sender.window), (10.0, 1.0));
            sender.on_sent(Time::START, Bytes(1_000), link);
        }
    }
}
