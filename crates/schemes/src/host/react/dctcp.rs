//! DCTCP: a window that shrinks in proportion to the share of marked packets.
//!
//! | here     | RFC 8257          | unit    |
//! |----------|-------------------|---------|
//! | `window` | cwnd              | packets |
//! | `alpha`  | DCTCP.Alpha       | 1       |
//! | `gain`   | g                 | 1       |
//! | `left`   | DCTCP.WindowEnd   | packets |
//! | `threshold` | ssthresh       | packets |
//!
//! ```text
//! once a round:       α = (1 - g) α + g (marked / acknowledged)
//! a mark:             window = window (1 - α/2), at most once a round; no slow start from then on
//! a packet without:   window += 1 in slow start, else += 1 / window; not in a round that was cut, except by a timeout
//! a loss:             window = window / 2, at most one cut a round; after a timeout the least window, and slow start at
//!                     once, up to half of what it was; a second timeout in that round leaves that half as it is
//! ```
//!
//! A round ends when everything is acknowledged that was sent before it began. Packets are counted here, not bytes. A
//! mark takes effect at once, with the alpha of the rounds before. Losses are reported by a transport that repairs
//! them.
//!
//! RFC 8257, sections 3.3 to 3.5; RFC 5681, section 3.1; Alizadeh et al.: Data Center TCP (SIGCOMM 2010), section 3.1.

use congestree_units::{Span, Time};
use serde::{Deserialize, Serialize};

use super::{Acked, Feedback, LossSignal, Needs, ReactionPoint, Sent};
use crate::check::{Check, Diagnostics, Setting};
use crate::host::bounds::{MostWindow, WindowUnit};

/// Parameters of DCTCP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DctcpParams {
    /// Weight of the newest round trip in alpha (g). Default 1/16 (RFC 8257, section 4.2).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub gain: f64,
    /// Alpha of a source before any feedback. Default 1 (RFC 8257, section 3.3).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub initial_alpha: f64,
    /// Initial window, in packets. Default 10 (RFC 6928).
    #[schemars(range(min = 1))]
    pub initial_window: u32,
    /// The least window, in packets. Default 2, as Linux has it.
    #[schemars(range(min = 1))]
    pub least_window: u32,
    /// The largest window, in packets. Default 10,000.
    #[schemars(range(min = 1))]
    pub largest_window: u32,
    /// Slow start: double the window every round trip until the first mark.
    pub slow_start: bool,
}

impl Default for DctcpParams {
    fn default() -> Self {
        Self {
            gain: 1.0 / 16.0,
            initial_alpha: 1.0,
            initial_window: 10,
            least_window: 2,
            largest_window: 10_000,
            slow_start: true,
        }
    }
}

impl Check for DctcpParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        if self.least_window > self.largest_window {
            let fact = format!("the least window {} is above the largest, {}", self.least_window, self.largest_window);
            found.report("least_window", fact, "make it smaller");
        }
    }
}

/// The window of one source.
#[derive(Clone, Debug)]
pub struct Dctcp {
    state: Box<State>,
}

#[derive(Clone, Debug)]
struct State {
    params: DctcpParams,
    window: f64,
    alpha: f64,
    /// The round ends when this many more packets are acknowledged; `None` before the first ACK.
    left: Option<u32>,
    /// Acknowledged in this round, and marked among them.
    acknowledged: u32,
    marked: u32,
    /// Whether a mark or loss of this round has taken effect.
    reduced: bool,
    /// In this round a timeout began slow start anew: the window grows although it was reduced.
    restarted: bool,
    /// Below it the window grows by slow start.
    threshold: f64,
}

impl Dctcp {
    /// A source that has received no feedback yet.
    pub fn new(params: &DctcpParams) -> Self {
        Self {
            state: Box::new(State {
                window: f64::from(params.initial_window.max(params.least_window).min(params.largest_window)),
                alpha: params.initial_alpha,
                left: None,
                acknowledged: 0,
                marked: 0,
                reduced: false,
                restarted: false,
                threshold: if params.slow_start { f64::INFINITY } else { 0.0 },
                params: params.clone(),
            }),
        }
    }

    /// Alpha.
    pub fn alpha(&self) -> f64 {
        self.state.alpha
    }

    /// The window in packets, with its fraction.
    pub fn size(&self) -> f64 {
        self.state.window
    }
}

impl State {
    fn bounded(&self, window: f64) -> f64 {
        window.clamp(f64::from(self.params.least_window), f64::from(self.params.largest_window))
    }

    /// The window shrinks to a share, unless it has shrunk in this round.
    fn cut(&mut self, share: f64) {
        if !self.reduced {
            self.reduced = true;
            self.window = self.bounded(self.window * share);
            self.threshold = self.window;
        }
    }

    /// Unmarked packets are acknowledged.
    fn grow(&mut self, packets: u32) {
        let packets = f64::from(packets);
        let grown = if self.window < self.threshold { packets } else { packets * (1.0 / self.window) };
        self.window = self.bounded(self.window + grown);
    }
}

impl ReactionPoint for Dctcp {
    fn boxed(&self) -> usize {
        size_of::<State>()
    }

    fn needs(&self) -> Needs {
        Needs { window: true, ..Needs::ACKS }
    }

    fn on_feedback(&mut self, now: Time, feedback: Feedback) {
        self.on_ack(now, &Acked::one(feedback, Span::ZERO));
    }

    fn on_ack(&mut self, _now: Time, ack: &Acked<'_>) {
        let state = &mut *self.state;
        match ack.feedback {
            Feedback::Congested => {
                state.marked += ack.packets;
                state.cut(1.0 - state.alpha / 2.0);
            }
            Feedback::Clear if !state.reduced || state.restarted => state.grow(ack.packets),
            Feedback::Clear | Feedback::Undetermined => {}
        }
        state.acknowledged += ack.packets;
        let left = state.left.map_or(ack.outstanding, |left| left.saturating_sub(ack.packets));
        state.left = Some(left);
        if left == 0 && ack.packets > 0 {
            let share = f64::from(state.marked) / f64::from(state.acknowledged.max(1));
            state.alpha = (1.0 - state.params.gain) * state.alpha + state.params.gain * share;
            (state.acknowledged, state.left) = (0, Some(ack.outstanding));
            (state.marked, state.reduced, state.restarted) = (0, false, false);
        }
    }

    fn on_loss(&mut self, _now: Time, loss: LossSignal) {
        let state = &mut *self.state;
        state.cut(0.5);
        if loss == LossSignal::Timeout {
            state.window = state.bounded(0.0);
            state.restarted = true;
        }
    }

    fn next_start(&self, last: Sent) -> Time {
        last.start
    }

    fn limit(&self, _now: Time, _full: Span) -> f64 {
        1.0
    }

    fn window(&self) -> Option<u32> {
        Some(self.state.window as u32)
    }

    fn most_window(&self) -> Option<MostWindow> {
        Some(MostWindow::of(self.state.params.largest_window.into(), "largest_window", WindowUnit::Packets))
    }
}

#[cfg(test)]
mod tests;
