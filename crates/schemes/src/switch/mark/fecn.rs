//! Forward explicit congestion notification (FECN) of InfiniBand: a port and lane is in the congestion state while the
//! virtual output queues that feed it hold more than a threshold, and marks packets that it sends in this state.
//!
//! A queue that grows because its output is slower than its arrivals is the root of congestion; one that grows because
//! the output waits for credits is a victim. So an output enters the state only if it has credits, unless its
//! Victim_Mask says otherwise: towards a slow host no other output would mark. Two thresholds with a gap keep the state
//! until the queue of the most aggressive flow has drained; with a single one, shares stay unfair (Gran, Paper II,
//! section IV).
//!
//! | here           | InfiniBand    | unit                                          |
//! |----------------|---------------|-----------------------------------------------|
//! | `threshold`    | Threshold     | weight 0..15; 15 is the lowest fill            |
//! | `victim_mask`  | Victim_Mask   | ports                                         |
//! | `packet_size`  | Packet_Size   | bytes (the register counts 64 B)              |
//! | `marking_rate` | Marking_Rate  | packets between two marked ones, on average   |
//!
//! Gran's thesis, section 2.3.2; Paper I, sections 2.1 and 3.2.1; Paper II, section IV and footnote 3.

use congestree_units::Bytes;
use serde::{Deserialize, Serialize};

use super::shared::sample::Sample;
pub use super::shared::sample::Sampling;
use super::{Departing, FillView, MarkLevel, Marker, MarksAbove, OutputView, PortView, StateChange, check_share};
use crate::check::{Check, Diagnostics, QueuedBy, Setting};

/// Parameters of FECN marking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FecnParams {
    /// Threshold weight: 0 never marks, 1 marks late, 15 marks early. Weight w means (16 - w)/16 of the input buffer of
    /// a lane. Default 15.
    #[schemars(range(max = 15))]
    pub threshold: u8,
    /// Queue fill above which an output enters the congestion state; replaces `threshold`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enter: Option<Bytes>,
    /// Hysteresis: the congestion state is left when the fill is at least this much below the entry threshold. "0 B": a
    /// single threshold. Default 2560 B, one and a quarter packets of 2 KiB, or down to an empty queue if the threshold
    /// is lower.
    pub gap: Bytes,
    /// Which queue fill is compared with the threshold.
    pub fill: Fill,
    /// Which outputs may enter the congestion state while they have no credits (Victim_Mask).
    pub victim_mask: VictimMask,
    /// Data packets that are smaller than this on the wire are never marked. Default 512 B.
    pub packet_size: Bytes,
    /// Mean number of packets between two marked packets, 0 to 65535; 0 marks all. Default 1.
    pub marking_rate: u16,
    /// Share of the packets that are marked, drawn at random; replaces `marking_rate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: Option<f64>,
    /// How the packets to be marked are chosen.
    pub choice: Sampling,
}

impl Default for FecnParams {
    fn default() -> Self {
        Self {
            threshold: 15,
            enter: None,
            gap: Bytes(2560),
            fill: Fill::Voq,
            victim_mask: VictimMask::Hosts,
            packet_size: Bytes(512),
            marking_rate: 1,
            share: None,
            choice: Sampling::Random,
        }
    }
}

impl Check for FecnParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        if setting.queues == QueuedBy::Other {
            let fact = "the threshold applies to the queues for one output, and there are no such queues";
            found.report("", fact, "write switches.queues = \"voq\"");
        }
        let idle = self.enter.is_some() && self.threshold != Self::default().threshold;
        found.check_idle("threshold", idle, "enter is given", "leave out one of them");
        let buffer = setting.buffer;
        if self.enter.is_none() && buffer.is_none() {
            let fact = "a threshold weight is a share of the bytes that an input has for itself, and it has none here: \
                        its buffer is counted in packets, or there is shared memory or a queue at the output in its place";
            found.report("threshold", fact, "give scheme.mark.fecn.enter in bytes");
        }
        // A sum over the queues of several inputs may well exceed the size of one buffer.
        let slots = setting.slots().map(|slots| Bytes(setting.packet.0.saturating_mul(u64::from(slots))));
        if let (Some(enter), Some(most)) = (self.enter, buffer.or(slots))
            && self.fill == Fill::Voq
            && enter >= most
        {
            let fact = format!("a queue is never above {enter} when the buffer of its input holds {most}");
            found.report("enter", fact, "make it smaller, or the buffers larger (switches.buffer, lane_buffers)");
        }
        let enter = self.enter.or_else(|| threshold_of(self.threshold, buffer.unwrap_or(Bytes(u64::MAX >> 5))));
        // The usual gap is reduced if the threshold is low, also if a resolved scenario states it explicitly; an
        // explicitly requested gap must fit.
        if let Some(enter) = enter
            && self.gap > enter
            && self.gap != FecnParams::default().gap
        {
            let fact = format!("the state is entered above {enter}, so it cannot be left {} below that", self.gap);
            found.report("gap", fact, format!("make it at most {enter}, or the threshold higher"));
        }
        if let VictimMask::Ports(numbers) = &self.victim_mask
            && let Some(place) = numbers.iter().position(|&number| number == 0)
        {
            found.report(&format!("victim_mask.ports.{place}"), "ports are counted from 1", "take it out");
        }
        check_share(self.share, self.marking_rate != Self::default().marking_rate, self.choice, found);
    }
}

/// Which fill of the virtual output queues of an output and lane is compared with the threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// The fill of any single queue.
    Voq,
    /// The sum over the queues for the output.
    Sum,
    /// The sum, compared with the threshold divided by the number of inputs that have packets for the output.
    SumPerInput,
}

/// Which outputs may enter the congestion state without credits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VictimMask {
    /// None: only roots of congestion are marked.
    None,
    /// Outputs to hosts.
    Hosts,
    /// All outputs.
    All,
    /// The ports with these numbers, at every switch. Numbers are those given with the links, or else count from 1.
    Ports(Vec<u16>),
}

/// The congestion state of one output and lane.
#[derive(Clone, Debug)]
pub struct Fecn {
    /// Bytes above which the state is entered; never if absent.
    enter: Option<u32>,
    /// Bytes at or below which it is left.
    leave: u32,
    fill: Fill,
    sample: Sample,
    /// Enters without credits.
    victim: bool,
    /// The threshold is that of a weight.
    weighed: bool,
    congested: bool,
    /// Number of queues that are not empty.
    inputs: u16,
    /// Queues above the upper threshold, and, in the congestion state, above the lower one.
    above_enter: u16,
    above_leave: u16,
    /// Bytes in all queues.
    sum: u32,
    /// The parameters that depend on the port, until it is known.
    unplaced: Option<Box<FecnParams>>,
}

impl Fecn {
    /// A marker that does not know its port yet.
    pub fn new(params: &FecnParams) -> Self {
        Self {
            enter: None,
            leave: 0,
            fill: params.fill,
            sample: Sample::new(params.packet_size.0, params.marking_rate, params.share, params.choice),
            victim: false,
            weighed: params.enter.is_none(),
            congested: false,
            inputs: 0,
            above_enter: 0,
            above_leave: 0,
            sum: 0,
            unplaced: Some(Box::new(params.clone())),
        }
    }

    /// Takes a change of one queue into account. Returns whether the fill is above the upper threshold, and whether it
    /// has fallen to the lower one.
    #[inline]
    fn weigh(&mut self, enter: u32, FillView { before, after }: FillView) -> (bool, bool) {
        if self.fill == Fill::Voq {
            let crossed = |threshold: u32| u16::from(after > threshold).wrapping_sub(u16::from(before > threshold));
            self.above_enter = self.above_enter.wrapping_add(crossed(enter));
            if self.congested {
                self.above_leave = self.above_leave.wrapping_add(crossed(self.leave));
            }
            return (self.above_enter > 0, self.above_leave == 0);
        }
        self.sum = self.sum + after - before;
        self.inputs = self.inputs + u16::from(before == 0 && after > 0) - u16::from(before > 0 && after == 0);
        let times = if self.fill == Fill::SumPerInput { u64::from(self.inputs) } else { 1 };
        let fill = u64::from(self.sum) * times;
        (fill > u64::from(enter), fill <= u64::from(self.leave))
    }
}

/// The fill level of the threshold for a weight, in a buffer of this size; `None`: no threshold.
pub fn threshold_of(weight: u8, buffer: Bytes) -> Option<Bytes> {
    (weight > 0).then(|| Bytes((u128::from(buffer.0) * u128::from(16 - weight.min(15)) / 16) as u64))
}

impl Marker for Fecn {
    fn full_at(&self, _capacity: u32) -> Option<u32> {
        None
    }

    fn at_port(&mut self, port: PortView) {
        let Some(params) = self.unplaced.take() else { return };
        let enter = params.enter.or_else(|| threshold_of(params.threshold, port.buffer));
        self.enter = enter.map(|bytes| bytes.0.min(u64::from(u32::MAX)) as u32);
        let gap = u32::try_from(params.gap.0).unwrap_or(u32::MAX);
        self.leave = self.enter.map_or(0, |enter| enter.saturating_sub(gap));
        self.victim = match &params.victim_mask {
            VictimMask::None => false,
            VictimMask::Hosts => port.to_host,
            VictimMask::All => true,
            VictimMask::Ports(numbers) => numbers.contains(&port.number),
        };
    }

    fn watches_fill(&self) -> bool {
        true
    }

    fn marks_above(&self) -> Option<MarksAbove> {
        let level = self.enter.map(|enter| match self.fill {
            Fill::Voq => MarkLevel::OneQueue(Bytes(enter.into())),
            Fill::Sum => MarkLevel::Waiting(Bytes(enter.into())),
            Fill::SumPerInput => MarkLevel::TimesInputs(Bytes(enter.into())),
        });
        Some(MarksAbove { level, key: if self.weighed { "threshold" } else { "enter" }, weight: self.weighed })
    }

    #[inline]
    fn on_fill(
        &mut self,
        fill: FillView,
        has_credit: impl FnOnce() -> bool,
        above: impl FnOnce(u32) -> u16,
    ) -> StateChange {
        let Some(enter) = self.enter else { return StateChange::None };
        let (over, drained) = self.weigh(enter, fill);
        if self.congested {
            if drained {
                self.congested = false;
                return StateChange::Left;
            }
        } else if over && (self.victim || has_credit()) {
            self.congested = true;
            if self.fill == Fill::Voq {
                self.above_leave = above(self.leave);
            }
            return StateChange::Entered;
        }
        StateChange::None
    }

    /// If queues are compared one by one, only crossing a threshold matters; only above the upper one it waits for credits.
    #[inline]
    fn low_watermark(&self) -> u32 {
        match (self.enter, self.fill) {
            (None, _) => u32::MAX,
            (Some(_), Fill::Voq) if self.congested => self.leave,
            (Some(enter), Fill::Voq) if self.above_enter == 0 => enter,
            _ => 0,
        }
    }

    /// In the congestion state only crossing a threshold matters.
    #[inline]
    fn high_watermark(&self) -> u32 {
        match (self.enter, self.fill) {
            (Some(enter), Fill::Voq) if self.congested => enter,
            _ => u32::MAX,
        }
    }

    #[inline]
    fn ignores_departures(&self) -> bool {
        !self.congested
    }

    #[inline]
    fn on_departure(&mut self, _output: OutputView, packet: Departing, draw: impl FnOnce() -> f64) -> bool {
        self.congested && self.sample.takes(packet.size, draw)
    }
}

#[cfg(test)]
mod tests;
