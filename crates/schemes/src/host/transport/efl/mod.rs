//! EFL: delay-based rate control for data centres, with its reliability (Shimonishi et al.: A Congestion Control
//! Algorithm for Data Center Area Communications, sections II and III).
//!
//! A group of packets begins with a *bandwidth probe*, a few packets at line rate: the distance of their ACKs is
//! determined by the bottleneck and gives the first rate. While they are in flight the source sends slowly and observes
//! the delay. After that each ACK adjusts the rate so that the flow keeps `alpha` bytes in the queue.
//!
//! | here         | EFL section III                          | unit    |
//! |--------------|------------------------------------------|---------|
//! | `rate`       | R                                        | bytes/s |
//! | `alpha`      | α, bytes a flow keeps queued             | bytes   |
//! | `beta`       | β, gain                                  | 1       |
//! | `rtt_min`    | RTT_min                                  | time    |
//! | `probe_packets` | N                                     | packets |
//!
//! Eq. (1): R = D / (T2 - T1), where T1 and T2 are the arrivals of the first and the last ACK of the probe, and D the
//! bytes acknowledged between them. Eq. (2): R ← R + (α - (RTT - RTT_min) R) β / RTT at each ACK, with the predicted
//! RTT (eq. (4), see `forecast.rs`) in the difference. A loss halves the rate; in the bandwidth probe it sets it to
//! zero.
//!
//! ```text
//!   idle ── group ──► bandwidth probing ── N packets sent ──► delay probing ── probe answered ──► congestion avoidance
//! ```
//!
//! Without `delay_probing` the source is silent until the probe is answered (the paper's *BW probe*); without
//! `probe_packets` it starts at `start_rate` in congestion avoidance (its *Plain*).
//!
//! Two duplicate ACKs or a timer indicate a loss. Everything from the lost packet on is sent again (go-back-N), or only
//! the lost packet (`selective`). A duplicate ACK counts only if the packet that caused it was sent after the last
//! repair began, which its time stamp shows; so one loss is never counted twice.

use congestree_units::{Bytes, Span, Time};

use super::numbers::Numbers;
use super::{Ack, Gauges, HostLink, LossCounts, Next, Transport, TransportPhase};

mod forecast;
mod params;

use forecast::Forecast;
pub use params::{EflParams, Prediction};

/// The sending side of one flow.
#[derive(Clone, Debug)]
pub struct Efl {
    params: EflParams,
    numbers: Numbers,
    phase: TransportPhase,
    /// The rate of eq. (1) and (2), in bytes per second.
    rate: f64,
    rtt_min: Span,
    /// One more than the last packet of the bandwidth probe.
    probe_end: u32,
    /// The first ACK of the probe.
    probe_ack: Option<(Time, u32)>,
    /// The first packet sent in congestion avoidance.
    avoids_from: u32,
    forecast: Forecast,
    measured: Span,
    predicted: Span,
    last_start: Time,
    last_size: Bytes,
    progress_at: Time,
    duplicates: u32,
    /// When the last repair began, or when an ACK made one unnecessary.
    repaired_at: Time,
    /// Packets below were sent before the repair (`selective` only); not repairing if zero.
    repairing: u32,
    loss_counts: LossCounts,
}

impl Efl {
    /// A flow that has nothing to send yet.
    pub fn new(params: &EflParams) -> Self {
        Self {
            numbers: Numbers::default(),
            phase: TransportPhase::Idle,
            rate: 0.0,
            rtt_min: params.rtt_min.unwrap_or(Span(u64::MAX)),
            probe_end: 0,
            probe_ack: None,
            avoids_from: 0,
            forecast: Forecast::new(params.prediction_intervals),
            measured: Span::ZERO,
            predicted: Span::ZERO,
            last_start: Time::START,
            last_size: Bytes(0),
            progress_at: Time::START,
            duplicates: 0,
            repaired_at: Time::START,
            repairing: 0,
            loss_counts: LossCounts::default(),
            params: params.clone(),
        }
    }

    /// The rate at which it sends now, in bytes per second.
    fn pace(&self) -> f64 {
        self.rate.max(self.params.floor.as_bytes_per_sec())
    }

    /// Congestion avoidance with this rate, for all packets that are sent from now on.
    fn avoid(&mut self, rate: f64) {
        self.phase = TransportPhase::CongestionAvoidance;
        self.rate = rate;
        self.avoids_from = self.numbers.next;
        self.forecast.forget();
    }

    /// An ACK of the probe, or of packets sent while it was in flight: eq. (1) once the whole probe is acknowledged.
    fn probe_answered(&mut self, now: Time, ack: Ack, link: HostLink) {
        let (first_at, first) = *self.probe_ack.get_or_insert((now, ack.number));
        if ack.number < self.probe_end {
            return;
        }
        let line = link.line.as_bytes_per_sec();
        let between = now.since(first_at).as_secs();
        let rate = if between > 0.0 {
            (f64::from(ack.number - first) * link.packet.0 as f64 / between).min(line)
        } else {
            // One ACK acknowledged the whole probe: there is no time difference to measure.
            self.params.start_rate.as_bytes_per_sec().min(line)
        };
        self.avoid(rate);
    }

    /// Eq. (2).
    fn adjust(&mut self, ack: Ack, link: HostLink) {
        let (mut alpha, mut beta) = (self.params.alpha.0 as f64, self.params.beta);
        if ack.number <= self.avoids_from {
            alpha *= self.params.probe_alpha;
            beta *= self.params.probe_beta;
        }
        let rtt = self.measured.as_secs();
        let queued = (self.predicted.as_secs() - self.rtt_min.as_secs()) * self.rate;
        let rate = self.rate + (alpha - queued) * beta / rtt;
        let line = link.line.as_bytes_per_sec();
        self.rate = rate.max(self.params.floor.as_bytes_per_sec()).min(line);
    }

    fn predict(&self, link: HostLink) -> Span {
        let from = self.avoids_from;
        match self.params.prediction {
            Prediction::None => None,
            Prediction::SamePackets => self.forecast.same_packets(from, self.measured),
            Prediction::CurrentRate => {
                self.forecast.current_rate(from, self.measured, self.pace() / link.packet.0.max(1) as f64)
            }
        }
        .unwrap_or(self.measured)
    }

    /// A packet was lost: the first that is not acknowledged.
    fn repair(&mut self, now: Time, only_first: bool) {
        let probing = matches!(self.phase, TransportPhase::BandwidthProbing | TransportPhase::DelayProbing);
        let rate = if probing && self.numbers.first < self.probe_end { 0.0 } else { self.rate / 2.0 };
        if only_first {
            self.repairing = self.numbers.top;
            self.numbers.repeat_first();
        } else {
            self.repairing = 0;
            self.numbers.go_back();
        }
        self.avoid(rate);
        self.duplicates = 0;
        self.repaired_at = now;
        self.progress_at = now;
    }

    fn on_duplicate(&mut self, now: Time, ack: Ack) {
        if ack.number < self.numbers.first || ack.stamp < self.repaired_at || !self.numbers.outstanding() {
            return;
        }
        self.duplicates += 1;
        if self.duplicates >= self.params.duplicates {
            self.loss_counts.losses += 1;
            self.repair(now, self.params.selective);
        }
    }
}

impl Transport for Efl {
    fn on_work(&mut self, _now: Time, end: u32, link: HostLink) {
        self.numbers.extend(end);
        if self.phase != TransportPhase::Idle || self.numbers.due().is_none() {
            return;
        }
        self.probe_end = self.numbers.next.saturating_add(self.params.probe_packets);
        self.probe_ack = None;
        if self.params.probe_packets > 0 {
            self.phase = TransportPhase::BandwidthProbing;
            self.rate = link.line.as_bytes_per_sec();
            self.last_size = Bytes(0);
        } else {
            self.avoid(self.params.start_rate.as_bytes_per_sec());
        }
    }

    fn on_cut(&mut self, _now: Time) -> u32 {
        if !self.numbers.outstanding() {
            self.phase = TransportPhase::Idle;
        }
        self.numbers.cut()
    }

    fn on_sent(&mut self, now: Time, size: Bytes, link: HostLink) {
        if !self.numbers.outstanding() {
            self.progress_at = now;
        }
        self.numbers.sent();
        self.last_start = now;
        self.last_size = size;
        if self.phase == TransportPhase::BandwidthProbing
            && self.numbers.next == self.probe_end
            && self.params.delay_probing
        {
            self.phase = TransportPhase::DelayProbing;
            self.rate = self.params.start_rate.as_bytes_per_sec().min(link.line.as_bytes_per_sec());
        }
    }

    fn on_ack(&mut self, now: Time, ack: Ack, link: HostLink) {
        let repeats = self.numbers.next < self.numbers.top;
        if self.numbers.acknowledge(ack.number) == 0 {
            return self.on_duplicate(now, ack);
        }
        self.progress_at = now;
        self.duplicates = 0;
        if repeats {
            // The packets in flight were sent before it was known that they need no repair.
            self.repaired_at = now;
        }
        self.measured = now.since(ack.stamp);
        self.predicted = self.measured;
        if self.params.rtt_min.is_none() {
            self.rtt_min = self.rtt_min.min(self.measured);
        }
        match self.phase {
            TransportPhase::BandwidthProbing | TransportPhase::DelayProbing => self.probe_answered(now, ack, link),
            _ => {
                self.forecast.note(now, ack);
                self.predicted = self.predict(link);
                self.adjust(ack, link);
            }
        }
        if self.numbers.first < self.repairing {
            // More than one packet was lost: the next missing one (selective only).
            self.numbers.repeat_first();
            self.repaired_at = now;
        } else {
            self.repairing = 0;
        }
        if self.numbers.first == self.numbers.end {
            self.phase = TransportPhase::Idle;
        }
    }

    fn on_timer(&mut self, now: Time, _link: HostLink) {
        if self.next_timer() <= now {
            self.loss_counts.timeouts += 1;
            self.repair(now, false);
        }
    }

    fn next_timer(&self) -> Time {
        if self.numbers.outstanding() { self.progress_at + self.params.timeout } else { Time::NEVER }
    }

    fn next(&self) -> Option<Next> {
        let sequence = self.numbers.due()?;
        if self.phase == TransportPhase::BandwidthProbing {
            return (sequence < self.probe_end).then_some(Next::at_once(sequence, false));
        }
        let gap = self.last_size.0 as f64 / self.pace() * 1e12;
        Some(Next { at: self.last_start + Span((gap + 0.5) as u64), ..Next::at_once(sequence, false) })
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
        Gauges { phase: self.phase, rate: self.rate, window: 0.0, measured: self.measured, predicted: self.predicted }
    }
}

#[cfg(test)]
mod tests;
