//! DCTCP: a window that shrinks by the share of packets that were marked.
//!
//! | here     | RFC 8257          | unit    |
//! |----------|-------------------|---------|
//! | `window` | cwnd              | packets |
//! | `alpha`  | DCTCP.Alpha       | 1       |
//! | `gain`   | g                 | 1       |
//! | `round`  | DCTCP.WindowEnd   | packets |
//!
//! ```text
//! once a round:       α = (1 - g) α + g (marked / acknowledged)
//! a mark:             window = window (1 - α/2), at most once a round; no slow start from then on
//! an ACK without one: window += 1 in slow start, else += 1 / window; not in a round that was cut
//! ```
//!
//! A round ends when all is acknowledged that was sent before it began. Here packets are counted and not bytes, losses
//! are not its business, and every packet is acknowledged. A mark counts at once, with the alpha of the rounds before.
//!
//! RFC 8257, sections 3.3 to 3.5; Alizadeh et al.: Data Center TCP (SIGCOMM 2010), section 3.1.

use congestree_units::{Bytes, Span, Time};
use serde::{Deserialize, Serialize};

use super::{Feedback, Needs, ReactionPoint, Sent};

/// Parameters of DCTCP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DctcpParams {
    /// Weight of the newest round in alpha (g). Default 1/16 (RFC 8257, section 4.2).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub gain: f64,
    /// Alpha of a source that has heard nothing yet. Default 1 (RFC 8257, section 3.3).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub initial_alpha: f64,
    /// Packets that may be unacknowledged at first. Default 10 (RFC 6928).
    #[schemars(range(min = 1))]
    pub initial_window: u32,
    /// The least window, in packets. Default 2, as Linux has it.
    #[schemars(range(min = 1))]
    pub least_window: u32,
    /// The largest window, in packets. Default 10,000.
    #[schemars(range(min = 1))]
    pub largest_window: u32,
    /// Double the window every round until the first mark.
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
    /// Packets sent and acknowledged since the start.
    sent: u32,
    acknowledged: u32,
    /// The round ends when so many are acknowledged; and how many were before it, and marked in it.
    round_end: u32,
    round_start: u32,
    marked: u32,
    /// The first round is under way.
    begun: bool,
    /// A mark of this round has been acted upon.
    reduced: bool,
    slow_start: bool,
}

impl Dctcp {
    /// A source that has heard nothing yet.
    pub fn new(params: &DctcpParams) -> Self {
        Self {
            state: Box::new(State {
                window: f64::from(params.initial_window.max(params.least_window).min(params.largest_window)),
                alpha: params.initial_alpha,
                sent: 0,
                acknowledged: 0,
                round_end: 0,
                round_start: 0,
                marked: 0,
                begun: false,
                reduced: false,
                slow_start: params.slow_start,
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

impl ReactionPoint for Dctcp {
    /// Rounds are counted in packets sent.
    fn needs(&self) -> Needs {
        Needs { every_packet: true, window: true, ..Needs::ACKS }
    }

    fn on_feedback(&mut self, _now: Time, feedback: Feedback) {
        let state = &mut *self.state;
        let params = &state.params;
        let marked = feedback == Feedback::Congested;
        state.acknowledged = state.acknowledged.wrapping_add(1);
        if !state.begun {
            (state.begun, state.round_end) = (true, state.sent);
        }
        state.marked += u32::from(marked);
        if marked {
            state.slow_start = false;
            if !state.reduced {
                state.reduced = true;
                state.window *= 1.0 - state.alpha / 2.0;
            }
        } else if !state.reduced && feedback == Feedback::Clear {
            state.window += if state.slow_start { 1.0 } else { 1.0 / state.window };
        }
        state.window = state.window.clamp(f64::from(params.least_window), f64::from(params.largest_window));
        if state.acknowledged.wrapping_sub(state.round_end) as i32 >= 0 {
            let all = state.acknowledged.wrapping_sub(state.round_start).max(1);
            let share = f64::from(state.marked) / f64::from(all);
            state.alpha = (1.0 - params.gain) * state.alpha + params.gain * share;
            (state.round_start, state.round_end) = (state.acknowledged, state.sent.max(state.acknowledged));
            (state.marked, state.reduced) = (0, false);
        }
    }

    fn on_sent(&mut self, _now: Time, _size: Bytes) {
        let state = &mut *self.state;
        state.sent = state.sent.wrapping_add(1);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that always has a packet, and what is on its way.
    struct Pipe {
        source: Dctcp,
        outstanding: u32,
    }

    impl Pipe {
        fn new(params: DctcpParams) -> Self {
            let mut pipe = Pipe { source: Dctcp::new(&params), outstanding: 0 };
            pipe.fill();
            pipe
        }

        fn fill(&mut self) {
            while self.outstanding < self.source.window().unwrap_or(0) {
                self.source.on_sent(Time::START, Bytes(1_000));
                self.outstanding += 1;
            }
        }

        /// All that is on its way now is acknowledged, with marks on the first so many.
        fn round(&mut self, marked: u32) {
            for i in 0..self.outstanding {
                self.source.on_feedback(Time::START, if i < marked { Feedback::Congested } else { Feedback::Clear });
                self.outstanding -= 1;
                self.fill();
            }
        }
    }

    fn steady() -> Pipe {
        Pipe::new(DctcpParams { initial_window: 100, slow_start: false, ..Default::default() })
    }

    #[test]
    fn slow_start_doubles_the_window_every_round_until_a_mark() {
        let mut pipe = Pipe::new(DctcpParams::default());
        let sizes = [0, 0, 1].map(|marked| {
            pipe.round(marked);
            pipe.source.size()
        });
        assert_eq!(sizes[..2], [20.0, 40.0]);
        // Alpha is (15/16)^2 after two rounds without a mark; the last ACKs belong to the next round and add a little.
        let cut = 40.0 * (1.0 - (15.0f64 / 16.0).powi(2) / 2.0);
        assert!(sizes[2] >= cut && sizes[2] < cut + 0.5, "{sizes:?}");
    }

    #[test]
    fn alpha_becomes_the_share_that_is_marked() {
        let params = DctcpParams { initial_window: 100, least_window: 100, slow_start: false, ..Default::default() };
        let mut pipe = Pipe::new(params);
        (0..400).for_each(|_| pipe.round(25));
        assert!((pipe.source.alpha() - 0.25).abs() < 0.01, "{}", pipe.source.alpha());
    }

    #[test]
    fn a_round_without_marks_adds_one_packet() {
        let mut pipe = steady();
        pipe.round(0);
        assert!((pipe.source.size() - 101.0).abs() < 0.01, "{}", pipe.source.size());
    }

    #[test]
    fn only_the_first_mark_of_a_round_reduces_and_nothing_is_added_in_it() {
        let mut pipe = steady();
        pipe.round(60);
        assert_eq!(pipe.source.size(), 50.0);
    }
}
