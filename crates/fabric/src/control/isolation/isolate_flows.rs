//! Flows in queues of their own, stopped hop by hop: which queues are charged, and how stops are sent and obeyed.
//!
//! If a packet finds its queue too long, it is charged to the queue of the neighbour that it was sent from. The first
//! such packet stops that queue, and when the last one has left, the queue may go again. Switches obey by stopping a
//! queue of an output, hosts by stopping a flow: the queue of a flow at its host is its place there. Notices that are
//! caused by the start of a packet are sent after all packets that start in this instant (`link/frames.rs`).

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::isolate::Notices;
use congestree_schemes::isolate::flow_queues::Placed;
use congestree_units::{Span, Time};
use congestree_wire::{PacketId, PortId};

use crate::control::isolation::flows::FlowQueueCounts;
use crate::fabric::Fabric;
use crate::link::frames::{ControlFrame, Frame};
use crate::observe::still::Still;
use crate::switch::queues::by_flow::table::PacketState;
use crate::tune::features::Feature;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A flow's packet leaves its host, from the flow's own queue there.
    #[inline(never)]
    pub(crate) fn name_queue(&mut self, id: PacketId) {
        let from = self.ends.flows[self.packets[id].flow].slot;
        *self.switches.flow_queues.packet_state_mut(id) = PacketState { from, ..PacketState::default() };
    }

    /// A packet has joined a queue for an output: if that queue is too long now, the packet is charged to the queue
    /// that it came from.
    pub(crate) fn charge(&mut self, input: PortId, output: PortId, id: PacketId, placed: Placed) {
        let isolation = &mut self.control.flow_isolation;
        isolation.counts.assigned += u64::from(placed.is_new);
        isolation.counts.shared += u64::from(placed.shared);
        let rate = self.links.rates[usize::from(self.links.outs[output].rate)].rate();
        let queues = &mut self.switches.flow_queues;
        let over = queues.outputs[output].assignments.is_over(placed.queue, isolation.round_trips[input], rate);
        let state = queues.packet_state_mut(id);
        state.charged = over;
        if !over {
            return;
        }
        isolation.counts.charged += 1;
        let from = state.from;
        if isolation.charges[input].charge(from) {
            self.tell_of_queue(input, from, true);
        }
    }

    /// A packet has left its queue; at the next switch it comes from this queue.
    pub(crate) fn discharge(&mut self, input: PortId, id: PacketId) {
        let state = self.switches.flow_queues.packet_state_mut(id);
        let (from, charged) = (state.from, std::mem::take(&mut state.charged));
        state.from = state.queue.into();
        if charged && self.control.flow_isolation.charges[input].discharge(from) {
            self.tell_of_queue(input, from, false);
        }
    }

    /// Tells the neighbour behind an input to stop one of its queues, or to let it go.
    fn tell_of_queue(&mut self, input: PortId, queue: u32, stop: bool) {
        self.control.flow_isolation.counts.told[usize::from(stop)] += 1;
        let notice = ControlFrame::Queue { queue, stop };
        match self.control.flow_isolation.rules.as_ref().map(|rules| rules.notices) {
            Some(Notices::OutOfBand(way)) => self.tell_out_of_band(input, way.delay, notice),
            Some(Notices::InBand(way)) => {
                let frame = Frame { bytes: way.size.0 as u32, after: Span::ZERO, notice };
                if stop { self.tell(input, frame) } else { self.tell_late(input, frame) }
            }
            None => {}
        }
    }

    /// A port hears that one of its queues is stopped, or may go.
    pub(crate) fn hear_of_queue(&mut self, port: PortId, queue: u32, stop: bool) {
        self.control.flow_isolation.counts.heard += 1;
        if self.rules.is_host(port) {
            self.control.flow_isolation.hold(port.host(), queue, stop);
        } else {
            self.switches.flow_queues.outputs[port].assignments.hear(queue as u16, stop);
        }
        if !stop {
            self.ask(port);
        } else if self.links.outs[port].blocked_since != Time::NEVER {
            // Flow control may no longer be what holds the port.
            self.consider(port);
        }
    }
}

impl Still<'_> {
    /// The laws of queues by flow: what an output knows of its queues matches what stands in them; what is charged at
    /// an input stands in its switch; every notice has been heard or is in flight; and when the network is empty and
    /// every notice has been heard, nothing is charged or stopped.
    pub(crate) fn check_flow_isolation(&self) -> Result<(), String> {
        if !self.has(Feature::QueuesFlows) {
            return Ok(());
        }
        let isolation = &self.control.flow_isolation;
        let mut charged = vec![0u64; isolation.charges.len()];
        for (port, output) in self.switches.flow_queues.outputs.iter().enumerate() {
            output.assignments.check().map_err(|broken| format!("at output {port} {broken}"))?;
            for (number, queue) in output.queues() {
                let mut bytes = 0;
                for id in self.switches.queues.get(queue).iter(self.packets) {
                    let state = &self.switches.flow_queues.packet_states[id.index()];
                    bytes += u64::from(self.packets[id].size);
                    charged[self.packets[id].input.index()] += u64::from(state.charged);
                }
                if number < output.priority_queue() && bytes != output.assignments.bytes(number) {
                    let known = output.assignments.bytes(number);
                    return Err(format!("queue {number} of output {port} holds {bytes} B, and {known} B are known"));
                }
            }
        }
        for (input, charges) in isolation.charges.iter().enumerate() {
            let counted: u64 = charges.counts().iter().map(|&count| u64::from(count)).sum();
            if counted != charged[input] {
                return Err(format!("input {input} counts {counted} charged packets, and {} wait", charged[input]));
            }
        }
        let FlowQueueCounts { told: [gos, stops], heard, .. } = isolation.counts;
        let all_heard = gos + stops == heard;
        if heard > gos + stops || (all_heard && self.packets.live() == 0 && stops != gos) {
            return Err(format!("{stops} stops and {gos} gos were told, and {heard} notices heard"));
        }
        Ok(())
    }
}
