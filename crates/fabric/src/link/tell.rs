//! Frames between neighbours at work: they are put on the link, and take effect where they arrive.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Bytes, Span, Time};
use congestree_wire::PortId;

use crate::event::Event;
use crate::fabric::Fabric;
use crate::link::frames::{ControlFrame, Frame};
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The port sends its neighbour a frame in band, before any packet that starts from this instant on.
    ///
    /// Not for frames caused by the *start* of a packet: the order in which ports decide within an instant must not
    /// matter.
    pub(crate) fn tell(&mut self, port: PortId, frame: Frame) {
        debug_assert!(self.neighbours_talk());
        self.links.neighbours.line_up(port, frame);
        if self.pauses() {
            self.consider(port);
        } else {
            self.ask(port);
        }
    }

    /// The port sends its neighbour a frame because a packet starts: it goes after all packets that start at this
    /// instant. (Where [`Fabric::talks_late`].)
    pub(crate) fn tell_late(&mut self, port: PortId, frame: Frame) {
        self.tell_after_all(port, frame);
        self.consider(port);
    }

    /// The same, when all ports have decided already.
    pub(crate) fn tell_after_all(&mut self, port: PortId, frame: Frame) {
        debug_assert!(self.neighbours_talk());
        self.links.neighbours.late.push((port, frame));
    }

    /// Before any port decides, idle ports send the frames that wait. A frame that is given late replaces one that
    /// still waits; if each port sent its frames when it decides, whether that one still waits would depend on the
    /// order of the ports.
    #[inline]
    pub(crate) fn send_frames(&mut self) {
        if self.links.neighbours.any_waits() || self.retries() {
            self.send_waiting_frames();
        }
    }

    #[inline(never)]
    fn send_waiting_frames(&mut self) {
        for place in 0..self.deciding.len() {
            let port = self.deciding[place];
            if self.links.outs[port].busy_until > self.now {
                continue;
            }
            if self.links.neighbours.waits(port) {
                self.send_frame(port);
            } else if self.retries() {
                self.retry_first(port);
            }
        }
    }

    /// All ports have decided: now send the frames that were given late.
    #[inline]
    pub(crate) fn send_late(&mut self) {
        if !self.links.neighbours.late.is_empty() {
            self.send_told_late();
        }
    }

    #[inline(never)]
    fn send_told_late(&mut self) {
        let mut late = std::mem::take(&mut self.links.neighbours.late);
        late.sort_by_key(|&(port, frame)| (port, frame.notice.rank()));
        for (port, frame) in late.drain(..) {
            self.links.neighbours.line_up(port, frame);
            let busy_until = self.links.outs[port].busy_until;
            if busy_until <= self.now {
                self.send_frame(port);
            } else {
                self.wake_by(port, busy_until);
            }
        }
        self.links.neighbours.late = late;
    }

    /// The port sends its neighbour a notice out of band.
    pub(crate) fn tell_out_of_band(&mut self, port: PortId, after: Span, notice: ControlFrame) {
        debug_assert!(self.neighbours_talk());
        let at = self.now + self.propagation(port) + after;
        self.set_out(self.links.outs[port].peer, at, notice);
    }

    /// A notice will arrive at a port at `at`.
    pub(crate) fn set_out(&mut self, port: PortId, at: Time, notice: ControlFrame) {
        if self.border.is_away(port) {
            return self.tell_away(port, at, notice);
        }
        let place = self.links.neighbours.on_the_way.depart(notice);
        self.schedule(at, Event::Notice { port, place });
    }

    /// An idle port sends the frame that has waited longest. Returns whether there was one.
    #[inline(never)]
    pub(crate) fn send_frame(&mut self, port: PortId) -> bool {
        let Some(Frame { bytes, after, notice }) = self.links.neighbours.take(port) else {
            return false;
        };
        self.forget_if_idle(port);
        self.note_unblocked(port);
        let out = &mut self.links.outs[port];
        let until = self.now + self.links.rates[usize::from(out.rate)].rate().time_for(Bytes(bytes.into()));
        out.busy_until = until;
        let peer = out.peer;
        let sent = &mut self.links.neighbours.sent[port];
        *sent = (sent.0 + 1, sent.1 + u64::from(bytes));
        if let ControlFrame::Pause { lane, quanta } = notice {
            self.probe.pause_sent(self.now, port.0, lane, quanta > 0);
        }
        let at = until + self.propagation(port) + after;
        let notice = if self.checks_frames() { self.as_it_comes_in(peer, notice) } else { notice };
        if let ControlFrame::Freed { lane, count } = notice {
            self.note_told(port, lane, count, at);
        }
        self.set_out(peer, at, notice);
        self.records.frame_sent(self.now, port, bytes);
        self.wake_by(port, until);
        true
    }

    /// The port acts on a notice from its neighbour.
    #[inline(never)]
    pub(crate) fn hear(&mut self, port: PortId, place: u32) {
        match self.links.neighbours.on_the_way.arrive(place) {
            Some(ControlFrame::Pause { lane, quanta }) => self.told_to_pause(port, lane, quanta),
            Some(ControlFrame::Region { degree, place, .. }) => self.hear_of_region(port, degree, place),
            Some(ControlFrame::Isolation { place, .. }) => self.hear_of_line(port, place),
            Some(ControlFrame::Queue { queue, stop }) => self.hear_of_queue(port, queue, stop),
            Some(ControlFrame::Retry(word)) => self.hear_word(port, word),
            Some(ControlFrame::Freed { lane, count }) => self.hear_freed(port, lane, count),
            Some(ControlFrame::Consumed) => self.hear_consumed(port),
            Some(ControlFrame::Lost) => {}
            None => debug_assert!(false, "a notice is heard once"),
        }
    }

    /// Delay of the link that leaves a port.
    pub(crate) fn propagation(&self, port: PortId) -> Span {
        self.links.outs[port].propagation(self.rules.forwarding_delay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::CreditUnit;
    use crate::small::{GO, STOP, Stepped, small_pfc, star, started, until};

    /// Three hosts of which the first two send to the third.
    fn talkative() -> Stepped {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        plan.flow_control.unit = CreditUnit::Pause;
        plan.pfc = Some(small_pfc());
        started(&plan)
    }

    #[test]
    fn a_frame_goes_at_the_next_packet_boundary_and_takes_link_time() {
        let mut fabric = talkative();
        // The host has sent for half a packet; its second packet would start at 1,000 ns.
        until(&mut fabric, 500_000);
        fabric.tell(PortId(0), GO);
        until(&mut fabric, 1_063_999);
        assert_eq!((fabric.links.outs[PortId(0)].packets, fabric.links.neighbours.sent[PortId(0)]), (1, (1, 64)));
        until(&mut fabric, 1_064_000);
        assert_eq!(fabric.links.outs[PortId(0)].packets, 2);
    }

    #[test]
    fn frames_of_a_port_go_one_after_the_other() {
        let mut fabric = talkative();
        until(&mut fabric, 500_000);
        fabric.tell(PortId(0), GO);
        fabric.tell(PortId(0), GO);
        until(&mut fabric, 1_127_999);
        assert_eq!((fabric.links.outs[PortId(0)].packets, fabric.links.neighbours.sent[PortId(0)]), (1, (2, 128)));
        until(&mut fabric, 1_128_000);
        assert_eq!(fabric.links.outs[PortId(0)].packets, 2);
    }

    #[test]
    fn a_pause_waits_for_other_pauses_alone() {
        let mut fabric = talkative();
        until(&mut fabric, 500_000);
        let lost = Frame { notice: ControlFrame::Lost, ..GO };
        for frame in [lost, GO, lost, STOP] {
            fabric.tell(PortId(0), frame);
        }
        let waiting: Vec<ControlFrame> = fabric.links.neighbours.unsent(PortId(0)).map(|notice| *notice).collect();
        assert_eq!(waiting, [GO.notice, STOP.notice, lost.notice, lost.notice]);
    }

    #[test]
    fn the_neighbour_hears_it_when_the_last_bit_is_in_and_acts_before_it_decides() {
        let mut fabric = talkative();
        // The switch has nothing to send to host 0: its frame starts at once and is in after 64 + 10 ns, as the
        // fourth packet would start.
        until(&mut fabric, 2_926_000);
        let switch_port = fabric.links.outs[PortId(0)].peer;
        fabric.tell(switch_port, STOP);
        until(&mut fabric, 10_000_000);
        assert_eq!((fabric.links.outs[PortId(0)].packets, fabric.links.outs[PortId(1)].packets), (3, 11));
        fabric.tell(switch_port, Frame { after: Span::from_ns(100), ..GO });
        until(&mut fabric, 10_173_999);
        assert_eq!(fabric.links.outs[PortId(0)].packets, 3);
        until(&mut fabric, 10_174_000);
        assert_eq!(fabric.links.outs[PortId(0)].packets, 4);
    }

    #[test]
    fn beside_the_band_it_takes_the_delay_of_the_link_alone() {
        let mut fabric = talkative();
        until(&mut fabric, 2_990_000);
        let switch_port = fabric.links.outs[PortId(0)].peer;
        fabric.tell_out_of_band(switch_port, Span::ZERO, STOP.notice);
        until(&mut fabric, 10_000_000);
        assert_eq!((fabric.links.outs[PortId(0)].packets, fabric.links.neighbours.sent[switch_port].0), (3, 0));
    }

    #[test]
    fn what_is_told_in_one_instant_is_heard_in_the_order_told() {
        let mut fabric = talkative();
        until(&mut fabric, 500_000);
        let switch_port = fabric.links.outs[PortId(0)].peer;
        // Twice, so that the second pair finds the places that the first has left.
        for _ in 0..2 {
            fabric.tell_out_of_band(switch_port, Span::ZERO, STOP.notice);
            fabric.tell_out_of_band(switch_port, Span::ZERO, GO.notice);
            let soon = fabric.now.0 + 500_000;
            until(&mut fabric, soon);
        }
        until(&mut fabric, 10_000_000);
        assert_eq!((fabric.links.outs[PortId(0)].packets, fabric.links.outs[PortId(1)].packets), (11, 11));
    }

    #[test]
    fn what_waits_can_be_changed() {
        let mut fabric = talkative();
        until(&mut fabric, 500_000);
        fabric.tell(PortId(0), GO);
        for notice in fabric.links.neighbours.unsent(PortId(0)) {
            *notice = STOP.notice;
        }
        until(&mut fabric, 2_000_000);
        let switch_port = fabric.links.outs[PortId(0)].peer;
        assert_eq!(fabric.links.out_lanes[switch_port.index()].credit, 0);
    }
}
