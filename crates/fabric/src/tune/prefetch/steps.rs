//! The steps of prefetching along a chain: from an event to its packet or port, on to queues and senders, and to the
//! packets at their heads.

use congestree_kernel::{Agenda, Entry};
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{PacketId, PortId, QueueId};
use prefetch_index::prefetch_index;

use crate::event::Event;
use crate::fabric::Fabric;
use crate::host::flow::Supply;
use crate::switch::round_robin::next_in;
use crate::tune::upcoming::Upcoming;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Fetches everything that an event leads to, in one step. It does not look at what stands before a packet in its
    /// queue, nor at the output if the packet has yet to choose its path.
    #[inline(always)]
    pub(super) fn fetch_at_once(&self, entry: &Entry) {
        let event = Event::from_rank(entry.rank);
        if self.chooses_paths() && matches!(event, Event::Arrive { .. }) {
            return self.fetch_first(event);
        }
        match self.fetch_second(entry) {
            Some(Upcoming::Joins { sender, lane, .. }) => self.fetch_sender(sender, lane),
            Some(known) => self.fetch_third(known),
            None => {}
        }
    }

    /// Fetches only the packet of an event.
    #[inline(always)]
    pub(super) fn fetch_packet(&self, entry: &Entry) {
        if let Event::Arrive { packet, .. } | Event::Deliver { packet, .. } = Event::from_rank(entry.rank) {
            self.packets.fetch(packet);
        }
    }

    /// Fetches in three steps.
    #[inline(always)]
    pub(super) fn fetch_in_steps(&mut self) {
        let mut upcoming = std::mem::take(&mut self.upcoming);
        let due = upcoming.len().saturating_sub(self.agenda.between_steps());
        for known in upcoming.drain(..due) {
            self.fetch_third(known);
        }
        upcoming.extend(self.agenda.in_view(2).iter().filter_map(|entry| self.fetch_second(entry)));
        for entry in self.agenda.in_view(3) {
            self.fetch_first(Event::from_rank(entry.rank));
        }
        self.upcoming = upcoming;
    }

    /// First step: what the event itself names.
    #[inline(always)]
    pub(super) fn fetch_first(&self, event: Event) {
        match event {
            Event::Arrive { input, packet } => {
                self.packets.fetch(packet);
                self.links.ins.prefetch(input);
            }
            Event::Decide { port } => {
                self.links.outs.prefetch(port);
                prefetch_index(&self.links.out_lanes, self.at(port, 0));
                if self.rules.is_host(port) {
                    self.ends.hosts.prefetch(port.host());
                }
            }
            Event::Deliver { packet, .. } => self.packets.fetch(packet),
            Event::Source { source, .. } => prefetch_index(&self.ends.sources, source as usize),
            _ => {}
        }
    }

    /// Second step: where that leads.
    #[inline(always)]
    pub(super) fn fetch_second(&self, entry: &Entry) -> Option<Upcoming> {
        match Event::from_rank(entry.rank) {
            Event::Arrive { input, packet } => self.fetch_arrival(input, packet, entry),
            Event::Decide { port } if self.rules.is_host(port) => {
                self.fetch_credit(self.at(port, 0));
                self.ends.injection.fetch(port.host());
                let flow = self.fetch_turn(port);
                if self.stages() {
                    Some(Upcoming::Injects { host: port.host() })
                } else {
                    Some(Upcoming::Sends { flow: flow? })
                }
            }
            Event::Decide { port } => self.fetch_output(port),
            event => {
                self.fetch_at_host(event);
                None
            }
        }
    }

    /// Fetches the queue that a packet joins, its output, and the memory of its input.
    #[inline(always)]
    fn fetch_arrival(&self, input: PortId, id: PacketId, entry: &Entry) -> Option<Upcoming> {
        let (side, packet) = (&self.links.ins[input], &self.packets[id]);
        if self.pauses() {
            prefetch_index(&self.links.pauses.accounts, self.at(input, packet.lane));
        }
        let port = self.foretold_hop(side, id)?;
        let (lane, output, sender) = (packet.lane, side.base + u32::from(port), side.sender);
        self.links.outs.prefetch(output);
        prefetch_index(&self.links.out_lanes, self.at(output, lane));
        let queue = if self.has_input_queues() {
            let queue = self.queue_to(side, input, lane, port, packet.destination);
            self.switches.inputs.queues.prefetch(queue);
            self.fetch_lines(input);
            queue
        } else if self.has_plain_voqs() {
            let queue = self.queue(side, lane, port);
            self.switches.queues.fetch(queue);
            queue
        } else {
            return None;
        };
        Some(Upcoming::Joins { queue, output, sender, lane, at: entry.at })
    }

    /// Fetches the input that an output will look at first.
    #[inline(always)]
    fn fetch_output(&self, port: PortId) -> Option<Upcoming> {
        let lanes = self.requested_lanes(port);
        if lanes == 0 {
            return None;
        }
        let lane = lanes.trailing_zeros() as u8;
        let place = self.at(port, lane);
        self.fetch_credit(place);
        if !self.has_input_queues() && !self.has_plain_voqs() {
            return self.serves_oldest_at_output().then_some(Upcoming::Serves { output: port, lane });
        }
        let base = self.links.outs[port].base;
        let turn = usize::from(self.links.out_lanes[place].turn);
        let input = base + next_in(self.requests(place), turn + 1)? as u32;
        if self.has_input_queues() {
            self.fetch_request_list(port, lane, input);
            self.links.ins.prefetch(input);
            self.fetch_known_lines(port);
        } else {
            self.switches.queues.fetch(self.queue(&self.links.ins[input], lane, (port - base) as u16));
        }
        Some(Upcoming::ReadsInput { input, output: port, lane })
    }

    /// Third step: the packets concerned, and the sender that gets room back.
    #[inline(always)]
    fn fetch_third(&self, known: Upcoming) {
        match known {
            Upcoming::Injects { host } => self.ends.injection.heads(host).for_each(|head| self.packets.fetch(head)),
            Upcoming::Sends { flow } => {
                let others = self.agenda.between_steps();
                if others > 0 {
                    self.packets.fetch_free(others);
                }
                let flow = &self.ends.flows[flow];
                if flow.supply == Supply::Pulled {
                    prefetch_index(&self.ends.sources, flow.supplier as usize);
                }
            }
            Upcoming::Serves { output, lane } => {
                let head = self.switches.queues.head(self.queue_at_output(output, lane));
                if head != PacketId::NONE {
                    self.packets.fetch(head);
                }
            }
            Upcoming::Joins { queue, output, sender, lane, at } => self.fetch_join(queue, output, sender, lane, at),
            Upcoming::ReadsInput { input, output, lane } => self.fetch_chosen_input(input, output, lane),
        }
    }

    /// A packet joins a queue: it will stand behind the last packet there, or its output will look at once at its
    /// credit.
    #[inline(always)]
    fn fetch_join(&self, queue: QueueId, output: PortId, sender: PortId, lane: u8, at: Time) {
        let list = match self.has_input_queues() {
            true => self.switches.inputs.queues[queue].list,
            false => self.switches.queues.get(queue),
        };
        if list.head != PacketId::NONE {
            self.packets.fetch(list.last());
        }
        self.fetch_known_lines(output);
        if self.links.outs[output].busy_until <= at {
            self.fetch_credit(self.at(output, lane));
            self.fetch_sender(sender, lane);
        }
    }

    /// An output looks at an input: fetches the packet at the head of its queue, and the sender that gets room back.
    #[inline(always)]
    fn fetch_chosen_input(&self, input: PortId, output: PortId, lane: u8) {
        let side = &self.links.ins[input];
        self.fetch_sender(side.sender, lane);
        if self.pauses() {
            prefetch_index(&self.links.pauses.accounts, self.at(input, lane));
        }
        let head = if self.has_input_queues() {
            self.fetch_lines(input);
            let queue = self.first_requester(output, lane, input);
            queue.map_or(PacketId::NONE, |queue| self.switches.inputs.queues[queue].list.head)
        } else {
            self.switches.queues.head(self.queue(side, lane, (output - side.base) as u16))
        };
        if head != PacketId::NONE {
            self.packets.fetch(head);
        }
    }

    /// Fetches the state of the sender that credit goes back to.
    #[inline(always)]
    fn fetch_sender(&self, sender: PortId, lane: u8) {
        if self.holds_senders() && !self.pauses() {
            prefetch_index(&self.links.out_lanes, self.at(sender, lane));
        }
    }

    /// Fetches what a port reads when it checks for room downstream.
    #[inline(always)]
    fn fetch_credit(&self, place: usize) {
        if self.holds_senders() {
            self.links.returning.fetch(&self.links.out_lanes[place]);
        }
    }
}
