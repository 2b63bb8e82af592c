//! A packet leaves a switch: it leaves its queue, starts on the link or crosses the crossbar, and its room goes back
//! to the upstream sender.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{Packet, PacketId, PacketKind, PortId, QueueId};

use crate::control::isolation::lines::LANE;
use crate::event::Event;
use crate::fabric::Fabric;
use crate::plan::{ArbiterPlan, QueueMap};
use crate::switch::arbiter::QueuePosition;
use crate::switch::transit::Transit;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Sends a packet that was chosen: takes it from its queue, puts it on the link, and returns its room to the
    /// upstream sender.
    #[inline(always)]
    pub(crate) fn send(&mut self, output: PortId, lane: u8, id: PacketId, place: QueuePosition) {
        let Packet { input, kind, size, units, buffer_lane, destination, .. } = self.packets[id];
        let side = self.links.ins[input];
        let local = (output - side.base) as u16;
        let transit = Transit { input, output, local, lane, kind, size, destination };
        self.take_out(output, lane, id, place);
        self.control_starts(id, transit, place);
        let until = if self.has_crossbar() { self.pass(output, id) } else { self.transmit(output, id) };
        if let QueuePosition::Queue(queue) = place {
            self.switches.inputs.queues[queue].busy_until = until;
        }
        if self.limited_reads() {
            self.read_port_busy(input, until);
            self.switches.turns[side.switch] = if local + 1 == side.radix { 0 } else { local + 1 };
            if self.queue_map() == QueueMap::Single {
                self.next_at_head(input, lane, until);
            }
        }
        if self.limited_reads() || self.has_input_queues() {
            self.reconsider_blocked(side.base, side.radix);
        }
        if units > 0 {
            self.give_back(input, buffer_lane, destination, units, until);
        }
        if self.counts() && kind == PacketKind::Data {
            self.schedule(until, Event::Left { output, input: (input - side.base) as u16, lane, buffer_lane });
        }
        if let QueuePosition::Queue(queue) = place {
            self.control_started(transit);
            if let Some(next) = self.request_next(queue, transit) {
                let open_at = self.open_at(next);
                self.wake_by(next, open_at.max(until));
            }
        }
        if self.has_waiting(output) {
            let open_at = if self.has_crossbar() { self.open_at(output) } else { until };
            self.wake_by(output, open_at);
        }
    }

    /// The head of a queue has gone. What follows requests its own output. Returns that output if the request is new.
    #[inline(always)]
    pub(crate) fn request_next(&mut self, queue: QueueId, gone: Transit) -> Option<PortId> {
        self.control_at_head(queue, gone);
        self.request_output(gone.input, queue)
    }

    /// Takes a packet that was chosen out of its queue, and tells all parts that watch queues.
    #[inline(always)]
    pub(crate) fn take_out(&mut self, output: PortId, lane: u8, id: PacketId, place: QueuePosition) {
        let packet = &self.packets[id];
        let (input, units, size, buffer_lane) = (packet.input, packet.units, packet.size, packet.buffer_lane);
        if !self.has_crossbar() {
            self.waits_no_more(output, lane, size);
        }
        self.control_leaves(input, output, lane, id);
        if self.buffers_outputs() {
            self.leave_output(output, lane, id, place.before());
            return self.control_left(self.links.ins[input], output, lane, size, units);
        }
        if self.pauses() {
            self.leave_memory(input, output, buffer_lane, size);
        }
        self.dequeue(output, lane, input, id, place);
        let side = self.links.ins[input];
        if self.holds_senders() || self.has_input_queues() || self.arbiter() == ArbiterPlan::RoundRobin {
            let at = self.at(output, lane);
            let state = &mut self.links.out_lanes[at];
            state.starved = 0;
            state.turn = (input - side.base) as u16;
        }
        self.control_left(side, output, lane, size, units);
    }

    /// Takes the head out of a virtual output queue, or the packet behind `before`, and withdraws the request if nothing
    /// follows.
    #[inline(always)]
    pub(crate) fn pop_voq(&mut self, output: PortId, lane: u8, input: PortId, id: PacketId, before: Option<PacketId>) {
        let side = self.links.ins[input];
        let queue = self.queue(&side, lane, (output - side.base) as u16);
        let next = match self.regions() {
            true => {
                self.switches.queues.change(queue, |list| list.unlink(&mut self.packets, before));
                self.switches.queues.head(queue)
            }
            false => {
                let next = self.packets[id].next;
                self.switches.queues.set_head(queue, next);
                next
            }
        };
        if next == PacketId::NONE {
            self.end_request(output, lane, input - side.base);
        } else {
            self.at_head(output, lane, next);
        }
    }

    /// Takes a packet out of its queue and withdraws the request if nothing follows.
    #[inline(always)]
    fn dequeue(&mut self, output: PortId, lane: u8, input: PortId, id: PacketId, place: QueuePosition) {
        if let QueuePosition::Queue(queue) = place {
            self.take_head(input, queue);
            return;
        }
        if self.queues_flows() && lane == LANE {
            return self.leave_by_flow(input, output, id);
        }
        match (self.queue_map(), self.arbiter()) {
            (QueueMap::Voq, ArbiterPlan::RoundRobin) => self.pop_voq(output, lane, input, id, place.before()),
            (QueueMap::Voq, ArbiterPlan::Fifo { .. }) => {
                let queue = self.queue_at_output(output, lane);
                self.switches.queues.change(queue, |list| list.unlink(&mut self.packets, place.before()));
            }
            _ => {
                let side = self.links.ins[input];
                let queue = side.queues + u32::from(lane);
                debug_assert_eq!(self.switches.queues.head(queue), id);
                self.switches.queues.set_head(queue, self.packets[id].next);
                self.end_request(output, lane, input - side.base);
            }
        }
    }

    /// With a single queue per input: the packet behind the one being read requests its own output, which can read it
    /// from `free` on.
    pub(crate) fn next_at_head(&mut self, input: PortId, lane: u8, free: Time) {
        let side = self.links.ins[input];
        let head = self.switches.queues.head(side.queues + u32::from(lane));
        if head == PacketId::NONE {
            return;
        }
        let output = side.base + u32::from(self.packets[head].port);
        self.request(output, lane, input - side.base);
        if self.fails() && self.links.faults.discards(output) {
            return self.wake_by(output, free);
        }
        let busy_until = self.links.outs[output].busy_until;
        self.wake_by(output, free.max(busy_until));
    }

    /// Tells probes what waits for an output, in all its lanes.
    #[inline(always)]
    pub(crate) fn tell_queued(&mut self, output: PortId) {
        if self.counts_waiting() && self.probe.wants_fill() {
            self.probe.queued(self.now, output.0, self.waiting_for(output));
        }
    }

    /// A packet no longer waits for an output, because it starts on the link or is dropped.
    #[inline(always)]
    pub(crate) fn waits_no_more(&mut self, output: PortId, lane: u8, size: u32) {
        if self.counts_waiting() {
            let place = self.at(output, lane);
            self.switches.occupancy.leave(place, size);
            self.tell_queued(output);
        }
    }
}
