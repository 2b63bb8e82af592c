//! Prefetching: the data that upcoming events will need are fetched before these events are handled.
//!
//! In a large network the packet, port, queue and credits of an event lie anywhere in tens of megabytes. If events were
//! simply handled one after the other, each would wait for memory in turn. What an event needs is found by a chain of
//! three or four loads: from the packet to its output, from there to the input that is next in turn, on to its queue
//! and the packet at its head. Where chains are long, every event is looked at three times as it comes nearer: each
//! step reads what the step before has fetched, and fetches what the next step will read. Where chains are short, a
//! single step is faster. The fetches of different events do not depend on each other, so the memory system serves many
//! of them at once.
//! Prefetching changes no state and decides nothing: without it the run is the same, only slower.

use congestree_kernel::agenda::STEPS;
use congestree_kernel::{Agenda, Entry};
use congestree_probes::Probe;
use congestree_traffic::Feeds;
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, PacketId, PacketKind, PortId, QueueId};
use prefetch_index::prefetch_index;

use crate::event::Event;
use crate::fabric::Fabric;
use crate::host::flow::Supply;

use crate::switch::round_robin::next_in;
use crate::tune::upcoming::Upcoming;
use crate::tune::variants::Variant;

/// From this number of ports, flows or packets in flight on, they do not fit in the second-level cache.
const MANY: usize = 4096;
/// The same limit for queues: a megabyte of them. A network of 648 hosts on 36-port switches has half as many, and runs
/// 4 % faster (with 12 % fewer instructions) without prefetching.
const MANY_QUEUES: usize = 1 << 17;
/// From this number of ports on, prefetching takes three steps where chains are long: where packets choose their way,
/// and where inputs have queues of any kind. With the three steps, 8,192 hosts with ECMP (49,000 ports) run 2 to 10 %
/// faster, but 1,024 hosts that set flows aside (10,000 ports) 5 % slower, see ADR 10.
const VERY_MANY: usize = 8 * MANY;
/// This many packets in flight take 16 MiB. From there on, where chains are short, each packet is fetched one step
/// before what it points to is looked up. With fewer packets, the extra step gains no more than it costs.
const MANY_PACKETS: usize = 1 << 18;
/// The same limit for one of several parts: packets that came by mail are not stored in the order in which they are
/// handled, so the extra step pays from the size of a second-level cache on.
const MANY_PACKETS_OF_A_PART: usize = 1 << 15;
/// If more ports than this decide in one instant, not all of them are still in the cache when their turn comes.
const CROWD: usize = 2048;
/// Ports that decide are fetched in three steps, this many places apart.
const DECISIONS_AHEAD: usize = 12;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Fetches what the events that have newly come into view will need. Most events are in the same bucket as earlier
    /// ones and so were in view already: for them this is a single test, not a call.
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
        let is_long_chain = self.has_input_queues() || self.chooses_ways();
        let in_steps = is_long_chain && self.links.outs.len() >= VERY_MANY;
        let many = if self.border.cut() { MANY_PACKETS_OF_A_PART } else { MANY_PACKETS };
        let far_packets = !in_steps && self.packets.live() >= many;
        let steps = if in_steps || self.has_headers() { STEPS } else { 1 + usize::from(far_packets) };
        self.agenda.look_ahead(steps);
        if far_packets {
            self.agenda.in_view(2).iter().for_each(|entry| self.fetch_packet(entry));
        }
        if in_steps {
            self.fetch_in_steps();
        } else if switches {
            self.agenda.in_view(1).iter().for_each(|entry| self.fetch_at_once(entry));
        } else {
            self.agenda.in_view(1).iter().for_each(|entry| self.fetch_at_host(Event::from_rank(entry.rank)));
        }
        if self.has_headers() {
            self.prefetch_connections();
        }
    }

    /// If very many ports decide in this instant, fetches what the ports some places further on will need.
    #[inline(always)]
    pub(crate) fn prefetch_decision(&self, place: usize) {
        if self.deciding.len() > CROWD {
            self.prefetch_one_of_a_crowd(place);
        }
    }

    #[inline(never)]
    fn prefetch_one_of_a_crowd(&self, place: usize) {
        let ahead = |steps| {
            let port = *self.deciding.get(place + steps * DECISIONS_AHEAD)?;
            Some(Entry { at: self.now, rank: Event::Decide { port }.rank() })
        };
        if let Some(entry) = ahead(3) {
            self.fetch_first(Event::from_rank(entry.rank));
        }
        if let Some(entry) = ahead(2) {
            self.fetch_second(&entry);
        }
        if let Some(entry) = ahead(1) {
            self.fetch_at_once(&entry);
            self.packets.fetch_free(DECISIONS_AHEAD);
        }
    }

    /// Fetches everything that an event leads to, in one step. It does not look at what stands before a packet in its
    /// queue, nor at the output if the packet has yet to choose its way.
    #[inline(always)]
    fn fetch_at_once(&self, entry: &Entry) {
        let event = Event::from_rank(entry.rank);
        if self.chooses_ways() && matches!(event, Event::Arrive { .. }) {
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
    fn fetch_packet(&self, entry: &Entry) {
        if let Event::Arrive { packet, .. } | Event::Deliver { packet, .. } = Event::from_rank(entry.rank) {
            self.packets.fetch(packet);
        }
    }

    /// Fetches in three steps.
    #[inline(always)]
    fn fetch_in_steps(&mut self) {
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
    fn fetch_first(&self, event: Event) {
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
    fn fetch_second(&self, entry: &Entry) -> Option<Upcoming> {
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
        Some(Upcoming::Looks { input, output: port, lane })
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
            Upcoming::Looks { input, output, lane } => self.fetch_look(input, output, lane),
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
    fn fetch_look(&self, input: PortId, output: PortId, lane: u8) {
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
            self.links.notes.fetch(&self.links.out_lanes[place]);
        }
    }

    /// Fetches what an event needs at a host.
    #[inline(always)]
    fn fetch_at_host(&self, event: Event) {
        match event {
            Event::Decide { port } if self.rules.is_host(port) => {
                self.links.outs.prefetch(port);
                self.fetch_turn(port);
            }
            Event::Deliver { packet, .. } => self.fetch_delivery(packet),
            Event::Source { source, .. } => self.fetch_source(source),
            _ => {}
        }
    }

    /// Fetches what transports need, in order: first a packet and its header, then the end of the flow at which it
    /// comes in, and last (with the rest of what a delivery needs) the transport itself.
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
                Event::Decide { port } if self.rules.is_host(port) => {
                    let host = &self.ends.hosts[port.host()];
                    if host.ready > 0
                        && let Some(slot) = self.next_ready(host, host.turn as usize + 1)
                    {
                        self.ends.connections.fetch(PacketKind::Ack, self.flow_at(host, slot as u32));
                    }
                }
                _ => {}
            }
        }
        for entry in self.agenda.in_view(1) {
            if let Event::Deliver { packet, .. } = Event::from_rank(entry.rank) {
                let packet = &self.packets[packet];
                if packet.kind == PacketKind::Ack {
                    self.ends.connections.fetch_transport(packet.flow);
                }
            }
        }
    }

    /// Fetches what the delivery of a packet needs.
    #[inline]
    fn fetch_delivery(&self, id: PacketId) {
        let packet = &self.packets[id];
        match packet.kind {
            PacketKind::Data => {
                self.ends.receipts.prefetch(packet.flow);
                if self.chooses_ways() {
                    self.switches.ways.orders.prefetch(packet.flow);
                }
                if self.runs_programs()
                    && (packet.last || self.rules.counts_packets)
                    && let Some(ranks) = &self.ranks
                {
                    ranks.fetch(packet.flow);
                }
                if packet.marked() || packet.acks > 0 {
                    self.ends.flows.prefetch(packet.flow);
                }
                if self.probe.wants_classes() {
                    self.ends.cold.prefetch(packet.flow);
                }
            }
            PacketKind::Ack | PacketKind::Cnp => {
                self.ends.flows.prefetch(packet.flow);
                self.ends.cold.prefetch(packet.flow);
            }
        }
    }

    /// Fetches what a source needs: its host, and the flow that it feeds next.
    #[inline]
    fn fetch_source(&self, source: u32) {
        let source = &self.ends.sources[source as usize];
        let host = HostId(source.host());
        self.ends.hosts.prefetch(host);
        self.links.outs.prefetch(host.port());
        let host = host.index();
        prefetch_index(&self.links.out_lanes, host * self.lanes());
        let flow = match source.feeds() {
            Feeds::One(flow) | Feeds::Each(flow) => Some(FlowId(flow)),
            Feeds::PerDestination { base } => source.upcoming().map(|host| FlowId(base + host)),
            Feeds::InTurn { .. } => None,
        };
        if let Some(flow) = flow {
            self.ends.flows.prefetch(flow);
        }
    }

    /// Fetches what a host needs: the flow that is next in turn, which is returned, or those for which its steady
    /// sources may create a message.
    #[inline(never)]
    fn fetch_turn(&self, port: PortId) -> Option<FlowId> {
        let host = &self.ends.hosts[port.host()];
        if host.ready > 0 {
            if let Some(slot) = self.next_ready(host, host.turn as usize + 1) {
                let flow = self.flow_at(host, slot as u32);
                self.ends.flows.prefetch(flow);
                if self.has_headers() {
                    self.ends.connections.fetch_transport(flow);
                }
                return Some(flow);
            }
            return None;
        }
        for generator in &self.ends.generators[host.first_generator as usize..host.end_generator as usize] {
            let source = &self.ends.sources[generator.source as usize];
            if let (Feeds::PerDestination { base }, Some(next)) = (source.feeds(), source.upcoming()) {
                self.ends.flows.prefetch(FlowId(base + next));
            }
        }
        None
    }

    /// The tables of switches are too large for a second-level cache.
    #[inline]
    fn has_far_switches(&self) -> bool {
        self.switches.queues.len() >= MANY_QUEUES || self.links.outs.len() >= MANY
    }

    /// The tables of flows or of packets in flight are.
    #[inline]
    fn has_far_flows(&self) -> bool {
        self.ends.flows.len().max(self.packets.live()) >= MANY
    }
}
