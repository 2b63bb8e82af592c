//! Parameters of EFL, and what it declares.

use congestree_units::{Bytes, Rate, Span};
use serde::{Deserialize, Serialize};

use crate::check::{Diagnostics, Setting};
use crate::host::transport::{ReceiverParams, TransportKind, check_flush, check_idle_flush, check_timeout};

/// Parameters of EFL. The paper gives N and the ACK interval; the others were chosen once for all its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EflParams {
    /// Bytes that each flow aims to keep in the bottleneck queue (alpha). Default 3000: small enough for a hundred
    /// flows in a 1 MB queue.
    pub alpha: Bytes,
    /// Gain of the rate control (beta). Default 0.0316667, so that alpha times beta is 95 bytes.
    pub beta: f64,
    /// Packets of the bandwidth probe (N); 0: no probe. Default 20 (EFL section III.2).
    pub probe_packets: u32,
    /// Send at `start_rate` while the bandwidth probe is under way, and correct the rate by the delay of these packets.
    pub delay_probing: bool,
    /// The factor on alpha for the ACKs of packets sent in delay probing. Default 0.25.
    pub probe_alpha: f64,
    /// The factor on beta for the same ACKs. Default 12.
    pub probe_beta: f64,
    /// Whether and how the round-trip time is predicted.
    pub prediction: Prediction,
    /// ACK intervals over which receiving rates are measured. Default 3.
    #[schemars(range(min = 1, max = 7))]
    pub prediction_intervals: u32,
    /// Rate of delay probing, and of a source that does not probe.
    pub start_rate: Rate,
    /// The least rate, whatever the rate control says.
    pub floor: Rate,
    /// The round-trip time of an empty network. Absent: the shortest seen so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rtt_min: Option<Span>,
    /// Retransmission timeout: a loss is assumed when there was no progress for this long.
    pub timeout: Span,
    /// Number of duplicate ACKs that indicate a loss. Default 2 (EFL section II).
    #[schemars(range(min = 1))]
    pub duplicates: u32,
    /// Selective repeat: only missing packets are retransmitted, and the receiver keeps those out of order. Default:
    /// go-back-N.
    pub selective: bool,
    /// Data packets per ACK. Default 10 (EFL section IV.1).
    #[schemars(range(min = 1))]
    pub ack_every: u32,
    /// The longest that a received packet waits until its ACK is sent. Absent: until `ack_every` packets are there, or
    /// the group ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ack_flush: Option<Span>,
}

/// Whether and how the round-trip time is predicted (eq. (4)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Prediction {
    /// No prediction: the measured round-trip time is used.
    None,
    /// From the rates at which the same packets were sent and received.
    SamePackets,
    /// From the current sending rate and the rate at which packets were received.
    CurrentRate,
}

impl Default for EflParams {
    fn default() -> Self {
        Self {
            alpha: Bytes(3000),
            beta: 0.031_666_7,
            probe_packets: 20,
            delay_probing: true,
            probe_alpha: 0.25,
            probe_beta: 12.0,
            prediction: Prediction::SamePackets,
            prediction_intervals: 3,
            start_rate: Rate(200_000_000),
            floor: Rate(40_000_000),
            rtt_min: None,
            timeout: Span::from_us(580),
            duplicates: 2,
            selective: false,
            ack_every: 10,
            ack_flush: None,
        }
    }
}

impl TransportKind for EflParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        found.check_rate("start_rate", Some(self.start_rate));
        found.check_rate("floor", Some(self.floor));
        if self.alpha == Bytes(0) {
            let fact = "a flow without a byte in the queue would only slow down";
            found.report("alpha", fact, "give at least 1 B");
        }
        let factors = [("beta", self.beta), ("probe_alpha", self.probe_alpha), ("probe_beta", self.probe_beta)];
        for (key, value) in factors {
            if !(value > 0.0 && value <= 1e6) {
                found.report(key, format!("{value} is not a sensible factor"), "give a number above zero");
            }
        }
        check_timeout("timeout", self.timeout, "a loss would be assumed at once", found);
        if self.rtt_min == Some(Span::ZERO) {
            let remedy = "give the round-trip time of the empty network, or leave it out to have it learned";
            found.report("rtt_min", "no network answers at once", remedy);
        }
        check_flush(self.ack_flush, self.ack_every, ("timeout", self.timeout), found);
        check_idle_flush(self.ack_flush, self.ack_every, found);
        self.check_rates(setting, found);
        if self.timeout > Span::ZERO && self.floor.0 > 0 && self.ack_every > 0 {
            self.check_answers(setting, found);
        }
    }

    fn receiver(&self) -> Option<ReceiverParams> {
        Some(ReceiverParams { every: self.ack_every.max(1), flush: self.ack_flush, keep: self.selective })
    }
}

impl EflParams {
    /// Rates that are valid alone, but not together or with the links.
    fn check_rates(&self, setting: &Setting, found: &mut Diagnostics) {
        let (floor, start) = (self.floor, self.start_rate);
        if start < floor {
            let fact =
                format!("a source never sends more slowly than {floor} (floor), so it cannot begin with {start}");
            found.report("start_rate", fact, "make it larger, or floor smaller");
        }
        let line = setting.rate;
        for (key, rate) in [("start_rate", start), ("floor", floor)] {
            if rate > line && !setting.own_rates {
                let fact = format!("the link of a host carries {line} only, less than {rate}");
                found.report(key, fact, "make it smaller");
            }
        }
    }

    /// ACKs that would come too late, or too rarely.
    fn check_answers(&self, setting: &Setting, found: &mut Diagnostics) {
        let (floor, every) = (self.floor, self.ack_every);
        if let Some(least) = self.rtt_min
            && self.timeout <= least
        {
            let fact = format!("no ACK is back before {least} (rtt_min), so every packet would count as lost");
            found.report("timeout", fact, "make it several times rtt_min");
        } else if self.ack_flush.is_none() {
            let packet = setting.packet;
            let taken = floor.time_for(packet).scaled(f64::from(every));
            if taken + self.rtt_min.unwrap_or(Span::ZERO) >= self.timeout {
                let fact = format!(
                    "at {floor} (floor) the packets that one ACK answers ({every} of {packet}) take {taken}: a slow \
                     source would take its own slowness for a loss, and never become faster"
                );
                let remedy = "make it longer, floor higher or ack_every smaller, or give ack_flush";
                found.report("timeout", fact, remedy);
            }
        }
        // Eq. (1) needs an ACK at the last packet of the probe, and one before.
        let probe = self.probe_packets;
        if probe > 0 && self.ack_flush.is_none() && (!probe.is_multiple_of(every) || probe < every.saturating_mul(2)) {
            let fact = format!(
                "with ack_every = {every}, a probe of {probe} is not answered by two ACKs or more, the last at its end"
            );
            let remedy = format!("take a multiple of {every} from {} on, or give ack_flush", every.saturating_mul(2));
            found.report("probe_packets", fact, remedy);
        }
    }
}
