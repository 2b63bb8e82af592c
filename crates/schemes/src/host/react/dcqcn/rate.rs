//! How the rate of a source rises with time and bytes, and how a notification cuts it.

use congestree_units::Time;

use super::{ClampTarget, DcqcnParams};

/// The state that changes by time alone, and only occasionally. It is small, so that looking ahead is cheap.
#[derive(Clone, Copy, Debug)]
pub(super) struct RateState {
    /// R_C and R_T, in bit/s.
    pub(super) now: f64,
    pub(super) target: f64,
    /// The highest.
    pub(super) most: f64,
    /// The next expiry of the increase timer; never if the rate is at its highest.
    pub(super) expiry: Time,
    /// When a pending cut takes effect; never if there is none.
    pub(super) cut_due: Time,
    /// When the last cut was made.
    pub(super) cut_at: Time,
    /// Expiries of the timer and of the byte counter since then.
    pub(super) timed: u32,
    pub(super) counted: u32,
}

impl RateState {
    /// An expiry of the timer or of the byte counter: the rate rises.
    pub(super) fn rise(&mut self, params: &DcqcnParams, line: f64) {
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
    pub(super) fn tick(&mut self, params: &DcqcnParams, line: f64) {
        self.timed = self.timed.saturating_add(1);
        self.expiry += params.increase_timer;
        self.rise(params, line);
    }

    /// A notification takes effect.
    pub(super) fn cut(&mut self, at: Time, alpha: f64, params: &DcqcnParams) {
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
