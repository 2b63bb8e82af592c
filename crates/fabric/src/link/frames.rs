//! Frames between neighbours: what the two ends of one link tell each other.
//!
//! A pause, a notice that a queue was set aside, a notice that a region is congested: each goes over one link and no
//! further, so it is no packet, has no flow and stands in no queue of packets. It goes one of two ways. *In band* it is
//! bytes on the wire: the port sends it at the next packet boundary, before any packet, and the link is busy for as
//! long as it takes. *Out of band* it takes the delay of the link alone. Either way the neighbour acts on it `after` so
//! long, in the order of an instant before anybody decides. Frames are never lost, need no credit and are not held by a
//! pause. They are not counted among the packets and bytes of a port.
//!
//! To use it: give [`Notice`] a variant, switch [`Neighbours`] on for the plans that need it (`Plan::neighbours_talk`),
//! call [`tell`](Fabric::tell) or [`tell_beside`](Fabric::tell_beside), and say in [`hear`](Fabric::hear) what the
//! variant does.

use std::collections::VecDeque;

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Bytes, Span, Time};

use crate::event::Event;
use crate::fabric::{Fabric, scramble};
use crate::link::checked::Word;
use crate::link::cyclic::Cyclic;
use crate::partition::border::Letter;
use crate::tune::variants::Variant;

/// What a neighbour is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
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
        /// Where what else it says is kept.
        place: u32,
    },
    /// A line of the neighbour's memory: see `isolation`.
    Isolation {
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
}

impl Notice {
    /// The order of what a port is told late in one instant.
    fn rank(self) -> u64 {
        match self {
            Notice::Pause { lane, .. } => u64::from(lane),
            Notice::Region { place, .. } => 1 << 32 | u64::from(place),
            Notice::Isolation { place } => u64::from(place),
            Notice::Queue { queue, .. } => 2 << 32 | u64::from(queue),
            Notice::Retry(_) | Notice::Freed { .. } | Notice::Consumed => 0,
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
    pub notice: Notice,
}

/// All frames of the fabric. Empty where neighbours have nothing to tell each other.
#[derive(Debug, Default)]
pub(crate) struct Neighbours {
    /// By port: frames that wait to be sent, oldest first.
    waiting: Vec<VecDeque<Frame>>,
    /// One bit a port: some wait. Every output asks whenever it decides.
    talkers: Vec<u64>,
    /// Frames told by packets that start in this instant, with their ports.
    late: Vec<(u32, Frame)>,
    on_the_way: OnTheWay,
    /// By port: frames sent in band, and their bytes.
    pub sent: Vec<(u64, u64)>,
}

impl Neighbours {
    pub(crate) fn new(on: bool, ports: usize) -> Self {
        let count = if on { ports } else { 0 };
        Self {
            waiting: vec![VecDeque::new(); count],
            talkers: vec![0; count.div_ceil(64)],
            sent: vec![(0, 0); count],
            ..Self::default()
        }
    }

    /// A frame waits for this port.
    #[inline]
    pub(crate) fn waits(&self, port: u32) -> bool {
        self.talkers.get(port as usize / 64).is_some_and(|word| word & (1 << (port % 64)) != 0)
    }

    /// A frame waits behind the others of its port.
    fn line_up(&mut self, port: u32, frame: Frame) {
        self.waiting[port as usize].push_back(frame);
        self.talkers[port as usize / 64] |= 1 << (port % 64);
    }

    /// The frame of a port that waits longest, if there is one.
    fn take(&mut self, port: u32) -> Option<Frame> {
        let frames = &mut self.waiting[port as usize];
        let frame = frames.pop_front();
        if frames.is_empty() {
            self.talkers[port as usize / 64] &= !(1 << (port % 64));
        }
        frame
    }

    /// What waits for this port, to be changed as long as it does.
    pub(crate) fn unsent(&mut self, port: u32) -> impl Iterator<Item = &mut Notice> {
        let late = self.late.iter_mut().filter(move |(of, _)| *of == port).map(|(_, frame)| frame);
        self.waiting[port as usize].iter_mut().chain(late).map(|frame| &mut frame.notice)
    }
}

/// What is on its way. Places are numbers in the order in which notices set out: a port hears what it was told for the
/// same instant in the order in which it was told, because its events are in the order of their places.
#[derive(Debug, Default)]
struct OnTheWay {
    /// From the oldest that is still on its way on; none: heard already.
    notices: VecDeque<Option<Notice>>,
    /// The place of the oldest.
    first: u32,
}

impl OnTheWay {
    fn depart(&mut self, notice: Notice) -> u32 {
        self.notices.push_back(Some(notice));
        self.first.wrapping_add(self.notices.len() as u32 - 1)
    }

    fn arrive(&mut self, place: u32) -> Option<Notice> {
        let notice = self.notices.get_mut(place.wrapping_sub(self.first) as usize)?.take();
        while self.notices.front().is_some_and(Option::is_none) {
            self.notices.pop_front();
            self.first = self.first.wrapping_add(1);
        }
        notice
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The port tells its neighbour something, in band, before any packet that starts from this instant on.
    ///
    /// Not for what is told because a packet *starts*: in which order ports decide within an instant must not matter.
    pub(crate) fn tell(&mut self, port: u32, frame: Frame) {
        debug_assert!(self.neighbours_talk());
        self.links.neighbours.line_up(port, frame);
        if self.pauses() {
            self.consider(port);
        } else {
            self.ask(port);
        }
    }

    /// The same because a packet starts: after all that start in this instant. (Where [`Fabric::talks_late`].)
    pub(crate) fn tell_late(&mut self, port: u32, frame: Frame) {
        debug_assert!(self.neighbours_talk());
        self.links.neighbours.late.push((port, frame));
        self.consider(port);
    }

    /// Before anybody decides, idle ports send the frames that wait: what is told late, and takes the place of a frame
    /// that waits, must not find them still waiting at some ports and gone at others.
    #[inline(never)]
    pub(crate) fn send_frames(&mut self) {
        for place in 0..self.deciding.len() {
            let port = self.deciding[place];
            if self.links.outs[port as usize].busy_until > self.now {
                continue;
            }
            if self.links.neighbours.waits(port) {
                self.send_frame(port);
            } else if self.retries() {
                self.retry_first(port);
            }
        }
    }

    /// Everybody has decided: now go the frames that were told late.
    #[inline(never)]
    pub(crate) fn send_late(&mut self) {
        if self.links.neighbours.late.is_empty() {
            return;
        }
        let mut late = std::mem::take(&mut self.links.neighbours.late);
        late.sort_by_key(|&(port, frame)| (port, frame.notice.rank()));
        for (port, frame) in late.drain(..) {
            self.links.neighbours.line_up(port, frame);
            let busy_until = self.links.outs[port as usize].busy_until;
            if busy_until <= self.now {
                self.send_frame(port);
            } else {
                self.wake_by(port, busy_until);
            }
        }
        self.links.neighbours.late = late;
    }

    /// The port tells its neighbour something, out of band.
    pub(crate) fn tell_beside(&mut self, port: u32, after: Span, notice: Notice) {
        debug_assert!(self.neighbours_talk());
        let at = self.now + self.propagation(port) + after;
        self.set_out(self.links.outs[port as usize].peer, at, notice);
    }

    /// A port will hear something.
    pub(crate) fn set_out(&mut self, port: u32, at: Time, notice: Notice) {
        if self.border.is_away(port) {
            return self.border.write(Letter::Notice { at, port, notice });
        }
        let place = self.links.neighbours.on_the_way.depart(notice);
        self.schedule(at, Event::Notice { port, place });
    }

    /// An idle port sends the frame that waits longest. Answers whether there was one.
    #[inline(never)]
    pub(crate) fn send_frame(&mut self, port: u32) -> bool {
        let Some(Frame { bytes, after, notice }) = self.links.neighbours.take(port) else {
            return false;
        };
        self.forget_if_idle(port);
        self.note_unblocked(port);
        let out = &mut self.links.outs[port as usize];
        let until = self.now + self.links.rates[usize::from(out.rate)].rate().time_for(Bytes(bytes.into()));
        out.busy_until = until;
        let peer = out.peer;
        let sent = &mut self.links.neighbours.sent[port as usize];
        *sent = (sent.0 + 1, sent.1 + u64::from(bytes));
        if let Notice::Pause { lane, quanta } = notice {
            self.probe.pause_sent(self.now, port, lane, quanta > 0);
        }
        self.set_out(peer, until + self.propagation(port) + after, notice);
        self.records.trajectory = self.records.trajectory.wrapping_add(scramble(
            self.now.0,
            u64::from(port) << 32 | u64::from(bytes),
            u64::MAX,
        ));
        self.wake_by(port, until);
        true
    }

    /// The port acts on what its neighbour told it.
    #[inline(never)]
    pub(crate) fn hear(&mut self, port: u32, place: u32) {
        match self.links.neighbours.on_the_way.arrive(place) {
            Some(Notice::Pause { lane, quanta }) => self.told_to_pause(port, lane, quanta),
            Some(Notice::Region { degree, place }) => self.hear_of_region(port, degree, place),
            Some(Notice::Isolation { place }) => self.hear_of_line(port, place),
            Some(Notice::Queue { queue, stop }) => self.hear_of_queue(port, queue, stop),
            Some(Notice::Retry(word)) => self.hear_word(port, word),
            Some(Notice::Freed { lane, count }) => self.hear_freed(port, lane, count),
            Some(Notice::Consumed) => self.hear_consumed(port),
            None => debug_assert!(false, "a notice is heard once"),
        }
    }

    /// Delay of the link out of a port.
    pub(crate) fn propagation(&self, port: u32) -> Span {
        self.links.outs[port as usize].propagation(self.rules.forwarding_delay)
    }
}

#[cfg(test)]
mod tests {
    use congestree_kernel::HeapAgenda;
    use congestree_probes::Silent;

    use super::*;
    use crate::plan::CreditUnit;
    use crate::small::{small_pfc, star};
    use crate::tune::variants::Any;

    type Small = Fabric<HeapAgenda, Silent, Any>;

    /// Until it is told to go on.
    const STOP: Frame = Frame { bytes: 64, after: Span(0), notice: Notice::Pause { lane: 0, quanta: u32::MAX } };
    const GO: Frame = Frame { bytes: 64, after: Span(0), notice: Notice::Pause { lane: 0, quanta: 0 } };

    /// Three hosts of which the first two send to the third.
    fn talkative() -> Small {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        plan.flow_control.unit = CreditUnit::Pause;
        plan.pfc = Some(small_pfc());
        let mut fabric = Small::build(&plan, Silent);
        fabric.start();
        fabric
    }

    /// Everything up to and with an instant.
    fn until(fabric: &mut Small, at: u64) {
        fabric.rules.end = Time(at);
        loop {
            if !fabric.deciding.is_empty() && !fabric.agenda.more_at(fabric.now) {
                fabric.decide_all();
            }
            let Some(entry) = fabric.agenda.take() else { break };
            if entry.at.0 > at {
                fabric.agenda.schedule(entry);
                break;
            }
            fabric.now = entry.at;
            fabric.handle(Event::from_rank(entry.rank));
        }
        fabric.now = Time(at);
    }

    #[test]
    fn a_frame_goes_at_the_next_packet_boundary_and_takes_link_time() {
        let mut fabric = talkative();
        // The host has sent for half a packet; its second packet would start at 1,000 ns.
        until(&mut fabric, 500_000);
        fabric.tell(0, GO);
        until(&mut fabric, 1_063_999);
        assert_eq!((fabric.links.outs[0].packets, fabric.links.neighbours.sent[0]), (1, (1, 64)));
        until(&mut fabric, 1_064_000);
        assert_eq!(fabric.links.outs[0].packets, 2);
    }

    #[test]
    fn frames_of_a_port_go_one_after_the_other() {
        let mut fabric = talkative();
        until(&mut fabric, 500_000);
        fabric.tell(0, GO);
        fabric.tell(0, GO);
        until(&mut fabric, 1_127_999);
        assert_eq!((fabric.links.outs[0].packets, fabric.links.neighbours.sent[0]), (1, (2, 128)));
        until(&mut fabric, 1_128_000);
        assert_eq!(fabric.links.outs[0].packets, 2);
    }

    #[test]
    fn the_neighbour_hears_it_when_the_last_bit_is_in_and_acts_before_it_decides() {
        let mut fabric = talkative();
        // The switch has nothing to send to host 0: its frame starts at once and is in after 64 + 10 ns, as the
        // fourth packet would start.
        until(&mut fabric, 2_926_000);
        let switch_port = fabric.links.outs[0].peer;
        fabric.tell(switch_port, STOP);
        until(&mut fabric, 10_000_000);
        assert_eq!((fabric.links.outs[0].packets, fabric.links.outs[1].packets), (3, 11));
        fabric.tell(switch_port, Frame { after: Span::from_ns(100), ..GO });
        until(&mut fabric, 10_173_999);
        assert_eq!(fabric.links.outs[0].packets, 3);
        until(&mut fabric, 10_174_000);
        assert_eq!(fabric.links.outs[0].packets, 4);
    }

    #[test]
    fn beside_the_band_it_takes_the_delay_of_the_link_alone() {
        let mut fabric = talkative();
        until(&mut fabric, 2_990_000);
        let switch_port = fabric.links.outs[0].peer;
        fabric.tell_beside(switch_port, Span::ZERO, STOP.notice);
        until(&mut fabric, 10_000_000);
        assert_eq!((fabric.links.outs[0].packets, fabric.links.neighbours.sent[switch_port as usize].0), (3, 0));
    }

    #[test]
    fn what_is_told_in_one_instant_is_heard_in_the_order_told() {
        let mut fabric = talkative();
        until(&mut fabric, 500_000);
        let switch_port = fabric.links.outs[0].peer;
        // Twice, so that the second pair finds the places that the first has left.
        for _ in 0..2 {
            fabric.tell_beside(switch_port, Span::ZERO, STOP.notice);
            fabric.tell_beside(switch_port, Span::ZERO, GO.notice);
            let soon = fabric.now.0 + 500_000;
            until(&mut fabric, soon);
        }
        until(&mut fabric, 10_000_000);
        assert_eq!((fabric.links.outs[0].packets, fabric.links.outs[1].packets), (11, 11));
    }

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

    #[test]
    fn what_waits_can_be_changed() {
        let mut fabric = talkative();
        until(&mut fabric, 500_000);
        fabric.tell(0, GO);
        for notice in fabric.links.neighbours.unsent(0) {
            *notice = STOP.notice;
        }
        until(&mut fabric, 2_000_000);
        let switch_port = fabric.links.outs[0].peer;
        assert_eq!(fabric.links.out_lanes[switch_port as usize].credit, 0);
    }
}
