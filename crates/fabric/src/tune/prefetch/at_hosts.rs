//! What events at hosts need: flows, sources, transports, and what a delivery changes.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_traffic::FlowMapping;
use congestree_wire::{FlowId, HostId, PacketId, PacketKind, PortId};
use prefetch_index::prefetch_index;

use crate::event::Event;
use crate::fabric::Fabric;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Fetches what an event needs at a host.
    #[inline(always)]
    pub(super) fn fetch_at_host(&self, event: Event) {
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
    pub(super) fn prefetch_connections(&self) {
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
                if self.chooses_paths() {
                    self.switches.path_choice.orders.prefetch(packet.flow);
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
        let flow = match source.mapping() {
            FlowMapping::One(flow) | FlowMapping::Each(flow) => Some(FlowId(flow)),
            FlowMapping::PerDestination { base } => source.upcoming().map(|host| FlowId(base + host)),
            FlowMapping::InTurn { .. } => None,
        };
        if let Some(flow) = flow {
            self.ends.flows.prefetch(flow);
        }
    }

    /// Fetches what a host needs: the flow that is next in turn, which is returned, or those for which its steady
    /// sources may create a message.
    #[inline(never)]
    pub(super) fn fetch_turn(&self, port: PortId) -> Option<FlowId> {
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
        for polled in &self.ends.polled[host.first_polled as usize..host.end_polled as usize] {
            let source = &self.ends.sources[polled.source as usize];
            if let (FlowMapping::PerDestination { base }, Some(next)) = (source.mapping(), source.upcoming()) {
                self.ends.flows.prefetch(FlowId(base + next));
            }
        }
        None
    }
}
