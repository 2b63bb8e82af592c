//! IRN, the improved RoCE adapter: lost packets are found individually, and no more packets are in flight than the path
//! can hold. So it does not need links with pauses.
//!
//! The receiver answers every packet, keeps packets out of order, and says which packet it answers. An answer to a
//! packet after a missing one is a NACK. The sender keeps a bitmap of the packets that have arrived.
//!
//! | here           | IRN, section 3                  | default |
//! |----------------|---------------------------------|---------|
//! | `window`       | BDP cap                         | bandwidth-delay product |
//! | `few`          | N                               | 3       |
//! | `timeout_low`  | RTO_low, with fewer than N packets on their way | 100 us |
//! | `timeout_high` | RTO_high                        | 320 us  |
//!
//! ```text
//!   NACK or timeout            all that was sent before has arrived
//!   ─────────────► recovery ─────────────────────────────────────► normal
//!
//!   recovery: first the packet that is due at the receiver, then every packet that is missing below the highest that
//!             has arrived, each once; when none is left, new packets as the window allows. If packets are known to be
//!             missing when it is over, the next one begins
//! ```
//!
//! A packet that is lost again is found only by the timer, which starts the recovery anew. The timer runs from the last
//! answer with new information; it never backs off. How fast packets are sent within the window is decided by the link,
//! or by a reaction: a rate such as DCQCN's, or a window such as Swift's for packets that are not known to have
//! arrived.
//!
//! Mittal et al.: Revisiting Network Support for RDMA (SIGCOMM 2018), sections 3.1 and 3.2.

use std::collections::VecDeque;

use congestree_units::{Bytes, Span, Time};

use super::{Ack, ControlPackets, Gauges, Header, HostLink, LossCounts, Next, PathView, Transport, TransportPhase};
use crate::host::react::LinkView;

mod params;

pub use params::IrnParams;

/// The sending side of one flow.
#[derive(Clone, Debug)]
pub struct Irn {
    params: IrnParams,
    /// The round trip of the flow's path.
    path: Span,
    window: u32,
    /// The first packet that is not acknowledged.
    first: u32,
    /// Which of the packets from `first` on have arrived, up to the last that was sent.
    arrived: VecDeque<bool>,
    /// How many of them have.
    ahead: u32,
    /// One more than the highest that has arrived.
    highest: u32,
    /// One more than the highest packet of its work.
    end: u32,
    recovery: Option<Recovery>,
    progress_at: Time,
    measured: Span,
    loss_counts: LossCounts,
    control: ControlPackets,
}

/// A recovery under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Recovery {
    /// It ends when all packets below have arrived.
    until: u32,
    /// Packets below this number have been sent again, if they were missing.
    scanned: u32,
    /// The next packet expected by the receiver has not been sent again yet.
    begins: bool,
}

impl Irn {
    /// A flow that has nothing to send yet.
    pub fn new(params: &IrnParams) -> Self {
        Self {
            window: params.window.unwrap_or(u32::MAX),
            params: params.clone(),
            path: Span::ZERO,
            first: 0,
            arrived: VecDeque::new(),
            ahead: 0,
            highest: 0,
            end: 0,
            recovery: None,
            progress_at: Time::START,
            measured: Span::ZERO,
            loss_counts: LossCounts::default(),
            control: ControlPackets::default(),
        }
    }

    /// The packet that goes next in order: one more than the highest ever sent.
    fn top(&self) -> u32 {
        self.first + self.flight()
    }

    /// Packets sent and not acknowledged.
    pub fn flight(&self) -> u32 {
        self.arrived.len() as u32
    }

    /// Packets that may be unacknowledged.
    pub fn most(&self) -> u32 {
        self.window
    }

    fn recover(&mut self, now: Time) {
        self.recovery = Some(Recovery { until: self.top(), scanned: self.first, begins: true });
        self.progress_at = now;
    }

    /// The packet that the recovery sends again next.
    fn missing(&self) -> Option<u32> {
        let recovery = self.recovery?;
        if recovery.begins {
            return Some(self.first);
        }
        let from = recovery.scanned.max(self.first);
        (from..self.highest.min(recovery.until)).find(|number| !self.arrived[(number - self.first) as usize])
    }

    /// All packets below `number` have arrived, and `cause` as well. Returns whether any of this is new.
    fn hear(&mut self, now: Time, number: u32, cause: u32) -> bool {
        let mut news = false;
        if number > self.first {
            let known = self.arrived.drain(..((number - self.first) as usize).min(self.arrived.len()));
            self.ahead -= known.filter(|&here| here).count() as u32;
            self.first = number;
            news = true;
        }
        if let Some(place) = cause.checked_sub(self.first)
            && let Some(here) = self.arrived.get_mut(place as usize)
        {
            let new = !std::mem::replace(here, true);
            self.ahead += u32::from(new);
            news |= new;
            self.highest = self.highest.max(cause + 1);
        }
        if news {
            self.progress_at = now;
        }
        match &mut self.recovery {
            Some(recovery) if self.first >= recovery.until => self.recovery = None,
            // The expected packet has arrived meanwhile.
            Some(recovery) => recovery.begins &= self.first <= recovery.scanned,
            None => {}
        }
        // What was lost during a recovery that is over now is known from packets behind it that have arrived already.
        if self.recovery.is_none() && (cause > self.first || self.ahead > 0) && news {
            self.loss_counts.losses += 1;
            self.recover(now);
        }
        news
    }
}

impl Transport for Irn {
    fn at_path(&mut self, path: PathView) {
        self.path = path.round_trip;
    }

    fn on_work(&mut self, _now: Time, end: u32, link: HostLink) {
        self.end = self.end.max(end);
        if self.params.window.is_none() {
            let round_trip = self.params.round_trip.unwrap_or(self.path);
            let view = LinkView { line: link.line, packet: link.packet, round_trip, hops: 0 };
            self.window = view.packets_in_flight();
        }
    }

    fn on_cut(&mut self, _now: Time) -> u32 {
        self.end = self.top();
        self.end
    }

    fn on_sent(&mut self, now: Time, _size: Bytes, _link: HostLink) {
        if self.arrived.is_empty() {
            self.progress_at = now;
        }
        match (self.missing(), &mut self.recovery) {
            (Some(number), Some(recovery)) => {
                (recovery.begins, recovery.scanned) = (false, number + 1);
                self.loss_counts.resent += 1;
            }
            _ => self.arrived.push_back(false),
        }
    }

    fn on_ack(&mut self, now: Time, ack: Ack, link: HostLink) {
        let header = Header { cause: ack.number.saturating_sub(1), ..Header::from(ack) };
        self.on_answer(now, &header, link);
    }

    fn on_answer(&mut self, now: Time, header: &Header, _link: HostLink) {
        match header.cause > header.number {
            true => self.control.nacks += 1,
            false => self.control.acks += 1,
        }
        if self.hear(now, header.number, header.cause) {
            self.measured = now.since(header.stamp);
        }
    }

    fn on_timer(&mut self, now: Time, _link: HostLink) {
        if self.next_timer() <= now {
            self.loss_counts.timeouts += 1;
            self.recover(now);
        }
    }

    fn next_timer(&self) -> Time {
        match self.flight() {
            0 => Time::NEVER,
            flight if flight < self.params.few => self.progress_at + self.params.timeout_low,
            _ => self.progress_at + self.params.timeout_high,
        }
    }

    fn next(&self) -> Option<Next> {
        let new = || (self.top() < self.end && self.flight() < self.window).then(|| self.top());
        let missing = self.missing();
        missing.or_else(new).map(|sequence| Next::at_once(sequence, missing.is_some()))
    }

    fn sent(&self) -> u32 {
        self.top()
    }

    fn acknowledged(&self) -> u32 {
        self.first
    }

    fn arrived(&self) -> u32 {
        self.first + self.ahead
    }

    fn in_flight(&self) -> u32 {
        self.flight() - self.ahead
    }

    fn loss_counts(&self) -> LossCounts {
        self.loss_counts
    }

    fn control(&self) -> ControlPackets {
        self.control
    }

    fn gauges(&self) -> Gauges {
        let phase = match () {
            () if self.recovery.is_some() => TransportPhase::Recovery,
            () if self.first == self.end => TransportPhase::Idle,
            () => TransportPhase::CongestionAvoidance,
        };
        let window = if self.window == u32::MAX { 0.0 } else { f64::from(self.window) };
        Gauges { phase, rate: 0.0, window, measured: self.measured, predicted: self.measured }
    }
}

#[cfg(test)]
mod tests;
