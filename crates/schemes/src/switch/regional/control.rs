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
mod tests;
