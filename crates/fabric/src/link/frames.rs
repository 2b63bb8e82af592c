//! Frames between neighbours: what the two ends of one link tell each other.
//!
//! A pause, a notice that a queue was set aside, a notice that a region is congested: each goes over one link and no
//! further, so it is no packet, has no flow and stands in no queue of packets. It goes one of two ways. *In band* it is
//! bytes on the wire: the port sends it at the next packet boundary, before any packet, and the link is busy for as
//! long as it takes. *Out of band* it takes the delay of the link alone. Either way the neighbour acts on it `after` so
//! long, in the order of an instant before anybody decides. Frames are never lost, need no credit and are not held by a
//! pause. They are not counted among the packets and bytes of a port.
//!
//! To use it: give [`ControlFrame`] a variant, switch [`Neighbours`] on for the plans that need it (`Plan::neighbours_talk`),
//! call [`tell`](Fabric::tell) or [`tell_out_of_band`](Fabric::tell_out_of_band), and say in [`hear`](Fabric::hear) what the
//! variant does.

use std::collections::VecDeque;

use congestree_units::Span;
use congestree_wire::{IndexVec, PortId};

use crate::link::checked::receiver::Word;
use crate::link::cyclic::Cyclic;

/// What a neighbour is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ControlFrame {
    /// A lane is to pause, or may go on.
    Pause {
        /// The lane.
        lane: u8,
        /// For so many times 512 bit times; zero: it may go on.
        quanta: u32,
    },
    /// An output is congested to this degree, or no more: see `regional`.
    Region {
        /// 1 to 63; zero: no more.
        degree: u8,
        /// The number of the output at its switch.
        output: u16,
        /// Where what else it says is kept.
        place: u32,
    },
    /// A line of the neighbour's memory: see `isolation`.
    Isolation {
        /// Its number.
        line: u8,
        /// Where what it says is kept.
        place: u32,
    },
    /// A queue of the neighbour is stopped, or may go: see `isolate_flows`.
    Queue {
        /// Its number there.
        queue: u32,
        /// It is stopped.
        stop: bool,
    },
    /// How far frames have come in: see `checked`.
    Retry(Word),
    /// How many cells have left a buffer: see `credits::messages`.
    Freed {
        /// The lane.
        lane: u8,
        /// All of them so far.
        count: Cyclic,
    },
    /// All that was sent before has come in, or was lost: see `credits::messages`.
    Consumed,
    /// A control word that was lost on the link: nobody hears of it.
    Lost,
}

impl ControlFrame {
    /// The order of what a port is told late in one instant.
    pub(super) fn rank(self) -> u64 {
        match self {
            ControlFrame::Pause { lane, .. } => u64::from(lane),
            ControlFrame::Region { output, .. } => 1 << 32 | u64::from(output),
            ControlFrame::Isolation { line, .. } => 3 << 32 | u64::from(line),
            ControlFrame::Queue { queue, .. } => 2 << 32 | u64::from(queue),
            ControlFrame::Retry(_) | ControlFrame::Freed { .. } | ControlFrame::Consumed | ControlFrame::Lost => 0,
        }
    }
}

/// A frame that waits for its port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Bytes on the wire.
    pub bytes: u32,
    /// From its last bit being in until the neighbour acts on it.
    pub after: Span,
    /// What it says.
    pub notice: ControlFrame,
}

/// All frames of the fabric. Empty where neighbours have nothing to tell each other.
#[derive(Debug, Default)]
pub(crate) struct Neighbours {
    /// By port: frames that wait to be sent, oldest first.
    waiting: IndexVec<PortId, VecDeque<Frame>>,
    /// One bit a port: some wait. Every output asks whenever it decides.
    talkers: Vec<u64>,
    /// Frames that wait, at all ports: none as a rule, which spares the look at the bit.
    count: usize,
    /// Frames told by packets that start in this instant, with their ports.
    pub(super) late: Vec<(PortId, Frame)>,
    pub(super) on_the_way: OnTheWay,
    /// By port: frames sent in band, and their bytes.
    pub sent: IndexVec<PortId, (u64, u64)>,
}

impl Neighbours {
    pub(crate) fn new(on: bool, ports: usize) -> Self {
        let count = if on { ports } else { 0 };
        Self {
            waiting: vec![VecDeque::new(); count].into(),
            talkers: vec![0; count.div_ceil(64)],
            sent: vec![(0, 0); count].into(),
            ..Self::default()
        }
    }

    /// A frame waits for this port.
    #[inline]
    pub(crate) fn waits(&self, port: PortId) -> bool {
        self.count > 0 && self.talkers[port.index() / 64] & 1 << (port.0 % 64) != 0
    }

    /// A frame waits for some port.
    #[inline]
    pub(crate) fn any_waits(&self) -> bool {
        self.count > 0
    }

    /// A frame waits behind the others of its port; a pause waits only behind other pauses, as headroom counts on it.
    pub(super) fn line_up(&mut self, port: PortId, frame: Frame) {
        let is_pause = |frame: &Frame| matches!(frame.notice, ControlFrame::Pause { .. });
        let waiting = &mut self.waiting[port];
        let place = if is_pause(&frame) { waiting.partition_point(is_pause) } else { waiting.len() };
        waiting.insert(place, frame);
        self.count += 1;
        self.talkers[port.index() / 64] |= 1 << (port.0 % 64);
    }

    /// The frame of a port that waits longest, if there is one.
    pub(super) fn take(&mut self, port: PortId) -> Option<Frame> {
        let frames = &mut self.waiting[port];
        let frame = frames.pop_front();
        self.count -= usize::from(frame.is_some());
        if frames.is_empty() {
            self.talkers[port.index() / 64] &= !(1 << (port.0 % 64));
        }
        frame
    }

    /// What waits for this port, to be changed as long as it does.
    pub(crate) fn unsent(&mut self, port: PortId) -> impl Iterator<Item = &mut ControlFrame> {
        let late = self.late.iter_mut().filter(move |(of, _)| *of == port).map(|(_, frame)| frame);
        self.waiting[port].iter_mut().chain(late).map(|frame| &mut frame.notice)
    }
}

/// What is on its way. Places are numbers in the order in which notices set out: a port hears what it was told for the
/// same instant in the order in which it was told, because its events are in the order of their places.
#[derive(Debug, Default)]
pub(super) struct OnTheWay {
    /// From the oldest that is still on its way on; none: heard already.
    notices: VecDeque<Option<ControlFrame>>,
    /// The place of the oldest.
    first: u32,
}

impl OnTheWay {
    pub(super) fn depart(&mut self, notice: ControlFrame) -> u32 {
        self.notices.push_back(Some(notice));
        self.first.wrapping_add(self.notices.len() as u32 - 1)
    }

    pub(super) fn arrive(&mut self, place: u32) -> Option<ControlFrame> {
        let notice = self.notices.get_mut(place.wrapping_sub(self.first) as usize)?.take();
        while self.notices.front().is_some_and(Option::is_none) {
            self.notices.pop_front();
            self.first = self.first.wrapping_add(1);
        }
        notice
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::{GO, STOP};

    #[test]
    fn a_slow_notice_does_not_hold_the_places_of_others() {
        let mut way = OnTheWay { first: u32::MAX, ..OnTheWay::default() };
        let places: Vec<u32> = [STOP, GO, STOP].map(|frame| way.depart(frame.notice)).into();
        assert_eq!(places, [u32::MAX, 0, 1]);
        assert_eq!(way.arrive(0), Some(GO.notice));
        assert_eq!(way.arrive(0), None);
        assert_eq!((way.arrive(u32::MAX), way.arrive(1)), (Some(STOP.notice), Some(STOP.notice)));
        assert!(way.notices.is_empty());
    }
}
