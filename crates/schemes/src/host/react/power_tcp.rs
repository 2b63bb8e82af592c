//! PowerTCP: a rate that follows the power of the busiest link, which is its arrival rate times the bytes that it
//! holds.
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
use crate::check::{Check, Complaints, Setting};
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
    /// The base round-trip time T. Absent: that of the flow's own path.
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
    fn check(&self, setting: &Setting, found: &mut Complaints) {
        if self.gain == 0.0 {
            found.complain("gain", "the rate would never change", "write a share such as 0.9");
        }
        if self.target == 0.0 {
            found.complain("target", "no link would ever be free enough", "write a share such as 0.95");
        }
        if !(self.slack > 0.0 && self.slack <= 100.0) {
            found.complain("slack", format!("{} is not a sensible factor", self.slack), "write for example 1.05");
        }
        if self.gradient && self.signal == Signal::Delay {
            let fact = "round-trip times tell nothing of the growth of a queue but what they tell already";
            found.complain("gradient", fact, "leave it out, or write signal = \"telemetry\"");
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
    fn needs(&self) -> Needs {
        let telemetry = match self.state.params.signal {
            Signal::Telemetry => Telemetry::Records,
            Signal::Delay => Telemetry::None,
        };
        Needs { placement: true, window: true, telemetry, ..Needs::ACKS }
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

    fn next_start(&self, last: Sent) -> Time {
        self.state.rated.next_start(last)
    }

    fn limit(&self, _now: Time, _full: Span) -> f64 {
        self.state.rated.limit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::Bytes;

    /// A link of 8 Gbit/s (a byte a nanosecond), packets of 1,000 B, T = 10 us; a packet is sent before every ACK.
    fn source(params: &PowerTcpParams) -> PowerTcp {
        let mut source = PowerTcp::new(params);
        source.at_link(LinkView {
            line: Rate::from_gbps(8),
            packet: Bytes(1_000),
            round_trip: Span::from_us(10),
            ..LinkView::default()
        });
        source
    }

    fn sees(source: &mut PowerTcp, us: u64, bytes: u64, queue: u32) -> f64 {
        sees_while(source, us, bytes, queue, 0)
    }

    /// What the source sees while this many packets are in flight.
    fn sees_while(source: &mut PowerTcp, us: u64, bytes: u64, queue: u32, outstanding: u32) -> f64 {
        let hop = HopRecord { at: Time(us * 1_000_000), bytes, queue, output: 0, rate: Rate::from_gbps(8) };
        let telemetry = Some(Seen::Records(&[hop]));
        let ack = Acked { telemetry, outstanding, ..Acked::one(Feedback::Clear, Span::ZERO) };
        source.on_ack(Time::START, &ack);
        (source.rate() / 1e3).round() / 1e3
    }

    fn waits(source: &mut PowerTcp, us: u64, trip: u64) -> f64 {
        source.on_ack(Time(us * 1_000_000), &Acked::one(Feedback::Clear, Span::from_us(trip)));
        (source.rate() / 1e3).round() / 1e3
    }

    #[test]
    fn power_is_current_times_what_is_held() {
        let mut source = source(&PowerTcpParams::default());
        assert_eq!(sees(&mut source, 0, 0, 0), 8_000.0);
        // At line rate for T with 5,000 B in the queue: 1.5. 0.9 (8,000 x 0.95/1.5 + 150) + 0.1 x 8,000.
        assert_eq!(sees(&mut source, 10, 10_000, 5_000), 5_495.0);
        // Half of T without a queue, at a quarter of the rate, which counts as half: 0.5 x 1.5 + 0.5 x 0.5 = 1.
        assert_eq!(sees(&mut source, 15, 11_250, 0), 5_382.725);
        assert!((source.power() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_growth_of_the_queue_is_current_if_that_is_asked_for() {
        let mut source = source(&PowerTcpParams { gradient: true, ..Default::default() });
        sees(&mut source, 0, 0, 0);
        // 10,000 B sent and 5,000 more queued in T: 1.5 of the rate, times 1.5 of what the path holds.
        assert_eq!(sees(&mut source, 10, 10_000, 5_000), 3_975.0);
    }

    #[test]
    fn acks_of_one_round_trip_compute_from_one_reference() {
        let mut source = source(&PowerTcpParams::default());
        // Power 1.5 for all of T, twice within the round: the same rate both times.
        let rates =
            [(0, 0), (10, 5_000), (20, 5_000)].map(|(us, queue)| sees_while(&mut source, us, 1_000 * us, queue, 3));
        assert_eq!(rates, [8_000.0, 5_495.0, 5_495.0]);
    }

    #[test]
    fn without_telemetry_the_round_trip_time_and_its_gradient_stand_in() {
        let mut source = source(&PowerTcpParams::theta());
        assert_eq!(waits(&mut source, 100, 10), 8_000.0);
        // From 10 to 12 us within 10 us: current 1.2, power 1.2 x 12 / 10.5 = 1.371429 for all of T.
        // 0.7 (8,000/1.371429 + 150) + 0.3 x 8,000.
        assert_eq!(waits(&mut source, 110, 12), 6_588.333);
        // It falls by 2 us within 5: current 0.6, power 0.6 x 10 / 10.5 for half of T: (1.371429 + 0.571429)/2.
        // 0.7 (6,588.333/0.971429 + 150) + 0.3 x 6,588.333.
        assert_eq!(waits(&mut source, 115, 10), 6_828.975);
    }

    #[test]
    fn two_acks_of_one_instant_are_no_measurement() {
        let mut source = source(&PowerTcpParams::theta());
        waits(&mut source, 100, 10);
        assert_eq!(waits(&mut source, 100, 50), 8_000.0);
        assert_eq!(source.power(), 1.0);
    }

    /// What the source sees of two outputs, each with its time, its number and its queue; both send at line rate.
    fn sees_two(source: &mut PowerTcp, hops: [(u64, u32, u32); 2]) -> f64 {
        let hops = hops.map(|(us, output, queue)| HopRecord {
            at: Time(us * 1_000_000),
            bytes: 1_000 * us,
            queue,
            output,
            rate: Rate::from_gbps(8),
        });
        let telemetry = Some(Seen::Records(&hops));
        source.on_ack(Time::START, &Acked { telemetry, ..Acked::one(Feedback::Clear, Span::ZERO) });
        (source.rate() / 1e3).round() / 1e3
    }

    #[test]
    fn of_several_hops_the_busiest_counts_wherever_it_is() {
        for queues in [(5_000, 0), (0, 5_000), (5_000, 2_000)] {
            let mut source = source(&PowerTcpParams::default());
            sees_two(&mut source, [(0, 1, 0), (0, 2, 0)]);
            // Power 1.5 of one of them, as with one hop alone.
            assert_eq!(sees_two(&mut source, [(10, 1, queues.0), (10, 2, queues.1)]), 5_495.0, "{queues:?}");
        }
    }

    #[test]
    fn records_of_another_way_are_compared_with_nothing() {
        let mut source = source(&PowerTcpParams::default());
        sees_two(&mut source, [(0, 1, 0), (0, 2, 0)]);
        assert_eq!(sees_two(&mut source, [(10, 1, 5_000), (10, 3, 5_000)]), 8_000.0);
        // From there on they are.
        assert_eq!(sees_two(&mut source, [(20, 1, 5_000), (20, 3, 0)]), 5_495.0);
    }

    #[test]
    fn a_record_that_was_seen_before_is_no_measurement() {
        let mut source = source(&PowerTcpParams::default());
        sees_two(&mut source, [(0, 1, 0), (0, 2, 0)]);
        assert_eq!(sees_two(&mut source, [(0, 1, 0), (0, 2, 0)]), 8_000.0);
        assert_eq!(source.power(), 1.0);
    }
}
