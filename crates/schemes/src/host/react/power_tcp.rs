//! PowerTCP: a rate that follows the power of the busiest link: the rate at which it sends (with `gradient` the rate at
//! which packets arrive for it) times the bytes that are queued for it and those that it carries in a round trip.
//!
//! | here        | PowerTCP, algorithms 1 and 2 | unit  |
//! |-------------|------------------------------|-------|
//! | `power`     | Γ, normalised                | 1     |
//! | `rate`      | w/τ                          | bit/s |
//! | `reference` | w_old/τ, of one round ago    | bit/s |
//! | `gain`      | γ                            | 1     |
//! | `additive`  | β/τ                          | bit/s |
//!
//! ```text
//! with telemetry:  λ = max(bytes sent since / τ, B/2),       Γ' = λ (queue + B T) / (B² T), of the hop where it is largest
//! without (θ):     λ = max((RTT - RTT before)/τ + 1, 1/2),   Γ' = λ RTT / (slack T), T the least RTT so far
//! Γ = (1 - τ/T) Γ + (τ/T) Γ'
//! R = γ (R_c / (Γ/η) + β) + (1 - γ) R_c,      once a round trip R_c = R
//! ```
//!
//! τ is the time since the last record of that hop, or since the last ACK, at most T; η only counts with telemetry. The
//! current λ is what the output sends, as the authors' simulator has it; with `gradient` the growth of the queue is
//! added, as the paper has it.
//!
//! Addanki et al.: PowerTCP: Pushing the Performance Limits of Datacenter Networks (NSDI 2022), section 3; details that
//! it leaves open follow the simulator of its authors.

use congestree_units::{Rate, Span, Time};
use serde::{Deserialize, Serialize};

use super::shared::windows::{Rated, Round, Rounds};
use super::{Acked, Feedback, LinkView, Needs, ReactionPoint, Sent};
use crate::check::{Check, Diagnostics, Setting};
use crate::host::bounds::MostWindow;
use crate::switch::telemetry::{HopRecord, Seen, Telemetry};

/// Parameters of PowerTCP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PowerTcpParams {
    /// The signal from which power is computed.
    pub signal: Signal,
    /// Weight of the newest rate (gamma). Default 0.9 (PowerTCP, section 3.3); its simulator has 0.7 without telemetry.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub gain: f64,
    /// Additive increase of the rate (beta over the round trip). Default 150 Mbit/s, as its simulator has it.
    pub additive: Rate,
    /// The power that sources aim at, with telemetry (eta). Default 0.95, as its simulator has it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub target: f64,
    /// Without telemetry, round-trip times are divided by this. Default 1.05, as its simulator has it.
    pub slack: f64,
    /// The current includes the growth of the queue, not only the transmission rate of the output.
    pub gradient: bool,
    /// The least rate. Default 100 Mbit/s, as its simulator has it.
    pub min_rate: Rate,
    /// The base round-trip time T. Absent: that of the flow's own path. With `signal = "delay"` power is measured by the
    /// shortest round trip seen, and T only gives the initial rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_trip: Option<Span>,
}

/// The signal from which power is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Signal {
    /// Telemetry (INT) that switches write into packets.
    Telemetry,
    /// Round-trip times alone (theta-PowerTCP).
    Delay,
}

impl Default for PowerTcpParams {
    fn default() -> Self {
        Self {
            signal: Signal::Telemetry,
            gain: 0.9,
            additive: Rate(150_000_000),
            target: 0.95,
            slack: 1.05,
            gradient: false,
            min_rate: Rate(100_000_000),
            round_trip: None,
        }
    }
}

impl Check for PowerTcpParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        if self.gain == 0.0 {
            found.report("gain", "the rate would never change", "write a share such as 0.9");
        }
        let (delay, usual) = (self.signal == Signal::Delay, Self::default());
        if self.target == 0.0 {
            found.report("target", "no link would ever be free enough", "write a share such as 0.95");
        } else {
            let (why, remedy) = ("power comes from round-trip times", "leave it out, or write signal = \"telemetry\"");
            found.check_idle("target", delay && self.target != usual.target, why, remedy);
        }
        if !(self.slack > 0.0 && self.slack <= 100.0) {
            found.report("slack", format!("{} is not a sensible factor", self.slack), "write for example 1.05");
        } else {
            let (why, remedy) = ("power comes from telemetry", "leave it out, or write signal = \"delay\"");
            found.check_idle("slack", !delay && self.slack != usual.slack, why, remedy);
        }
        if self.gradient && delay {
            let fact = "round-trip times tell nothing of the growth of a queue but what they tell already";
            found.report("gradient", fact, "leave it out, or write signal = \"telemetry\"");
        }
        found.check_rate("additive", Some(self.additive));
        found.check_least_rate("min_rate", self.min_rate, setting);
        found.check_round_trip("round_trip", self.round_trip);
    }
}

impl PowerTcpParams {
    /// Theta-PowerTCP, for switches without telemetry.
    pub fn theta() -> Self {
        Self { signal: Signal::Delay, gain: 0.7, ..Self::default() }
    }
}

/// The window and rate of one source.
#[derive(Clone, Debug)]
pub struct PowerTcp {
    state: Box<State>,
}

#[derive(Clone, Debug)]
struct State {
    params: PowerTcpParams,
    rated: Rated,
    rounds: Rounds,
    /// R_c.
    reference: f64,
    power: f64,
    /// The records of the last ACK.
    last: Vec<HopRecord>,
    /// When it came in, its round-trip time, and the least so far; in seconds.
    before: Option<(Time, f64)>,
    least: f64,
}

impl PowerTcp {
    /// A source at line rate that has received no feedback yet.
    pub fn new(params: &PowerTcpParams) -> Self {
        let rated = Rated::new(params.min_rate.0 as f64);
        let state = State {
            params: params.clone(),
            reference: rated.line,
            rated,
            rounds: Rounds::default(),
            power: 1.0,
            last: Vec::new(),
            before: None,
            least: f64::INFINITY,
        };
        Self { state: Box::new(state) }
    }

    /// The rate in bit/s.
    pub fn rate(&self) -> f64 {
        self.state.rated.rate
    }

    /// The smoothed power.
    pub fn power(&self) -> f64 {
        self.state.power
    }
}

impl State {
    /// The power of the busiest hop, and the time over which it was measured (seconds); `None` if nothing was measured.
    fn measure(&mut self, hops: &[HopRecord]) -> Option<(f64, f64)> {
        let mut most: Option<(f64, f64)> = None;
        for (hop, last) in hops.iter().zip(&mut self.last) {
            if hop.at <= last.at {
                continue;
            }
            let capacity = hop.rate.as_bytes_per_sec();
            let time = hop.at.since(last.at).as_secs();
            let growth = if self.params.gradient { f64::from(hop.queue) - f64::from(last.queue) } else { 0.0 };
            let sent = hop.bytes.saturating_sub(last.bytes) as f64;
            let current = ((sent + growth) / time).max(capacity / 2.0);
            let power = current * (f64::from(hop.queue) + capacity * self.rated.round_trip)
                / (capacity * capacity * self.rated.round_trip);
            *last = *hop;
            if most.is_none_or(|(before, _)| power > before) {
                most = Some((power, time));
            }
        }
        most
    }

    /// An ACK has arrived after this many seconds.
    fn on_delay(&mut self, now: Time, seconds: f64, turn: Round) {
        self.least = self.least.min(seconds);
        if let Some((last, before)) = self.before
            && last < now
        {
            let time = now.since(last).as_secs();
            let current = ((seconds - before) / time + 1.0).max(0.5);
            let power = current * seconds / (self.params.slack * self.least);
            self.follow((power, time), self.least, 1.0, turn);
        }
        self.before = Some((now, seconds));
    }

    /// An ACK has brought records.
    fn on_records(&mut self, hops: &[HopRecord], turn: Round) {
        if turn == Round::First || !HopRecord::same_way(hops, &self.last) {
            self.last.clear();
            self.last.extend_from_slice(hops);
        } else if let Some(measured) = self.measure(hops) {
            self.follow(measured, self.rated.round_trip, self.params.target, turn);
        }
    }

    /// The rate follows the power.
    fn follow(&mut self, (power, time): (f64, f64), base: f64, target: f64, turn: Round) {
        let share = (time / base).min(1.0);
        self.power = self.power * (1.0 - share) + power * share;
        let (gain, additive) = (self.params.gain, self.params.additive.0 as f64);
        let rate = gain * (self.reference / (self.power / target).max(1e-9) + additive) + (1.0 - gain) * self.reference;
        self.rated.rate = self.rated.bounded(rate);
        if turn == Round::Over {
            self.reference = self.rated.rate;
        }
    }
}

impl ReactionPoint for PowerTcp {
    fn boxed(&self) -> usize {
        size_of::<State>()
    }

    fn needs(&self) -> Needs {
        let telemetry = match self.state.params.signal {
            Signal::Telemetry => Telemetry::Records,
            Signal::Delay => Telemetry::None,
        };
        Needs { ignores_marks: true, placement: true, window: true, telemetry, ..Needs::ACKS }
    }

    fn at_link(&mut self, link: LinkView) {
        let state = &mut *self.state;
        state.rated.place(link, state.params.round_trip);
        state.reference = state.rated.line;
    }

    /// Marks tell it nothing.
    fn on_feedback(&mut self, _now: Time, _feedback: Feedback) {}

    fn on_ack(&mut self, now: Time, ack: &Acked<'_>) {
        let state = &mut *self.state;
        let turn = state.rounds.on_ack(ack);
        match (state.params.signal, ack.telemetry) {
            (Signal::Delay, _) => state.on_delay(now, ack.round_trip.as_secs(), turn),
            (Signal::Telemetry, Some(Seen::Records(hops))) => state.on_records(hops, turn),
            (Signal::Telemetry, _) => {}
        }
    }

    fn window(&self) -> Option<u32> {
        Some(self.state.rated.window())
    }

    fn most_window(&self) -> Option<MostWindow> {
        self.state.rated.most_window(self.state.params.round_trip)
    }

    fn next_start(&self, last: Sent) -> Time {
        self.state.rated.next_start(last)
    }

    fn limit(&self, _now: Time, _full: Span) -> f64 {
        self.state.rated.limit()
    }
}

#[cfg(test)]
mod tests;
