//! NSCC, network signal congestion control: the window of a sender, from marks, queueing delay and trims.
//!
//! | here | Ultra Ethernet 1.0, section 3.6; uet-htsim | unit |
//! | --- | --- | --- |
//! | `scale` | scaling_factor_a: bandwidth-delay product over that of 100 Gbit/s and 12 us | 1 |
//! | `target` | target_Qdelay | time |
//! | `proportional` | alpha | bytes per second of slack |
//! | `fair` | fi | bytes |
//! | `eta` | eta | bytes a period |
//! | `average` | avg_delay | time |
//!
//! On every ACK of n bytes with queueing delay d:
//!
//! ```text
//!             d < target                                    d >= target
//! no mark     d < 1 us for a window: cwnd += n fast scale   increase += fair n
//!             else increase += proportional n (target - d)
//! mark        nothing                                       once a round trip, if average > target:
//!                                                           cwnd *= max(1 - γ (average - target)/average, 1/2)
//! every 8 packets or round trip:  cwnd += increase / cwnd;  once a round trip also cwnd += eta
//! ```
//!
//! *Quick adapt* takes precedence: when a round of base round trip and target is over, and packets were trimmed in it
//! or the delay is above four times the target, and less than an eighth of the largest window was delivered, then the
//! window becomes the bytes delivered, and answers to packets already in flight are ignored. Otherwise a trimmed packet
//! reduces the window by its size.

use std::sync::Arc;

use congestree_units::{Rate, Span, Time};
use serde::{Deserialize, Serialize};

use super::product;
use crate::check::Complaints;

/// The reference for the gains: 100 Gbit/s and 12 us.
const REFERENCE: (Rate, Span) = (Rate::from_gbps(100), Span::from_us(12));

/// Parameters of NSCC. Gains in segments are for links of 100 Gbit/s and a round trip of 12 us; for other networks they
/// scale in proportion to the bandwidth-delay product.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NsccParams {
    /// The target queueing delay. Absent: `target_share` of the round trip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Span>,
    /// The target queueing delay, as a share of the round trip. Default 0.75, for networks that trim; 1 is recommended
    /// where they drop.
    #[schemars(range(min = 0.01, max = 100.0))]
    pub target_share: f64,
    /// Proportional increase in segments for each 12 us of slack. Default 4.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub proportional: f64,
    /// Fair increase in segments. Default 5.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub fair: f64,
    /// Increase that is added once a round trip, in segments. Default 0.15.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub eta: f64,
    /// Fast increase, in bytes per acknowledged byte. Default 0.25.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub fast: f64,
    /// Below this queueing delay the path counts as empty. Default 1 us, not scaled.
    pub empty: Span,
    /// Gain of a decrease (gamma). Default 0.8.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub decrease: f64,
    /// The largest share of the window that one decrease takes away. Default 0.5.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub most_decrease: f64,
    /// Weight of the newest delay in the average delay. Default 0.0125.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub delay_gain: f64,
    /// Packets acknowledged after which accumulated increases are added to the window. Default 8.
    #[schemars(range(min = 1, max = 100000))]
    pub adjust_after: u32,
    /// Quick adapt, first condition: fewer bytes came through than the largest window halved this many times. Default
    /// 3.
    #[schemars(range(max = 30))]
    pub quick_gate: u8,
    /// Quick adapt, second condition: a trimmed packet, or a delay above this many times the target. Default 4.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub quick_delay: f64,
    /// Initial window, in packets. Absent: the largest window.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub initial_window: Option<u32>,
}

impl Default for NsccParams {
    fn default() -> Self {
        Self {
            target: None,
            target_share: 0.75,
            proportional: 4.0,
            fair: 5.0,
            eta: 0.15,
            fast: 0.25,
            empty: Span::from_us(1),
            decrease: 0.8,
            most_decrease: 0.5,
            delay_gain: 0.0125,
            adjust_after: 8,
            quick_gate: 3,
            quick_delay: 4.0,
            initial_window: None,
        }
    }
}

impl NsccParams {
    /// Complains about what cannot work.
    pub(super) fn check(&self, found: &mut Complaints) {
        if self.target == Some(Span::ZERO) {
            found.complain("target", "every packet waits for longer than that", "give a time above zero");
        }
        for (key, value) in [
            ("target_share", self.target_share),
            ("proportional", self.proportional),
            ("fair", self.fair),
            ("eta", self.eta),
            ("fast", self.fast),
            ("quick_delay", self.quick_delay),
        ] {
            if !(0.0..=1000.0).contains(&value) {
                found.complain(key, format!("{value} is not a sensible gain"), "give a number from 0 to 1000");
            }
        }
        if self.target_share == 0.0 && self.target.is_none() {
            found.complain("target_share", "every packet waits for longer than that", "give a share above zero");
        }
        let gains = [self.proportional, self.fair, self.eta, self.fast];
        if gains.iter().all(|&gain| gain == 0.0) {
            let remedy = "leave at least one of proportional, fair, eta and fast above zero";
            found.complain("proportional", "a window that has been cut would never grow again", remedy);
        }
    }
}

/// The path of a window.
#[derive(Clone, Copy, Debug)]
pub struct NsccPath {
    /// Rate of the link of its host.
    pub line: Rate,
    /// A full packet on the wire, and its payload.
    pub packet: u64,
    /// The payload of a full packet (B).
    pub segment: u64,
    /// Round-trip time of the network without load.
    pub round_trip: Span,
    /// The largest window in bandwidth-delay products.
    pub most_window: f64,
}

/// What an ACK tells.
#[derive(Clone, Copy, Debug)]
pub struct NsccAck {
    /// Bytes that it newly reports as received.
    pub bytes: u64,
    /// The packet that caused it was marked.
    pub marked: bool,
    /// Its queueing delay, if it is known.
    pub delay: Option<Span>,
    /// Bytes in flight after it.
    pub in_flight: u64,
}

/// The window of one sender. All sizes in bytes, all delays in seconds.
#[derive(Clone, Debug)]
pub struct Nscc {
    params: Arc<NsccParams>,
    path: NsccPath,
    /// Scaled by the bandwidth-delay product.
    target: f64,
    proportional: f64,
    fair: f64,
    eta: f64,
    fast: f64,
    window: f64,
    most: f64,
    base: Span,
    average: f64,
    increase: f64,
    since_adjust: u64,
    adjusted_at: Time,
    fast_bytes: u64,
    fast_on: bool,
    cut_at: Option<Time>,
    quick: Quick,
}

/// The state of quick adapt.
#[derive(Clone, Copy, Debug, Default)]
struct Quick {
    /// Bytes delivered in the round.
    achieved: u64,
    /// When the round ends; none before the first.
    round_end: Option<Time>,
    /// Bytes that were in flight when the window was adapted, and those of them that have been answered.
    to_ignore: u64,
    ignored: u64,
    trimmed: bool,
}

impl Nscc {
    /// A window before anything was heard, and with the first work of a connection: its first period begins.
    pub fn new(params: &Arc<NsccParams>, path: NsccPath, now: Time) -> Self {
        let scale = product(path.line, path.round_trip) / product(REFERENCE.0, REFERENCE.1);
        let target = params.target.map_or(path.round_trip.as_secs() * params.target_share, |target| target.as_secs());
        let segment = path.segment as f64;
        let mut window = Self {
            target,
            proportional: params.proportional * segment * scale / REFERENCE.1.as_secs(),
            fair: params.fair * segment * scale,
            eta: (params.eta * segment * scale).floor(),
            fast: params.fast * scale,
            window: 0.0,
            most: 0.0,
            base: path.round_trip,
            average: 0.0,
            increase: 0.0,
            since_adjust: 0,
            adjusted_at: now,
            fast_bytes: 0,
            fast_on: false,
            cut_at: None,
            quick: Quick::default(),
            params: params.clone(),
            path,
        };
        window.base_is(path.round_trip);
        window.window = params.initial_window.map_or(window.most, |packets| f64::from(packets) * path.packet as f64);
        window.clamp();
        window
    }

    /// Number of bytes that may be in flight.
    pub fn window(&self) -> u64 {
        self.window as u64
    }

    /// Number of packets that may be in flight, with its fraction.
    pub fn packets(&self) -> f64 {
        self.window / self.path.packet as f64
    }

    /// The shortest round trip seen.
    pub fn base(&self) -> Span {
        self.base
    }

    /// A round trip was measured; the shortest counts as that of the empty network, and the largest window follows it.
    pub fn measured(&mut self, round_trip: Span) {
        if round_trip < self.base {
            self.base_is(round_trip);
        }
    }

    fn base_is(&mut self, round_trip: Span) {
        self.base = round_trip;
        self.most = self.path.most_window * product(self.path.line, round_trip);
    }

    fn clamp(&mut self) {
        let least = self.path.packet as f64;
        self.window = self.window.clamp(least, self.most.max(least));
    }

    /// An ACK.
    pub fn on_ack(&mut self, now: Time, heard: NsccAck) {
        self.quick.achieved += heard.bytes;
        self.quick.ignored += heard.bytes;
        self.since_adjust += heard.bytes;
        if let Some(delay) = heard.delay {
            self.average_in(heard.marked, delay.as_secs());
        }
        let delay = heard.delay.map_or(self.average, Span::as_secs);
        self.clamp();
        if self.quick_adapt(now, heard.marked, false, delay, heard.in_flight) {
            return;
        }
        let bytes = heard.bytes as f64;
        match (heard.marked, delay >= self.target) {
            (false, false) => self.grow(heard.bytes, delay),
            (false, true) => self.increase += self.fair * bytes,
            (true, false) => {}
            (true, true) => self.cut(now),
        }
        self.adjust(now);
        self.clamp();
    }

    /// A packet of this size was trimmed. `forgives`: at this place, trims are handled by the receiver.
    pub fn on_trimmed(&mut self, now: Time, bytes: u64, in_flight: u64, forgives: bool) {
        self.quick.ignored += bytes;
        self.average_in(false, self.path.round_trip.as_secs());
        self.quick.trimmed = true;
        if !self.quick_adapt(now, false, true, 0.0, in_flight) && !forgives {
            self.window -= bytes as f64;
        }
        self.clamp();
    }

    /// Only a timer indicated that a packet of this size is lost.
    pub fn on_timeout(&mut self, bytes: u64) {
        self.window -= bytes as f64;
        self.clamp();
    }

    /// An unmarked packet with a high delay is taken for a burst: it pulls the average towards a quarter of the round
    /// trip.
    fn average_in(&mut self, marked: bool, delay: f64) {
        let gain = self.params.delay_gain;
        let sample = if !marked && delay > self.target { 0.25 * self.base.as_secs() } else { delay };
        self.average = gain * sample + (1.0 - gain) * self.average;
    }

    /// No mark, and a delay below the target.
    fn grow(&mut self, bytes: u64, delay: f64) {
        if delay < self.params.empty.as_secs() {
            self.fast_bytes += bytes;
            self.fast_on |= self.fast_bytes as f64 > self.window;
            if self.fast_on {
                self.window += bytes as f64 * self.fast;
                return;
            }
        } else {
            (self.fast_bytes, self.fast_on) = (0, false);
        }
        self.increase += self.proportional * bytes as f64 * (self.target - delay);
    }

    /// A mark, and a delay above the target.
    fn cut(&mut self, now: Time) {
        (self.fast_bytes, self.fast_on) = (0, false);
        let rested = self.cut_at.is_none_or(|at| now.since(at) > self.base);
        if self.average > self.target && rested {
            let share = 1.0 - self.params.decrease * (self.average - self.target) / self.average;
            self.window *= share.max(1.0 - self.params.most_decrease);
            self.cut_at = Some(now);
        }
    }

    /// Increases are added to the window from time to time.
    fn adjust(&mut self, now: Time) {
        let since = now.since(self.adjusted_at);
        let period = self.path.round_trip;
        let enough = u64::from(self.params.adjust_after) * self.path.packet;
        if self.since_adjust <= enough && since <= period {
            return;
        }
        self.window += self.increase / self.window;
        if since >= period {
            self.window += self.eta;
            self.adjusted_at = now;
        }
        (self.increase, self.since_adjust) = (0.0, 0);
    }

    /// Returns whether the ACK or NACK is to be ignored from here on.
    fn quick_adapt(&mut self, now: Time, marked: bool, trimmed: bool, delay: f64, in_flight: u64) -> bool {
        let quick = &mut self.quick;
        let mut swallowed = false;
        if quick.ignored < quick.to_ignore && (marked || trimmed) {
            swallowed = true;
        } else if quick.round_end.is_none_or(|end| now > end) {
            let troubled = quick.trimmed || trimmed || delay > self.params.quick_delay * self.target;
            let little = (quick.achieved as f64) < self.most / f64::from(1u32 << self.params.quick_gate);
            if quick.round_end.is_some() && troubled && little {
                self.window = (quick.achieved as f64).max(self.path.packet as f64);
                (quick.to_ignore, quick.ignored, quick.trimmed) = (in_flight, 0, false);
                swallowed = true;
            }
            quick.achieved = 0;
            quick.round_end = Some(now + self.base + Span((self.target * 1e12) as u64));
        }
        if swallowed {
            (self.increase, self.since_adjust) = (0.0, 0);
        }
        swallowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 Gbit/s and 12 us, for which the gains are given: the largest window is 225,000 B, the target 9 us.
    fn window(params: NsccParams) -> Nscc {
        let path = NsccPath {
            line: Rate::from_gbps(100),
            packet: 4_150,
            segment: 4_086,
            round_trip: Span::from_us(12),
            most_window: 1.5,
        };
        Nscc::new(&Arc::new(params), path, Time::START)
    }

    fn ten_packets() -> NsccParams {
        NsccParams { initial_window: Some(10), ..Default::default() }
    }

    /// An ACK of four packets at this many microseconds, with this delay.
    fn ack(window: &mut Nscc, us: u64, marked: bool, delay: u64) {
        let heard = NsccAck { bytes: 16_600, marked, delay: Some(Span::from_us(delay)), in_flight: 50_000 };
        window.on_ack(Time(us * 1_000_000), heard);
    }

    #[test]
    fn an_empty_path_adds_in_proportion_and_fast_once_a_window_has_come_through() {
        let mut window = window(ten_packets());
        ack(&mut window, 1, false, 0);
        ack(&mut window, 2, false, 0);
        assert_eq!(window.window(), 41_500);
        // Twice 4 x 4,086 B a 12 us of slack x 16,600 B x 9 us; the third is fast: 16,600 B / 4.
        let increase = 2.0 * 4.0 * 4_086.0 / 12e-6 * 16_600.0 * 9e-6;
        ack(&mut window, 3, false, 0);
        assert_eq!(window.window(), (45_650.0 + increase / 45_650.0) as u64);
        assert_eq!(window.window(), 54_564);
    }

    #[test]
    fn above_the_target_without_marks_all_grow_alike() {
        let mut window = window(ten_packets());
        [1, 2, 3].into_iter().for_each(|us| ack(&mut window, us, false, 10));
        // 41,500 + 3 x 5 x 4,086 x 16,600 / 41,500.
        assert_eq!(window.window(), 41_500 + 24_516);
    }

    #[test]
    fn marks_above_the_target_cut_at_most_to_a_half_once_a_round_trip() {
        let mut window = window(NsccParams { delay_gain: 1.0, ..Default::default() });
        ack(&mut window, 1, true, 24);
        assert_eq!(window.window(), 112_500);
        ack(&mut window, 5, true, 24);
        assert_eq!(window.window(), 112_500);
        // And a period is over: 0.15 x 4,086 B more.
        ack(&mut window, 14, true, 24);
        assert_eq!(window.window(), 56_250 + 612);
    }

    #[test]
    fn marks_below_the_target_change_nothing() {
        let mut window = window(ten_packets());
        [1, 2].into_iter().for_each(|us| ack(&mut window, us, true, 5));
        assert_eq!(window.window(), 41_500);
    }

    #[test]
    fn trims_take_their_size_and_after_a_round_the_window_is_what_came_through() {
        let mut window = window(NsccParams::default());
        let trimmed =
            |window: &mut Nscc, us: u64, forgives| window.on_trimmed(Time(us * 1_000_000), 4_150, 100_000, forgives);
        trimmed(&mut window, 1, false);
        assert_eq!(window.window(), 220_850);
        trimmed(&mut window, 2, true);
        assert_eq!(window.window(), 220_850);
        let heard = NsccAck { bytes: 8_300, marked: false, delay: Some(Span::ZERO), in_flight: 100_000 };
        window.on_ack(Time(3_000_000), heard);
        let before = window.window();
        // The round of 12 + 9 us that began at 1 us is over.
        trimmed(&mut window, 23, false);
        assert_eq!((before > 200_000, window.window()), (true, 8_300));
        // What was on its way then is not looked at.
        trimmed(&mut window, 24, false);
        assert_eq!(window.window(), 8_300);
    }

    #[test]
    fn a_trim_earlier_in_the_round_is_enough_for_the_window_to_become_what_came_through() {
        let mut window = window(NsccParams::default());
        window.on_trimmed(Time(1_000_000), 4_150, 100_000, true);
        window.on_trimmed(Time(2_000_000), 4_150, 100_000, true);
        // The round of 12 + 9 us that began at 1 us is over; this ACK comes without delay or mark.
        ack(&mut window, 23, false, 0);
        assert_eq!(window.window(), 16_600);
    }

    #[test]
    fn a_mark_alone_adapts_nothing_at_the_end_of_a_round() {
        let mut window = window(NsccParams { eta: 0.0, ..Default::default() });
        [1, 23, 45].into_iter().for_each(|us| ack(&mut window, us, true, 0));
        assert_eq!(window.window(), 225_000);
    }

    #[test]
    fn a_timeout_takes_the_size_of_its_packet() {
        let mut window = window(ten_packets());
        window.on_timeout(4_150);
        assert_eq!(window.window(), 37_350);
    }

    #[test]
    fn late_packets_without_a_mark_count_as_a_burst_in_the_average() {
        let averages = [(false, 24), (true, 24), (false, 8), (true, 8)].map(|(marked, delay)| {
            let mut window = window(NsccParams { delay_gain: 0.5, ..ten_packets() });
            ack(&mut window, 1, marked, delay);
            (window.average * 1e9).round() / 1e3
        });
        // Half of a quarter of the round trip for the first, half of the delay for the others.
        assert_eq!(averages, [1.5, 12.0, 4.0, 4.0]);
    }

    #[test]
    fn the_target_itself_is_too_much() {
        let mut window = window(ten_packets());
        [1, 2, 3].into_iter().for_each(|us| ack(&mut window, us, false, 9));
        assert_eq!(window.window(), 41_500 + 24_516);
    }

    #[test]
    fn marks_cut_by_the_excess_of_the_average_over_the_target() {
        let mut window = window(NsccParams { delay_gain: 1.0, ..Default::default() });
        // 1 - 0.8 x (12 - 9)/12.
        ack(&mut window, 1, true, 12);
        assert_eq!(window.window(), 180_000);
    }

    #[test]
    fn the_first_period_begins_with_the_connection() {
        let windows = [0, 1_000].map(|start| {
            let params = Arc::new(ten_packets());
            let mut window = Nscc::new(&params, window(ten_packets()).path, Time(start * 1_000_000));
            [5, 11, 13].into_iter().for_each(|us| ack(&mut window, start + us, false, 5));
            window.window()
        });
        assert_eq!(windows[0], windows[1]);
    }

    #[test]
    fn the_average_keeps_what_was_before() {
        let mut window = window(NsccParams { delay_gain: 0.25, ..Default::default() });
        [(1, 8), (2, 4)].into_iter().for_each(|(us, delay)| ack(&mut window, us, false, delay));
        assert!((window.average - (0.75 * 2e-6 + 1e-6)).abs() < 1e-15, "{}", window.average);
    }

    /// Windows after ACKs of 16,600 B at these times (us), with these delays (us).
    fn rounds(acks: &[(u64, u64)]) -> u64 {
        let mut window = window(NsccParams { eta: 0.0, ..Default::default() });
        acks.iter().for_each(|&(us, delay)| ack(&mut window, us, true, delay));
        window.window()
    }

    #[test]
    fn a_round_of_much_delay_in_which_little_came_through_makes_the_window_that() {
        // Rounds of 12 + 9 us; four targets are 36 us, an eighth of the largest window 28,125 B. The first ACK begins.
        assert_eq!(rounds(&[(1, 0), (23, 37)]), 16_600);
        assert_eq!(rounds(&[(1, 0), (23, 36)]), 225_000, "not more than four targets");
        assert_eq!(rounds(&[(1, 0), (22, 37)]), 225_000, "the round is not over");
        assert_eq!(rounds(&[(1, 0), (10, 0), (23, 37)]), 225_000, "33,200 B came through");
        assert_eq!(rounds(&[(1, 0), (10, 0), (23, 0), (45, 37)]), 16_600, "each round counts its own");
        assert_eq!(rounds(&[(1, 37)]), 225_000, "there was no round before");
    }

    #[test]
    fn a_trim_counts_for_its_own_round() {
        let mut window = window(NsccParams { eta: 0.0, ..Default::default() });
        [1, 23].into_iter().for_each(|us| window.on_trimmed(Time(us * 1_000_000), 4_150, 0, true));
        assert_eq!(window.window(), 4_150, "nothing came through");
        ack(&mut window, 30, true, 0);
        let before = window.window();
        ack(&mut window, 46, true, 0);
        assert_eq!(window.window(), before);
    }

    #[test]
    fn a_shorter_round_trip_makes_the_largest_window_smaller() {
        let mut window = window(NsccParams::default());
        window.measured(Span::from_us(6));
        ack(&mut window, 1, true, 0);
        assert_eq!((window.window(), window.base()), (112_500, Span::from_us(6)));
    }
}
