//! Control (RCC): harmful flows leave an output by windows.
//!
//! ```text
//! W   = bytes that the output sends until every harmful flow has sent, at least for `least_window`
//! W_c = bytes of harmful flows among them
//! once a window, while it is told a degree F_b:   W_c = W_c (1 - F_b G_d)
//! ```
//!
//! When W_c bytes of harmful flows have gone in a window, further ones wait until W bytes have gone in all, or for as long as
//! the link takes for W bytes if there is nothing else to send: so their share is at most W_c/W of the link, and never
//! nothing. A window in which nobody told a degree ends the control. Harmful flows that do not send within ten times
//! `least_window` are not waited for when W is measured.

use congestree_units::{Rate, Span, Time};

use super::share_taken;

/// The windows of one output.
#[derive(Clone, Debug, Default)]
pub struct Control {
    state: State,
}

#[derive(Clone, Debug, Default)]
enum State {
    /// Nobody is held.
    #[default]
    Idle,
    /// W and W_c are being measured.
    Measuring { since: Time, total: u64, harmful: u64, missing: u64 },
    /// They are kept to.
    Pacing { length: u64, share: f64, since: Time, total: u64, harmful: u64, degree: u8 },
}

/// The least that a harmful flow may send in a window.
const LEAST: f64 = 1_500.0;

impl Control {
    /// Harmful flows are held, or will be.
    pub fn on(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    /// W_c/W, once it is known.
    pub fn share(&self) -> Option<f64> {
        match self.state {
            State::Pacing { length, share, .. } => Some(share / length as f64),
            _ => None,
        }
    }

    /// The output is congested to this degree, or its region is; there are so many harmful flows, at most 64.
    pub fn on_degree(&mut self, now: Time, told: u8, flows: usize) {
        match &mut self.state {
            State::Idle => {
                let missing = if flows >= 64 { u64::MAX } else { (1 << flows) - 1 };
                self.state = State::Measuring { since: now, total: 0, harmful: 0, missing };
            }
            State::Measuring { .. } => {}
            State::Pacing { degree, .. } => *degree = (*degree).max(told),
        }
    }

    /// Congestion is over.
    pub fn stop(&mut self) {
        self.state = State::Idle;
    }

    /// A packet leaves: `which` of the harmful flows it belongs to, if any.
    pub fn on_sent(&mut self, now: Time, size: u32, which: Option<usize>, least_window: Span, rate: Rate) {
        self.turn(now, rate);
        let size = u64::from(size);
        match &mut self.state {
            State::Idle => {}
            State::Measuring { since, total, harmful, missing } => {
                *total += size;
                if let Some(which) = which {
                    *harmful += size;
                    *missing &= !(1 << which.min(63));
                }
                let lasted = now.since(*since);
                if lasted >= least_window && (*missing == 0 || lasted.0 >= 10 * least_window.0) {
                    let (length, share) = (*total, (*harmful as f64).max(LEAST));
                    self.state = State::Pacing { length, share, since: now, total: 0, harmful: 0, degree: 0 };
                }
            }
            State::Pacing { total, harmful, .. } => {
                *total += size;
                *harmful += if which.is_some() { size } else { 0 };
            }
        }
    }

    /// A packet of a harmful flow may leave, or may from when on.
    pub fn allows(&mut self, now: Time, rate: Rate) -> Result<(), Time> {
        self.turn(now, rate);
        match self.state {
            State::Pacing { length, share, since, harmful, .. } if harmful as f64 >= share => {
                Err(since + time(length, rate))
            }
            _ => Ok(()),
        }
    }

    /// A window that is over makes room for the next.
    fn turn(&mut self, now: Time, rate: Rate) {
        let State::Pacing { length, share, since, total, harmful, degree } = &mut self.state else { return };
        let over = *total >= *length || now >= *since + time(*length, rate);
        if !over {
            return;
        }
        if *degree == 0 {
            self.state = State::Idle;
            return;
        }
        *share = (*share * (1.0 - share_taken(*degree))).max(LEAST);
        (*since, *total, *harmful, *degree) = (now, 0, 0, 0);
    }
}

fn time(bytes: u64, rate: Rate) -> Span {
    rate.time_for(congestree_units::Bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate::from_gbps(8);
    const LEAST_WINDOW: Span = Span::from_us(10);

    fn at(us: u64) -> Time {
        Time(us * 1_000_000)
    }

    /// Two harmful flows; 1,000 B a microsecond, every second packet harmful, until W is known: 12 kB, half of it harmful.
    fn measured() -> (Control, u64) {
        let mut control = Control::default();
        control.on_degree(at(0), 32, 2);
        let mut us = 0;
        while control.share().is_none() {
            us += 1;
            let which = [None, Some(0), None, Some(1)][us as usize % 4];
            control.on_sent(at(us), 1_000, which, LEAST_WINDOW, RATE);
        }
        (control, us)
    }

    #[test]
    fn windows_are_measured_until_every_harmful_flow_has_sent() {
        let (control, us) = measured();
        assert_eq!((us, control.share()), (10, Some(0.5)));
        let mut waits = Control::default();
        waits.on_degree(at(0), 32, 3);
        for us in 1..100 {
            waits.on_sent(at(us), 1_000, Some((us % 2) as usize), LEAST_WINDOW, RATE);
        }
        assert_eq!(waits.share(), None);
        waits.on_sent(at(100), 1_000, None, LEAST_WINDOW, RATE);
        assert!(waits.share().is_some());
    }

    #[test]
    fn what_is_above_the_share_waits_for_the_window_to_end() {
        let (mut control, _) = measured();
        for us in 11..=15 {
            assert_eq!(control.allows(at(us), RATE), Ok(()));
            control.on_sent(at(us), 1_000, Some(0), LEAST_WINDOW, RATE);
        }
        // Five of ten thousand bytes have gone: no more before 10 us from the start of the window, at 10 us.
        control.on_degree(at(15), 64, 2);
        assert_eq!(control.allows(at(16), RATE), Err(at(20)));
        // The next window allows half of that: the degree takes half.
        assert_eq!(control.allows(at(20), RATE), Ok(()));
        assert_eq!(control.share(), Some(0.25));
    }

    #[test]
    fn other_flows_end_a_window_too() {
        let (mut control, _) = measured();
        control.on_degree(at(10), 32, 2);
        for _ in 0..5 {
            control.on_sent(at(11), 1_000, Some(0), LEAST_WINDOW, RATE);
        }
        assert!(control.allows(at(11), RATE).is_err());
        for _ in 0..5 {
            control.on_sent(at(12), 1_000, None, LEAST_WINDOW, RATE);
        }
        assert_eq!(control.allows(at(12), RATE), Ok(()));
        assert_eq!(control.share(), Some(0.375));
    }

    #[test]
    fn a_window_without_news_ends_the_control() {
        let (mut control, _) = measured();
        assert_eq!(control.allows(at(31), RATE), Ok(()));
        assert!(!control.on());
    }

    #[test]
    fn the_highest_degree_takes_at_most_half() {
        assert!(share_taken(super::super::MOST) < 0.5);
        assert_eq!(share_taken(64), 0.5);
    }
}
