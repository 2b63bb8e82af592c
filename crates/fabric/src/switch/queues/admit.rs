//! Admission to bounded output queues: a packet that finds room joins; one that does not is dropped or trimmed.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::transport::Role;
use congestree_wire::{FlowId, Packet, PacketId, PacketKind, PortId};

use crate::by_packet::ByPacket;
use crate::fabric::Fabric;
use crate::link::port::Far;
use crate::plan::TrimPlan;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A packet wants to join the queue of an output, and is already counted there. Returns whether it may; if not,
    /// it is gone.
    #[inline(never)]
    pub(crate) fn admit(&mut self, output: PortId, id: PacketId) -> bool {
        let packet = &self.packets[id];
        let (kind, lane) = (packet.kind, packet.lane);
        let place = self.at(output, lane);
        let waiting = self.switches.occupancy.waiting(place);
        let queues = &mut self.switches.output_queues;
        let lost = queues.loss > 0.0 && queues.rng[output].unit() < queues.loss;
        let trim = queues.trim;
        let limits = if trim.is_some_and(|trim| trim.lane == lane) { &queues.trim_limits } else { &queues.limits };
        if lost || waiting > limits[output] {
            return match trim {
                Some(trim) if !lost && trim.lane != lane && kind == PacketKind::Data => {
                    self.admit_trimmed(output, id, trim)
                }
                _ => self.refuse(output, id),
            };
        }
        self.tell_queued(output);
        true
    }

    /// There is no room: the packet is gone.
    fn refuse(&mut self, output: PortId, id: PacketId) -> bool {
        let Packet { flow, kind, .. } = self.packets[id];
        self.count_loss(output, flow, kind == PacketKind::Data);
        self.turn_away(output, id)
    }

    /// A packet of a flow, or its payload, is lost at an output.
    fn count_loss(&mut self, output: PortId, flow: FlowId, is_data: bool) {
        self.switches.output_queues.count_drop(output, flow, is_data);
        self.probe.dropped(self.now, output.0, self.reporting_flow(flow).0);
    }

    /// A packet whose loss has been counted no longer waits for an output, and is gone. Returns false.
    fn turn_away(&mut self, output: PortId, id: PacketId) -> bool {
        let Packet { size, lane, .. } = self.packets[id];
        let place = self.at(output, lane);
        self.switches.occupancy.leave(place, size);
        self.packets.remove(id);
        false
    }

    /// A data packet finds no room: it, or the newest one that waits, goes on without its payload. Returns whether
    /// there is still a packet to queue: the trimmed one, under the id of the packet that arrived. If there is no room for it
    /// either, it has been counted already.
    fn admit_trimmed(&mut self, output: PortId, id: PacketId, trim: TrimPlan) -> bool {
        let lane = self.packets[id].lane;
        let queue = trim.either.then(|| self.switches.queues.get(self.queue_at_output(output, lane)));
        if let Some(newest) = queue.filter(|queue| !queue.is_empty()).map(|queue| queue.last())
            && self.packets[newest].kind == PacketKind::Data
            && self.packets[newest].size == self.packets[id].size
            && self.switches.output_queues.rng[output].unit() < 0.5
        {
            self.exchange(newest, id);
        }
        let Packet { flow, size, .. } = self.packets[id];
        let place = self.at(output, lane);
        self.switches.occupancy.leave(place, size);
        self.count_loss(output, flow, true);
        self.trim(output, id, trim);
        let place = self.at(output, trim.lane);
        self.switches.occupancy.join(place, trim.size.0 as u32);
        let waiting = self.switches.occupancy.waiting(place);
        if waiting > self.switches.output_queues.trim_limits[output] {
            return self.turn_away(output, id);
        }
        self.tell_queued(output);
        true
    }

    /// The payload of a packet is cut off: the rest of it goes on in another lane, with a header that says so.
    fn trim(&mut self, output: PortId, id: PacketId, trim: TrimPlan) {
        let packet = &mut self.packets[id];
        (packet.size, packet.lane, packet.kind) = (trim.size.0 as u32, trim.lane, PacketKind::Ack);
        let header = self.ends.headers.of_mut(id);
        (header.role, header.last_hop) = (Role::Trimmed, self.links.outs[output].far == Far::Host);
    }

    /// Two packets of the same output and size change places: each takes the other's place in its queue, and the room
    /// that the other holds.
    fn exchange(&mut self, a: PacketId, b: PacketId) {
        let (one, other) = (self.packets[a], self.packets[b]);
        let at = |packet: Packet, place: Packet| Packet {
            next: place.next,
            input: place.input,
            units: place.units,
            buffer_lane: place.buffer_lane,
            port: place.port,
            passed: place.passed,
            ready: place.ready,
            ..packet
        };
        (self.packets[a], self.packets[b]) = (at(other, one), at(one, other));
        self.all_by_packet().into_iter().for_each(|tables| tables.swap(a, b));
    }

    /// Everything that is kept beside packets: a table by packet that is missing here stays behind when packets change
    /// places.
    fn all_by_packet(&mut self) -> [&mut dyn ByPacket; 6] {
        [
            &mut self.ends.headers,
            &mut self.control.inband,
            &mut self.switches.path_choice.detours,
            &mut self.switches.flow_queues,
            &mut self.links.faults,
            &mut self.records.isolation,
        ]
    }
}

#[cfg(test)]
mod tests;
