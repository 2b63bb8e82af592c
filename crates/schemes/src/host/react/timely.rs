//! TIMELY: a rate that follows the round-trip time, and mainly its gradient.
//!
//! | here       | TIMELY, algorithm 1 | unit   |
//! |------------|---------------------|--------|
//! | `rate`     | rate                | bit/s  |
//! | `ewma`     | α                   | 1      |
//! | `decrease` | β                   | 1      |
//! | `additive` | δ                   | bit/s  |
//! | `low`, `high` | T_low, T_high    | time   |
//! | `least_round_trip` | minRTT      | time   |
//!
//! ```text
//! diff = (1 - α) diff + α (RTT - RTT before),  gradient = diff / minRTT
//! RTT < T_low:     rate += δ
//! RTT > T_high:    rate *= 1 - β (1 - T_high / RTT)
//! gradient <= 0:   rate += δ, or N δ from the fifth time in a row (hyperactive increase)
//! gradient > 0:    rate *= 1 - β gradient
//! ```
//!
//! The rate changes once for every `segment` of acknowledged bytes, with the round-trip time of the packet that
//! completed it. Every packet counts as a full one, because ACKs do not contain sizes. The rate does not change if one
//! of the packets of that segment left an undetermined output (TCD), whose delay proves nothing. In HPCC's model of it,
//! which can be selected, it changes once per round trip, and increases are hyperactive from the sixth increase in a
//! row on, whatever their cause.
//!
//! Mittal et al.: TIMELY: RTT-based Congestion Control for the Datacenter (SIGCOMM 2015), section 4.

use congestree_units::{Bytes, Rate, Span, Time};
use serde::{Deserialize, Serialize};

use super::shared::windows::{Round, Rounds};
use super::{Acked, Feedback, LinkView, Needs, ReactionPoint, Sent, WindowBound};
use crate::check::{Check, Diagnostics, Setting};
use crate::host::bounds::MostWindow;

/// Parameters of TIMELY.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TimelyParams {
    /// Weight of the newest difference of round-trip times in their average (alpha). Default 0.875.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub ewma: f64,
    /// Gain of a rate decrease (beta). Default 0.8.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub decrease: f64,
    /// What an additive increase adds to the rate (delta). Default 10 Mbit/s.
    pub additive: Rate,
    /// Below this round-trip time the rate always rises (T_low). Default 50 us.
    pub low: Span,
    /// Above this round-trip time the rate always falls (T_high). Default 500 us.
    pub high: Span,
    /// The round-trip time by which differences are divided to give the gradient (minRTT). Default 20 us.
    pub least_round_trip: Span,
    /// A hyperactive increase adds this many times `additive` (N). Default 5.
    pub hyper_times: u32,
    /// Number of successive gradients at or below zero after which increases are hyperactive. Default 5.
    pub hyper_after: u32,
    /// Wire bytes that are acknowledged between two changes of the rate; every packet counts as a full one. Default
    /// 16 KiB.
    pub segment: Bytes,
    /// The least rate. Default 100 Mbit/s.
    pub min_rate: Rate,
    /// Which version of the algorithm: that of the paper or of HPCC's simulator.
    pub model: TimelyModel,
    /// Whether a window limits the unacknowledged data, too.
    pub window: WindowBound,
    /// The base round-trip time for the window (GLOBAL_T in HPCC's simulator). Absent: that of the flow's own path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_trip: Option<Span>,
}

/// Which version of the algorithm: that of the paper or of HPCC's simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TimelyModel {
    /// That of the paper: the rate changes with every segment, and hyperactive increases follow successive gradients at
    /// or below zero.
    Paper,
    /// That of HPCC's simulator: the rate changes once a round trip, and hyperactive increases follow successive
    /// increases of any kind.
    Hpcc,
}

impl Default for TimelyParams {
    fn default() -> Self {
        Self {
            ewma: 0.875,
            decrease: 0.8,
            additive: Rate(10_000_000),
            low: Span::from_us(50),
            high: Span::from_us(500),
            least_round_trip: Span::from_us(20),
            hyper_times: 5,
            hyper_after: 5,
            segment: Bytes(16 << 10),
            min_rate: Rate(100_000_000),
            model: TimelyModel::Paper,
            window: WindowBound::None,
            round_trip: None,
        }
    }
}

impl Check for TimelyParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        if self.low > self.high {
            let fact = format!("the rate would only rise below {}, and only fall above {}", self.low, self.high);
            found.report("low", fact, "make it smaller, or scheme.react.timely.high larger");
        }
        if self.least_round_trip == Span::ZERO {
            let fact = "differences of round-trip times are divided by this time, and it is zero";
            found.report("least_round_trip", fact, "give a time such as \"20 us\"");
        }
        found.check_rate("additive", Some(self.additive));
        found.check_least_rate("min_rate", self.min_rate, setting);
        let idle = self.model == TimelyModel::Hpcc && self.segment != Self::default().segment;
        let why = "the rate changes once a round trip in the model of HPCC's simulator";
        found.check_idle("segment", idle, why, "leave it out, or write model = \"paper\"");
        self.window.check_round_trip(self.round_trip, found);
    }
}

/// The rate of one source.
#[derive(Clone, Debug)]
pub struct Timely {
    state: Box<State>,
}

#[derive(Clone, Debug)]
struct State {
    params: TimelyParams,
    /// All in bit/s.
    rate: f64,
    line: f64,
    link: LinkView,
    rounds: Rounds,
    /// Round-trip time at the last change, in seconds; zero before the first.
    before: f64,
    /// Smoothed difference, in seconds.
    difference: f64,
    /// Bytes acknowledged since the last change.
    bytes: u64,
    /// A packet of the segment, or round, left an undetermined output.
    held: bool,
    /// Number of consecutive gradients that were not above zero.
    falling: u32,
}

impl Timely {
    /// A source at line rate that has received no feedback yet.
    pub fn new(params: &TimelyParams) -> Self {
        let link = LinkView::default();
        let line = link.line.0 as f64;
        Self {
            state: Box::new(State {
                params: params.clone(),
                rate: line,
                line,
                link,
                rounds: Rounds::default(),
                before: 0.0,
                difference: 0.0,
                bytes: 0,
                held: false,
                falling: 0,
            }),
        }
    }

    /// The rate in bit/s.
    pub fn rate(&self) -> f64 {
        self.state.rate
    }
}

impl State {
    /// A segment is acknowledged.
    fn completed(&mut self, round_trip: Span) {
        let params = &self.params;
        let (now, additive) = (round_trip.as_secs(), params.additive.0 as f64);
        if self.before > 0.0 {
            self.difference = (1.0 - params.ewma) * self.difference + params.ewma * (now - self.before);
        }
        self.before = now;
        let gradient = self.difference / params.least_round_trip.as_secs();
        let counts = match params.model {
            TimelyModel::Paper => gradient <= 0.0,
            TimelyModel::Hpcc => round_trip < params.low || (round_trip <= params.high && gradient <= 0.0),
        };
        let before = self.falling;
        self.falling = if counts { before.saturating_add(1) } else { 0 };
        if params.model == TimelyModel::Hpcc && counts {
            let times = if before >= params.hyper_after { params.hyper_times } else { 1 };
            self.rate += additive * f64::from(times);
        } else if round_trip < params.low {
            self.rate += additive;
        } else if round_trip > params.high {
            self.rate *= 1.0 - params.decrease * (1.0 - params.high.as_secs() / now);
        } else if gradient <= 0.0 {
            let times = if self.falling >= params.hyper_after { params.hyper_times } else { 1 };
            self.rate += additive * f64::from(times);
        } else {
            self.rate *= (1.0 - params.decrease * gradient).max(0.0);
        }
        self.rate = self.rate.max(params.min_rate.0 as f64).min(self.line);
    }
}

impl ReactionPoint for Timely {
    fn boxed(&self) -> usize {
        size_of::<State>()
    }

    fn needs(&self) -> Needs {
        let params = &self.state.params;
        Needs { ignores_marks: true, placement: true, window: params.window != WindowBound::None, ..Needs::ACKS }
    }

    fn at_link(&mut self, link: LinkView) {
        let state = &mut *self.state;
        state.line = link.line.0 as f64;
        (state.rate, state.link) = (state.line, link.with_round_trip(state.params.round_trip));
    }

    /// It ignores marks and uses ACKs.
    fn on_feedback(&mut self, _now: Time, _feedback: Feedback) {}

    fn on_ack(&mut self, _now: Time, ack: &Acked<'_>) {
        let state = &mut *self.state;
        state.held |= ack.feedback == Feedback::Undetermined;
        state.bytes += state.link.packet.0 * u64::from(ack.packets);
        let turn = match state.params.model {
            TimelyModel::Hpcc => state.rounds.on_ack(ack),
            TimelyModel::Paper if state.bytes >= state.params.segment.0 => Round::Over,
            TimelyModel::Paper => Round::Within,
        };
        if turn == Round::Within {
            return;
        }
        state.bytes = 0;
        if std::mem::take(&mut state.held) || turn == Round::First {
            state.before = ack.round_trip.as_secs();
        } else {
            state.completed(ack.round_trip);
        }
    }

    fn window(&self) -> Option<u32> {
        let state = &*self.state;
        state.params.window.packets(state.link, state.rate / state.line)
    }

    fn most_window(&self) -> Option<MostWindow> {
        let params = &self.state.params;
        params.window.most(self.state.link, params.round_trip)
    }

    fn next_start(&self, last: Sent) -> Time {
        last.start + last.gap(self.state.rate)
    }

    fn limit(&self, _now: Time, _full: Span) -> f64 {
        self.state.line / self.state.rate
    }
}

#[cfg(test)]
mod tests;
