//! The search for deadlock. A set of outputs is deadlocked if each waits for room in a buffer that only outputs of the
//! set could empty. The search uses no time-outs: the state of credits and queues decides, so traffic that is merely
//! slow is never reported.
//!
//! It looks at buffers that wait for each other (`graph.rs`): a buffer is the space behind an output and lane, or that
//! of one queue there if queues have all their space for themselves. A packet holds space in one buffer and waits for
//! the one that the first packet of its queue needs. Packets that only wait for a read port or a busy output are not
//! stuck, nor are packets for hosts.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{HostId, IndexVec, Packet, PacketId, PortId};

use crate::event::Event;
use crate::fabric::Fabric;
use crate::link::port::{Far, In};
use crate::observe::outcome::Stop;
use crate::observe::waits::graph::{BufferWaits, FREE};

use crate::tune::variants::Variant;

/// What the heads of queues need of a buffer.
#[derive(Clone, Copy, Default)]
struct Need {
    /// Units that the smallest needs; zero if none needs any.
    least: u32,
    /// For one of them there is enough.
    met: bool,
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Searches for deadlock if some output has been held for a long time, and schedules the next check.
    pub(crate) fn check_for_deadlock(&mut self) {
        if self.is_suspicious() {
            self.look_for_deadlock();
        }
        if !self.agenda.is_empty() {
            self.schedule_deadlock_check();
        }
    }

    /// Schedules the next check for deadlock.
    pub(crate) fn schedule_deadlock_check(&mut self) {
        self.schedule(self.now + self.rules.deadlock_timeout, Event::DeadlockCheck);
        self.records.set_next_check(self.now, &self.rules);
    }

    /// Flow control has held some output for the deadlock timeout.
    pub(crate) fn is_suspicious(&self) -> bool {
        let long = |since: Time| since != Time::NEVER && self.now.since(since) >= self.rules.deadlock_timeout;
        self.links.outs.iter().any(|out| long(out.blocked_since))
    }

    /// Stops the run if packets wait for each other in a cycle.
    pub(crate) fn look_for_deadlock(&mut self) {
        if let Some(cycle) = self.cycle_of_waits() {
            self.records.deadlock = cycle;
            self.records.stop = Some(Stop::Deadlock(String::new()));
        }
    }

    /// Outputs (and lanes) each of which waits for the next, and the last for the first.
    fn cycle_of_waits(&self) -> Option<Vec<(PortId, u8)>> {
        let places = self.links.out_lanes.len();
        let mut outputs: Vec<(PortId, u8)> =
            (0..places).map(|place| (PortId::from_index(place / self.lanes()), (place % self.lanes()) as u8)).collect();
        let mut needs = vec![Need::default(); places];
        if self.has_input_queues() {
            self.needs_of_heads(&mut needs, &mut outputs);
        } else {
            for (need, state) in needs.iter_mut().zip(&self.links.out_lanes) {
                *need = Need { least: state.starved, met: state.credit >= state.starved };
            }
        }
        let lacks = |(need, &(port, lane)): (&Need, &(PortId, u8))| self.lacks_room(port, lane, *need);
        let mut waits = BufferWaits::new(needs.iter().zip(&outputs).map(lacks).collect());
        if !waits.any() {
            return None;
        }
        self.gather_waits(&mut waits);
        let cycle = waits.cycle()?;
        Some(cycle.into_iter().map(|buffer| outputs[buffer as usize]).collect())
    }

    /// The space needed behind an idle output is neither there nor on its way back. All other outputs may move.
    fn lacks_room(&self, port: PortId, lane: u8, need: Need) -> bool {
        let (place, out) = (self.at(port, lane), &self.links.outs[port]);
        // If queues have space of their own, anything that comes back may be what is needed.
        let enough = if self.has_queue_credits() { 1 } else { need.least };
        need.least > 0
            && !need.met
            && out.far != Far::Host
            && self.open_at(port) <= self.now
            && self.links.returning.when(&self.links.out_lanes[place], enough).is_none()
            && self.links.messages.untold(self.at(out.peer, lane), place, self.now) == 0
            && (!self.pauses() || self.is_held_for_good(port, lane))
    }

    /// Collects what the heads of queues that request an output need, by buffer, and the outputs and lanes that they
    /// request.
    fn needs_of_heads(&self, needs: &mut Vec<Need>, outputs: &mut Vec<(PortId, u8)>) {
        let buffers = self.links.out_lanes.len() + self.switches.inputs.queues.len();
        if self.has_queue_credits() {
            needs.resize(buffers, Need::default());
            outputs.resize(buffers, (PortId(0), 0));
        }
        for (id, queue) in self.switches.inputs.queues.with_ids() {
            let Some(output) = self.requested_output(id) else { continue };
            let Packet { lane, destination, units, .. } = self.packets[queue.list.head];
            let buffer = self.buffer_needed(output, lane, destination) as usize;
            let need = &mut needs[buffer];
            need.met |= self.fits(output, lane, destination, units);
            need.least = if need.least == 0 { u32::from(units) } else { need.least.min(u32::from(units)) };
            outputs[buffer] = (output, lane);
        }
    }

    /// The buffer that a packet needs behind an output: that of its queue, if the queue has all its space for itself.
    fn buffer_needed(&self, output: PortId, lane: u8, destination: HostId) -> u32 {
        let out = &self.links.outs[output];
        match out.far != Far::Host && self.room_is_own(output, lane) {
            true => self.links.out_lanes.len() as u32 + self.queue_at(out.peer, lane, destination).0,
            false => self.at(output, lane) as u32,
        }
    }

    /// Collects for each buffer what its packets wait for.
    fn gather_waits(&self, waits: &mut BufferWaits) {
        let mut in_queue = vec![false; self.packets.peak()];
        let holds_stuck = self.inputs_that_hold(waits);
        let of_one_input = !self.has_input_queues() && !self.queues_flows() && !self.serves_oldest_at_output();
        for port in self.links.outs.ids().skip(self.ends.hosts.len()) {
            self.each_list(port, &mut |list, stopped| {
                if list.is_empty() {
                    return;
                }
                let Packet { port: local, lane, destination, input, .. } = self.packets[list.head];
                if of_one_input && !holds_stuck[input] {
                    return;
                }
                let output = self.links.ins[port].base + u32::from(local);
                // The line downstream that stops a set-aside queue may let it go on.
                let free = stopped && self.has_input_queues();
                let wanted = if free { FREE } else { self.buffer_needed(output, lane, destination) };
                for id in list.iter(&self.packets) {
                    in_queue[id.index()] = true;
                    self.add_wait(waits, id, wanted);
                }
            });
        }
        for id in self.live_packets().filter(|id| !in_queue[id.index()]) {
            let packet = &self.packets[id];
            if packet.input != PortId::NONE && holds_stuck[packet.input] {
                let (output, lane) = self.next_hop(self.links.ins[packet.input], id);
                self.add_wait(waits, id, self.buffer_needed(output, lane, packet.destination));
            }
        }
    }

    /// The inputs of switches whose packets may hold space in a buffer that lacks it: usually only a few.
    fn inputs_that_hold(&self, waits: &BufferWaits) -> IndexVec<PortId, bool> {
        let lanes = self.lanes();
        let holds = |(port, side): (PortId, &In)| {
            let first = self.at(side.sender, 0);
            let stuck = || (first..first + lanes).any(|buffer| waits.is_stuck(buffer as u32));
            !self.rules.is_host(port) && (self.has_queue_credits() || stuck())
        };
        self.links.ins.with_ids().map(holds).collect()
    }

    /// A packet in a buffer, or on its way there, waits for another buffer.
    fn add_wait(&self, waits: &mut BufferWaits, id: PacketId, wanted: u32) {
        let Packet { input, buffer_lane, destination, units, .. } = self.packets[id];
        if units == 0 {
            return;
        }
        let side = self.links.ins[input];
        let (output, _) = self.next_hop(side, id);
        if !self.pauses() || self.keeps_asking(input, buffer_lane, output) {
            waits.add(self.buffer_needed(side.sender, buffer_lane, destination), wanted);
        }
    }
}
