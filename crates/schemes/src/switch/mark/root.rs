//! Marking at the roots of congestion trees, as the isolation part declares them: the throttling half of CCFIT and EcoCC.
//!
//! An output is in the congestion state while at least one queue counts as the root of a tree at this output. That is
//! decided where queues are observed, in `scheme.isolate`: its thresholds add a queue to the count and remove it again,
//! and it distinguishes roots from victims. Here it is only decided which of the departing packets are marked.
//!
//! | here           | InfiniBand    |
//! |----------------|---------------|
//! | `packet_size`  | Packet_Size   |
//! | `marking_rate` | Marking_Rate  |
//!
//! With `only_set_aside` a packet that leaves by a root is marked only if it was isolated: isolation decides which
//! sources slow down (ICI).
//!
//! Gran's thesis, Paper V, section III.C; Paper VI, section 3.1; ICI: arXiv 2511.04639.

use congestree_units::Bytes;
use serde::{Deserialize, Serialize};

use super::shared::sample::{Sample, Sampling};
use super::{Departing, Marker, OutputView, StateChange, check_share};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of marking at declared roots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RootParams {
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
    /// Only packets of set-aside queues are marked, not the other packets that leave through the root (ICI). Default
    /// false.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_set_aside: bool,
}

impl Default for RootParams {
    fn default() -> Self {
        Self { packet_size: Bytes(512), marking_rate: 1, share: None, choice: Sampling::Random, only_set_aside: false }
    }
}

impl Check for RootParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        check_share(self.share, self.marking_rate != Self::default().marking_rate, self.choice, found);
    }
}

/// The congestion state of one output.
#[derive(Clone, Debug)]
pub struct Root {
    /// Queues that count.
    queues: u16,
    only_set_aside: bool,
    sample: Sample,
}

impl Root {
    /// An output that is not a root.
    pub fn new(params: &RootParams) -> Self {
        let sample = Sample::new(params.packet_size.0, params.marking_rate, params.share, params.choice);
        Self { queues: 0, only_set_aside: params.only_set_aside, sample }
    }
}

impl Marker for Root {
    fn full_at(&self, _capacity: u32) -> Option<u32> {
        None
    }

    fn follows_roots(&self) -> bool {
        true
    }

    fn on_root(&mut self, counts: bool) -> StateChange {
        if counts {
            self.queues += 1;
            if self.queues == 1 { StateChange::Entered } else { StateChange::None }
        } else {
            self.queues -= 1;
            if self.queues == 0 { StateChange::Left } else { StateChange::None }
        }
    }

    #[inline]
    fn ignores_departures(&self) -> bool {
        self.queues == 0
    }

    #[inline]
    fn on_departure(&mut self, _output: OutputView, packet: Departing, draw: impl FnOnce() -> f64) -> bool {
        self.queues > 0 && (packet.isolated || !self.only_set_aside) && self.sample.takes(packet.size, draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::Time;

    #[test]
    fn who_was_not_isolated_is_not_marked_if_only_those_are() {
        let params = RootParams { marking_rate: 0, only_set_aside: true, ..Default::default() };
        let mut root = Root::new(&params);
        root.on_root(true);
        let view = OutputView { now: Time::START, present: 0, waiting: 0, last_blocked: None };
        let marks = [true, false].map(|isolated| root.on_departure(view, Departing { size: 2068, isolated }, || 0.0));
        assert_eq!(marks, [true, false]);
    }

    fn sends(root: &mut Root, draw: f64) -> bool {
        let view = OutputView { now: Time::START, present: 0, waiting: 0, last_blocked: None };
        root.on_departure(view, Departing { size: 2068, isolated: false }, || draw)
    }

    #[test]
    fn an_output_marks_as_long_as_any_queue_counts() {
        let mut root = Root::new(&RootParams { share: Some(0.85), ..Default::default() });
        assert!(!sends(&mut root, 0.0));
        assert_eq!(root.on_root(true), StateChange::Entered);
        assert_eq!(root.on_root(true), StateChange::None);
        assert_eq!(root.on_root(false), StateChange::None);
        assert!(sends(&mut root, 0.84) && !sends(&mut root, 0.86));
        assert_eq!(root.on_root(false), StateChange::Left);
        assert!(!sends(&mut root, 0.0));
    }
}
