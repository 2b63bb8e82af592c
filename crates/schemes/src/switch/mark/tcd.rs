//! TCD, ternary congestion detection: an output that flow control blocks is neither congested nor free, but
//! *undetermined*.
//!
//! In a lossless network the queue of an output grows for two reasons: more arrives than its link carries, or the link
//! is blocked from downstream. Only the first is congestion. The detector considers the periods of an output: ON (it
//! may send) and OFF (flow control blocks it while packets wait):
//!
//! ```text
//!                 OFF begins                     ON for T_max without OFF:
//!   free, congested ───────► undetermined ──────► congested if more than K waits, else free
//!
//!   free ──► congested   ON for longer than T_max, and more than K waits
//!   congested ──► free   K or less waits
//! ```
//!
//! Packets that leave a congested output are marked (CE). Those that leave an undetermined one carry that information
//! (UE), unless they were marked before, and their source keeps its rate. So the state at a time follows from three
//! things: when the output was last blocked, how much waits, and T_max; there is no timer.
//!
//! T_max is the longest ON period that an output blocked by its successor can have. A successor that forwards all but a
//! share ε of what it receives fills from release to stop in (XOFF - XON)/(ε C), and the output is notified a round of
//! the link later: T_max = (XOFF - XON)/(ε C) + τ. With credits, which return one by one, the whole buffer replaces
//! XOFF - XON.
//!
//! | here         | TCD                       | unit  |
//! |--------------|---------------------------|-------|
//! | `threshold`  | K                         | bytes |
//! | `slack`      | ε                         | 1     |
//! | `longest_on` | T_max, max(T_on)          | time  |
//!
//! Readings: T_max and ε are not in the paper's abstract; the form above is derived, with ε = 0.05. Flow control is
//! considered by port, whatever the lane. An output that was never blocked has been ON since before the run. K is the
//! value used for ECN marking at 25 Gbit/s.
//!
//! Zhang et al.: Congestion Detection in Lossless Networks (SIGCOMM 2021).

use congestree_units::{Bytes, Rate, Span};
use serde::{Deserialize, Serialize};

use super::{Departing, HoldView, MarkLevel, Marker, MarksAbove, OutputView, PortView, check_holds};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of ternary congestion detection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TcdParams {
    /// An output that flow control does not block is congested while more than this waits for it (K). Default 100 kB.
    pub threshold: Bytes,
    /// The threshold is for a link of this rate, and scales in proportion to other rates. Absent: the same for all
    /// rates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_rate: Option<Rate>,
    /// An output that has been free to send for longer than this is no longer undetermined (T_max). Absent: computed
    /// for each link from its flow control and `slack`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_on: Option<Span>,
    /// Least excess of arrivals over departures at a next switch that fills up and blocks an output, as a share of the
    /// link rate (epsilon). Default 0.05.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub slack: f64,
}

impl Default for TcdParams {
    fn default() -> Self {
        Self { threshold: Bytes(100_000), for_rate: None, longest_on: None, slack: 0.05 }
    }
}

impl Check for TcdParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        check_holds(setting, found);
        found.check_rate("for_rate", self.for_rate);
        match self.longest_on {
            Some(Span::ZERO) => {
                let fact = "an output would count as free of its successor as soon as it may send";
                found.report("longest_on", fact, "give a time above zero, or leave it out");
            }
            Some(_) => {
                let given = self.slack != TcdParams::default().slack;
                found.check_idle("slack", given, "longest_on is given", "leave out one of them");
            }
            None if self.slack <= 0.0 => {
                let fact = "an output that was held once would be undetermined for ever";
                found.report("slack", fact, "make it larger than 0, such as 0.05, or give longest_on");
            }
            _ => {}
        }
    }
}

impl TcdParams {
    /// K at a link of this rate.
    fn threshold_at(&self, rate: Rate) -> Bytes {
        self.threshold.at_rate(rate, self.for_rate)
    }

    /// T_max at a link of this rate that is held so.
    fn longest_on_at(&self, rate: Rate, hold: HoldView) -> Span {
        let derived = || rate.time_for(hold.swing).scaled(1.0 / self.slack.max(f64::MIN_POSITIVE)) + hold.feedback;
        self.longest_on.unwrap_or_else(derived)
    }
}

/// The state of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Little waits for it (0).
    Free,
    /// More waits for it than its link carries, and nothing else blocks it (1).
    Congested,
    /// Flow control blocks it, or did so recently (/).
    Undetermined,
}

/// The detector of one output and lane.
#[derive(Clone, Debug)]
pub struct Tcd {
    threshold: u64,
    longest_on: Span,
    /// The parameters that depend on the port, until it is known.
    unplaced: Option<Box<TcdParams>>,
}

impl Tcd {
    /// A detector that does not know its port yet.
    pub fn new(params: &TcdParams) -> Self {
        Self { threshold: u64::MAX, longest_on: Span::ZERO, unplaced: Some(Box::new(params.clone())) }
    }

    /// The state of its output at this time.
    pub fn state(&self, output: OutputView) -> State {
        match output.last_blocked {
            Some(_) if output.blocked_within(self.longest_on) => State::Undetermined,
            _ if output.waiting > self.threshold => State::Congested,
            _ => State::Free,
        }
    }
}

impl Marker for Tcd {
    fn full_at(&self, _capacity: u32) -> Option<u32> {
        None
    }

    fn at_port(&mut self, port: PortView) {
        let Some(params) = self.unplaced.take() else { return };
        self.threshold = params.threshold_at(port.rate).0;
        self.longest_on = params.longest_on_at(port.rate, port.hold);
    }

    fn watches_waiting(&self) -> bool {
        true
    }

    fn marks_above(&self) -> Option<MarksAbove> {
        Some(MarksAbove { level: Some(MarkLevel::Waiting(Bytes(self.threshold))), key: "threshold", weight: false })
    }

    #[inline]
    fn on_departure(&mut self, output: OutputView, _packet: Departing, _die: impl FnOnce() -> f64) -> bool {
        self.state(output) == State::Congested
    }

    #[inline]
    fn is_undetermined(&self, output: OutputView) -> bool {
        self.state(output) == State::Undetermined
    }
}

#[cfg(test)]
mod tests {
    use congestree_units::Time;

    use super::*;

    fn at(us: u64) -> Time {
        Time(us * 1_000_000)
    }

    /// K is 10 kB, T_max 100 us.
    fn output() -> Tcd {
        let params = TcdParams { threshold: Bytes(10_000), longest_on: Some(Span::from_us(100)), ..Default::default() };
        placed(&params, HoldView::default())
    }

    fn placed(params: &TcdParams, hold: HoldView) -> Tcd {
        let mut tcd = Tcd::new(params);
        let rate = Rate::from_gbps(40);
        tcd.at_port(PortView { number: 1, to_host: false, buffer: Bytes(65_536), lane: 0, rate, hold });
        tcd
    }

    /// The states at these instants, if this many bytes wait and flow control last held the output at `held`.
    fn states<const N: usize>(tcd: &Tcd, waiting: u64, held: Option<u64>, us: [u64; N]) -> [State; N] {
        us.map(|us| tcd.state(OutputView { now: at(us), present: 0, waiting, last_blocked: held.map(at) }))
    }

    use State::{Congested, Free, Undetermined};

    #[test]
    fn an_output_that_was_never_held_is_congested_above_the_threshold_whenever_the_run_began() {
        let tcd = output();
        assert_eq!(states(&tcd, 10_001, None, [1, 100, 101]), [Congested; 3]);
        assert_eq!(states(&tcd, 10_000, None, [102]), [Free]);
    }

    #[test]
    fn an_output_that_is_held_is_undetermined_whatever_waits() {
        let tcd = output();
        assert_eq!(states(&tcd, 0, Some(300), [300, 301]), [Undetermined; 2]);
        assert_eq!(states(&tcd, 500_000, Some(300), [300, 301]), [Undetermined; 2]);
    }

    #[test]
    fn what_it_turns_out_to_be_is_known_after_the_longest_on_period() {
        let tcd = output();
        assert_eq!(states(&tcd, 20_000, Some(300), [400, 401]), [Undetermined, Congested]);
        assert_eq!(states(&tcd, 9_000, Some(300), [400, 401]), [Undetermined, Free]);
        // Held again before that.
        assert_eq!(
            states(&tcd, 9_000, Some(399), [400, 401, 499, 500]),
            [Undetermined, Undetermined, Undetermined, Free]
        );
    }

    #[test]
    fn the_longest_on_period_follows_from_the_link() {
        // 8,192 B at 40 Gbit/s take 1.6384 us: twenty times that, and 3 us.
        let hold = HoldView { swing: Bytes(8_192), feedback: Span::from_us(3) };
        let tcd = placed(&TcdParams::default(), hold);
        assert_eq!(tcd.longest_on, Span::from_ns(35_768));
        let slack = TcdParams { slack: 0.5, ..Default::default() };
        assert_eq!(placed(&slack, hold).longest_on, Span(6_276_800));
    }

    #[test]
    fn a_threshold_may_grow_with_the_rate() {
        let params = TcdParams { for_rate: Some(Rate::from_gbps(25)), ..Default::default() };
        assert_eq!(placed(&params, HoldView::default()).threshold, 160_000);
    }

    #[test]
    fn what_leaves_a_congested_output_is_marked_and_what_leaves_a_held_one_says_so() {
        let mut tcd = output();
        let view =
            |us, held: Option<u64>| OutputView { now: at(us), present: 0, waiting: 20_000, last_blocked: held.map(at) };
        let mut leaves = |view| {
            (tcd.on_departure(view, Departing { size: 1048, isolated: false }, || 0.0), tcd.is_undetermined(view))
        };
        assert_eq!(leaves(view(50, None)), (true, false));
        assert_eq!(leaves(view(200, Some(150))), (false, true));
        assert_eq!(leaves(view(300, Some(150))), (true, false));
    }
}
