//! Prefetching: what the events in view are about is fetched before they are handled.
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

use crate::event::Event;
use crate::fabric::Fabric;
use crate::host::flow::Supply;
use crate::plan::{ArbiterPlan, QueueMap};
use crate::switch::round_robin::next_in;
use crate::tune::variants::Variant;

/// So many ports, flows or packets under way do not lie in the second-level cache anyway.
const MANY: usize = 4096;
/// And so many queues.
const MANY_QUEUES: usize = 1 << 15;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Fetches what the events that have come into view are about. Most events are of a bucket that others were of before: for
    /// them this is a question, not a call.
    #[inline(always)]
    pub(crate) fn prefetch(&mut self) {
        if self.agenda.view_has_changed() {
            self.prefetch_view();
        }
    }

    #[inline(never)]
    fn prefetch_view(&mut self) {
        let switches = self.has_far_switches();
        if !switches && !self.has_far_flows() {
            return;
        }
        self.agenda.look_ahead();
        if self.elaborate() {
            return self.prefetch_queues();
        }
        for entry in self.agenda.in_view(1) {
            match Event::from_rank(entry.rank) {
                Event::Arrive { input, packet } if switches => self.prefetch_arrival(input, packet),
                Event::Decide { port } if port < self.rules.hosts_len => self.prefetch_host(port),
                Event::Decide { port } if switches => self.prefetch_output(port),
                Event::Deliver { packet, .. } => self.prefetch_delivery(packet),
                Event::Source { source, .. } => self.prefetch_source(source),
                _ => {}
            }
        }
        if self.has_headers() {
            self.prefetch_connections();
        }
    }

    /// What a packet finds that comes in at a switch.
    #[inline(always)]
    fn prefetch_arrival(&self, input: u32, packet: PacketId) {
        let lanes = self.lanes();
        if self.chooses_ways() {
            // By which output it leaves is not known yet.
            self.packets.fetch(packet);
            match self.holds_senders() {
                true => {
                    let sender = self.links.ins[input as usize].sender as usize;
                    prefetch_index(&self.links.out_lanes, sender * lanes);
                }
                false => prefetch_index(&self.links.ins, input as usize),
            }
            return;
        }
        let side = self.links.ins[input as usize];
        let local = self.switches.routes.port(side.switch, self.packets[packet].destination);
        let output = side.base as usize + usize::from(local);
        let queue = side.queues as usize + usize::from(local);
        prefetch_index(&self.links.outs, output);
        self.switches.queues.fetch(queue);
        prefetch_index(&self.links.out_lanes, side.sender as usize * lanes);
        prefetch_index(&self.links.out_lanes, output * lanes);
    }

    /// What an output of a switch finds: itself, and the packet that it will most likely send.
    #[inline(always)]
    fn prefetch_output(&self, port: u32) {
        let lanes = self.lanes();
        prefetch_index(&self.links.outs, port as usize);
        let lane = &self.links.out_lanes[port as usize * lanes];
        if self.holds_senders() {
            self.links.notes.fetch(lane);
        }
        let voq = self.queue_map() == QueueMap::Voq;
        if voq && lanes == 1 && self.arbiter() == ArbiterPlan::RoundRobin {
            let Some(local) = next_in(self.requests(port as usize), usize::from(lane.turn) + 1) else { return };
            let base = self.links.outs[port as usize].base;
            let side = self.links.ins[base as usize + local];
            let head = self.switches.queues.head((side.queues + port - base) as usize);
            if head != PacketId::NONE {
                self.packets.fetch(head);
            }
            prefetch_index(&self.links.out_lanes, side.sender as usize);
        } else if voq && matches!(self.arbiter(), ArbiterPlan::Fifo { .. }) {
            let heads = (0..lanes).map(|lane| self.switches.lines[port as usize * lanes + lane].head);
            if let Some(head) = heads.into_iter().find(|&head| head != PacketId::NONE) {
                self.packets.fetch(head);
            }
        }
    }

    /// What a host finds that decides.
    #[inline(always)]
    fn prefetch_host(&self, port: u32) {
        prefetch_index(&self.links.outs, port as usize);
        if self.has_far_switches() && self.holds_senders() {
            self.links.notes.fetch(&self.links.out_lanes[port as usize * self.lanes()]);
        }
        self.prefetch_turn(port);
    }

    /// What transports find, one after the other: a packet and its header first, then the end of its flow that it comes in
    /// at, at last (with the rest of what is delivered) the transport itself.
    #[inline]
    fn prefetch_connections(&self) {
        for entry in self.agenda.in_view(3) {
            if let Event::Deliver { packet, .. } = Event::from_rank(entry.rank) {
                self.packets.fetch(packet);
                self.ends.headers.fetch(packet);
            }
        }
        for entry in self.agenda.in_view(2) {
            match Event::from_rank(entry.rank) {
                Event::Deliver { packet, .. } => {
                    let packet = &self.packets[packet];
                    self.ends.connections.fetch(packet.kind, packet.flow);
                }
                Event::Decide { port } if port < self.rules.hosts_len => {
                    let host = &self.ends.hosts[port as usize];
                    if host.ready > 0
                        && let Some(slot) = self.next_ready(host, host.turn as usize + 1)
                    {
                        self.ends.connections.fetch(Kind::Ack, self.flow_at(host, slot as u32));
                    }
                }
                _ => {}
            }
        }
    }

    /// What a packet finds that is delivered.
    #[inline]
    pub(crate) fn prefetch_delivery(&self, id: PacketId) {
        let packet = &self.packets[id];
        if self.has_headers() && packet.kind == Kind::Ack {
            self.ends.connections.fetch_transport(packet.flow);
        }
        match packet.kind {
            Kind::Data => {
                prefetch_index(&self.ends.receipts, packet.flow as usize);
                if self.chooses_ways() {
                    prefetch_index(&self.switches.ways.orders, packet.flow as usize);
                }
                if self.runs_programs()
                    && (packet.last || self.rules.overtaking)
                    && let Some(ranks) = &self.ranks
                {
                    ranks.fetch(packet.flow);
                }
                if packet.marked() || packet.acks > 0 {
                    prefetch_index(&self.ends.flows, packet.flow as usize);
                }
                if self.probe.wants_classes() {
                    prefetch_index(&self.ends.rests, packet.flow as usize);
                }
            }
            Kind::Ack | Kind::Cnp => prefetch_index(&self.ends.flows, packet.flow as usize),
        }
    }

    /// What a source finds: its host, and the flow that it feeds next.
    #[inline]
    pub(crate) fn prefetch_source(&self, source: u32) {
        let source = &self.ends.sources[source as usize];
        let host = source.host() as usize;
        prefetch_index(&self.ends.hosts, host);
        prefetch_index(&self.links.outs, host);
        prefetch_index(&self.links.out_lanes, host * self.lanes());
        let flow = match source.feeds() {
            Feeds::One(flow) | Feeds::Each(flow) => Some(flow),
            Feeds::PerDestination { base } => source.upcoming().map(|host| base + host),
            Feeds::InTurn { .. } => None,
        };
        if let Some(flow) = flow {
            prefetch_index(&self.ends.flows, flow as usize);
        }
    }

    /// What a host finds: the flow that is next in turn, and those for which its steady sources may make a message.
    #[inline]
    pub(crate) fn prefetch_turn(&self, port: u32) {
        let host = &self.ends.hosts[port as usize];
        if host.ready > 0 {
            if let Some(slot) = self.next_ready(host, host.turn as usize + 1) {
                let flow = self.flow_at(host, slot as u32) as usize;
                prefetch_index(&self.ends.flows, flow);
                if self.has_headers() {
                    self.ends.connections.fetch_transport(flow as u32);
                }
                // Of a host with many flows each is in memory, and waiting for it here is no better than later.
                let few = host.first_word + 1 == host.end_word;
                if few && self.ends.flows[flow].supply == Supply::Pulled {
                    prefetch_index(&self.ends.sources, self.ends.flows[flow].supplier as usize);
                }
            }
            return;
        }
        for &id in &self.ends.generators[host.first_generator as usize..host.end_generator as usize] {
            let source = &self.ends.sources[id as usize];
            if let (Feeds::PerDestination { base }, Some(next)) = (source.feeds(), source.upcoming()) {
                prefetch_index(&self.ends.flows, (base + next) as usize);
            }
        }
    }

    /// The tables of switches are too large for a second-level cache.
    #[inline]
    fn has_far_switches(&self) -> bool {
        self.switches.queues.len() >= MANY_QUEUES || self.links.outs.len() >= MANY
    }

    /// The flows are, or the packets under way.
    #[inline]
    fn has_far_flows(&self) -> bool {
        self.ends.flows.len().max(self.packets.live()) >= MANY
    }
}
