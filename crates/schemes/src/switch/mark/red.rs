//! Random early detection, as Ethernet switches mark ECN: the longer the queue of an output, the larger the share of
//! departing packets that is marked.
//!
//! The queue is what waits for the output in the lane, in bytes, when a packet starts on the link, without that packet:
//! at an input-queued switch the sum over its virtual output queues, with what has crossed a crossbar, at an
//! output-queued one its output queue.
//!
//! ```text
//!   share marked
//!      1 ┤             ┌────────
//!        │             │
//!   Pmax ┤           ╱ ┘          at or below Kmin: none
//!        │         ╱              up to Kmax: Pmax (queue - Kmin) / (Kmax - Kmin)
//!      0 ┼───────╱─────┬──────►   above Kmax: all
//!        0     Kmin   Kmax  queue
//! ```
//!
//! Kmin = Kmax is a step, as in DCTCP.
//!
//! | here          | elsewhere                                                   | unit  |
//! |---------------|-------------------------------------------------------------|-------|
//! | `min`         | Kmin; WRED_PROFILE green_min_threshold                      | bytes |
//! | `max`         | Kmax; WRED_PROFILE green_max_threshold                      | bytes |
//! | `probability` | Pmax; WRED_PROFILE green_drop_probability (there in per cent) | 1   |
//!
//! Zhu et al.: Congestion Control for Large-Scale RDMA Deployments (SIGCOMM 2015), section 3.1; the defaults are the
//! thresholds of HPCC's published configuration for 25 Gbit/s: 100 and 400 kB, Pmax 0.2.

use congestree_units::{Bytes, Rate};
use serde::{Deserialize, Serialize};

use super::{Departing, MarkLevel, Marker, MarksAbove, OutputView, PortView};
use crate::check::{Check, Diagnostics, QueuedBy, Setting};

/// Parameters of random early detection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RedParams {
    /// Up to this queue length nothing is marked (Kmin). Default 100 kB.
    pub min: Bytes,
    /// Above this queue length every packet is marked as it leaves (Kmax). Default 400 kB. Equal to `min`: a step.
    pub max: Bytes,
    /// Marking probability at a queue length of `max` (Pmax). Default 0.2.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub probability: f64,
    /// The thresholds are for a link of this rate, and scale in proportion to other rates. Absent: the same for all
    /// rates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_rate: Option<Rate>,
    /// No marking on the last hop to a host: a receiver that grants credit controls that queue itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub spare_last_hop: bool,
    /// Thresholds of each lane, from lane 0 on, if the lanes differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 15))]
    pub lane_thresholds: Vec<Thresholds>,
}

/// Thresholds of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// Up to this queue length nothing is marked (Kmin).
    pub min: Bytes,
    /// Above this queue length every packet is marked as it leaves (Kmax).
    pub max: Bytes,
    /// Marking probability at a queue length of `max` (Pmax).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub probability: f64,
}

impl Default for RedParams {
    fn default() -> Self {
        Self {
            min: Bytes(100_000),
            max: Bytes(400_000),
            probability: 0.2,
            for_rate: None,
            spare_last_hop: false,
            lane_thresholds: Vec::new(),
        }
    }
}

impl Check for RedParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        if setting.queues != QueuedBy::Output {
            let fact = "its thresholds apply to the queues for one output, and there are no such queues";
            found.report("", fact, "write switches.queues = \"voq\"");
        }
        found.check_rate("for_rate", self.for_rate);
        let common = Thresholds { min: self.min, max: self.max, probability: self.probability };
        for (lane, own) in self.lane_thresholds.iter().enumerate() {
            found.within(&format!("lane_thresholds.{lane}"), |found| own.check(found));
        }
        common.check(found);
        if self.lane_thresholds.len() > usize::from(setting.lanes) {
            let lane = setting.lanes;
            let fact = format!("there is no lane {lane}: links.lanes is {lane}");
            found.report(&format!("lane_thresholds.{lane}"), fact, "leave it out, or raise links.lanes");
        }
    }
}

impl Thresholds {
    fn check(&self, found: &mut Diagnostics) {
        if self.min > self.max {
            let fact = format!("all is marked above {}, before any is marked above {}", self.max, self.min);
            found.report("max", fact, format!("make it at least {}, or min smaller", self.min));
        } else if self.probability == 0.0 && self.min < self.max {
            let fact = format!("nothing would be marked between {} and {}", self.min, self.max);
            found.report("probability", fact, "make it larger, or min the same as max");
        }
    }
}

impl RedParams {
    /// The defaults for links of 25 Gbit/s, in proportion at other rates.
    pub fn for_25_gbps() -> Self {
        Self { for_rate: Some(Rate::from_gbps(25)), ..Self::default() }
    }

    /// A step at `threshold`, for links of this rate and in proportion at others.
    pub fn step(threshold: Bytes, for_rate: Option<Rate>) -> Self {
        Self { min: threshold, max: threshold, probability: 1.0, for_rate, ..Self::default() }
    }

    /// The thresholds of a lane, at a link of this rate.
    pub fn thresholds(&self, lane: u8, rate: Rate) -> Thresholds {
        let common = Thresholds { min: self.min, max: self.max, probability: self.probability };
        let own = self.lane_thresholds.get(usize::from(lane)).copied().unwrap_or(common);
        let scaled = |bytes: Bytes| bytes.at_rate(rate, self.for_rate);
        Thresholds { min: scaled(own.min), max: scaled(own.max), ..own }
    }
}

/// The marker of one output and lane.
#[derive(Clone, Debug)]
pub struct Red {
    min: u64,
    max: u64,
    probability: f64,
    /// The parameters that depend on the port, until it is known.
    unplaced: Option<Box<RedParams>>,
}

impl Red {
    /// A marker that does not know its port yet.
    pub fn new(params: &RedParams) -> Self {
        let unplaced = Some(Box::new(params.clone()));
        Self { min: u64::MAX, max: u64::MAX, probability: 0.0, unplaced }
    }
}

impl Marker for Red {
    fn full_at(&self, _capacity: u32) -> Option<u32> {
        None
    }

    fn at_port(&mut self, port: PortView) {
        let Some(params) = self.unplaced.take() else { return };
        let Thresholds { min, max, probability } = params.thresholds(port.lane, port.rate);
        if params.spare_last_hop && port.to_host {
            return;
        }
        (self.min, self.max, self.probability) = (min.0, max.0, probability);
    }

    fn watches_waiting(&self) -> bool {
        true
    }

    fn marks_above(&self) -> Option<MarksAbove> {
        // An output that is spared has no threshold.
        let level = (self.min < u64::MAX).then_some(MarkLevel::Waiting(Bytes(self.min)));
        Some(MarksAbove { level, key: "min", weight: false })
    }

    fn asks_from(&self) -> u64 {
        self.min.saturating_add(1)
    }

    #[inline]
    fn on_departure(&mut self, output: OutputView, _packet: Departing, draw: impl FnOnce() -> f64) -> bool {
        if output.waiting <= self.min {
            return false;
        }
        if output.waiting > self.max {
            return true;
        }
        draw() * ((self.max - self.min) as f64) < self.probability * (output.waiting - self.min) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::HoldView;
    use super::*;
    use congestree_units::Time;

    fn marker(params: &RedParams, lane: u8, rate: Rate) -> Red {
        let mut marker = Red::new(params);
        marker.at_port(PortView { number: 1, to_host: false, buffer: Bytes(65_536), lane, rate, hold: HoldView::NONE });
        marker
    }

    /// A packet leaves, and this many bytes remain: is it marked?
    fn marks(marker: &mut Red, waiting: u64, draw: f64) -> bool {
        let view = OutputView { now: Time::START, present: 0, waiting, last_blocked: None };
        marker.on_departure(view, Departing { size: 1048, isolated: false }, || draw)
    }

    fn line() -> RedParams {
        RedParams { min: Bytes(1_000), max: Bytes(5_000), probability: 0.4, for_rate: None, ..Default::default() }
    }

    /// The share of draws that mark, at a queue of this length.
    fn share(params: &RedParams, waiting: u64) -> f64 {
        let mut marker = marker(params, 0, Rate::from_gbps(25));
        (0..10_000).filter(|&i| marks(&mut marker, waiting, f64::from(i) / 10_000.0)).count() as f64 / 10_000.0
    }

    #[test]
    fn the_share_marked_follows_the_line() {
        let measured = [0, 1_000, 2_000, 3_000, 5_000, 5_001, 900_000].map(|waiting| share(&line(), waiting));
        assert_eq!(measured, [0.0, 0.0, 0.1, 0.2, 0.4, 1.0, 1.0]);
    }

    #[test]
    fn equal_thresholds_are_a_step_that_asks_no_dice() {
        let step = RedParams::step(Bytes(3_000), None);
        for (waiting, marked) in [(3_000, false), (3_001, true)] {
            let view = OutputView { now: Time::START, present: 0, waiting, last_blocked: None };
            let mut marker = marker(&step, 0, Rate::from_gbps(10));
            assert_eq!(marker.on_departure(view, Departing { size: 64, isolated: false }, || panic!("no rng")), marked);
        }
    }

    #[test]
    fn whoever_need_not_be_asked_would_not_mark() {
        let mut marker = marker(&RedParams::step(Bytes(3_000), None), 0, Rate::from_gbps(10));
        let from = marker.asks_from();
        assert_eq!([from - 1, from].map(|waiting| marks(&mut marker, waiting, 0.0)), [false, true]);
        assert_eq!(Red::new(&RedParams { spare_last_hop: true, ..line() }).asks_from(), u64::MAX);
    }

    #[test]
    fn thresholds_grow_with_the_rate_and_may_differ_by_lane() {
        let at = |params: &RedParams, lane, gbps| {
            let got = params.thresholds(lane, Rate::from_gbps(gbps));
            (got.min.0, got.max.0)
        };
        assert_eq!(at(&RedParams::for_25_gbps(), 0, 100), (400_000, 1_600_000));
        assert_eq!(at(&line(), 0, 100), (1_000, 5_000));
        let own = Thresholds { min: Bytes(7), max: Bytes(9), probability: 1.0 };
        let lanes = RedParams { lane_thresholds: vec![own], ..line() };
        assert_eq!([at(&lanes, 0, 10), at(&lanes, 1, 10)], [(7, 9), (1_000, 5_000)]);
    }
}
