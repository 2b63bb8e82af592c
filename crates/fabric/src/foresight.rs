//! Foresight: what the events in view are about is fetched before they are handled.
//!
//! In a large network every event finds its packet, port, queue and credits somewhere in tens of megabytes. Handled
//! one after the other, events would wait for memory one after the other. What is fetched below does not depend on each
//! other from event to event, so the memory serves many at once, and the handling finds it all in the cache. The last
//! of a chain of loads is a hint to the processor, which goes on at once.
//! Nothing is changed and nothing is decided here: leaving it out gives the same run, slower.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_traffic::Feeds;
use congestree_wire::{Kind, PacketId};
use prefetch_index::prefetch_index;

use crate::arbiter::next_in;
use crate::event::Event;
use crate::fabric::Fabric;
use crate::flow::{NONE, Supply};
use crate::plan::{ArbiterPlan, QueueMap};
use crate::shape::Shape;

/// So many ports, flows or packets under way fill the second-level cache.
const MANY: usize = 1024;

impl<A: Agenda, P: Probe, S: Shape> Fabric<A, P, S> {
    /// Fetches what the events that have come into view are about.
    #[inline]
    pub(crate) fn foresee(&mut self) {
        let (lanes, words) = (self.lanes(), self.words());
        let round_robin_voq =
            self.queue_map() == QueueMap::Voq && self.arbiter() == ArbiterPlan::RoundRobin && lanes == 1;
        if !self.agenda.view_has_changed() || !self.is_large() {
            return;
        }
        let mut touched = 0;
        for entry in self.agenda.in_view().into_iter().flatten() {
            match Event::from_rank(entry.rank) {
                Event::Arrive { input, packet } => {
                    let side = self.ins[input as usize];
                    let local = self.routes.port(side.switch, self.packets[packet].destination);
                    let output = side.base as usize + usize::from(local);
                    let queue = side.queues as usize + usize::from(local);
                    prefetch_index(&self.outs, output);
                    if self.elaborate() {
                        touched ^= self.touch_joined(input, output as u32, packet);
                        continue;
                    }
                    prefetch_index(&self.queues, queue);
                    prefetch_index(&self.out_lanes, side.sender as usize * lanes);
                    prefetch_index(&self.out_lanes, output * lanes);
                    prefetch_index(&self.requests, output * lanes * words);
                }
                Event::Decide { port } => {
                    let lane = &self.out_lanes[port as usize * lanes];
                    prefetch_index(&self.outs, port as usize);
                    if !self.elaborate() {
                        self.notes.fetch(lane);
                    }
                    if port < self.hosts_len {
                        self.fetch_turn(port);
                    } else if self.elaborate() {
                        touched ^= self.touch_offered(port);
                    } else if round_robin_voq {
                        let set = &self.requests[port as usize * words..][..words];
                        if let Some(local) = next_in(set, usize::from(lane.turn) + 1) {
                            let base = self.outs[port as usize].base;
                            let side = self.ins[base as usize + local];
                            let head = self.queues[(side.queues + port - base) as usize].head;
                            if head != PacketId::NONE {
                                self.packets.fetch(head);
                            }
                            prefetch_index(&self.out_lanes, side.sender as usize);
                        }
                    }
                }
                Event::Deliver { packet, .. } => {
                    let packet = &self.packets[packet];
                    match packet.kind {
                        Kind::Data => prefetch_index(&self.receipts, packet.flow as usize),
                        Kind::Ack | Kind::Cnp => prefetch_index(&self.flows, packet.flow as usize),
                    }
                }
                Event::Source { source, .. } => {
                    let source = &self.sources[source as usize];
                    let host = source.host() as usize;
                    prefetch_index(&self.hosts, host);
                    prefetch_index(&self.outs, host);
                    prefetch_index(&self.out_lanes, host * lanes);
                    let flow = match source.feeds() {
                        Feeds::One(flow) | Feeds::Each(flow) => Some(flow),
                        Feeds::PerDestination { base } => source.upcoming().map(|host| base + host),
                    };
                    if let Some(flow) = flow {
                        prefetch_index(&self.flows, flow as usize);
                    }
                }
                _ => {}
            }
        }
        std::hint::black_box(touched);
    }

    /// What a host finds: the flow that is next in turn, and those for which its steady sources may make a message.
    #[inline]
    fn fetch_turn(&self, port: u32) {
        let host = &self.hosts[port as usize];
        if host.ready > 0 {
            if let Some(slot) = self.next_ready(host, host.turn as usize + 1) {
                let flow = self.flow_at(host, slot as u32) as usize;
                prefetch_index(&self.flows, flow);
                // Of a host with many flows each is in memory, and waiting for it here is no better than later.
                let few = host.first_word + 1 == host.end_word;
                if few && self.flows[flow].supply == Supply::Pulled {
                    prefetch_index(&self.sources, self.flows[flow].supplier as usize);
                }
            }
            return;
        }
        for &id in &self.generators[host.first_generator as usize..host.end_generator as usize] {
            let source = &self.sources[id as usize];
            if let (Feeds::PerDestination { base }, Some(next)) = (source.feeds(), source.upcoming()) {
                prefetch_index(&self.flows, (base + next) as usize);
            }
        }
    }

    /// The network is too large for foresight to be a waste.
    #[inline]
    fn is_large(&self) -> bool {
        self.outs.len().max(self.flows.len()).max(self.packets.live()) >= MANY
    }

    /// What a packet finds where queues are of any kind: its queue and the end of it, the books behind its output, and
    /// the lines of flows set aside.
    fn touch_joined(&self, input: u32, output: u32, id: PacketId) -> u32 {
        let packet = &self.packets[id];
        let state = &self.inputs.queues[self.queue_at(input, packet.lane, packet.destination) as usize];
        let place = self.at(output, packet.lane);
        let mut touched = state.packets ^ self.touch_credit(place) ^ u32::from(self.out_lanes[place].turn);
        touched ^= self.requests[place * self.words()] as u32;
        if state.list.head != PacketId::NONE {
            touched ^= self.packets[state.list.last()].size;
        }
        touched ^= self.first_in_line(output, packet.lane, input);
        if self.isolates() {
            touched ^= u32::from(self.isolation.cams[input as usize].queues_in_use());
            touched ^= u32::from(self.isolation.mirrors[output as usize].is_empty());
        }
        touched
    }

    /// What a port finds when it looks for room behind it.
    fn touch_credit(&self, place: usize) -> u32 {
        if self.books_rooms() { self.rooms.touch(place) } else { self.notes.touch(&self.out_lanes[place]) }
    }

    /// What an output finds there in each lane: the head that it may be offered next, and whose room that holds.
    fn touch_offered(&self, output: u32) -> u32 {
        let words = self.words();
        let mut touched = u32::from(self.neighbours_talk() && self.neighbours.waits(output));
        let base = self.outs[output as usize].base;
        for lane in 0..self.lanes() as u8 {
            let place = self.at(output, lane);
            touched ^= self.touch_credit(place);
            let turn = usize::from(self.out_lanes[place].turn);
            let Some(local) = next_in(&self.requests[place * words..][..words], turn + 1) else { continue };
            let input = base + local as u32;
            let queue = self.first_in_line(output, lane, input);
            if queue == NONE {
                continue;
            }
            let head = self.inputs.queues[queue as usize].list.head;
            if head != PacketId::NONE {
                touched ^= self.packets[head].size;
            }
            touched ^= self.touch_credit(self.at(self.ins[input as usize].sender, lane));
            if self.isolates() {
                touched ^= u32::from(self.isolation.cams[input as usize].queues_in_use());
            }
        }
        touched
    }
}
