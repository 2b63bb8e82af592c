//! How an output chooses its next packet: round robin over the inputs, or over those whose queues request it, or
//! oldest first with a limited number of bypasses. A choice changes only the arbiters' own state; the switch carries
//! it out.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{PacketId, PortId, QueueId};

use crate::control::isolation::lines::LANE;
use crate::fabric::Fabric;
use crate::plan::{ArbiterPlan, QueueMap};
use crate::switch::round_robin::{cyclic, cyclic_from, next_in};
use crate::tune::variants::Variant;

/// Position of a chosen packet in its queue.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QueuePosition {
    /// At the head.
    Head,
    /// Behind this packet.
    Behind(PacketId),
    /// At the head of this queue of its input (`switch/queues/inputs.rs`).
    Queue(QueueId),
}

impl QueuePosition {
    /// The packet before it in its list, if any.
    #[inline(always)]
    pub(crate) fn before(self) -> Option<PacketId> {
        match self {
            QueuePosition::Head | QueuePosition::Queue(_) => None,
            QueuePosition::Behind(before) => Some(before),
        }
    }
}

/// What an input can offer to an output.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Offer {
    /// This queue can be served.
    Queue(QueueId),
    /// Nothing can be read before this time; never if nothing waits.
    Later(Time),
    /// Packets could be read, but there is no room for any behind the output.
    NoRoom {
        /// Units that the smallest of these packets needs.
        units: u32,
        /// When other packets can be read; never if there are none.
        at: Time,
    },
}

/// What an output (in one lane) does next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Decision {
    /// Nothing waits.
    Nothing,
    /// This packet goes.
    Send {
        /// The packet.
        id: PacketId,
        /// Where it stands.
        place: QueuePosition,
    },
    /// Packets wait, but none can go.
    Wait {
        /// Credit units that the packet held by flow control needs; zero if none is.
        starved: u32,
        /// That packet could be read now: nothing but flow control holds it.
        blocked: bool,
        /// When an input that is being read becomes free; never if none matters.
        input_free: Time,
    },
}

/// No packet lacks credit: more units than any packet needs.
pub(crate) const NOTHING_STARVED: u32 = u32::MAX;

impl Decision {
    /// Packets wait. The smallest of those that could be read now needs so many units, or `NOTHING_STARVED`; an input
    /// that is being read becomes free at that time.
    #[inline(always)]
    pub(crate) fn wait(starved: u32, input_free: Time) -> Self {
        let blocked = starved != NOTHING_STARVED;
        Decision::Wait { starved: if blocked { starved } else { 0 }, blocked, input_free }
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Chooses the next packet of an idle output, in one lane.
    #[inline(always)]
    pub(crate) fn choose(&mut self, output: PortId, lane: u8) -> Decision {
        if self.holds_senders() {
            let place = self.at(output, lane);
            self.settle(place);
        }
        if self.has_input_queues() {
            return self.next_offer(output, lane);
        }
        if self.queues_flows() && lane == LANE {
            return self.next_by_flow(output);
        }
        if self.buffers_outputs() {
            return self.first_at_output(output, lane);
        }
        match (self.arbiter(), self.queue_map()) {
            (ArbiterPlan::RoundRobin, _) if self.paces_flows(output) => self.next_in_region(output, lane),
            (ArbiterPlan::RoundRobin | ArbiterPlan::Islip { .. }, _) => self.next_in_turn(output, lane),
            (ArbiterPlan::Fifo { bypass_limit }, QueueMap::Voq) => self.oldest_at_output(output, lane, bypass_limit),
            (ArbiterPlan::Fifo { bypass_limit }, _) => self.oldest_head(output, lane, bypass_limit),
        }
    }

    /// The head packet that `input` has for `output`.
    #[inline(always)]
    pub(crate) fn head(&self, output: PortId, lane: u8, input: PortId) -> PacketId {
        let side = &self.links.ins[input];
        self.switches.queues.head(self.queue(side, lane, (output - side.base) as u16))
    }

    /// Round robin: the first input after the one served last whose head can be read and fits the credit.
    #[inline(always)]
    fn next_in_turn(&mut self, output: PortId, lane: u8) -> Decision {
        let index = self.at(output, lane);
        let state = &self.links.out_lanes[index];
        let set = self.requests(index);
        let Some(first) = next_in(set, usize::from(state.turn) + 1) else { return Decision::Nothing };
        // A pause holds all packets alike, so their sizes need not be looked at.
        let least = if self.pauses() { 1 } else { state.least };
        if !state.fits(least) && !self.limited_reads() {
            return Decision::Wait { starved: u32::from(least), blocked: true, input_free: Time::NEVER };
        }
        let base = self.links.outs[output].base;
        let mut starved = NOTHING_STARVED;
        let mut input_free = Time::NEVER;
        // By hand, since the iterator takes 1.5 % of the instructions of a hop.
        let mut local = first;
        loop {
            let input = base + local as u32;
            let readable = self.readable_at(input);
            if readable > self.now {
                input_free = input_free.min(readable);
            } else {
                let id = self.head(output, lane, input);
                let units = if self.pauses() { 1 } else { self.packets[id].units };
                if state.fits(units) {
                    return Decision::Send { id, place: QueuePosition::Head };
                }
                starved = starved.min(u32::from(units));
            }
            match next_in(set, local + 1) {
                Some(next) if next != first => local = next,
                _ => break,
            }
        }
        if starved != NOTHING_STARVED && input_free == Time::NEVER {
            self.links.out_lanes[index].least = starved as u16;
        }
        Decision::wait(starved, input_free)
    }

    /// Round robin over queues of any kind: the first input after the one served last that has something to offer.
    #[inline(always)]
    fn next_offer(&self, output: PortId, lane: u8) -> Decision {
        let place = self.at(output, lane);
        let set = self.requests(place);
        let Some(first) = next_in(set, usize::from(self.links.out_lanes[place].turn) + 1) else {
            return Decision::Nothing;
        };
        let base = self.links.outs[output].base;
        let (mut input_free, mut starved) = (Time::NEVER, NOTHING_STARVED);
        for local in cyclic_from(set, first) {
            match self.offer(output, lane, base + local as u32) {
                Offer::Queue(queue) => {
                    let id = self.switches.inputs.queues[queue].list.head;
                    return Decision::Send { id, place: QueuePosition::Queue(queue) };
                }
                Offer::Later(at) => input_free = input_free.min(at),
                Offer::NoRoom { units, at } => {
                    starved = starved.min(units);
                    input_free = input_free.min(at);
                }
            }
        }
        Decision::wait(starved, input_free)
    }

    /// What an input can offer to an output now: the first of the queues requesting it that can be read and has room
    /// behind the output.
    pub(crate) fn offer(&self, output: PortId, lane: u8, input: PortId) -> Offer {
        let mut next = self.first_requester(output, lane, input);
        if next.is_none() {
            return Offer::Later(Time::NEVER);
        }
        let readable = self.readable_at(input);
        if readable > self.now {
            return Offer::Later(readable);
        }
        let (mut later, mut starved) = (Time::NEVER, NOTHING_STARVED);
        while let Some(queue) = next {
            let state = &self.switches.inputs.queues[queue];
            if state.busy_until > self.now {
                later = later.min(state.busy_until);
            } else {
                let packet = &self.packets[state.list.head];
                if self.fits(output, lane, packet.destination, packet.units) {
                    return Offer::Queue(queue);
                }
                starved = starved.min(u32::from(packet.units));
            }
            next = self.next_requester(input, queue);
        }
        if starved == NOTHING_STARVED { Offer::Later(later) } else { Offer::NoRoom { units: starved, at: later } }
    }

    /// Oldest first over everything that waits for the output.
    fn oldest_at_output(&mut self, output: PortId, lane: u8, bypass_limit: Option<u32>) -> Decision {
        let place = self.at(output, lane);
        let head = self.switches.queues.head(self.queue_at_output(output, lane));
        if head == PacketId::NONE {
            return Decision::Nothing;
        }
        let mut input_free = Time::NEVER;
        let mut before = None;
        let mut id = head;
        while id != PacketId::NONE {
            let packet = &self.packets[id];
            let readable = self.readable_at(packet.input);
            if self.holds_senders() && !self.links.out_lanes[place].fits(packet.units) {
                let blocked = readable <= self.now;
                let input_free = if blocked { input_free } else { input_free.min(readable) };
                return Decision::Wait { starved: u32::from(packet.units), blocked, input_free };
            }
            if readable <= self.now {
                if before.is_some() {
                    self.packets[head].passed += 1;
                }
                return Decision::Send { id, place: before.map_or(QueuePosition::Head, QueuePosition::Behind) };
            }
            input_free = input_free.min(readable);
            if before.is_none() && bypass_limit.is_some_and(|limit| u32::from(packet.passed) >= limit) {
                return Decision::Wait { starved: 0, blocked: false, input_free };
            }
            before = Some(id);
            id = packet.next;
        }
        Decision::Wait { starved: 0, blocked: false, input_free }
    }

    /// Oldest first over the heads of single input queues.
    fn oldest_head(&mut self, output: PortId, lane: u8, bypass_limit: Option<u32>) -> Decision {
        let index = self.at(output, lane);
        let base = self.links.outs[output].base;
        let set = self.requests(index);
        // The oldest head of all; the oldest that could go; the oldest without credit; and the oldest that cannot be
        // read yet but may not be bypassed any more.
        let (mut oldest, mut ready, mut starved, mut unpassable) = (None, None, None, None);
        let mut input_free = Time::NEVER;
        for local in cyclic(set, 0) {
            let input = base + local as u32;
            let id = self.head(output, lane, input);
            let packet = &self.packets[id];
            let head = WaitingHead { since: packet.ready, input, id };
            head.replace_if_older(&mut oldest);
            let readable = self.readable_at(input);
            if readable > self.now {
                input_free = input_free.min(readable);
                if bypass_limit.is_some_and(|limit| u32::from(packet.passed) >= limit) {
                    head.replace_if_older(&mut unpassable);
                }
            }
            if !self.links.out_lanes[index].fits(packet.units) {
                head.replace_if_older(&mut starved);
            } else if readable <= self.now {
                head.replace_if_older(&mut ready);
            }
        }
        let Some(oldest) = oldest else { return Decision::Nothing };
        let read_later = Decision::Wait { starved: 0, blocked: false, input_free };
        let Some(chosen) = [ready, starved].into_iter().flatten().min() else { return read_later };
        if unpassable.is_some_and(|unpassable| unpassable < chosen) {
            return read_later;
        }
        if Some(chosen) == starved {
            let blocked = self.readable_at(chosen.input) <= self.now;
            return Decision::Wait { starved: u32::from(self.packets[chosen.id].units), blocked, input_free };
        }
        if chosen != oldest {
            self.packets[oldest.id].passed += 1;
        }
        Decision::Send { id: chosen.id, place: QueuePosition::Head }
    }
}

/// The head of an input's queue, ordered by age (oldest first).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct WaitingHead {
    since: Time,
    input: PortId,
    id: PacketId,
}

impl WaitingHead {
    /// Replaces another head if it is older, or if there is none.
    fn replace_if_older(self, other: &mut Option<Self>) {
        *other = Some(other.map_or(self, |other| other.min(self)));
    }
}
