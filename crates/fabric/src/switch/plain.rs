//! A switch with plain queues: an output that may send chooses a packet, and the packet leaves. How packets come in is in
//! `switch/arrival.rs`, how an output chooses in `switch/arbiter.rs`.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{Kind, PacketId};

use crate::control::isolation::lines::LANE;
use crate::event::Event;
use crate::fabric::Fabric;
use crate::plan::{ArbiterPlan, QueueMap};
use crate::switch::arbiter::Choice;
use crate::tune::variants::Variant;

/// What became of a lane that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Went {
    /// A packet of so many bytes has started.
    Sent(u32),
    /// One could, but it is larger than it may be.
    TooLarge,
    /// None can.
    Nothing,
}

impl Went {
    /// A packet has started.
    fn sent(self) -> bool {
        matches!(self, Went::Sent(_))
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A packet waits no more for an output, because it starts or is dropped.
    #[inline(always)]
    pub(crate) fn waits_no_more(&mut self, output: u32, lane: u8, size: u32) {
        if self.counts_waiting() {
            let place = self.at(output, lane);
            self.switches.occupancy.leave(place, size);
            if self.loses() {
                self.probe.queued(self.now, output, self.switches.occupancy.waiting(place));
            }
        }
    }

    /// The output may send: it chooses a packet and does, or arranges to be asked again. A frame for the neighbour goes
    /// first.
    #[inline]
    pub(crate) fn forward(&mut self, output: u32) {
        if self.frame_first(output) {
            return;
        }
        if let ArbiterPlan::Islip { .. } = self.arbiter() {
            return self.match_switch(output);
        }
        let open_at = self.open_at(output);
        if open_at > self.now {
            if self.has_waiting(output) {
                self.wake_by(output, open_at);
            }
            return;
        }
        let mut lane = self.links.outs[output as usize].lane_turn;
        let mut blocked = false;
        if self.weighs_lanes() {
            if self.forward_by_weight(output, &mut blocked) {
                return;
            }
        } else if self.schedules_lanes() {
            if self.forward_by_schedule(output, &mut blocked) {
                return;
            }
        } else {
            for _ in 0..self.lanes() {
                lane = if usize::from(lane) + 1 == self.lanes() { 0 } else { lane + 1 };
                let asked = !self.elaborate() || self.requested_lanes(output) & 1 << lane != 0;
                if asked && self.forward_lane(output, lane, u32::MAX, &mut blocked).sent() {
                    return;
                }
            }
        }
        if blocked {
            self.note_blocked(output);
        } else {
            self.note_unblocked(output);
        }
    }

    /// The lanes of an output in the order of their weights.
    fn forward_by_weight(&mut self, output: u32, blocked: &mut bool) -> bool {
        let Some(weights) = self.links.lane_weights.take() else { return false };
        let turn = self.links.lane_turns[output as usize];
        let sent = turn.order(&weights).find_map(|candidate| {
            match self.forward_lane(output, candidate.lane, u32::MAX, blocked) {
                Went::Sent(bytes) => Some((candidate, bytes)),
                Went::TooLarge | Went::Nothing => None,
            }
        });
        self.links.lane_weights = Some(weights);
        if let Some((candidate, bytes)) = sent {
            self.links.lane_turns[output as usize].sends(candidate, bytes);
        }
        sent.is_some()
    }

    /// The lane at a place among those that go strictly before others.
    #[inline(always)]
    pub(crate) fn strict_lane(&self, place: usize) -> Option<u8> {
        self.links.lane_schedule.as_ref().and_then(|schedule| schedule.strict.get(place).copied())
    }

    /// The lanes of an output by priority and quantum.
    fn forward_by_schedule(&mut self, output: u32, blocked: &mut bool) -> bool {
        self.forget_if_idle(output);
        for place in 0.. {
            let Some(lane) = self.strict_lane(place) else { break };
            if self.forward_lane(output, lane, u32::MAX, blocked).sent() {
                return true;
            }
        }
        self.shares_lanes() && self.forward_by_share(output, blocked)
    }

    /// The lanes that share what strict ones leave.
    fn forward_by_share(&mut self, output: u32, blocked: &mut bool) -> bool {
        let Some(schedule) = self.links.lane_schedule.take() else { return false };
        let mut deficits = std::mem::take(&mut self.links.deficits[output as usize]);
        let mut sent = false;
        for tried in schedule.strict.len().. {
            let Some(next) = deficits.next(&schedule, tried) else { break };
            match self.forward_lane(output, next.lane, next.most, blocked) {
                Went::Sent(bytes) => {
                    deficits.sends(next, bytes);
                    sent = true;
                    break;
                }
                Went::TooLarge => {}
                Went::Nothing => deficits.passes(next),
            }
        }
        self.links.deficits[output as usize] = deficits;
        self.links.lane_schedule = Some(schedule);
        sent
    }

    /// Sends the next packet of a lane if one can go that has at most so many bytes, or arranges to be asked again.
    #[inline(always)]
    fn forward_lane(&mut self, output: u32, lane: u8, most: u32, blocked: &mut bool) -> Went {
        if self.elaborate() {
            return self.serve_in_turn(output, lane, most, blocked);
        }
        if self.pauses() && self.drops(output, lane) {
            self.drop_waiting(output, lane);
            return Went::Nothing;
        }
        match self.choose(output, lane) {
            Choice::Nothing => {}
            Choice::Send { id, .. } if most != u32::MAX && self.packets[id].size > most => return Went::TooLarge,
            Choice::Send { id, before } => {
                let size = self.packets[id].size;
                self.send(output, lane, id, before);
                return Went::Sent(size);
            }
            Choice::Wait { starved, blocked: held, input_free } => {
                *blocked |= held;
                if held && self.has_several_lanes() {
                    self.probe.waits(self.now, output, lane);
                }
                if starved > 0 {
                    let place = self.at(output, lane);
                    let state = &mut self.links.out_lanes[place];
                    state.starved = starved;
                    if let Some(enough) = self.links.notes.when(state, starved) {
                        self.wake_by(output, enough);
                    }
                }
                if input_free != Time::NEVER {
                    self.wake_by(output, input_free);
                }
            }
        }
        Went::Nothing
    }

    /// Sends a packet that was chosen: out of its queue, onto the link, and its room promised to the sender before.
    #[inline(always)]
    fn send(&mut self, output: u32, lane: u8, id: PacketId, before: Option<PacketId>) {
        let packet = &self.packets[id];
        let input = packet.input;
        let (kind, units, buffer_lane) = (packet.kind, packet.units, packet.buffer_lane);
        let base = self.links.ins[input as usize].base;
        self.take_out(output, lane, id, before);
        if kind == Kind::Data && self.marks_at_departure() {
            self.mark_departure(output, lane, id, false);
        }
        if self.telemeters() && kind == Kind::Data {
            self.write_telemetry(output, id);
        }
        let until = self.transmit(output, id);
        if self.limited_reads() {
            self.read_port_busy(input, until);
            let local = (output - base) as u16;
            let side = self.links.ins[input as usize];
            self.switches.turns[side.switch as usize] = if local + 1 == side.radix { 0 } else { local + 1 };
            if self.queue_map() == QueueMap::Single {
                self.next_at_head(input, lane, until);
            }
            self.reconsider_blocked(side.base, side.radix);
        }
        if units > 0 {
            self.give_back(input, buffer_lane, units, until);
        }
        if self.counts() && kind == Kind::Data {
            self.schedule(until, Event::Left { output, input: (input - base) as u16, lane, buffer_lane });
        }
        if self.has_waiting(output) {
            self.wake_by(output, until);
        }
    }

    /// Takes a packet that was chosen out of its queue, and everybody who looks at queues hears of it.
    #[inline(always)]
    pub(crate) fn take_out(&mut self, output: u32, lane: u8, id: PacketId, before: Option<PacketId>) {
        let packet = &self.packets[id];
        let (input, units, size, buffer_lane) = (packet.input, packet.units, packet.size, packet.buffer_lane);
        self.waits_no_more(output, lane, size);
        if self.regions() {
            self.region_left(input, output, lane, id);
        }
        if self.buffers_outputs() {
            if self.marks_by_fill() {
                self.fill_changed(self.links.ins[input as usize], output, lane, 0, size, units);
            }
            self.leave_output(output, lane, id, before);
            return;
        }
        if self.pauses() {
            self.leave_memory(input, output, buffer_lane, size);
        }
        self.dequeue(output, lane, input, id, before);
        let side = self.links.ins[input as usize];
        if self.holds_senders() || self.arbiter() == ArbiterPlan::RoundRobin {
            let place = self.at(output, lane);
            let state = &mut self.links.out_lanes[place];
            state.starved = 0;
            state.turn = (input - side.base) as u16;
        }
        if self.marks_by_fill() {
            self.fill_changed(side, output, lane, 0, size, units);
        }
    }

    /// Takes the head out of a virtual output queue, or the packet behind `before`, and withdraws the request if nothing
    /// follows.
    #[inline(always)]
    pub(crate) fn pop_voq(&mut self, output: u32, lane: u8, input: u32, id: PacketId, before: Option<PacketId>) {
        let side = self.links.ins[input as usize];
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
    fn dequeue(&mut self, output: u32, lane: u8, input: u32, id: PacketId, before: Option<PacketId>) {
        if self.queues_flows() && lane == LANE {
            return self.leave_by_flow(input, output, id);
        }
        match (self.queue_map(), self.arbiter()) {
            (QueueMap::Voq, ArbiterPlan::RoundRobin) => self.pop_voq(output, lane, input, id, before),
            (QueueMap::Voq, ArbiterPlan::Fifo { .. }) => {
                let place = self.at(output, lane);
                self.switches.lines[place].unlink(&mut self.packets, before);
            }
            _ => {
                let side = self.links.ins[input as usize];
                let queue = side.queues as usize + usize::from(lane);
                debug_assert_eq!(self.switches.queues.head(queue), id);
                self.switches.queues.set_head(queue, self.packets[id].next);
                self.end_request(output, lane, input - side.base);
            }
        }
    }

    /// With a single queue, the packet behind the one being read asks its own output, which can read it from `free` on.
    pub(crate) fn next_at_head(&mut self, input: u32, lane: u8, free: Time) {
        let side = self.links.ins[input as usize];
        let head = self.switches.queues.head(side.queues as usize + usize::from(lane));
        if head == PacketId::NONE {
            return;
        }
        let output = side.base + u32::from(self.packets[head].port);
        self.request(output, lane, input - side.base);
        if self.fails() && self.links.faults.discards(output) {
            return self.wake_by(output, free);
        }
        let busy_until = self.links.outs[output as usize].busy_until;
        self.wake_by(output, free.max(busy_until));
    }

    /// Some packet or frame waits for this output.
    #[inline]
    pub(crate) fn has_waiting(&self, output: u32) -> bool {
        if self.neighbours_talk() && self.links.neighbours.waits(output) {
            return true;
        }
        if self.queues_flows() && self.switches.flow_queues.outputs[output as usize].waits() {
            return true;
        }
        let in_line = matches!(self.arbiter(), ArbiterPlan::Fifo { .. }) && self.queue_map() == QueueMap::Voq;
        if in_line || self.buffers_outputs() {
            let first = output as usize * self.lanes();
            let waits = self.switches.lines[first..first + self.lanes()].iter().any(|line| !line.is_empty());
            if waits || !self.regions() {
                return waits;
            }
            // Beside the line there may be packets that a region holds at the inputs.
        }
        self.requested_lanes(output) != 0
    }

    /// Something is about to start on this link, a frame or a control packet as well: if it has been idle, nobody keeps
    /// what was left over.
    #[inline]
    pub(crate) fn forget_if_idle(&mut self, port: u32) {
        if self.shares_lanes() && self.links.outs[port as usize].busy_until < self.now {
            self.links.deficits[port as usize].forget();
        }
    }
}
