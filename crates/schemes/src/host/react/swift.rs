//! Swift: a window that keeps the round-trip time at a target, which grows with the length of the path and with the
//! number of flows that share it.
//!
//! | here          | Swift, algorithm 1   | unit    |
//! |---------------|----------------------|---------|
//! | `window`      | cwnd                 | packets |
//! | `base_target` | base_target          | time    |
//! | `hop_scale`   | ħ                    | time    |
//! | `fs_range`, `fs_min`, `fs_max` | fs_range, fs_min_cwnd, fs_max_cwnd | time, packets |
//! | `ai`, `beta`, `max_mdf` | ai, β, max_mdf | packets, 1, 1 |
//!
//! ```text
//! target = base_target + hops ħ + clamp(a / sqrt(cwnd) + b, 0, fs_range),
//!          a = fs_range / (1/sqrt(fs_min) - 1/sqrt(fs_max)),  b = -a / sqrt(fs_max)
//! RTT < target:  cwnd += ai / cwnd for each packet, or ai below one packet
//! otherwise:     cwnd *= max(1 - β (RTT - target)/RTT, 1 - max_mdf), at most once a round trip
//! a loss:        cwnd *= 1 - max_mdf, at most once a round trip; from the timeout RETX_RESET_THRESHOLD on the least
//! ```
//!
//! With less than a packet per round trip the window is one, and the next packet starts RTT/cwnd after the last. Hosts
//! answer at once here, so there is only the window for the fabric and not the one for end points. Losses are reported
//! by a transport that repairs them.
//!
//! Kumar et al.: Swift: Delay is Simple and Effective for Congestion Control in the Datacenter (SIGCOMM 2020), section 3.

use congestree_units::{Span, Time};
use serde::{Deserialize, Serialize};

use super::{Acked, Feedback, LinkView, LossSignal, Needs, ReactionPoint, Sent};
use crate::check::{Check, Diagnostics, Setting};
use crate::host::bounds::{MostWindow, WindowUnit};

/// Parameters of Swift. Its paper gives no values; these are those with which the authors of Bolt (NSDI 2023) ran it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SwiftParams {
    /// The target delay for a large window and no hops. Default 25 us.
    pub base_target: Span,
    /// What each switch on the path adds to the target. Default 1 us.
    pub hop_scale: Span,
    /// The most that a small window adds to the target. Default 100 us.
    pub fs_range: Span,
    /// Windows up to this size, in packets, add all of `fs_range`. Default 0.1.
    pub fs_min: f64,
    /// Windows from this size on, in packets, add nothing. Default 256.
    pub fs_max: f64,
    /// Additive increase of the window per round trip below the target, in packets. Default 1.
    pub ai: f64,
    /// Gain of a decrease: how strongly the window reacts to a delay above the target. Default 0.8.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub beta: f64,
    /// The largest share of the window that one decrease takes away. Default 0.5.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub max_mdf: f64,
    /// The least window, in packets. Default 0.01.
    pub min_window: f64,
    /// The largest window, in packets. Default 256.
    pub max_window: f64,
    /// Initial window, in packets. Absent: what the link carries in a round trip through the idle network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_window: Option<f64>,
    /// Successive timeouts after which the window falls to the least (RETX_RESET_THRESHOLD). Default 5, as in htsim's
    /// model.
    #[schemars(range(min = 1))]
    pub retx_reset: u32,
}

impl Default for SwiftParams {
    fn default() -> Self {
        Self {
            base_target: Span::from_us(25),
            hop_scale: Span::from_us(1),
            fs_range: Span::from_us(100),
            fs_min: 0.1,
            fs_max: 256.0,
            ai: 1.0,
            beta: 0.8,
            max_mdf: 0.5,
            min_window: 0.01,
            max_window: 256.0,
            initial_window: None,
            retx_reset: 5,
        }
    }
}

impl Check for SwiftParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        if self.base_target == Span::ZERO {
            found.report("base_target", "no answer comes at once", "give a time such as \"25 us\"");
        }
        for (key, value) in [("fs_min", self.fs_min), ("ai", self.ai), ("min_window", self.min_window)] {
            if !(value > 0.0 && value <= 1e6) {
                found.report(key, format!("{value} is not a number of packets"), "give a number above zero");
            }
        }
        let pairs = [
            ("fs_min", self.fs_min, "fs_max", self.fs_max),
            ("min_window", self.min_window, "max_window", self.max_window),
        ];
        for (low, least, high, most) in pairs {
            if !(most > least && most <= 1e9) {
                let fact = format!("{most} packets are not more than {least} ({low})");
                found.report(high, fact, format!("make it larger, or {low} smaller"));
            }
        }
        if let Some(first) = self.initial_window
            && !(self.min_window..=self.max_window).contains(&first)
        {
            let (least, most) = (self.min_window, self.max_window);
            let fact = format!("a flow cannot begin with {first} packets, from {least} to {most}");
            found.report("initial_window", fact, "write a number between min_window and max_window");
        }
    }
}

/// The window of one source.
#[derive(Clone, Debug)]
pub struct Swift {
    state: Box<State>,
}

#[derive(Clone, Debug)]
struct State {
    params: SwiftParams,
    window: f64,
    hops: u32,
    round_trip: Span,
    /// When the window was last reduced.
    cut_at: Option<Time>,
    /// Timeouts in a row.
    timeouts: u32,
}

impl Swift {
    /// A source that has received no feedback yet.
    pub fn new(params: &SwiftParams) -> Self {
        let state =
            State { params: params.clone(), window: 1.0, hops: 0, round_trip: Span::ZERO, cut_at: None, timeouts: 0 };
        let mut source = Self { state: Box::new(state) };
        source.at_link(LinkView::default());
        source
    }

    /// The window in packets, with its fraction.
    pub fn size(&self) -> f64 {
        self.state.window
    }

    /// The target round-trip time.
    pub fn target(&self) -> Span {
        self.state.target()
    }
}

impl State {
    fn target(&self) -> Span {
        let params = &self.params;
        let range = params.fs_range.as_secs();
        let [least, most, window] = [params.fs_min, params.fs_max, self.window].map(|packets| 1.0 / packets.sqrt());
        let slope = range / (least - most);
        let shared = (slope * (window - most)).clamp(0.0, range);
        let hops = Span(params.hop_scale.0 * u64::from(self.hops));
        params.base_target + hops + Span::from_us(1).scaled(shared * 1e6)
    }

    fn bounded(&self, window: f64) -> f64 {
        window.max(self.params.min_window).min(self.params.max_window)
    }

    /// An ACK for this many packets had this round-trip time.
    fn hear(&mut self, now: Time, round_trip: Span, packets: u32) {
        let target = self.target();
        self.round_trip = round_trip;
        self.timeouts = 0;
        let params = &self.params;
        let mut window = self.window;
        if round_trip < target {
            window += f64::from(packets) * if window >= 1.0 { params.ai / window } else { params.ai };
        } else if self.may_cut(now) {
            let excess = (round_trip.as_secs() - target.as_secs()) / round_trip.as_secs();
            window *= (1.0 - params.beta * excess).max(1.0 - params.max_mdf);
            self.cut_at = Some(now);
        }
        self.window = self.bounded(window);
    }

    /// Whether the last decrease is at least a round trip ago.
    fn may_cut(&self, now: Time) -> bool {
        self.cut_at.is_none_or(|at| now.since(at) >= self.round_trip)
    }

    /// A packet was lost.
    fn lose(&mut self, now: Time, loss: LossSignal) {
        self.timeouts = if loss == LossSignal::Timeout { self.timeouts.saturating_add(1) } else { 0 };
        if self.timeouts >= self.params.retx_reset {
            self.window = self.params.min_window;
        } else if self.may_cut(now) {
            self.window = self.bounded(self.window * (1.0 - self.params.max_mdf));
            self.cut_at = Some(now);
        }
    }

    /// From the start of a packet to the next, below one packet in a round trip.
    fn gap(&self) -> Span {
        if self.window < 1.0 { self.round_trip.scaled(1.0 / self.window) } else { Span::ZERO }
    }
}

impl ReactionPoint for Swift {
    fn boxed(&self) -> usize {
        size_of::<State>()
    }

    fn needs(&self) -> Needs {
        Needs { ignores_marks: true, placement: true, window: true, ..Needs::ACKS }
    }

    fn at_link(&mut self, link: LinkView) {
        let state = &mut *self.state;
        (state.hops, state.round_trip) = (link.hops, link.round_trip);
        let first = state.params.initial_window.unwrap_or_else(|| f64::from(link.packets_in_flight()));
        state.window = state.bounded(first);
    }

    /// Marks tell it nothing.
    fn on_feedback(&mut self, _now: Time, _feedback: Feedback) {}

    fn on_ack(&mut self, now: Time, ack: &Acked<'_>) {
        self.state.hear(now, ack.round_trip, ack.packets);
    }

    fn on_loss(&mut self, now: Time, loss: LossSignal) {
        self.state.lose(now, loss);
    }

    fn window(&self) -> Option<u32> {
        Some((self.state.window as u32).max(1))
    }

    fn most_window(&self) -> Option<MostWindow> {
        Some(MostWindow::of(self.state.params.max_window, "max_window", WindowUnit::Packets))
    }

    fn next_start(&self, last: Sent) -> Time {
        last.start + self.state.gap()
    }

    fn limit(&self, _now: Time, full: Span) -> f64 {
        (self.state.gap().0 as f64 / full.0.max(1) as f64).max(1.0)
    }
}

#[cfg(test)]
mod tests;
