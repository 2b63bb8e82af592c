//! A packet arrives at a switch: it becomes routable, finds room (where no credit has reserved any for it), and joins
//! a queue.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Span;
use congestree_wire::{Packet, PacketId, PacketKind, PortId};

use crate::control::isolation::lines::LANE;
use crate::event::Event;
use crate::fabric::Fabric;
use crate::link::port::In;
use crate::plan::{ArbiterPlan, QueueMap, Switching};
use crate::switch::queues::list::List;
use crate::switch::transit::Transit;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A packet has become routable: it joins its queue, and its output may have a new decision to make.
    #[inline]
    pub(crate) fn arrive(&mut self, input: PortId, id: PacketId) {
        let side = self.links.ins[input];
        let mut local = self.packets[id].port;
        if local == Packet::UNROUTED {
            if self.fails() && self.links.faults.has_lost(id) {
                return self.never_came(input, id);
            }
            local = self.choose_next_hop(side, input, id);
            let shortfall = self.shortfall(side, side.base + u32::from(local), id);
            if self.control.marking.wants_full() {
                self.expect_tail(side, input, id, shortfall);
            }
            if shortfall > Span::ZERO {
                self.schedule(self.now + shortfall, Event::Arrive { input, packet: id });
                return;
            }
        }
        let output = side.base + u32::from(local);
        if !self.enters(input, output, id) {
            return;
        }
        let by_age = matches!(self.arbiter(), ArbiterPlan::Fifo { .. } | ArbiterPlan::Islip { slot: Some(_), .. });
        let dated = by_age || self.probe.wants_hol_blocking();
        let packet = &mut self.packets[id];
        if dated {
            (packet.ready, packet.passed) = (self.now, 0);
        }
        let Packet { lane, kind, size, units, destination, .. } = *packet;
        let transit = Transit { input, output, local, lane, kind, size, destination };
        if self.counts() && kind == PacketKind::Data {
            self.counted_in(input, output, id);
        }
        let asks = self.enqueue(side, input, local, lane, id);
        self.control_joined(side, id, transit);
        if self.buffers_outputs() {
            self.cross(output, lane);
        }
        if asks {
            self.ask_for(output, units);
        }
        self.control_told(side, transit);
    }

    /// A packet that needs `units` credit units has come to the head of a queue for an output.
    #[inline(always)]
    fn ask_for(&mut self, output: PortId, units: u16) {
        if self.fails() && self.links.faults.discards(output) {
            return self.consider(output);
        }
        // An output that already waits for `starved` units has no new choice if this packet needs as many or more.
        if !self.has_input_queues() && self.holds_senders() && !self.limited_reads() && self.lanes() == 1 {
            let state = &self.links.out_lanes[output.index()];
            if state.starved > 0 && u32::from(units) >= state.starved {
                return;
            }
        }
        self.ask(output);
    }

    /// Counts a packet among those that wait and, where no credit has reserved room for it, looks for room. Returns
    /// false if there is none: the packet is then gone.
    #[inline(always)]
    fn enters(&mut self, input: PortId, output: PortId, id: PacketId) -> bool {
        if self.counts_waiting() {
            let packet = &self.packets[id];
            let place = self.at(output, packet.lane);
            self.switches.occupancy.join(place, packet.size);
            if !self.loses() && !self.pauses() {
                self.tell_queued(output);
            }
        }
        (!self.loses() || self.admit(output, id)) && (!self.pauses() || self.take_memory(input, output, id))
    }

    /// How long a packet for a faster output is held back, so that the output does not run out of bytes while the
    /// packet's tail is still coming in.
    #[inline]
    fn shortfall(&mut self, side: In, output: PortId, id: PacketId) -> Span {
        if !self.has_mixed_rates() || self.rules.switching != Switching::CutThrough {
            return Span::ZERO;
        }
        let size = self.packets[id].size;
        let time_in = self.links.rates[usize::from(side.rate)].time(size);
        let time_out = self.passage(output, size);
        Span(time_in.0.saturating_sub(time_out.0))
    }

    /// Puts a packet into its queue. Returns whether the output has anything new to consider: it has not if the
    /// packet stands behind another one in a queue of which only the head can be read.
    #[inline]
    fn enqueue(&mut self, side: In, input: PortId, local: u16, lane: u8, id: PacketId) -> bool {
        let output = side.base + u32::from(local);
        if self.queues_flows() && lane == LANE {
            self.join_by_flow(input, output, id);
            return true;
        }
        if self.has_input_queues() {
            let queue = self.queue_to(&side, input, lane, local, self.packets[id].destination);
            return self.join(input, queue, id).is_some();
        }
        match self.queue_map() {
            QueueMap::Voq => {
                if let ArbiterPlan::Fifo { .. } = self.arbiter() {
                    let queue = self.queue_at_output(output, lane);
                    self.switches.queues.change(queue, |list| list.push(&mut self.packets, id));
                } else {
                    let queue = self.queue(&side, lane, local);
                    // The request tells whether the queue was empty; the queue itself need not be read.
                    if self.request(output, lane, input - side.base) {
                        self.switches.queues.change(queue, |list| list.push(&mut self.packets, id));
                    } else {
                        self.switches.queues.set(queue, List::only(&mut self.packets, id));
                        self.at_head(output, lane, id);
                    }
                }
            }
            _ => {
                let queue = side.queues + u32::from(lane);
                if !self.switches.queues.change(queue, |list| list.push(&mut self.packets, id)) {
                    return false;
                }
                self.request(output, lane, input - side.base);
            }
        }
        true
    }

    /// A packet has come to the head of a queue for the output.
    #[inline]
    pub(super) fn at_head(&mut self, output: PortId, lane: u8, id: PacketId) {
        if self.pauses() {
            return;
        }
        let (place, units) = (self.at(output, lane), self.packets[id].units);
        let state = &mut self.links.out_lanes[place];
        state.least = state.least.min(units);
    }
}
