//! Prefetching (see `tune/prefetch.rs`) for switches with queues of any kind.
//!
//! What an event will find there hangs on chains of three or four loads: from the packet to its output, from there to the
//! input that is next in turn, on to its queue and the packet at its head. So every event is looked at three times while
//! it comes nearer: each step looks at what the one before has fetched meanwhile, and fetches what the next will look at.

use congestree_kernel::{Agenda, Entry};
use congestree_probes::Probe;
use congestree_wire::PacketId;
use prefetch_index::prefetch_index;

use crate::event::Event;
use crate::fabric::Fabric;
use crate::switch::round_robin::next_in;
use crate::tune::upcoming::Upcoming;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Fetches what the events that have come into view are about.
    pub(crate) fn prefetch_queues(&mut self) {
        let mut upcoming = std::mem::take(&mut self.upcoming);
        for known in upcoming.drain(..) {
            self.fetch_third(known);
        }
        upcoming.extend(self.agenda.in_view(2).iter().filter_map(|entry| self.fetch_second(entry)));
        for entry in self.agenda.in_view(3) {
            self.fetch_first(Event::from_rank(entry.rank));
        }
        self.upcoming = upcoming;
    }

    /// What the event itself names.
    #[inline(always)]
    fn fetch_first(&self, event: Event) {
        match event {
            Event::Arrive { input, packet } => {
                self.packets.fetch(packet);
                prefetch_index(&self.links.ins, input as usize);
            }
            Event::Decide { port } => {
                prefetch_index(&self.links.outs, port as usize);
                prefetch_index(&self.links.out_lanes, self.at(port, 0));
                if port < self.rules.hosts_len {
                    prefetch_index(&self.ends.hosts, port as usize);
                }
            }
            Event::Deliver { packet, .. } => self.packets.fetch(packet),
            Event::Source { source, .. } => prefetch_index(&self.ends.sources, source as usize),
            _ => {}
        }
    }

    /// Where that leads.
    #[inline(always)]
    fn fetch_second(&self, entry: &Entry) -> Option<Upcoming> {
        match Event::from_rank(entry.rank) {
            Event::Arrive { input, packet } => {
                let side = &self.links.ins[input as usize];
                let packet = &self.packets[packet];
                let (lane, port) = (packet.lane, self.switches.routes.port(side.switch, packet.destination));
                let (output, sender) = (side.base + u32::from(port), side.sender);
                prefetch_index(&self.links.outs, output as usize);
                prefetch_index(&self.links.out_lanes, self.at(output, lane));
                let queue = self.queue_to(side, input, lane, port, packet.destination);
                prefetch_index(&self.switches.inputs.queues, queue as usize);
                self.fetch_lines(input);
                return Some(Upcoming::Joins { queue, output, sender, lane, at: entry.at });
            }
            Event::Decide { port } if port < self.rules.hosts_len => {
                self.fetch_credit(self.at(port, 0));
                self.ends.injection.fetch(port);
                self.prefetch_turn(port);
                return self.stages().then_some(Upcoming::Injects { host: port });
            }
            Event::Decide { port } => {
                let base = self.links.outs[port as usize].base;
                let lanes = self.requested_lanes(port);
                if lanes == 0 {
                    return None;
                }
                let lane = lanes.trailing_zeros() as u8;
                let place = self.at(port, lane);
                self.fetch_credit(place);
                let turn = usize::from(self.links.out_lanes[place].turn);
                let input = base + next_in(self.requests(place), turn + 1)? as u32;
                self.fetch_line(port, lane, input);
                prefetch_index(&self.links.ins, input as usize);
                self.fetch_known_lines(port);
                return Some(Upcoming::Looks { input, output: port, lane });
            }
            Event::Deliver { packet, .. } => self.prefetch_delivery(packet),
            Event::Source { source, .. } => self.prefetch_source(source),
            _ => {}
        }
        None
    }

    /// The packets concerned, and who will have room back.
    #[inline(always)]
    fn fetch_third(&self, known: Upcoming) {
        match known {
            Upcoming::Injects { host } => self.ends.injection.heads(host).for_each(|head| self.packets.fetch(head)),
            Upcoming::Joins { queue, output, sender, lane, at } => {
                let list = self.switches.inputs.queues[queue as usize].list;
                if list.head != PacketId::NONE {
                    self.packets.fetch(list.last());
                }
                self.fetch_known_lines(output);
                if self.links.outs[output as usize].busy_until <= at {
                    self.fetch_credit(self.at(output, lane));
                    prefetch_index(&self.links.out_lanes, self.at(sender, lane));
                }
            }
            Upcoming::Looks { input, output, lane } => {
                prefetch_index(&self.links.out_lanes, self.at(self.links.ins[input as usize].sender, lane));
                self.fetch_lines(input);
                if let Some(queue) = self.first_in_line(output, lane, input) {
                    let head = self.switches.inputs.queues[queue as usize].list.head;
                    if head != PacketId::NONE {
                        self.packets.fetch(head);
                    }
                }
            }
        }
    }

    /// What a port finds when it looks for room behind it.
    #[inline(always)]
    fn fetch_credit(&self, place: usize) {
        match self.books_rooms() {
            true => self.links.rooms.fetch(place),
            false => self.links.notes.fetch(&self.links.out_lanes[place]),
        }
    }
}
