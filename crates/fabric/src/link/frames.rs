//! Frames between neighbours: what the two ends of a link tell each other.
//!
//! A pause, a notice that a flow was isolated, a notice that a region is congested: each goes over one link and no
//! further. So it is not a packet, belongs to no flow and waits in no packet queue. There are two ways to send it.
//! *In band* it takes bytes on the wire: the port sends it at the next packet boundary, before any packet, and the
//! link is busy for its transmission time. *Out of band* it takes only the delay of the link. Either way the
//! neighbour acts on it `after` later, and within that instant before any port decides. Frames are never lost, need
//! no credit and are not held by a pause. They are not counted among the packets and bytes of a port.
//!
//! To add one: give [`ControlFrame`] a variant, switch [`Neighbours`] on for the plans that need it
//! (`Plan::neighbours_talk`), call [`tell`](Fabric::tell) or [`tell_out_of_band`](Fabric::tell_out_of_band), and act
//! on the variant in [`hear`](Fabric::hear).

use std::collections::VecDeque;

use congestree_units::Span;
use congestree_wire::{IndexVec, PortId};

use crate::link::checked::receiver::Word;
use crate::link::cyclic::Cyclic;

/// A notice or command for a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ControlFrame {
    /// Pauses a lane, or ends the pause.
    Pause {
        /// The lane.
        lane: u8,
        /// Duration in units of 512 bit times; zero ends the pause.
        quanta: u32,
    },
    /// An output is congested to this degree, or no longer: see `regional`.
    Region {
        /// 1 to 63; zero: no longer congested.
        degree: u8,
        /// The number of the output at its switch.
        output: u16,
        /// Where the rest of the notice is kept.
        place: u32,
    },
    /// About a line of the neighbour's memory: see `isolation`.
    Isolation {
        /// Its number.
        line: u8,
        /// Where the notice is kept.
        place: u32,
    },
    /// Stops a queue of the neighbour, or lets it send again: see `isolate_flows`.
    Queue {
        /// Its number there.
        queue: u32,
        /// True to stop it.
        stop: bool,
    },
    /// Up to which number frames have arrived: see `checked`.
    Retry(Word),
    /// How many cells have left a buffer (CF_Update): see `credits::messages`.
    Freed {
        /// The lane.
        lane: u8,
        /// The total so far.
        count: Cyclic,
    },
    /// All that was sent before this has arrived or was lost (CC_Update): see `credits::messages`.
    Consumed,
    /// A control word that was lost on the link, and has no effect.
    Lost,
}

impl ControlFrame {
    /// It says how many cells have left a buffer, in this lane.
    pub(super) fn frees(self, of: usize) -> bool {
        matches!(self, ControlFrame::Freed { lane, .. } if usize::from(lane) == of)
    }

    /// Rank among the frames that a port is given late in one instant (`Fabric::tell_late`): they are sent in this
    /// order.
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

/// A frame that waits at its port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Bytes on the wire.
    pub bytes: u32,
    /// From the arrival of its last bit until the neighbour acts on it.
    pub after: Span,
    /// Its content.
    pub notice: ControlFrame,
}

/// All frames of the fabric. Empty where neighbours have nothing to tell each other.
#[derive(Debug, Default)]
pub(crate) struct Neighbours {
    /// By port: frames that wait to be sent, oldest first.
    waiting: IndexVec<PortId, VecDeque<Frame>>,
    /// One bit a port: some frames wait. Every output reads this whenever it decides.
    talkers: Vec<u64>,
    /// Frames that wait at all ports: usually none, which makes reading the bit unnecessary.
    count: usize,
    /// Frames caused by packets that start at this instant, with their ports.
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

    /// A frame waits at this port.
    #[inline]
    pub(crate) fn waits(&self, port: PortId) -> bool {
        self.count > 0 && self.talkers[port.index() / 64] & 1 << (port.0 % 64) != 0
    }

    /// A frame waits at some port.
    #[inline]
    pub(crate) fn any_waits(&self) -> bool {
        self.count > 0
    }

    /// Queues a frame behind the others of its port. A pause waits only behind other pauses, because the headroom is
    /// computed that way.
    pub(super) fn line_up(&mut self, port: PortId, frame: Frame) {
        let is_pause = |frame: &Frame| matches!(frame.notice, ControlFrame::Pause { .. });
        let waiting = &mut self.waiting[port];
        let place = if is_pause(&frame) { waiting.partition_point(is_pause) } else { waiting.len() };
        waiting.insert(place, frame);
        self.count += 1;
        self.talkers[port.index() / 64] |= 1 << (port.0 % 64);
    }

    /// Takes the frame of a port that has waited longest, if there is one.
    pub(super) fn take(&mut self, port: PortId) -> Option<Frame> {
        let frames = &mut self.waiting[port];
        let frame = frames.pop_front();
        self.count -= usize::from(frame.is_some());
        if frames.is_empty() {
            self.talkers[port.index() / 64] &= !(1 << (port.0 % 64));
        }
        frame
    }

    /// The frames that still wait at this port, to be changed before they are sent.
    pub(crate) fn unsent(&mut self, port: PortId) -> impl Iterator<Item = &mut ControlFrame> {
        let late = self.late.iter_mut().filter(move |(of, _)| *of == port).map(|(_, frame)| frame);
        self.waiting[port].iter_mut().chain(late).map(|frame| &mut frame.notice)
    }
}

/// Notices on their way. Places are numbered in the order of departure. Events of the same instant are ordered by
/// place, so a port acts on them in the order in which they were sent.
#[derive(Debug, Default)]
pub(super) struct OnTheWay {
    /// From the oldest that is still on its way; `None` for one that has been delivered.
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
