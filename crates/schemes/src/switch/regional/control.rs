//! Control (RCC): windows limit the harmful flows that leave an output.
//!
//! ```text
//! T   = time until every harmful flow that waits here has sent, and at least one, at least `least_window`
//! W   = bytes that the output sends in it,   W_c = bytes of harmful flows among them,   R = W_c/T
//! once a window, while it is told a degree F_b:   W_c = W_c (1 - F_b G_d),   and so R = R (1 - F_b G_d)
//! ```
//!
//! When W_c bytes of harmful flows have been sent in a window, further ones wait until W bytes have been sent in all,
//! or until T is over if there is too little other traffic: so they get at most W_c/W of the traffic, and never
//! nothing. Notices that arrived while W was measured count for the first window. A window without a notice of a degree
//! ends the control. The measurement restarts when more harmful flows become known, and takes at most ten times
//! `least_window`, also if the link is paused for longer.
//!
//! A window begins with the packet that ends the measurement, or with the end of the window before. It ends with the
//! packet that completes W bytes, or when T is over, before anything else at that time: notices and packets from then
//! on belong to the next window, or find the control ended. This holds whether or not the state is requested at that
//! time; a later request gives the same result.
//!
//! The rule for W alone (section 3.4) would hold harmful flows forever if nothing else is sent. T is the length of a
//! window at which R, which the same rule reduces, is the measured one.

use congestree_units::{Span, Time};

use super::count::Counted;
use super::share_taken;

/// The windows of one output. Every call states the time: windows that are over by then have ended at their own time.
#[derive(Clone, Debug, Default)]
pub struct OutputWindows {
    state: State,
    /// Windows so far.
    windows: u64,
    /// The last window that has begun.
    last: Option<ControlWindow>,
}

/// A packet that leaves.
#[derive(Clone, Copy, Debug)]
pub struct Leaving<'a> {
    /// Its bytes.
    pub size: u32,
    /// Its flow, if it is one of the harmful ones.
    pub flow: Option<u32>,
    /// The harmful flows.
    pub harmful: &'a [u32],
}

/// A window of an output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlWindow {
    /// Its number at this output, from 1.
    pub number: u64,
    /// When it began.
    pub since: Time,
    /// Bytes of all flows after which it ends (W).
    pub bytes: u64,
    /// The latest end after its start (T).
    pub lasts: Span,
    /// Bytes that harmful flows may send in it (W_c).
    pub harmful: f64,
    /// That of the window before, or what was measured.
    pub before: f64,
}

#[derive(Clone, Debug, Default)]
enum State {
    /// Nobody is held.
    #[default]
    Idle,
    /// W and W_c are being measured.
    Measuring { first: Time, since: Time, total: u64, harmful: u64, missing: Vec<u32>, degree: u8 },
    /// They are kept to.
    Pacing { length: u64, lasts: Span, share: f64, since: Time, total: u64, harmful: u64, degree: u8 },
}

/// The minimum that a harmful flow may send in a window.
const LEAST: f64 = 1_500.0;

impl OutputWindows {
    /// Whether harmful flows are held, or will be.
    pub fn on(&self, now: Time) -> bool {
        match self.state {
            State::Idle => false,
            State::Measuring { .. } => true,
            // There was no notice in a window whose end has not been requested yet.
            State::Pacing { lasts, since, degree, .. } => {
                now < since + lasts || (degree > 0 && now < since + lasts + lasts)
            }
        }
    }

    /// W_c/W, once it is known.
    pub fn share(&self) -> Option<f64> {
        match self.state {
            State::Pacing { length, share, .. } => Some(share / length as f64),
            _ => None,
        }
    }

    /// The last window that has begun.
    pub fn window(&mut self, now: Time) -> Option<ControlWindow> {
        self.turn(now);
        self.last
    }

    /// The output is congested to this degree, or its region is; these of the harmful flows have packets waiting for
    /// it.
    pub fn on_degree(&mut self, now: Time, told: u8, waiting: Vec<u32>) {
        self.turn(now);
        match &mut self.state {
            State::Idle => {
                let (total, harmful, missing) = (0, 0, waiting);
                self.state = State::Measuring { first: now, since: now, total, harmful, missing, degree: told };
            }
            State::Measuring { degree, .. } | State::Pacing { degree, .. } => *degree = (*degree).max(told),
        }
    }

    /// Windows are known from continuous counting: the first is reduced by the degree at once.
    pub fn begin(&mut self, now: Time, counted: Counted, degree: u8) {
        self.turn(now);
        let Counted { total, harmful, lasts } = counted;
        self.next(Window { length: total, lasts, since: now, before: harmful as f64, degree });
    }

    /// More flows are harmful than was known: a measurement in progress restarts. These flows have packets waiting.
    pub fn on_more_flows(&mut self, now: Time, waiting: Vec<u32>) {
        if let State::Measuring { since, total, harmful, missing, .. } = &mut self.state {
            (*since, *total, *harmful, *missing) = (now, 0, 0, waiting);
        }
    }

    /// W is being measured.
    pub fn measures(&self) -> bool {
        matches!(self.state, State::Measuring { .. })
    }

    /// Congestion is over.
    pub fn stop(&mut self, now: Time) {
        self.turn(now);
        self.state = State::Idle;
    }

    /// A packet leaves. Flows that are no longer harmful are not waited for.
    pub fn on_sent(&mut self, now: Time, packet: Leaving<'_>, least_window: Span) {
        self.turn(now);
        let (size, theirs) = (u64::from(packet.size), packet.flow.map_or(0, |_| u64::from(packet.size)));
        match &mut self.state {
            State::Idle => {}
            State::Measuring { first, since, total, harmful, missing, degree } => {
                *total += size;
                *harmful += theirs;
                missing.retain(|flow| packet.flow != Some(*flow) && packet.harmful.contains(flow));
                let lasts = now.since(*since);
                let all_have = missing.is_empty() && *harmful > 0;
                if lasts >= least_window && (all_have || now.since(*first).0 >= 10 * least_window.0) {
                    let (length, before, degree) = (*total, *harmful as f64, *degree);
                    self.next(Window { length, lasts, since: now, before, degree });
                }
            }
            State::Pacing { total, harmful, length, .. } => {
                *total += size;
                *harmful += theirs;
                if total >= length {
                    self.end(now);
                }
            }
        }
    }

    /// Whether a packet of a harmful flow may leave now, or the time from which it may.
    pub fn allows(&mut self, now: Time) -> Result<(), Time> {
        self.turn(now);
        match self.state {
            State::Pacing { lasts, share, since, harmful, .. } if harmful as f64 >= share => Err(since + lasts),
            _ => Ok(()),
        }
    }

    /// Windows whose time is over have ended.
    fn turn(&mut self, now: Time) {
        while let State::Pacing { lasts, since, .. } = self.state
            && now >= since + lasts
        {
            self.end(since + lasts);
        }
    }

    /// The window is over, and the next begins if there was a notice of a degree in it.
    fn end(&mut self, now: Time) {
        let State::Pacing { length, lasts, share, degree, .. } = self.state else { return };
        match degree {
            0 => self.state = State::Idle,
            _ => self.next(Window { length, lasts, since: now, before: share, degree }),
        }
    }

    /// A window begins.
    fn next(&mut self, window: Window) {
        let Window { length, lasts, since, before, degree } = window;
        let share = (before * (1.0 - share_taken(degree))).max(LEAST);
        self.windows += 1;
        self.last = Some(ControlWindow { number: self.windows, since, bytes: length, lasts, harmful: share, before });
        self.state = State::Pacing { length, lasts, share, since, total: 0, harmful: 0, degree: 0 };
    }
}

/// The start of a window: the degree takes its share off what harmful flows had before.
struct Window {
    length: u64,
    lasts: Span,
    since: Time,
    before: f64,
    degree: u8,
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST_WINDOW: Span = Span::from_us(10);

    fn at(us: u64) -> Time {
        Time(us * 1_000_000)
    }

    /// A packet leaves; flows 0 to 2 are harmful.
    fn leaves(control: &mut OutputWindows, now: Time, size: u32, flow: Option<u32>) {
        control.on_sent(now, Leaving { size, flow, harmful: &[0, 1, 2] }, LEAST_WINDOW);
    }

    /// Two harmful flows; 1,000 B a microsecond, every second packet harmful, until W is known: 10 kB, half of it harmful.
    fn measured(degree: u8) -> (OutputWindows, u64) {
        let mut control = OutputWindows::default();
        control.on_degree(at(0), degree, vec![0, 1]);
        let mut us = 0;
        while control.share().is_none() {
            us += 1;
            let which = [None, Some(0), None, Some(1)][us as usize % 4];
            leaves(&mut control, at(us), 1_000, which);
        }
        (control, us)
    }

    #[test]
    fn windows_are_measured_until_every_harmful_flow_has_sent() {
        let (control, us) = measured(0);
        assert_eq!((us, control.share()), (10, Some(0.5)));
        let mut waits = OutputWindows::default();
        waits.on_degree(at(0), 32, vec![0, 1, 2]);
        for us in 1..100 {
            leaves(&mut waits, at(us), 1_000, Some(us as u32 % 2));
        }
        assert_eq!(waits.share(), None);
        leaves(&mut waits, at(100), 1_000, None);
        assert!(waits.share().is_some());
    }

    #[test]
    fn the_measurement_begins_anew_when_more_flows_become_known() {
        let mut control = OutputWindows::default();
        control.on_degree(at(0), 0, vec![0]);
        (1..=5).for_each(|us| leaves(&mut control, at(us), 1_000, None));
        control.on_more_flows(at(5), vec![0, 1]);
        (6..=15).for_each(|us| leaves(&mut control, at(us), 1_000, Some(us as u32 % 2)));
        assert_eq!(control.window(at(15)).map(|window| (window.bytes, window.harmful)), Some((10_000, 10_000.0)));
    }

    #[test]
    fn what_was_told_during_the_measurement_counts_for_the_first_window() {
        assert_eq!(measured(32).0.share(), Some(0.375));
    }

    #[test]
    fn what_was_counted_before_holds_at_once() {
        let mut control = OutputWindows::default();
        control.begin(at(5), Counted { total: 10_000, harmful: 8_000, lasts: LEAST_WINDOW }, 32);
        for _ in 0..6 {
            assert_eq!(control.allows(at(6)), Ok(()));
            leaves(&mut control, at(6), 1_000, Some(0));
        }
        // Three quarters of 8,000 B; then nothing before the window is over, 10 us after it began.
        assert_eq!(control.allows(at(6)), Err(at(15)));
    }

    #[test]
    fn what_is_above_the_share_waits_for_the_window_to_end() {
        let (mut control, _) = measured(0);
        for us in 11..=15 {
            assert_eq!(control.allows(at(us)), Ok(()));
            leaves(&mut control, at(us), 1_000, Some(0));
        }
        // Five of ten thousand bytes have gone: no more before 10 us from the start of the window, at 10 us.
        control.on_degree(at(15), 64, vec![0, 1]);
        assert_eq!(control.allows(at(16)), Err(at(20)));
        // The next window allows half of that: the degree takes half.
        assert_eq!(control.allows(at(20)), Ok(()));
        assert_eq!(control.share(), Some(0.25));
        let window = ControlWindow {
            number: 2,
            since: at(20),
            bytes: 10_000,
            lasts: LEAST_WINDOW,
            harmful: 2_500.0,
            before: 5_000.0,
        };
        assert_eq!(control.window(at(20)), Some(window));
    }

    #[test]
    fn the_first_window_lowers_the_rate_of_an_output_that_sends_harmful_packets_only() {
        // 500 B a microsecond for 10 us, whatever the link could send; then 375.
        let mut control = OutputWindows::default();
        control.on_degree(at(0), 32, vec![0]);
        (1..=20).for_each(|half_us| leaves(&mut control, Time(half_us * 500_000), 250, Some(0)));
        assert_eq!(control.share(), Some(0.75));
        control.on_degree(at(10), 32, vec![0]);
        let mut sent = 0;
        while control.allows(at(11)).is_ok() {
            leaves(&mut control, at(11), 250, Some(0));
            sent += 250;
        }
        assert_eq!((sent, control.allows(at(11))), (3_750, Err(at(20))));
    }

    #[test]
    fn a_root_whose_packets_are_all_harmful_sends_less_from_window_to_window() {
        // A packet of 1,000 B a microsecond, ten in the first window; degree 32 takes a quarter of the bytes each time: 7,500,
        // 5,625, 4,219, 3,164, 2,373, 1,780 B, and never less than 1,500. The packet that reaches the bound still goes.
        let mut control = OutputWindows::default();
        control.on_degree(at(0), 32, vec![0]);
        let mut sent = Vec::new();
        for window in 0..8 {
            let packets = (1..=10).filter(|us| {
                let now = at(10 * window + us);
                let may = window == 0 || control.allows(Time(now.0 - 1)).is_ok();
                if may {
                    leaves(&mut control, Time(now.0 - u64::from(window > 0)), 1_000, Some(0));
                }
                may
            });
            sent.push(packets.count());
            control.on_degree(at(10 * window + 10), 32, vec![0]);
        }
        assert_eq!(sent, [10, 8, 6, 5, 4, 3, 2, 2]);
    }

    #[test]
    fn other_flows_end_a_window_too() {
        let (mut control, _) = measured(0);
        control.on_degree(at(10), 32, vec![0, 1]);
        for _ in 0..5 {
            leaves(&mut control, at(11), 1_000, Some(0));
        }
        assert!(control.allows(at(11)).is_err());
        for _ in 0..5 {
            leaves(&mut control, at(12), 1_000, None);
        }
        assert_eq!(control.allows(at(12)), Ok(()));
        assert_eq!(control.share(), Some(0.375));
    }

    #[test]
    fn a_window_without_news_ends_the_control() {
        let (mut control, _) = measured(0);
        assert_eq!(control.allows(at(31)), Ok(()));
        assert!(!control.on(at(31)));
    }

    #[test]
    fn windows_turn_at_their_time_whether_or_not_anybody_asks() {
        // The first window is from 10 us to 20, the next to 30: notices at 20 us belong to the next.
        let begun = |asks: &[u64], told: u64| {
            let (mut control, _) = measured(0);
            control.on_degree(at(10), 32, vec![0]);
            for us in 11..45 {
                if us == told {
                    control.on_degree(at(us), 32, vec![0]);
                }
                if asks.contains(&us) {
                    assert!(control.allows(at(us)).is_ok());
                }
            }
            assert!(!control.on(at(45)));
            control.window(at(45)).map(|window| (window.number, window.since, window.harmful))
        };
        for asks in [&[] as &[u64], &[12, 19, 20, 21, 30, 31, 40], &[25], &[39]] {
            assert_eq!(begun(asks, 19), Some((2, at(20), 3_750.0)), "{asks:?}");
            assert_eq!(begun(asks, 20), Some((3, at(30), 2_812.5)), "{asks:?}");
        }
    }

    #[test]
    fn a_window_that_has_begun_is_counted_also_if_the_control_is_stopped_in_it() {
        let (mut control, _) = measured(0);
        control.on_degree(at(10), 32, vec![0]);
        control.stop(at(25));
        assert_eq!(control.window(at(26)).map(|window| (window.number, window.since)), Some((2, at(20))));
    }

    #[test]
    fn what_is_told_after_a_window_without_news_is_measured_anew() {
        let (mut control, _) = measured(0);
        assert!(control.on(at(19)));
        assert!(!control.on(at(20)));
        control.on_degree(at(21), 32, vec![0]);
        assert!(control.measures());
        // W is complete with the tenth packet: there was no notice, and the control is over at once.
        let (mut control, _) = measured(0);
        (11..=15).for_each(|us| leaves(&mut control, at(us), 2_000, None));
        assert!(!control.on(at(15)));
    }

    #[test]
    fn nobody_waits_for_a_flow_that_is_harmful_no_more() {
        let mut control = OutputWindows::default();
        control.on_degree(at(0), 0, vec![0, 7]);
        leaves(&mut control, at(10), 1_000, Some(0));
        assert!(control.share().is_some());
    }

    #[test]
    fn the_highest_degree_takes_at_most_half() {
        assert!(share_taken(super::super::MOST) < 0.5);
        assert_eq!(share_taken(64), 0.5);
    }
}
