//! A switch: packets arrive, join a queue, and are forwarded when an output chooses them.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{Kind, PacketId};

use crate::arbiter::Choice;
use crate::event::Event;
use crate::fabric::Fabric;
use crate::plan::{ArbiterPlan, QueueMap, Switching};
use crate::port::In;
use crate::queue::List;
use crate::shape::Shape;

/// What became of a lane that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Went {
    /// A packet has started.
    Sent,
    /// One could, but it is larger than it may be.
    TooLarge,
    /// None can.
    Nothing,
}

impl<A: Agenda, P: Probe, S: Shape> Fabric<A, P, S> {
    /// A packet is routable: it joins its queue, and its output may have something to decide.
    #[inline]
    pub(crate) fn arrive(&mut self, input: u32, id: PacketId) {
        let side = self.ins[input as usize];
        let local = match self.chooses_ways() {
            true => self.choose_way(side, id),
            false => self.routes.port(side.switch, self.packets[id].destination),
        };
        let packet = &mut self.packets[id];
        let output = side.base + u32::from(local);
        if self.mixed_rates && !packet.matched && self.switching == Switching::CutThrough {
            // Towards a faster link it waits until the bytes still to come cannot run out.
            packet.matched = true;
            let size = packet.size;
            let time_in = self.rates[usize::from(side.rate)].time(size);
            let time_out = match self.elaborate() {
                true => self.passage(output, size),
                false => self.rates[usize::from(self.outs[output as usize].rate)].time(size),
            };
            if time_out < time_in {
                let ready = self.now + congestree_units::Span(time_in.0 - time_out.0);
                self.schedule(ready, Event::Arrive { input, packet: id });
                return;
            }
        }
        if self.elaborate() {
            return self.arrive_elaborate(side, input, local, id);
        }
        if self.loses() && !self.admit(output, id) {
            return;
        }
        if self.pauses() && !self.take_memory(input, output, id) {
            return;
        }
        let packet = &mut self.packets[id];
        packet.ready = self.now;
        packet.passed = 0;
        let (lane, kind, units, size) = (packet.lane, packet.kind, packet.units, packet.size);
        if self.counts() && kind == Kind::Data {
            self.counted_in(input, output, lane);
        }
        if self.chooses_ways() {
            self.way_fills(output, size, 0);
        }
        let asks = self.enqueue(side, input, local, lane, id);
        if self.regions() {
            self.region_joined(input, output, lane, id);
        }
        if self.marks_by_packets() && kind == Kind::Data {
            self.marker_sees_arrival(output, lane);
        } else if self.marking.by_fill {
            self.fill_changed(side, output, lane, size, 0, 0);
        }
        if self.buffers_outputs() {
            self.fill_output(output, lane);
        }
        if !asks {
            return;
        }
        // Nothing changes for an output that waits for more room than this packet would need.
        let state = &self.out_lanes[self.at(output, lane)];
        if state.starved > 0 && u32::from(units) >= state.starved && !self.limited_reads() && self.lanes() == 1 {
            return;
        }
        self.ask(output);
    }

    /// Puts a packet into its queue. Answers whether the output has anything new to consider: not if the packet is
    /// behind another in the only queue of its input.
    #[inline]
    fn enqueue(&mut self, side: In, input: u32, local: u16, lane: u8, id: PacketId) -> bool {
        let output = side.base + u32::from(local);
        match self.queue_map() {
            QueueMap::Voq => {
                if let ArbiterPlan::Fifo { .. } = self.arbiter() {
                    let place = self.at(output, lane);
                    self.lines[place].push(&mut self.packets, id);
                } else {
                    let queue = self.queue(&side, lane, local);
                    // Whether anything is in the queue is known without looking there.
                    if self.request(output, lane, input - side.base) {
                        self.queues[queue].push(&mut self.packets, id);
                    } else {
                        self.queues[queue] = List::only(&mut self.packets, id);
                        self.at_head(output, lane, id);
                    }
                }
            }
            _ => {
                let queue = side.queues as usize + usize::from(lane);
                if !self.queues[queue].push(&mut self.packets, id) {
                    return false;
                }
                self.request(output, lane, input - side.base);
            }
        }
        true
    }

    /// A packet has come to the head of a queue for the output.
    #[inline]
    fn at_head(&mut self, output: u32, lane: u8, id: PacketId) {
        let place = self.at(output, lane);
        let state = &mut self.out_lanes[place];
        state.least = state.least.min(self.packets[id].units);
    }

    /// The output may send: it chooses a packet and does, or arranges to be asked again.
    #[inline]
    pub(crate) fn forward(&mut self, output: u32) {
        if self.elaborate() {
            return self.forward_elaborate(output);
        }
        let out = &self.outs[output as usize];
        if out.busy_until > self.now {
            let busy_until = out.busy_until;
            if self.has_waiting(output) {
                self.wake_by(output, busy_until);
            }
            return;
        }
        if self.neighbours_talk() && self.send_frame(output) {
            return;
        }
        let mut lane = self.outs[output as usize].lane_turn;
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
                if self.forward_lane(output, lane, u32::MAX, &mut blocked) == Went::Sent {
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
        let Some(weights) = self.lane_weights.take() else { return false };
        let turn = self.lane_turns[output as usize];
        let bytes = self.outs[output as usize].bytes;
        let chosen = turn
            .order(&weights)
            .find(|candidate| self.forward_lane(output, candidate.lane, u32::MAX, blocked) == Went::Sent);
        self.lane_weights = Some(weights);
        if let Some(candidate) = chosen {
            let sent = self.outs[output as usize].bytes - bytes;
            self.lane_turns[output as usize].sends(candidate, sent as u32);
        }
        chosen.is_some()
    }

    /// The lanes of an output by priority and quantum.
    fn forward_by_schedule(&mut self, output: u32, blocked: &mut bool) -> bool {
        self.forget_if_idle(output);
        let Some(schedule) = self.lane_schedule.take() else { return false };
        let mut deficits = std::mem::take(&mut self.deficits[output as usize]);
        let mut sent = false;
        for tried in 0.. {
            let Some(next) = deficits.next(&schedule, tried) else { break };
            let bytes = self.outs[output as usize].bytes;
            match self.forward_lane(output, next.lane, next.most, blocked) {
                Went::Sent => {
                    deficits.sends(next, (self.outs[output as usize].bytes - bytes) as u32);
                    sent = true;
                    break;
                }
                Went::TooLarge => {}
                Went::Nothing => deficits.passes(next),
            }
        }
        self.deficits[output as usize] = deficits;
        self.lane_schedule = Some(schedule);
        sent
    }

    /// Sends the next packet of a lane if one can go that has at most so many bytes, or arranges to be asked again.
    #[inline(always)]
    fn forward_lane(&mut self, output: u32, lane: u8, most: u32, blocked: &mut bool) -> Went {
        if self.pauses() && self.drops(output, lane) {
            self.drop_waiting(output, lane);
            return Went::Nothing;
        }
        match self.choose(output, lane) {
            Choice::Nothing => {}
            Choice::Send { id, .. } if most != u32::MAX && self.packets[id].size > most => return Went::TooLarge,
            Choice::Send { id, before } => {
                self.send(output, lane, id, before);
                return Went::Sent;
            }
            Choice::Wait { starved, blocked: held, input_free } => {
                *blocked |= held;
                if held && self.lanes() > 1 {
                    self.probe.waits(self.now, output, lane);
                }
                if starved > 0 {
                    let place = self.at(output, lane);
                    let state = &mut self.out_lanes[place];
                    state.starved = starved;
                    if let Some(enough) = self.notes.when(state, starved) {
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
        let (kind, units) = (packet.kind, packet.units);
        let base = self.ins[input as usize].base;
        self.take_out(output, lane, id, before);
        if kind == Kind::Data && (self.marks_by_packets() || self.marking.by_fill) {
            self.mark_departure(output, lane, id);
        }
        let until = self.transmit(output, id);
        if self.limited_reads() {
            self.read_port_busy(input, until);
            let local = (output - base) as u16;
            let side = self.ins[input as usize];
            self.turns[side.switch as usize] = if local + 1 == side.radix { 0 } else { local + 1 };
            if self.queue_map() == QueueMap::Single {
                self.next_at_head(input, lane, until);
            }
            self.reconsider_blocked(side.base, side.radix);
        }
        if units > 0 {
            self.give_back(input, lane, units, until + self.flow_control.credit_delay);
        }
        if self.counts() && kind == Kind::Data {
            self.schedule(until, Event::Left { output, input, lane });
        }
        if self.has_waiting(output) {
            self.wake_by(output, until);
        }
    }

    /// Takes a packet that was chosen out of its queue, and everybody who looks at queues hears of it.
    #[inline(always)]
    pub(crate) fn take_out(&mut self, output: u32, lane: u8, id: PacketId, before: Option<PacketId>) {
        let packet = &self.packets[id];
        let (input, units, size) = (packet.input, packet.units, packet.size);
        if self.loses() {
            self.leaves_queue(output, id);
        }
        if self.pauses() {
            self.leave_line(output, lane, size);
        }
        if self.chooses_ways() {
            self.way_fills(output, 0, size);
        }
        if self.regions() {
            self.region_left(input, output, lane, id);
        }
        if self.buffers_outputs() {
            if self.marking.by_fill {
                self.fill_changed(self.ins[input as usize], output, lane, 0, size, units);
            }
            self.leave_output(output, lane, id, before);
            return;
        }
        if self.pauses() {
            self.leave_memory(input, output, lane, size);
        }
        self.dequeue(output, lane, input, id, before);
        let side = self.ins[input as usize];
        let place = self.at(output, lane);
        let state = &mut self.out_lanes[place];
        state.starved = 0;
        state.turn = (input - side.base) as u16;
        if self.marking.by_fill {
            self.fill_changed(side, output, lane, 0, size, units);
        }
    }

    /// Takes the head out of a virtual output queue, or the packet behind `before`, and withdraws the request if nothing
    /// follows.
    #[inline(always)]
    pub(crate) fn pop_voq(&mut self, output: u32, lane: u8, input: u32, id: PacketId, before: Option<PacketId>) {
        let side = self.ins[input as usize];
        let queue = self.queue(&side, lane, (output - side.base) as u16);
        let next = match self.regions() {
            true => {
                self.queues[queue].unlink(&mut self.packets, before);
                self.queues[queue].head
            }
            false => {
                let next = self.packets[id].next;
                self.queues[queue].head = next;
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
        let side = self.ins[input as usize];
        match (self.queue_map(), self.arbiter()) {
            (QueueMap::Voq, ArbiterPlan::RoundRobin) => self.pop_voq(output, lane, input, id, before),
            (QueueMap::Voq, ArbiterPlan::Fifo { .. }) => {
                let place = self.at(output, lane);
                self.lines[place].unlink(&mut self.packets, before);
            }
            _ => {
                debug_assert_eq!(self.queues[side.queues as usize + usize::from(lane)].head, id);
                self.queues[side.queues as usize + usize::from(lane)].pop(&self.packets);
                self.end_request(output, lane, input - side.base);
            }
        }
    }

    /// With a single queue, the packet behind the one being read asks its own output, which can read it from `free` on.
    pub(crate) fn next_at_head(&mut self, input: u32, lane: u8, free: Time) {
        let side = self.ins[input as usize];
        let head = self.queues[side.queues as usize + usize::from(lane)].head;
        if head == PacketId::NONE {
            return;
        }
        let local = self.routes.port(side.switch, self.packets[head].destination);
        let output = side.base + u32::from(local);
        self.request(output, lane, input - side.base);
        let busy_until = self.outs[output as usize].busy_until;
        self.wake_by(output, free.max(busy_until));
    }

    /// Some packet or frame waits for this output.
    #[inline]
    pub(crate) fn has_waiting(&self, output: u32) -> bool {
        if self.neighbours_talk() && self.neighbours.waits(output) {
            return true;
        }
        let in_line = matches!(self.arbiter(), ArbiterPlan::Fifo { .. }) && self.queue_map() == QueueMap::Voq;
        if in_line || self.buffers_outputs() {
            let first = output as usize * self.lanes();
            let waits = self.lines[first..first + self.lanes()].iter().any(|line| !line.is_empty());
            if waits || !self.regions() {
                return waits;
            }
            // Beside the line there may be packets that a region holds at the inputs.
        }
        self.requested_lanes(output) != 0
    }

    /// One of the input's read ports is busy until then.
    #[inline]
    pub(crate) fn read_port_busy(&mut self, input: u32, until: Time) {
        let ports = usize::from(self.read_ports.unwrap_or(0));
        let first = (input as usize - self.hosts_len as usize) * ports;
        if let Some(free) = self.reads[first..first + ports].iter_mut().min() {
            *free = until;
        }
    }

    /// Packets that can be read from an input now, beside those being read.
    pub(crate) fn free_reads(&self, input: u32) -> u16 {
        let Some(ports) = self.read_ports else { return u16::MAX };
        let first = (input - self.hosts_len) as usize * usize::from(ports);
        self.reads[first..first + usize::from(ports)].iter().filter(|&&free| free <= self.now).count() as u16
    }

    /// When the input can be read (again): now or before, if it can.
    #[inline]
    pub(crate) fn readable_at(&self, input: u32) -> Time {
        if !self.limited_reads() {
            return Time::START;
        }
        let ports = usize::from(self.read_ports.unwrap_or(0));
        let first = (input as usize - self.hosts_len as usize) * ports;
        self.reads[first..first + ports].iter().copied().min().unwrap_or(Time::START)
    }
}
