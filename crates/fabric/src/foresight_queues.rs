//! Foresight (see `foresight.rs`) for elaborate switches.
//!
//! What an event will find there hangs on chains of three or four loads: from the packet to its output, from there to the
//! input that is next in turn, on to its queue and the packet at its head. So many events are looked at together, step
//! by step: each step looks at what the one before has fetched for all of them, and fetches the next.

use congestree_kernel::{Agenda, Entry};
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::PacketId;
use prefetch_index::prefetch_index;

use crate::arbiter::next_in;
use crate::event::Event;
use crate::fabric::Fabric;
use crate::shape::Shape;

/// Events that are looked at together.
const TOGETHER: usize = 32;

/// What is known of an event after two steps.
#[derive(Clone, Copy)]
enum Glance {
    /// All that can be.
    Done,
    /// A packet from an input joins a queue.
    Joins { queue: u32, output: u32, sender: u32, lane: u8, at: Time },
    /// An output will look at an input first.
    Looks { input: u32, output: u32, lane: u8 },
}

impl<A: Agenda, P: Probe, S: Shape> Fabric<A, P, S> {
    /// Fetches what the events that have come into view are about.
    pub(crate) fn foresee_queues(&self) {
        for entries in self.agenda.in_view().into_iter().flat_map(|entries| entries.chunks(TOGETHER)) {
            for entry in entries {
                self.fetch_first(Event::from_rank(entry.rank));
            }
            let mut glances = [Glance::Done; TOGETHER];
            for (entry, glance) in entries.iter().zip(&mut glances) {
                *glance = self.fetch_second(entry);
            }
            for glance in &glances[..entries.len()] {
                self.fetch_third(*glance);
            }
            for glance in &glances[..entries.len()] {
                self.fetch_fourth(*glance);
            }
        }
    }

    /// What the event itself names.
    #[inline(always)]
    fn fetch_first(&self, event: Event) {
        match event {
            Event::Arrive { input, packet } => {
                self.packets.fetch(packet);
                prefetch_index(&self.ins, input as usize);
            }
            Event::Decide { port } => {
                let place = self.at(port, 0);
                prefetch_index(&self.outs, port as usize);
                prefetch_index(&self.out_lanes, place);
                // The last lane has the notifications; all are asked whether something waits.
                prefetch_index(&self.out_lanes, place + self.lanes() - 1);
                if port < self.hosts_len {
                    prefetch_index(&self.hosts, port as usize);
                }
            }
            Event::Deliver { packet, .. } => self.packets.fetch(packet),
            Event::Source { source, .. } => prefetch_index(&self.sources, source as usize),
            _ => {}
        }
    }

    /// Where that leads.
    #[inline(always)]
    fn fetch_second(&self, entry: &Entry) -> Glance {
        match Event::from_rank(entry.rank) {
            Event::Arrive { input, packet } => {
                let side = &self.ins[input as usize];
                let packet = &self.packets[packet];
                let (lane, port) = (packet.lane, self.routes.port(side.switch, packet.destination));
                let output = side.base + u32::from(port);
                let queue = self.queue_to(side, input, lane, port, packet.destination);
                prefetch_index(&self.outs, output as usize);
                prefetch_index(&self.inputs.queues, queue as usize);
                self.isolation.fetch(input, output);
                Glance::Joins { queue, output, sender: side.sender, lane, at: entry.at }
            }
            Event::Decide { port } if port < self.hosts_len => {
                self.fetch_credit(self.at(port, 0));
                self.injection.fetch(port);
                self.fetch_turn(port);
                Glance::Done
            }
            Event::Decide { port } => {
                let base = self.outs[port as usize].base;
                for lane in 0..self.lanes() as u8 {
                    let place = self.at(port, lane);
                    let turn = usize::from(self.out_lanes[place].turn);
                    if let Some(local) = next_in(self.requests(place), turn + 1) {
                        let input = base + local as u32;
                        self.fetch_credit(place);
                        self.fetch_line(port, lane, input);
                        prefetch_index(&self.ins, input as usize);
                        self.isolation.fetch(input, port);
                        return Glance::Looks { input, output: port, lane };
                    }
                }
                Glance::Done
            }
            Event::Deliver { packet, .. } => {
                self.fetch_told(packet);
                Glance::Done
            }
            Event::Source { source, .. } => {
                self.fetch_fed(source);
                Glance::Done
            }
            _ => Glance::Done,
        }
    }

    /// The packets concerned; and if a packet finds its output idle, what that needs to send it.
    #[inline(always)]
    fn fetch_third(&self, glance: Glance) {
        match glance {
            Glance::Done => {}
            Glance::Joins { queue, output, sender, lane, at } => {
                let list = self.inputs.queues[queue as usize].list;
                if list.head != PacketId::NONE {
                    self.packets.fetch(list.last());
                }
                prefetch_index(&self.out_lanes, self.at(output, lane));
                if self.outs[output as usize].busy_until <= at {
                    prefetch_index(&self.out_lanes, self.at(output, 0) + self.lanes() - 1);
                    prefetch_index(&self.out_lanes, self.at(sender, lane));
                }
            }
            Glance::Looks { input, output, lane } => {
                prefetch_index(&self.out_lanes, self.at(self.ins[input as usize].sender, lane));
                if let Some(queue) = self.first_in_line(output, lane, input) {
                    let head = self.inputs.queues[queue as usize].list.head;
                    if head != PacketId::NONE {
                        self.packets.fetch(head);
                    }
                }
            }
        }
    }

    /// The room that a packet finds behind an idle output.
    #[inline(always)]
    fn fetch_fourth(&self, glance: Glance) {
        if let Glance::Joins { output, lane, at, .. } = glance
            && self.outs[output as usize].busy_until <= at
        {
            self.fetch_credit(self.at(output, lane));
        }
    }

    /// What a port finds when it looks for room behind it.
    #[inline(always)]
    fn fetch_credit(&self, place: usize) {
        match self.books_rooms() {
            true => self.rooms.fetch(place),
            false => self.notes.fetch(&self.out_lanes[place]),
        }
    }
}
