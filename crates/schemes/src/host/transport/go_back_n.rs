//! Go-back-N, the transport of RoCE adapters: packets at the rate that the reaction to marks allows; after a loss,
//! everything is sent again from the first missing packet on.
//!
//! The receiver answers a packet out of order at once; the sender takes the answer to a packet behind a missing one for a
//! negative acknowledgement (NAK) and goes back. Packets that it sent before it knew are useless and are answered in the
//! same way, but their time stamps identify them, and they do not make the sender go back twice. The answer to a packet
//! that had arrived before is an ACK. With `selective` the receiver keeps packets out of
//! order, and only missing ones are sent again (as in IRN). If nothing is acknowledged for `timeout`, the sender goes
//! back as well.
//!
//! It has no congestion control: its speed is limited by the link, by `window`, and by the reaction point of the flow:
//! a rate such as DCQCN's, or a window such as DCTCP's, which applies to the packets sent since it went back.
//!
//! InfiniBand Architecture Specification, volume 1, section 9.7.5 (PSN sequence errors); Mittal et al.: Revisiting Network
//! Support for RDMA (SIGCOMM 2018), sections 3 and 4.

use congestree_units::{Bytes, Span, Time};
use serde::{Deserialize, Serialize};

use super::numbers::Numbers;
use super::{
    Ack, Gauges, HostLink, LossCounts, Next, ReceiverParams, Transport, TransportKind, TransportPhase, check_flush,
    check_idle_flush, check_timeout,
};
use crate::check::{Diagnostics, Setting};
use crate::host::bounds::LossTimer;

/// Parameters of go-back-N.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GoBackNParams {
    /// Retransmission timeout: a loss is assumed when nothing was acknowledged for this long. Default 1 ms.
    pub timeout: Span,
    /// Selective repeat: only missing packets are retransmitted, and the receiver keeps those out of order. After a
    /// timeout everything from the first missing packet on is.
    pub selective: bool,
    /// The most unacknowledged packets. Absent: any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub window: Option<u32>,
    /// Data packets per ACK. When the mark changes, the packets that wait are acknowledged first, so that all packets
    /// of an ACK are marked or none is. Default 1.
    #[schemars(range(min = 1))]
    pub ack_every: u32,
    /// The longest that a received packet waits until its ACK is sent. Absent: no limit; the last packet of a message
    /// is acknowledged at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ack_flush: Option<Span>,
}

impl Default for GoBackNParams {
    fn default() -> Self {
        Self { timeout: Span::from_ms(1), selective: false, window: None, ack_every: 1, ack_flush: None }
    }
}

impl TransportKind for GoBackNParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        check_timeout("timeout", self.timeout, "a loss would be assumed at once", found);
        check_flush(self.ack_flush, self.ack_every, ("timeout", self.timeout), found);
        check_idle_flush(self.ack_flush, self.ack_every, found);
        if setting.windowed && self.ack_every > 1 && self.ack_flush.is_none() {
            let fact =
                "the reaction may make its window smaller than what one ACK answers, and would wait for the timer then";
            found.report("ack_flush", fact, "give a time such as \"10 us\", or ack_every = 1");
        }
        if let Some(window) = self.window.filter(|_| self.ack_flush.is_none())
            && window < self.ack_every
        {
            let fact =
                format!("a window of {window} is full before {} packets are there to be answered", self.ack_every);
            found.report("window", fact, "make it larger, ack_every smaller, or give ack_flush");
        }
    }

    fn receiver(&self) -> Option<ReceiverParams> {
        Some(ReceiverParams { every: self.ack_every.max(1), flush: self.ack_flush, keep: self.selective })
    }

    fn leaves_the_rate(&self) -> bool {
        true
    }

    fn follows_on(&self) -> bool {
        true
    }

    fn loss_timers(&self) -> Vec<LossTimer> {
        vec![LossTimer { key: "timeout", span: self.timeout, fewer_than: None }]
    }
}

/// The sending side of one flow.
#[derive(Clone, Debug)]
pub struct GoBackN {
    params: GoBackNParams,
    numbers: Numbers,
    progress_at: Time,
    /// When the last repair began.
    repaired_at: Time,
    /// Packets below were sent before the repair (`selective` only); not repairing if zero.
    repairing: u32,
    measured: Span,
    loss_counts: LossCounts,
}

impl GoBackN {
    /// A flow that has nothing to send yet.
    pub fn new(params: &GoBackNParams) -> Self {
        Self {
            numbers: Numbers::default(),
            progress_at: Time::START,
            repaired_at: Time::START,
            repairing: 0,
            measured: Span::ZERO,
            loss_counts: LossCounts::default(),
            params: params.clone(),
        }
    }

    fn repair(&mut self, now: Time, only_first: bool) {
        if only_first {
            self.repairing = self.numbers.top;
            self.numbers.repeat_first();
        } else {
            self.repairing = 0;
            self.numbers.go_back();
        }
        (self.repaired_at, self.progress_at) = (now, now);
    }
}

impl Transport for GoBackN {
    fn on_work(&mut self, _now: Time, end: u32, _link: HostLink) {
        self.numbers.extend(end);
    }

    fn on_cut(&mut self, _now: Time) -> u32 {
        self.numbers.cut()
    }

    fn on_sent(&mut self, now: Time, _size: Bytes, _link: HostLink) {
        if !self.numbers.outstanding() {
            self.progress_at = now;
        }
        self.numbers.sent();
    }

    fn on_ack(&mut self, now: Time, ack: Ack, _link: HostLink) {
        if self.numbers.acknowledge(ack.number) == 0 {
            // An ACK of a duplicate repeats its number, too, and says nothing of a loss.
            let news = ack.behind_gap && ack.number == self.numbers.first && ack.stamp >= self.repaired_at;
            if news && self.numbers.outstanding() && (self.repairing == 0 || !self.params.selective) {
                self.loss_counts.losses += 1;
                self.repair(now, self.params.selective);
            }
            return;
        }
        self.measured = now.since(ack.stamp);
        self.progress_at = now;
        if self.numbers.first >= self.repairing {
            self.repairing = 0;
        } else {
            // More than one packet was lost: the next missing one.
            self.numbers.repeat_first();
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
        self.numbers.next(|flight| self.params.window.is_none_or(|most| flight < most))
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
            () if self.numbers.next < self.numbers.top || self.repairing > 0 => TransportPhase::Recovery,
            () => TransportPhase::CongestionAvoidance,
        };
        let window = self.params.window.map_or(0.0, f64::from);
        Gauges { phase, rate: 0.0, window, measured: self.measured, predicted: self.measured }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::Rate;

    const LINK: HostLink = HostLink { line: Rate::from_gbps(10), packet: Bytes(1_000) };

    fn at(us: u64) -> Time {
        Time(us * 1_000_000)
    }

    /// A flow of ten packets that has sent them at 0, 1, 2, ... us.
    fn sent(params: GoBackNParams) -> GoBackN {
        let mut flow = GoBackN::new(&params);
        flow.on_work(at(0), 10, LINK);
        send(&mut flow, 0);
        flow
    }

    /// Sends what may be sent, one packet a microsecond from here on; the numbers.
    fn send(flow: &mut GoBackN, us: u64) -> Vec<u32> {
        let mut numbers = Vec::new();
        while let Some(next) = flow.next() {
            flow.on_sent(at(us + numbers.len() as u64), LINK.packet, LINK);
            numbers.push(next.sequence);
        }
        numbers
    }

    fn ack(flow: &mut GoBackN, us: u64, number: u32, stamp: u64) {
        flow.on_ack(at(us), Ack { number, stamp: at(stamp), ..Ack::default() }, LINK);
    }

    /// An answer to a packet behind the missing one with this number.
    fn nak(flow: &mut GoBackN, us: u64, number: u32, stamp: u64) {
        flow.on_ack(at(us), Ack { number, stamp: at(stamp), behind_gap: true, ..Ack::default() }, LINK);
    }

    #[test]
    fn the_first_negative_ack_goes_back_and_those_of_the_same_loss_do_not() {
        let mut flow = sent(GoBackNParams::default());
        ack(&mut flow, 20, 3, 2);
        // Packet 3 is lost; 4, 5, 6 are answered with what is due.
        nak(&mut flow, 22, 3, 4);
        assert_eq!(send(&mut flow, 22), [3, 4, 5, 6, 7, 8, 9]);
        nak(&mut flow, 23, 3, 5);
        nak(&mut flow, 24, 3, 6);
        assert_eq!((flow.next(), flow.loss_counts().losses), (None, 1));
        // Packet 3 is lost again: packets sent after the repair show it.
        nak(&mut flow, 43, 3, 23);
        assert_eq!(send(&mut flow, 43).len(), 7);
        assert_eq!(flow.loss_counts(), LossCounts { resent: 14, losses: 2, timeouts: 0 });
    }

    #[test]
    fn selectively_only_what_is_missing_goes_again() {
        let mut flow = sent(GoBackNParams { selective: true, ..Default::default() });
        ack(&mut flow, 20, 3, 2);
        nak(&mut flow, 22, 3, 4);
        assert_eq!(send(&mut flow, 22), [3]);
        // Packet 7 is missing too.
        ack(&mut flow, 42, 7, 22);
        assert_eq!(send(&mut flow, 42), [7]);
        ack(&mut flow, 62, 10, 42);
        assert_eq!((flow.acknowledged(), flow.loss_counts().resent), (10, 2));
    }

    #[test]
    fn silence_goes_back_too() {
        let mut flow = sent(GoBackNParams::default());
        assert_eq!(flow.next_timer(), at(1_000));
        flow.on_timer(at(1_000), LINK);
        assert_eq!(send(&mut flow, 1_000).len(), 10);
        assert_eq!(flow.loss_counts().timeouts, 1);
    }

    #[test]
    fn acks_of_duplicates_are_no_losses() {
        let mut flow = sent(GoBackNParams { window: Some(2), ..Default::default() });
        // Both ACKs are lost, and the timer fires.
        flow.on_timer(at(1_000), LINK);
        assert_eq!(send(&mut flow, 1_000), [0, 1]);
        ack(&mut flow, 1_020, 2, 1_000);
        assert_eq!(send(&mut flow, 1_020), [2, 3]);
        ack(&mut flow, 1_021, 2, 1_001);
        assert_eq!((flow.next(), flow.loss_counts().losses), (None, 0));
    }

    #[test]
    fn a_window_bounds_what_is_unacknowledged() {
        let mut flow = sent(GoBackNParams { window: Some(4), ..Default::default() });
        assert_eq!(flow.next(), None);
        ack(&mut flow, 20, 2, 1);
        assert_eq!(send(&mut flow, 20), [4, 5]);
    }

    #[test]
    fn when_one_packet_is_repaired_the_next_loss_is_seen() {
        let mut flow = sent(GoBackNParams { selective: true, ..Default::default() });
        nak(&mut flow, 20, 0, 15);
        assert_eq!((send(&mut flow, 20), flow.loss_counts().losses), (vec![0], 1));
        // All ten were there but the first. Ten more go, and the first of them is lost.
        ack(&mut flow, 30, 10, 20);
        assert_eq!(flow.gauges().phase, TransportPhase::Idle);
        flow.on_work(at(40), 20, LINK);
        assert_eq!(send(&mut flow, 40), (10..20).collect::<Vec<_>>());
        nak(&mut flow, 60, 10, 41);
        assert_eq!((send(&mut flow, 60), flow.loss_counts().losses), (vec![10], 2));
    }
}
