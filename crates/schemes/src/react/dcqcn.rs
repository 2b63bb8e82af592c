//! DCQCN: the rate control of RoCE adapters. A notification cuts the rate; silence, counted in time and in bytes, brings
//! it back.
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
//! T and B count from the last cut. Without a byte counter the event after the F fast recoveries is additive and all later
//! ones are hyper, as adapters and HPCC's model of them have it. A notification less than `cut_period` after the last
//! cut is acted upon at the end of that period.
//!
//! Between notifications everything is a function of time and of what was sent, so there are no timers: the state is
//! brought up to date when something is heard or sent, and the next start is the earliest instant that the rate of
//! that instant allows. A source that may send already is not held again by a cut at the end of a period.
//!
//! Zhu et al.: Congestion Control for Large-Scale RDMA Deployments (SIGCOMM 2015), section 3 and figure 7.

use std::sync::Arc;

use congestree_units::{Bytes, Rate, Span, Time};
use serde::{Deserialize, Serialize};

use super::{Feedback, LinkView, ReactionPoint, Sent};

/// Parameters of DCQCN; beside each its name in the settings of an mlx5 adapter, where it has one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DcqcnParams {
    /// Share of the news in alpha (g; 1 - dce_tcp_g/1024). Default 1/256.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub gain: f64,
    /// Alpha of a source that has heard nothing yet (initial_alpha_value/1024). Default 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub initial_alpha: f64,
    /// Alpha decays after so long without a notification (dce_tcp_rtt). Default 50 us.
    pub alpha_period: Span,
    /// When alpha grows.
    pub alpha_grows: AlphaGrows,
    /// At most one cut in so long (rate_reduce_monitor_period). Default 50 us.
    pub cut_period: Span,
    /// A cut leaves at least this share of the rate (rpg_min_dec_fac). Default 0.5.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub least_share: f64,
    /// When a cut sets the target rate to the rate before it (clamp_tgt_rate, clamp_tgt_rate_after_time_inc).
    pub clamp_target: ClampTarget,
    /// The rate after the first notification (rate_to_set_on_first_cnp). Absent: it is cut like any other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_rate: Option<Rate>,
    /// The rate rises after every such time without a cut (rpg_time_reset). Default 55 us.
    pub increase_timer: Span,
    /// The rate rises after so many bytes on the wire without a cut (rpg_byte_reset). Default 10 MB. "0 B": never.
    pub byte_counter: Bytes,
    /// Events of fast recovery (rpg_threshold). Default 5.
    pub stages: u32,
    /// What additive increase adds to the target rate (rpg_ai_rate). Default 5 Mbit/s.
    pub additive: Rate,
    /// What hyper increase adds (rpg_hai_rate). Default 50 Mbit/s.
    pub hyper: Rate,
    /// `additive` and `hyper` are those of a link of this rate, and in proportion at other rates. Absent: the same at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_rate: Option<Rate>,
    /// The least rate (rpg_min_rate). Default 100 Mbit/s.
    pub min_rate: Rate,
    /// The highest rate (rpg_max_rate). Absent: that of the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rate: Option<Rate>,
    /// Whether what is unacknowledged is bounded, too.
    pub window: Window,
}

/// When alpha grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AlphaGrows {
    /// With every notification, after the cut if it is one; `alpha_period` counts from there.
    AtNotifications,
    /// At the end of every `alpha_period` in which a notification came; periods count from the first.
    Periodically,
}

/// When a cut sets the target rate to the rate before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClampTarget {
    /// Always.
    Always,
    /// Only if the timer has raised the rate since the last cut: cuts in a row leave the target where it was.
    AfterIncrease,
}

/// Whether what is unacknowledged is bounded, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Window {
    /// It is not: the rate alone decides.
    None,
    /// By what the link carries in a round trip through the idle network (bandwidth-delay product).
    Bdp,
}

impl Default for DcqcnParams {
    fn default() -> Self {
        Self {
            gain: 1.0 / 256.0,
            initial_alpha: 1.0,
            alpha_period: Span::from_us(50),
            alpha_grows: AlphaGrows::AtNotifications,
            cut_period: Span::from_us(50),
            least_share: 0.5,
            clamp_target: ClampTarget::Always,
            first_rate: None,
            increase_timer: Span::from_us(55),
            byte_counter: Bytes(10_000_000),
            stages: 5,
            additive: Rate(5_000_000),
            hyper: Rate(50_000_000),
            for_rate: None,
            min_rate: Rate(100_000_000),
            max_rate: None,
            window: Window::None,
        }
    }
}

impl DcqcnParams {
    /// The timers of the paper; increases for links of 25 Gbit/s, in proportion at other rates.
    pub fn paper() -> Self {
        Self { for_rate: Some(Rate::from_gbps(25)), ..Self::default() }
    }

    /// The settings that adapters come with, as HPCC's model of them has it: notifications are looked at every 4 us, and
    /// a timer alone brings the rate back, soon by hyper increase.
    pub fn vendor() -> Self {
        Self {
            alpha_period: Span::from_us(1),
            alpha_grows: AlphaGrows::Periodically,
            cut_period: Span::from_us(4),
            clamp_target: ClampTarget::AfterIncrease,
            increase_timer: Span::from_us(300),
            byte_counter: Bytes(0),
            stages: 1,
            ..Self::paper()
        }
    }
}

/// The rate of one source. Behind a pointer: a network has many sources, and most parts need less room.
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
    /// From when on alpha's periods count; never before the first notification.
    alpha_from: Time,
    /// A notification has come in the period of alpha that is under way.
    heard: bool,
    /// Bytes sent since the byte counter last expired.
    bytes: u64,
}

/// What the passing of time alone changes, and changes now and then only: small, so that looking ahead is cheap.
#[derive(Clone, Copy, Debug)]
struct RateState {
    /// R_C and R_T, in bit/s.
    now: f64,
    target: f64,
    /// The highest.
    most: f64,
    /// The next expiry of the increase timer; never if the rate is at its highest.
    expiry: Time,
    /// When a cut is to be made; never if none is.
    cut_due: Time,
    /// When the last cut was made.
    cut_at: Time,
    /// Expiries of the timer, and of the byte counter, since then.
    timed: u32,
    counted: u32,
}

impl RateState {
    /// An expiry of the timer or of the byte counter: the rate rises.
    fn rise(&mut self, params: &DcqcnParams, line: f64) {
        let (least, most) = match params.byte_counter.0 {
            // Timer alone: fast recovery F times, additive once, hyper from then on.
            0 => (self.timed.saturating_sub(1), self.timed),
            _ => (self.timed.min(self.counted), self.timed.max(self.counted)),
        };
        if most > params.stages {
            let step = if least > params.stages { params.hyper } else { params.additive };
            let share = params.for_rate.map_or(1.0, |rate| line / rate.0 as f64);
            self.target = (self.target + step.0 as f64 * share).min(self.most);
        }
        self.now = (self.now + self.target) / 2.0;
        // Rates less than a bit a second apart are the same.
        if self.most - self.now < 1.0 {
            self.now = self.most;
            self.expiry = Time::NEVER;
        }
    }

    /// The timer expires.
    fn tick(&mut self, params: &DcqcnParams, line: f64) {
        self.timed = self.timed.saturating_add(1);
        self.expiry += params.increase_timer;
        self.rise(params, line);
    }

    /// A notification is acted upon.
    fn cut(&mut self, at: Time, alpha: f64, params: &DcqcnParams) {
        if params.clamp_target == ClampTarget::Always || self.timed > 0 || self.cut_at == Time::NEVER {
            self.target = self.now;
        }
        self.now = match params.first_rate {
            Some(rate) if self.cut_at == Time::NEVER => rate.0 as f64,
            _ => self.now * (1.0 - alpha / 2.0).max(params.least_share),
        }
        .max(params.min_rate.0 as f64)
        .min(self.most);
        self.cut_at = at;
        self.cut_due = Time::NEVER;
        self.expiry = at + params.increase_timer;
        (self.timed, self.counted) = (0, 0);
    }
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
        alpha * (1.0 - params.gain).powi(periods.min(1 << 30) as i32)
    }

    /// Alpha is worked out up to an instant.
    fn settle_alpha(&mut self, now: Time) {
        let period = self.params.alpha_period.0.max(1);
        let periods = now.since(self.alpha_from).0 / period;
        if periods > 0 {
            self.alpha = self.alpha_at(now);
            self.alpha_from += Span(periods * period);
            self.heard = false;
        }
    }

    fn cut(&mut self, at: Time) {
        let alpha = self.alpha_at(at);
        self.rate.cut(at, alpha, &self.params);
        self.bytes = 0;
    }

    /// Alpha hears of a notification, after the cut if it is one.
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

    /// Everything that is due at `now` or before is done.
    fn settle(&mut self, now: Time) {
        loop {
            let next = self.rate.cut_due.min(self.rate.expiry);
            if next > now {
                return;
            }
            if self.rate.cut_due == next {
                self.cut(next);
            } else {
                let line = self.line();
                self.rate.tick(&self.params, line);
            }
        }
    }
}

impl Dcqcn {
    /// A source at line rate that has heard nothing yet.
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
            }),
        };
        source.at_link(LinkView::default());
        source
    }

    /// The current rate in bit/s, with everything done that is due by `now`.
    pub fn rate(&self, now: Time) -> f64 {
        let mut state = (*self.state).clone();
        state.settle(now);
        state.rate.now
    }

    /// The target rate in bit/s, likewise.
    pub fn target(&self, now: Time) -> f64 {
        let mut state = (*self.state).clone();
        state.settle(now);
        state.rate.target
    }

    /// Alpha, likewise.
    pub fn alpha(&self, now: Time) -> f64 {
        let mut state = (*self.state).clone();
        state.settle(now);
        state.alpha_at(now)
    }
}

impl ReactionPoint for Dcqcn {
    fn at_link(&mut self, link: LinkView) {
        let state = &mut *self.state;
        let line = link.line.0 as f64;
        let most = state.params.max_rate.map_or(line, |rate| line.min(rate.0 as f64));
        state.link = link;
        (state.rate.now, state.rate.target, state.rate.most) = (most, most, most);
    }

    fn on_feedback(&mut self, now: Time, feedback: Feedback) {
        if feedback == Feedback::Clear {
            return;
        }
        let state = &mut *self.state;
        state.settle(now);
        let first = state.rate.cut_at == Time::NEVER;
        let allowed = match state.rate.cut_at {
            Time::NEVER => now,
            at => at + state.params.cut_period,
        };
        if allowed <= now {
            state.cut(now);
        } else {
            state.rate.cut_due = allowed;
        }
        state.grow_alpha(now, first);
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

    /// The earliest instant since the last packet that the rate of that instant allows.
    fn next_start(&self, last: Sent) -> Time {
        let state = &*self.state;
        let line = state.line();
        let mut rate = state.rate;
        let mut from = last.start;
        loop {
            let gap = if rate.now >= line { Span::ZERO } else { last.time.scaled(line / rate.now) };
            let start = from.max(last.start + gap);
            let next = rate.cut_due.min(rate.expiry);
            if start < next {
                return start;
            }
            if rate.cut_due == next {
                rate.cut(next, state.alpha_at(next), &state.params);
            } else {
                rate.tick(&state.params, line);
            }
            from = from.max(next);
        }
    }

    fn limit(&self, now: Time, _full: Span) -> f64 {
        (self.state.line() / self.rate(now)).max(1.0)
    }

    fn window(&self) -> Option<u32> {
        match self.state.params.window {
            Window::None => None,
            Window::Bdp => Some(self.state.link.packets_in_flight()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: LinkView = LinkView { line: Rate::from_gbps(25), packet: Bytes(1_000), round_trip: Span::from_us(8) };

    fn at(us: u64) -> Time {
        Time(us * 1_000_000)
    }

    fn source(params: DcqcnParams) -> Dcqcn {
        let mut source = Dcqcn::new(&params);
        source.at_link(LINE);
        source
    }

    /// Rates in Gbit/s at these instants.
    fn rates<const N: usize>(source: &Dcqcn, us: [u64; N]) -> [f64; N] {
        us.map(|us| source.rate(at(us)) / 1e9)
    }

    #[test]
    fn the_first_notification_halves_the_rate_and_fast_recovery_halves_the_way_back() {
        let mut source = source(DcqcnParams { byte_counter: Bytes(0), ..Default::default() });
        source.on_feedback(at(100), Feedback::Congested);
        assert_eq!(rates(&source, [99, 100, 154, 155, 210, 265]), [12.5, 12.5, 12.5, 18.75, 21.875, 23.4375]);
    }

    #[test]
    fn after_fast_recovery_the_target_rises_by_5_then_by_50_megabits() {
        let mut source = source(DcqcnParams { max_rate: None, ..DcqcnParams::vendor() });
        // Two cuts in a row leave the target at the rate before them: clamp only once the timer has run.
        source.on_feedback(at(0), Feedback::Congested);
        source.on_feedback(at(300), Feedback::Congested);
        let before = source.rate(at(300));
        let alpha = source.alpha(at(300));
        assert!((before - 18.75e9 * (1.0 - alpha / 2.0)).abs() < 1.0, "{before}");
        let targets = [599, 600, 900, 1_200, 1_500].map(|us| (source.target(at(us)) / 1e6).round());
        assert_eq!(targets, [18_750.0, 18_750.0, 18_755.0, 18_805.0, 18_855.0]);
    }

    #[test]
    fn increases_are_in_proportion_to_the_link() {
        let mut fast = Dcqcn::new(&DcqcnParams { stages: 0, byte_counter: Bytes(0), ..DcqcnParams::paper() });
        fast.at_link(LinkView { line: Rate::from_gbps(100), ..LINE });
        fast.on_feedback(at(0), Feedback::Congested);
        fast.on_feedback(at(50), Feedback::Congested);
        assert_eq!(fast.target(at(104)), 50e9);
        assert_eq!(fast.target(at(105)), 50.02e9);
    }

    #[test]
    fn one_cut_a_period_and_a_notification_within_it_counts_at_its_end() {
        let mut source = source(DcqcnParams { byte_counter: Bytes(0), ..Default::default() });
        for us in [0, 10, 20] {
            source.on_feedback(at(us), Feedback::Congested);
        }
        // Alpha stays 1: (1 - g) 1 + g.
        assert_eq!(rates(&source, [20, 49, 50, 104]), [12.5, 12.5, 6.25, 6.25]);
    }

    #[test]
    fn alpha_decays_by_the_period_and_grows_at_notifications() {
        let params = DcqcnParams { gain: 0.5, byte_counter: Bytes(0), ..Default::default() };
        let mut source = source(params);
        source.on_feedback(at(0), Feedback::Congested);
        assert_eq!([49, 50, 99, 100].map(|us| source.alpha(at(us))), [1.0, 0.5, 0.5, 0.25]);
        source.on_feedback(at(120), Feedback::Congested);
        // Cut by 0.25/2; alpha is then 0.5 0.25 + 0.5, and its period begins anew.
        assert_eq!(source.alpha(at(169)), 0.625);
        assert_eq!(source.alpha(at(170)), 0.3125);
    }

    #[test]
    fn periodic_alpha_hears_of_a_notification_at_the_end_of_its_period() {
        let params = DcqcnParams { gain: 0.5, alpha_period: Span::from_us(10), ..DcqcnParams::vendor() };
        let mut source = source(params);
        source.on_feedback(at(0), Feedback::Congested);
        assert_eq!([9, 10, 20].map(|us| source.alpha(at(us))), [1.0, 0.5, 0.25]);
        source.on_feedback(at(25), Feedback::Congested);
        assert_eq!([29, 30, 40].map(|us| source.alpha(at(us))), [0.25, 0.625, 0.3125]);
    }

    #[test]
    fn a_byte_counter_raises_the_rate_as_the_timer_does() {
        let mut source = source(DcqcnParams { byte_counter: Bytes(3_000), ..Default::default() });
        source.on_feedback(at(0), Feedback::Congested);
        for _ in 0..2 {
            source.on_sent(at(1), Bytes(1_000));
        }
        assert_eq!(source.rate(at(1)), 12.5e9);
        source.on_sent(at(1), Bytes(1_000));
        assert_eq!(source.rate(at(1)), 18.75e9);
        // Hyper increase needs more than F expiries of both.
        for _ in 0..18 {
            source.on_sent(at(2), Bytes(1_000));
        }
        assert_eq!(source.target(at(2)), 25e9);
    }

    #[test]
    fn the_wait_for_the_next_packet_follows_the_rate_as_it_rises() {
        let mut source = source(DcqcnParams { min_rate: Rate(1_000_000), first_rate: Some(Rate(1_000_000)), ..Default::default() });
        let last = Sent { start: at(0), time: Span(320_000), full: Span(320_000) };
        source.on_feedback(at(0), Feedback::Congested);
        // 1 Mbit/s would take 8 ms; at 55 us the rate is 12.5 Gbit/s, and the wait is long over.
        assert_eq!(source.next_start(last), at(55));
    }

    #[test]
    fn a_window_of_the_bandwidth_delay_product() {
        // 25 Gbit/s x 8 us are 25,000 bytes.
        let windowed = source(DcqcnParams { window: Window::Bdp, ..Default::default() });
        assert_eq!(windowed.window(), Some(25));
        assert_eq!(source(DcqcnParams::default()).window(), None);
    }
}
