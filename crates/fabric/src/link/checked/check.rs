//! Frames that the receiver checks: they start on the link, and arrive.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{Packet, PacketId, PacketKind, PortId};

use crate::event::{Event, OnLink};
use crate::fabric::Fabric;
use crate::link::checked::ends::Flying;
use crate::link::checked::errors::Fate;
use crate::link::checked::sender::Kept;
use crate::link::cyclic::Cyclic;
use crate::link::frames::ControlFrame;
use crate::link::port::Far;
use crate::partition::mail::FrameAway;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Something is due on a link whose two ends exchange retry words or credit messages.
    #[inline(never)]
    pub(crate) fn on_link(&mut self, port: PortId, due: OnLink) {
        match due {
            OnLink::Frame => self.frame_is_in(port),
            OnLink::Word => self.word_is_due(port),
            OnLink::Replay => self.replay_is_due(port),
            OnLink::Credit => self.message_is_due(port),
            OnLink::Heal => self.heal_is_due(port),
        }
    }

    /// A packet has started on a link; its tail leaves at `until`.
    #[inline(never)]
    pub(crate) fn launch(&mut self, port: PortId, packet: PacketId, until: Time) {
        let frame = Kept { packet, size: self.packets[packet].size };
        let number = if self.retries() { self.number(port, frame) } else { Cyclic::default() };
        self.fly(port, frame, number, until);
    }

    /// A packet has started on a link to another part of the network. With retry, the part at the far end has the
    /// packet from now on, until it accepts it. Without retry, a packet that does not arrive stays in this part, and
    /// its room is given back here.
    pub(crate) fn launch_away(&mut self, port: PortId, packet: PacketId, until: Time) {
        let frame = Kept { packet, size: self.packets[packet].size };
        if self.retries() {
            let frame = Kept { packet: PacketId::NONE, ..frame };
            let number = self.number(port, frame);
            self.send_away(port, Time::NEVER, packet);
            return self.fly(port, frame, number, until);
        }
        let fate = self.links.checked.fate(port, frame.size);
        let at = until + self.propagation(port);
        if fate == Fate::Whole && !(self.fails() && self.links.faults.will_lose(port, at)) {
            return self.send_away(port, at + self.rules.forwarding_delay, packet);
        }
        self.tell_lost(packet, at);
        self.takes_off(port, Flying { frame, number: Cyclic::default(), fate }, at);
    }

    /// What the port at the far end of a link will make of a notice: control words may be lost.
    pub(crate) fn as_it_comes_in(&mut self, receiver: PortId, notice: ControlFrame) -> ControlFrame {
        let is_word = matches!(notice, ControlFrame::Retry(_) | ControlFrame::Freed { .. });
        if is_word && self.links.checked.loses_word(receiver) { ControlFrame::Lost } else { notice }
    }

    /// A frame is on its link from now on. One that will be lost because the link goes down is never handed to
    /// another part.
    pub(super) fn fly(&mut self, port: PortId, frame: Kept, number: Cyclic, until: Time) {
        let fate = self.links.checked.fate(port, frame.size);
        let (flying, at) = (Flying { frame, number, fate }, until + self.propagation(port));
        let input = self.links.outs[port].peer;
        if self.border.is_away(input) && !(self.fails() && self.links.faults.will_lose(port, at)) {
            self.border.frame(FrameAway { at, input, flying });
        } else {
            self.takes_off(port, flying, at);
        }
    }

    /// A frame is coming from another part of the network.
    pub(crate) fn expect_frame(&mut self, frame: FrameAway) {
        let FrameAway { at, input, flying } = frame;
        self.takes_off(self.links.outs[input].peer, flying, at);
    }

    /// A frame starts, all of which will have arrived at `at`.
    fn takes_off(&mut self, port: PortId, flying: Flying, at: Time) {
        self.links.checked.ends[port].flight.push_back(flying);
        self.schedule(at, Event::Link { port: self.links.outs[port].peer, due: OnLink::Frame });
    }

    /// All of a frame has arrived at a port.
    fn frame_is_in(&mut self, receiver: PortId) {
        let port = self.links.outs[receiver].peer;
        let Some(Flying { frame, number, fate }) = self.links.checked.ends[port].flight.pop_front() else {
            debug_assert!(false, "a frame comes in once");
            return;
        };
        let goes_on = if self.retries() { self.judged(port, number, fate) } else { fate == Fate::Whole };
        if goes_on {
            // Packets from another part are accepted in the order in which they were first sent.
            let mut of_another_part = || self.links.checked.ends[receiver].coming.pop_front();
            let packet = if frame.packet == PacketId::NONE { of_another_part() } else { Some(frame.packet) };
            debug_assert!(packet.is_some(), "a frame that is taken has a packet");
            packet.into_iter().for_each(|packet| self.goes_on(port, packet));
        } else if !self.retries() {
            self.lose(port, frame.packet);
        }
    }

    /// A frame is forwarded at the far end.
    fn goes_on(&mut self, port: PortId, packet: PacketId) {
        let out = &self.links.outs[port];
        let (peer, forwarding) = (out.peer, self.rules.forwarding_delay);
        match out.far {
            Far::Host => self.deliver_at(self.now, peer.host(), packet, self.packets[packet].kind),
            _ => self.schedule(self.now + forwarding, Event::Arrive { input: peer, packet }),
        }
    }

    /// A packet was lost on a link without retry: it is gone, and its room is given back.
    pub(crate) fn lose(&mut self, port: PortId, id: PacketId) {
        let Packet { flow, kind, input, buffer_lane, destination, units, .. } = self.packets[id];
        self.packets.remove(id);
        self.switches.output_queues.count_drop(port, flow, kind == PacketKind::Data);
        self.probe.dropped(self.now, port.0, self.reporting_flow(flow).0);
        let endless = self.links.outs[port].far == Far::Host && self.rules.adapter.receive_units.is_none();
        if units == 0 || endless {
            return;
        }
        if self.tells_credit() {
            self.lose_cells(input, buffer_lane, units);
        } else {
            self.give_back(input, buffer_lane, destination, units, self.now);
        }
    }
}
