//! Counts what switches hold: packets that have become routable, and tails that have left.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::{PacketId, PortId};

use crate::fabric::Fabric;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Bytes that wait for an output in all lanes.
    #[inline]
    pub(crate) fn waiting_for(&self, output: PortId) -> u64 {
        let first = output.index() * self.lanes();
        self.switches.occupancy.waiting_at(first..first + self.lanes())
    }

    /// A data packet has become routable.
    pub(crate) fn counted_in(&mut self, input: PortId, output: PortId, id: PacketId) {
        let packet = &self.packets[id];
        let (inside, leaving) = (self.at(input, packet.buffer_lane), self.at(output, packet.lane));
        self.switches.occupancy.inside[inside] += 1;
        self.switches.occupancy.leaving[leaving] += 1;
        self.tell_held(input);
    }

    /// The tail of a data packet has left.
    pub(crate) fn left(&mut self, output: PortId, input: u16, lane: u8, buffer_lane: u8) {
        let input = self.links.outs[output].base + u32::from(input);
        let (inside, leaving) = (self.at(input, buffer_lane), self.at(output, lane));
        self.switches.occupancy.inside[inside] -= 1;
        self.switches.occupancy.leaving[leaving] -= 1;
        self.tell_held(input);
    }

    /// Tells probes what a buffer holds. Probes name a buffer by the port that sends into it.
    fn tell_held(&mut self, input: PortId) {
        let first = self.at(input, 0);
        let held = self.switches.occupancy.inside[first..first + self.lanes()].iter().sum();
        self.probe.held(self.now, self.links.outs[input].peer.0, held);
    }
}
