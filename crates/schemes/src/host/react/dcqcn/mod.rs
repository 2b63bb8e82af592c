//! DCQCN: the rate control of RoCE adapters. A notification cuts the rate; without notifications, time and bytes sent
//! raise it again.
//!
//! | here         | DCQCN, section 3     | unit   |
//! |--------------|----------------------|--------|
//! | `rate`       | R_C, current rate    | bit/s  |
//! | `target`     | R_T, target rate     | bit/s  |
//! | `alpha`      | α, congestion so far | 1      |
//! | `gain`       | g                    | 1      |
//! | `stages`     | F                    | events |
//!
//! ```text
//! cut:       R_T = R_C, R_C = R_C (1 - α/2)             at a notification, at most one every cut_period
//! α:         α = (1 - g) α + g                           at a notification, or for every alpha_period with one
//!            α = (1 - g) α                               for every alpha_period without
//! increase:  R_C = (R_T + R_C) / 2, and before that      every increase_timer (T) and every byte_counter bytes (B)
//!            fast recovery   nothing                     T and B at most F
//!            additive        R_T += additive
//!            hyper           R_T += hyper                T and B above F
//! ```
//!
//! T and B count from the last cut. Without a byte counter the event after the F fast recoveries is additive and all
//! later ones are hyper, as in adapters and in HPCC's model of them. A notification less than `cut_period` after the
//! last cut takes effect at the end of that period. Packets that left an undetermined output (TCD) do not change the
//! rate: T and B continue from their values after another whole timer and another whole byte counter.
//!
//! Between notifications everything is a function of time and of the bytes sent, so there are no timer events: the
//! state is brought up to date on feedback and on sending, and the next start is the earliest time that the rate at
//! that time allows. A source that may send already is not held again by a cut at the end of a period.
//!
//! Zhu et al.: Congestion Control for Large-Scale RDMA Deployments (SIGCOMM 2015), section 3 and figure 7.

use std::sync::Arc;

use congestree_units::{Bytes, Span, Time};

use super::{Feedback, LinkView, LossSignal, Needs, ReactionPoint, Sent};
use crate::host::bounds::MostWindow;
use crate::power::power;

mod params;
mod rate;

pub use super::WindowBound;
pub use params::{AlphaGrows, ClampTarget, DcqcnParams};
use rate::RateState;

/// The rate of one source. It is behind a pointer, because a network has many sources and most parts need less memory.
#[derive(Clone, Debug)]
pub struct Dcqcn {
    state: Box<State>,
}

#[derive(Clone, Debug)]
struct State {
    params: Arc<DcqcnParams>,
    link: LinkView,
    rate: RateState,
    alpha: f64,
    /// The time from which alpha's periods count; never before the first notification.
    alpha_from: Time,
    /// Whether a notification has arrived in the current period of alpha.
    heard: bool,
    /// Bytes sent since the byte counter last expired.
    bytes: u64,
    /// The rate that determines the window; updated on feedback (bit/s).
    heard_at: f64,
}

impl State {
    fn line(&self) -> f64 {
        self.link.line.0 as f64
    }

    /// Alpha at an instant.
    fn alpha_at(&self, now: Time) -> f64 {
        if self.alpha_from == Time::NEVER {
            return self.alpha;
        }
        let params = &self.params;
        let mut periods = now.since(self.alpha_from).0 / params.alpha_period.0.max(1);
        let mut alpha = self.alpha;
        if periods > 0 && self.heard {
            alpha = (1.0 - params.gain) * alpha + params.gain;
            periods -= 1;
        }
        alpha * power(1.0 - params.gain, periods.min(1 << 30) as u32)
    }

    /// Computes alpha up to a time.
    fn settle_alpha(&mut self, now: Time) {
        let period = self.params.alpha_period.0.max(1);
        let periods = now.since(self.alpha_from).0 / period;
        if periods > 0 {
            self.alpha = self.alpha_at(now);
            self.alpha_from += Span(periods * period);
            self.heard = false;
        }
    }

    /// Time and bytes until the next increase are counted from zero again.
    fn hold(&mut self, now: Time) {
        self.settle(now);
        if self.rate.expiry != Time::NEVER {
            self.rate.expiry = now + self.params.increase_timer;
            self.bytes = 0;
        }
    }

    fn cut(&mut self, at: Time) {
        let alpha = self.alpha_at(at);
        self.rate.cut(at, alpha, &self.params);
        self.bytes = 0;
    }

    /// Alpha takes a notification into account, after the cut if it is the first.
    fn grow_alpha(&mut self, now: Time, first: bool) {
        if self.alpha_from == Time::NEVER {
            self.alpha_from = now;
        }
        self.settle_alpha(now);
        match self.params.alpha_grows {
            AlphaGrows::AtNotifications => {
                self.alpha = (1.0 - self.params.gain) * self.alpha + self.params.gain;
                self.alpha_from = now;
            }
            // The first notification starts the periods, and belongs to none.
            AlphaGrows::Periodically => self.heard |= !first,
        }
    }

    /// A cut, now or as soon as one is allowed again; and alpha grows.
    fn notified(&mut self, now: Time) {
        self.settle(now);
        let first = self.rate.cut_at == Time::NEVER;
        let allowed = match self.rate.cut_at {
            Time::NEVER => now,
            at => at + self.params.cut_period,
        };
        if allowed <= now {
            self.cut(now);
        } else {
            self.rate.cut_due = allowed;
        }
        self.grow_alpha(now, first);
    }

    /// Does to a rate what is due next, a cut or an increase, if that is due by `until`; returns when.
    #[inline]
    fn step(&self, rate: &mut RateState, until: Time) -> Option<Time> {
        let next = rate.cut_due.min(rate.expiry);
        if next > until {
            return None;
        }
        if rate.cut_due == next {
            rate.cut(next, self.alpha_at(next), &self.params);
        } else {
            rate.tick(&self.params, self.line());
        }
        Some(next)
    }

    /// The rate at a later time, without changing the state: a start that was allowed stays allowed.
    fn ahead(&self, now: Time) -> RateState {
        let mut rate = self.rate;
        while self.step(&mut rate, now).is_some() {}
        rate
    }

    /// Feedback arrived: the window uses the rate of this time.
    fn update_window(&mut self, now: Time) {
        if self.params.window == WindowBound::BdpAtRate {
            self.heard_at = self.ahead(now).now;
        }
    }

    /// Performs everything that is due at `now` or before.
    fn settle(&mut self, now: Time) {
        let rate = self.ahead(now);
        if rate.cut_at != self.rate.cut_at {
            self.bytes = 0;
        }
        self.rate = rate;
    }
}

impl Dcqcn {
    /// A source at line rate that has received no feedback yet.
    pub fn new(params: &DcqcnParams) -> Self {
        let mut source = Self {
            state: Box::new(State {
                params: Arc::new(params.clone()),
                link: LinkView::default(),
                rate: RateState {
                    now: 0.0,
                    target: 0.0,
                    most: 0.0,
                    expiry: Time::NEVER,
                    cut_due: Time::NEVER,
                    cut_at: Time::NEVER,
                    timed: 0,
                    counted: 0,
                },
                alpha: params.initial_alpha,
                alpha_from: Time::NEVER,
                heard: false,
                bytes: 0,
                heard_at: 0.0,
            }),
        };
        source.at_link(LinkView::default());
        source
    }

    /// The current rate in bit/s, including everything that is due by `now`.
    pub fn rate(&self, now: Time) -> f64 {
        self.state.ahead(now).now
    }

    /// The target rate in bit/s, likewise.
    pub fn target(&self, now: Time) -> f64 {
        self.state.ahead(now).target
    }

    /// Alpha, likewise.
    pub fn alpha(&self, now: Time) -> f64 {
        let mut state = (*self.state).clone();
        state.settle(now);
        state.alpha_at(now)
    }
}

impl ReactionPoint for Dcqcn {
    fn boxed(&self) -> usize {
        size_of::<State>()
    }

    fn needs(&self) -> Needs {
        let params = &self.state.params;
        // A highest rate below that of the link applies from the first packet on.
        Needs {
            placement: true,
            every_packet: params.max_rate.is_some(),
            window: params.window != WindowBound::None,
            ..Needs::MARKS
        }
    }

    fn at_link(&mut self, link: LinkView) {
        let state = &mut *self.state;
        let line = link.line.0 as f64;
        let most = state.params.max_rate.map_or(line, |rate| line.min(rate.0 as f64));
        state.link = link.with_round_trip(state.params.round_trip);
        (state.rate.now, state.rate.target, state.rate.most) = (most, most, most);
        state.heard_at = most;
    }

    fn on_feedback(&mut self, now: Time, feedback: Feedback) {
        match feedback {
            Feedback::Clear => {}
            Feedback::Undetermined => self.state.hold(now),
            Feedback::Congested => self.state.notified(now),
        }
        self.state.update_window(now);
    }

    /// It does not react to losses; but the window is updated with the current rate.
    fn on_loss(&mut self, now: Time, _loss: LossSignal) {
        self.state.update_window(now);
    }

    fn on_sent(&mut self, now: Time, size: Bytes) {
        let state = &mut *self.state;
        state.settle(now);
        let counter = state.params.byte_counter.0;
        if counter == 0 || state.rate.expiry == Time::NEVER {
            return;
        }
        state.bytes += size.0;
        while state.bytes >= counter {
            state.bytes -= counter;
            state.rate.counted = state.rate.counted.saturating_add(1);
            let line = state.line();
            state.rate.rise(&state.params, line);
        }
    }

    /// The earliest time since the last packet that the rate at that time allows.
    fn next_start(&self, last: Sent) -> Time {
        let (mut rate, mut from) = (self.state.rate, last.start);
        loop {
            let start = from.max(last.start + last.gap(rate.now));
            match self.state.step(&mut rate, start) {
                Some(at) => from = from.max(at),
                None => return start,
            }
        }
    }

    fn limit(&self, now: Time, _full: Span) -> f64 {
        (self.state.line() / self.rate(now)).max(1.0)
    }

    fn window(&self) -> Option<u32> {
        let state = &*self.state;
        state.params.window.packets(state.link, state.heard_at / state.line())
    }

    fn most_window(&self) -> Option<MostWindow> {
        let params = &self.state.params;
        params.window.most(self.state.link, params.round_trip)
    }
}

#[cfg(test)]
mod tests;
