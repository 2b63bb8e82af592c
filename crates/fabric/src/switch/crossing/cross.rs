//! Crossing: a packet goes from the memory of its input to its output, at the speed of the crossbar.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Span, Time};
use congestree_wire::{Packet, PacketId, PortId};

use crate::event::Event;
use crate::fabric::Fabric;
use crate::tune::features::Feature;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// How long a packet takes from an input to an output. After that time its tail has left the input, unless it is
    /// still coming in.
    #[inline]
    pub(crate) fn passage(&mut self, output: PortId, size: u32) -> Span {
        match &mut self.switches.crossbar.speed {
            Some(speed) if S::MAY.has(Feature::Crossbar) => speed.time(size),
            _ => self.links.rates[usize::from(self.links.outs[output].rate)].time(size),
        }
    }

    /// The earliest time at which a packet can cross to an output.
    #[inline(always)]
    pub(crate) fn open_at(&self, output: PortId) -> Time {
        if self.has_crossbar() { self.switches.crossbar.open_at(output) } else { self.links.outs[output].busy_until }
    }

    /// A packet crosses to an output, takes its room behind that output, and leaves when the link is free. Returns
    /// when its tail has left the input.
    pub(crate) fn pass(&mut self, output: PortId, id: PacketId) -> Time {
        let Packet { size, lane, destination, units, .. } = self.packets[id];
        self.links.outs[output].lane_turn = lane;
        self.take(output, lane, destination, units);
        let over = self.now + self.passage(output, size);
        let time = self.links.rates[usize::from(self.links.outs[output].rate)].time(size);
        // The tail cannot leave before it has crossed.
        let earliest = Time(over.0.saturating_sub(time.0)).max(self.now);
        // A frame for the neighbour may be on the link.
        let earliest = earliest.max(self.links.outs[output].busy_until);
        let start = self.switches.crossbar.fill(output, over, earliest, time);
        // From here on the packet's room is at the far end of the link; its room here is on its way back.
        let packet = &mut self.packets[id];
        packet.input = self.links.outs[output].peer;
        packet.buffer_lane = packet.lane;
        packet.port = Packet::UNROUTED;
        self.note_unblocked(output);
        if start == self.now {
            self.waits_for_link_no_more(output, id);
            self.transmit(output, id);
        } else {
            self.schedule(start, Event::Depart { output, packet: id });
        }
        over
    }

    /// A packet that an output holds starts on the link. The `blocked_since` and `lane_turn` of the output stay as
    /// they were: they belong to the packets that still have to cross.
    pub(crate) fn depart(&mut self, output: PortId, id: PacketId) {
        self.waits_for_link_no_more(output, id);
        let out = &mut self.links.outs[output];
        let (since, lane_turn) = (std::mem::replace(&mut out.blocked_since, Time::NEVER), out.lane_turn);
        self.transmit(output, id);
        let out = &mut self.links.outs[output];
        (out.blocked_since, out.lane_turn) = (since, lane_turn);
    }

    /// A packet is about to start on the link, and until now counted among those that wait for it.
    fn waits_for_link_no_more(&mut self, output: PortId, id: PacketId) {
        let Packet { lane, size, .. } = self.packets[id];
        self.waits_no_more(output, lane, size);
        self.control_on_link(output, id);
    }
}
