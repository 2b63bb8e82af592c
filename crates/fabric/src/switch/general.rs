//! Switches with queues of any kind (`switch/queues/inputs.rs`), room by queue (`link/credits/by_queue.rs`), matchings or a
//! crossbar of its own speed (`switch/crossing/`): what an output does when it may send.
//!
//! It is the life of a packet of `switch/plain.rs` once more, for the general case: a packet joins a queue, the queue calls
//! for an output, the output serves a queue, and the packet crosses. A queue is read by one output at a time.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::isolate::cam::Waiting;
use congestree_units::{Span, Time};
use congestree_wire::{Kind, Packet, PacketId};

use crate::control::isolation::lines::LANE;
use crate::event::Event;
use crate::fabric::Fabric;
use crate::link::port::In;
use crate::switch::plain::Went;
use crate::switch::round_robin::next_in;
use crate::tune::features::Feature;
use crate::tune::variants::Variant;

/// What an input has for an output.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Offer {
    /// This queue can be served.
    Queue(u32),
    /// Nothing can be read before then; never if nothing waits.
    Later(Time),
    /// Packets could be read, but there is no room for any behind the output. Others can be read then; never if there
    /// are none.
    NoRoom(Time),
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A packet is routable: it joins the queue that the map says.
    pub(crate) fn arrive_elaborate(&mut self, side: In, input: u32, local: u16, id: PacketId) {
        let output = side.base + u32::from(local);
        let packet = &mut self.packets[id];
        packet.ready = self.now;
        packet.passed = 0;
        let (lane, kind, size, destination) = (packet.lane, packet.kind, packet.size, packet.destination);
        if self.counts() && kind == Kind::Data {
            self.counted_in(input, output, id);
        }
        let queue = self.queue_to(&side, input, lane, local, destination);
        let called = self.join(input, queue, id);
        if self.marks_by_packets() && kind == Kind::Data {
            self.marker_sees_arrival(output, lane);
        } else if self.marks_by_fill() {
            self.fill_changed(side, output, lane, size, 0, 0);
        }
        if let Some(output) = called {
            self.ask(output);
        }
        if self.isolates() && kind == Kind::Data && lane == LANE {
            self.watch_offer(output, input, size);
            self.isolate_arrival(input, output, queue);
        }
    }

    /// How long a packet takes from an input to an output, which is when its tail has left the input if it is not
    /// still coming in.
    #[inline]
    pub(crate) fn passage(&mut self, output: u32, size: u32) -> Span {
        match &mut self.switches.crossbar.speed {
            Some(speed) if S::MAY.has(Feature::Crossbar) => speed.time(size),
            _ => self.links.rates[usize::from(self.links.outs[output as usize].rate)].time(size),
        }
    }

    /// A frame for the neighbour goes before any other packet crosses, behind what the output holds already. Answers
    /// whether there was one.
    #[inline]
    pub(crate) fn frame_first(&mut self, output: u32) -> bool {
        self.neighbours_talk() && (self.links.neighbours.any_waits() || self.retries()) && self.own_frame_first(output)
    }

    #[inline(never)]
    fn own_frame_first(&mut self, output: u32) -> bool {
        if !self.links.neighbours.waits(output) {
            return self.retries() && self.retry_first(output);
        }
        let busy_until = self.links.outs[output as usize].busy_until;
        let free_at =
            if self.has_crossbar() { self.switches.crossbar.emptied_at(output).max(busy_until) } else { busy_until };
        if free_at > self.now {
            self.wake_by(output, free_at);
        } else {
            self.send_frame(output);
        }
        true
    }

    /// Round robin: the first input after the one served last that has something to offer serves the output, if its packet
    /// has at most so many bytes.
    pub(crate) fn serve_in_turn(&mut self, output: u32, lane: u8, most: u32, blocked: &mut bool) -> Went {
        let place = self.at(output, lane);
        self.settle_rooms(output, lane);
        let base = self.links.outs[output as usize].base;
        let set = |this: &Self, start| next_in(this.requests(place), start);
        let Some(first) = set(self, usize::from(self.links.out_lanes[place].turn) + 1) else { return Went::Nothing };
        let (mut local, mut input_free, mut starved) = (first, Time::NEVER, false);
        loop {
            match self.offer(output, lane, base + local as u32) {
                Offer::Queue(queue) => {
                    let size = self.packets[self.switches.inputs.queues[queue as usize].list.head].size;
                    if size > most {
                        return Went::TooLarge;
                    }
                    self.cross(output, lane, base + local as u32, queue);
                    return Went::Sent(size);
                }
                Offer::Later(at) => input_free = input_free.min(at),
                Offer::NoRoom(at) => {
                    starved = true;
                    input_free = input_free.min(at);
                }
            }
            match set(self, local + 1) {
                Some(next) if next != first => local = next,
                _ => break,
            }
        }
        self.wait_for(output, lane, starved, input_free);
        *blocked |= starved;
        Went::Nothing
    }

    /// The output cannot send in this lane: it is asked again when there is room, or when inputs can be read.
    pub(crate) fn wait_for(&mut self, output: u32, lane: u8, starved: bool, input_free: Time) {
        if starved {
            if self.has_several_lanes() {
                self.probe.waits(self.now, output, lane);
            }
            self.await_room(output, lane);
        }
        if input_free != Time::NEVER {
            self.wake_by(output, input_free);
        }
    }

    /// What an input has for an output now: of its queues in line for it, the first that can be read and finds room.
    pub(crate) fn offer(&self, output: u32, lane: u8, input: u32) -> Offer {
        let mut next = self.first_in_line(output, lane, input);
        if next.is_none() {
            return Offer::Later(Time::NEVER);
        }
        let readable = self.readable_at(input);
        if readable > self.now {
            return Offer::Later(readable);
        }
        let (mut later, mut starved) = (Time::NEVER, false);
        while let Some(queue) = next {
            let state = &self.switches.inputs.queues[queue as usize];
            if state.busy_until > self.now {
                later = later.min(state.busy_until);
            } else {
                let packet = &self.packets[state.list.head];
                if self.has_room(output, lane, packet.destination, packet.units) {
                    return Offer::Queue(queue);
                }
                starved = true;
            }
            next = self.behind(input, queue);
        }
        if starved { Offer::NoRoom(later) } else { Offer::Later(later) }
    }

    /// The head of a queue of `input` crosses to the output that it called for.
    pub(crate) fn cross(&mut self, output: u32, lane: u8, input: u32, queue: u32) {
        let side = self.links.ins[input as usize];
        let id = self.take_head(input, queue);
        let Packet { kind, units, size, destination, buffer_lane, .. } = self.packets[id];
        self.waits_no_more(output, lane, size);
        if self.pauses() {
            self.leave_memory(input, output, buffer_lane, size);
        }
        let place = self.at(output, lane);
        self.links.out_lanes[place].turn = (input - side.base) as u16;
        self.links.outs[output as usize].lane_turn = lane;
        if self.marks_by_fill() {
            self.fill_changed(side, output, lane, 0, size, units);
        }
        if kind == Kind::Data && (self.marks_at_departure() || self.marks_by_root()) {
            let aside = self.isolates() && self.switches.inputs.set_aside(input).contains(&queue);
            self.mark_departure(output, lane, id, aside);
        }
        if self.telemeters() && kind == Kind::Data {
            self.write_telemetry(output, id);
        }
        if self.books_rooms() {
            self.take_room(output, id);
        }
        let until = if self.has_crossbar() { self.pass(output, id) } else { self.transmit(output, id) };
        self.switches.inputs.queues[queue as usize].busy_until = until;
        if self.limited_reads() {
            self.read_port_busy(input, until);
            let local = (output - side.base) as u16;
            self.switches.turns[side.switch as usize] = if local + 1 == side.radix { 0 } else { local + 1 };
        }
        self.reconsider_blocked(side.base, side.radix);
        match self.books_rooms() {
            _ if units == 0 => {}
            true => {
                let (queue, at) = (self.queue_at(input, buffer_lane, destination), until + side.credit_delay);
                self.room_back(side.sender, buffer_lane, queue, units, at)
            }
            false => self.give_back(input, buffer_lane, units, until),
        }
        if self.counts() && kind == Kind::Data {
            self.schedule(until, Event::Left { output, input: (input - side.base) as u16, lane, buffer_lane });
        }
        if self.isolates() && lane == LANE {
            let packet = Waiting { output: (output - side.base) as u16, destination };
            if kind == Kind::Data {
                self.watch_carried(output);
            }
            self.isolate_departure(input, output, queue, packet, kind == Kind::Data);
        }
        if let Some(next) = self.call(input, queue) {
            let open_at = self.open_at(next);
            self.wake_by(next, open_at.max(until));
        }
        if self.has_waiting(output) {
            let open_at = self.open_at(output);
            self.wake_by(output, open_at);
        }
    }

    /// From when on a packet can cross to an output.
    #[inline]
    pub(crate) fn open_at(&self, output: u32) -> Time {
        if self.has_crossbar() {
            self.switches.crossbar.open_at(output)
        } else {
            self.links.outs[output as usize].busy_until
        }
    }
}
