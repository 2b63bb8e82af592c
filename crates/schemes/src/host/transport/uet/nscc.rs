//! NSCC, network signal congestion control: the window of a sender, from marks, queueing delay and trims.
//!
//! | here | Ultra Ethernet 1.0, section 3.6; uet-htsim | unit |
//! | --- | --- | --- |
//! | `scale` | scaling_factor_a: bandwidth-delay product over that of 100 Gbit/s and 12 us | 1 |
//! | `target` | target_Qdelay | time |
//! | `proportional` | alpha | bytes per second of slack |
//! | `fair` | fi | bytes |
//! | `eta` | eta | bytes a period |
//! | `average` | avg_delay | time |
//!
//! On every ACK of n bytes with queueing delay d:
//!
//! ```text
//!             d < target                                    d >= target
//! no mark     d < 1 us for a window: cwnd += n fast scale   increase += fair n
//!             else increase += proportional n (target - d)
//! mark        nothing                                       once a round trip, if average > target:
//!                                                           cwnd *= max(1 - γ (average - target)/average, 1/2)
//! every 8 packets or round trip:  cwnd += increase / cwnd;  once a round trip also cwnd += eta
//! ```
//!
//! *Quick adapt* takes precedence: when a round of base round trip and target is over, and packets were trimmed in it
//! or the delay is above four times the target, and less than an eighth of the largest window was delivered, then the
//! window becomes the bytes delivered, and answers to packets already in flight are ignored. Otherwise a trimmed packet
//! reduces the window by its size.
//!
//! The average takes the delay of every ACK, or a quarter of the shortest round trip if the packet came late without a
//! mark, which is taken for a burst; a trimmed packet counts as a delay of a round trip.

use std::sync::Arc;

use congestree_units::{Rate, Span, Time};

use super::product;

mod params;

pub use params::NsccParams;

/// The reference for the gains: 100 Gbit/s and 12 us.
const REFERENCE: (Rate, Span) = (Rate::from_gbps(100), Span::from_us(12));

/// The path of a window.
#[derive(Clone, Copy, Debug)]
pub struct NsccPath {
    /// Rate of the link of its host.
    pub line: Rate,
    /// A full packet on the wire, and its payload.
    pub packet: u64,
    /// The payload of a full packet (B).
    pub segment: u64,
    /// Round-trip time of the network without load.
    pub round_trip: Span,
    /// The largest window in bandwidth-delay products.
    pub most_window: f64,
}

/// What an ACK tells.
#[derive(Clone, Copy, Debug)]
pub struct NsccAck {
    /// Bytes that it newly reports as received.
    pub bytes: u64,
    /// The packet that caused it was marked.
    pub marked: bool,
    /// Its queueing delay, if it is known.
    pub delay: Option<Span>,
    /// Bytes in flight after it.
    pub in_flight: u64,
}

/// The window of one sender. All sizes in bytes, all delays in seconds.
#[derive(Clone, Debug)]
pub struct Nscc {
    params: Arc<NsccParams>,
    path: NsccPath,
    /// Scaled by the bandwidth-delay product.
    target: f64,
    proportional: f64,
    fair: f64,
    eta: f64,
    fast: f64,
    window: f64,
    most: f64,
    base: Span,
    average: f64,
    increase: f64,
    since_adjust: u64,
    adjusted_at: Time,
    fast_bytes: u64,
    fast_on: bool,
    cut_at: Option<Time>,
    quick: Quick,
}

/// The state of quick adapt.
#[derive(Clone, Copy, Debug, Default)]
struct Quick {
    /// Bytes delivered in the round.
    achieved: u64,
    /// When the round ends; none before the first.
    round_end: Option<Time>,
    /// Bytes that were in flight when the window was adapted, and those of them that have been answered.
    to_ignore: u64,
    ignored: u64,
    trimmed: bool,
}

impl Nscc {
    /// A window before anything was heard, and with the first work of a connection: its first period begins.
    pub fn new(params: &Arc<NsccParams>, path: NsccPath, now: Time) -> Self {
        let scale = product(path.line, path.round_trip) / product(REFERENCE.0, REFERENCE.1);
        let target = params.target.map_or(path.round_trip.as_secs() * params.target_share, |target| target.as_secs());
        let segment = path.segment as f64;
        let mut window = Self {
            target,
            proportional: params.proportional * segment * scale / REFERENCE.1.as_secs(),
            fair: params.fair * segment * scale,
            eta: (params.eta * segment * scale).floor(),
            fast: params.fast * scale,
            window: 0.0,
            most: 0.0,
            base: path.round_trip,
            average: 0.0,
            increase: 0.0,
            since_adjust: 0,
            adjusted_at: now,
            fast_bytes: 0,
            fast_on: false,
            cut_at: None,
            quick: Quick::default(),
            params: params.clone(),
            path,
        };
        window.base_is(path.round_trip);
        window.window = params.initial_window.map_or(window.most, |packets| f64::from(packets) * path.packet as f64);
        window.clamp();
        window
    }

    /// Number of bytes that may be in flight.
    pub fn window(&self) -> u64 {
        self.window as u64
    }

    /// Number of packets that may be in flight, with its fraction.
    pub fn packets(&self) -> f64 {
        self.window / self.path.packet as f64
    }

    /// The shortest round trip seen.
    pub fn base(&self) -> Span {
        self.base
    }

    /// A round trip was measured; the shortest counts as that of the empty network, and the largest window follows it.
    pub fn measured(&mut self, round_trip: Span) {
        if round_trip < self.base {
            self.base_is(round_trip);
        }
    }

    fn base_is(&mut self, round_trip: Span) {
        self.base = round_trip;
        self.most = self.path.most_window * product(self.path.line, round_trip);
    }

    fn clamp(&mut self) {
        let least = self.path.packet as f64;
        self.window = self.window.clamp(least, self.most.max(least));
    }

    /// An ACK.
    pub fn on_ack(&mut self, now: Time, heard: NsccAck) {
        self.quick.achieved += heard.bytes;
        self.quick.ignored += heard.bytes;
        self.since_adjust += heard.bytes;
        if let Some(delay) = heard.delay {
            // An unmarked packet with a high delay is taken for a burst.
            let burst = !heard.marked && delay.as_secs() > self.target;
            self.average_in(if burst { 0.25 * self.base.as_secs() } else { delay.as_secs() });
        }
        let delay = heard.delay.map_or(self.average, Span::as_secs);
        self.clamp();
        if self.quick_adapt(now, heard.marked, false, delay, heard.in_flight) {
            return;
        }
        let bytes = heard.bytes as f64;
        match (heard.marked, delay >= self.target) {
            (false, false) => self.grow(heard.bytes, delay),
            (false, true) => self.increase += self.fair * bytes,
            (true, false) => {}
            (true, true) => self.cut(now),
        }
        self.adjust(now);
        self.clamp();
    }

    /// A packet of this size was trimmed, which `in_flight` still counts. `forgives`: at this place, trims are handled
    /// by the receiver.
    pub fn on_trimmed(&mut self, now: Time, bytes: u64, in_flight: u64, forgives: bool) {
        self.quick.ignored += bytes;
        self.average_in(self.path.round_trip.as_secs());
        self.quick.trimmed = true;
        if !self.quick_adapt(now, false, true, 0.0, in_flight) && !forgives {
            self.window -= bytes as f64;
        }
        self.clamp();
    }

    /// Only a timer indicated that a packet of this size is lost.
    pub fn on_timeout(&mut self, bytes: u64) {
        self.window -= bytes as f64;
        self.clamp();
    }

    fn average_in(&mut self, sample: f64) {
        let gain = self.params.delay_gain;
        self.average = gain * sample + (1.0 - gain) * self.average;
    }

    /// No mark, and a delay below the target.
    fn grow(&mut self, bytes: u64, delay: f64) {
        if delay < self.params.empty.as_secs() {
            self.fast_bytes += bytes;
            self.fast_on |= self.fast_bytes as f64 > self.window;
            if self.fast_on {
                self.window += bytes as f64 * self.fast;
                return;
            }
        } else {
            (self.fast_bytes, self.fast_on) = (0, false);
        }
        self.increase += self.proportional * bytes as f64 * (self.target - delay);
    }

    /// A mark, and a delay above the target.
    fn cut(&mut self, now: Time) {
        (self.fast_bytes, self.fast_on) = (0, false);
        let rested = self.cut_at.is_none_or(|at| now.since(at) > self.base);
        if self.average > self.target && rested {
            let share = 1.0 - self.params.decrease * (self.average - self.target) / self.average;
            self.window *= share.max(1.0 - self.params.most_decrease);
            self.cut_at = Some(now);
        }
    }

    /// Increases are added to the window from time to time.
    fn adjust(&mut self, now: Time) {
        let since = now.since(self.adjusted_at);
        let period = self.path.round_trip;
        let enough = u64::from(self.params.adjust_after) * self.path.packet;
        if self.since_adjust <= enough && since <= period {
            return;
        }
        self.window += self.increase / self.window;
        if since >= period {
            self.window += self.eta;
            self.adjusted_at = now;
        }
        (self.increase, self.since_adjust) = (0.0, 0);
    }

    /// Returns whether the ACK or NACK is to be ignored from here on.
    fn quick_adapt(&mut self, now: Time, marked: bool, trimmed: bool, delay: f64, in_flight: u64) -> bool {
        let quick = &mut self.quick;
        let mut swallowed = false;
        if quick.ignored < quick.to_ignore && (marked || trimmed) {
            swallowed = true;
        } else if quick.round_end.is_none_or(|end| now > end) {
            let troubled = quick.trimmed || trimmed || delay > self.params.quick_delay * self.target;
            let little = (quick.achieved as f64) < self.most / f64::from(1u32 << self.params.quick_gate);
            if quick.round_end.is_some() && troubled && little {
                self.window = (quick.achieved as f64).max(self.path.packet as f64);
                (quick.to_ignore, quick.ignored, quick.trimmed) = (in_flight, 0, false);
                swallowed = true;
            }
            quick.achieved = 0;
            quick.round_end = Some(now + self.base + Span((self.target * 1e12) as u64));
        }
        if swallowed {
            (self.increase, self.since_adjust) = (0.0, 0);
        }
        swallowed
    }
}

#[cfg(test)]
mod tests;
