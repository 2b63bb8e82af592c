//! The next hop of a packet. A packet that could leave by several ports, all equally near to its host, asks the
//! switch's router.
//!
//! The choice is made when a packet comes in, once at each switch, and is kept with the packet, together with the
//! lane in which the packet leaves where that depends on the hop (`LaneMap`). A packet on a detour by another switch
//! (`detours.rs`) is addressed to a host there until it has come that far. Packets of a flow that take different
//! paths may overtake each other: how many did, and by how much, is counted at the host.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::route::{Passing, Router};
use congestree_topology::CandidateSet;
use congestree_wire::{FlowId, HostId, Packet, PacketId, PacketKind, PortId};

use crate::fabric::Fabric;
use crate::link::port::In;
use crate::switch::routes::path_choice::{Came, ENTROPY, PathChoice};
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Chooses the local port and the lane by which a packet leaves the switch that it has come into. Both are kept
    /// with the packet.
    #[inline(always)]
    pub(crate) fn choose_next_hop(&mut self, side: In, input: PortId, id: PacketId) -> u16 {
        let mut from = (input - side.base) as u16;
        let local = match self.chooses_paths() {
            true if self.switches.path_choice.detours.candidates > 0 => self.go_round(side, &mut from, id),
            true => self.choose_path(side, input, id),
            false => self.switches.routes.port(side.switch, self.packets[id].destination),
        };
        let maps_lanes = self.maps_lanes();
        let packet = &mut self.packets[id];
        packet.port = local;
        if maps_lanes && let Some(map) = &self.switches.lane_map {
            packet.lane = map.lane(side.switch.0, from, local, packet.lane, packet.service);
        }
        local
    }

    /// The output and the lane by which a packet leaves the switch behind `side`, which it is in or on its way to. A
    /// packet that is still on its way may yet choose otherwise.
    pub(crate) fn next_hop(&self, side: In, id: PacketId) -> (PortId, u8) {
        let packet = &self.packets[id];
        if packet.port != Packet::UNROUTED {
            return (side.base + u32::from(packet.port), packet.lane);
        }
        let local = self.switches.routes.port(side.switch, packet.destination);
        let from = (packet.input - side.base) as u16;
        let lane = match &self.switches.lane_map {
            Some(map) => map.lane(side.switch.0, from, local, packet.lane, packet.service),
            None => packet.lane,
        };
        (side.base + u32::from(local), lane)
    }

    /// The local port by which a packet on its way to the switch behind `side` will leave, as far as that is known
    /// before it has come in.
    #[inline]
    pub(crate) fn foretold_hop(&self, side: &In, id: PacketId) -> Option<u16> {
        let packet = &self.packets[id];
        let fixed = || self.switches.routes.port(side.switch, packet.destination);
        if packet.port != Packet::UNROUTED || !self.chooses_paths() {
            return Some(if packet.port == Packet::UNROUTED { fixed() } else { packet.port });
        }
        if self.switches.path_choice.detours.candidates > 0 || self.fails() {
            return None;
        }
        match self.switches.path_choice.sets.candidates(side.switch.0, packet.destination.0) {
            [] => Some(fixed()),
            [only] => Some(*only),
            several => {
                let router = &self.switches.path_choice.routers[side.switch];
                router.foretell(self.label_of(id), several.len() as u32).map(|candidate| several[candidate as usize])
            }
        }
    }

    /// The label that routers use: the same for all packets of a flow and direction, with the entropy of its sender.
    #[inline(always)]
    pub(crate) fn label_of(&self, id: PacketId) -> u64 {
        let packet = &self.packets[id];
        let label = self.flow_number(packet.flow) << 2 | packet.kind as u64;
        if self.has_headers() { label | u64::from(self.ends.headers.entropy(id)) << ENTROPY } else { label }
    }

    /// The label of the data of a flow, where nothing else decides on the way that they take.
    pub(crate) fn label_of_flow(&self, flow: FlowId) -> Option<u64> {
        let choice = &self.switches.path_choice;
        let by_flow = !choice.routers.is_empty() && choice.detours.candidates == 0 && !self.has_headers();
        by_flow.then(|| self.flow_number(flow) << 2 | PacketKind::Data as u64)
    }

    /// The service level of a flow, where lanes depend on it.
    #[inline(always)]
    pub(crate) fn service_of(&self, flow: FlowId) -> u8 {
        if self.maps_lanes() { self.ends.cold[flow].service } else { 0 }
    }

    /// The lane in which an answer to a packet starts: that of its flow.
    #[inline(always)]
    pub(crate) fn lane_back(&self, packet: &Packet) -> u8 {
        if self.maps_lanes() { self.ends.flows[packet.flow].lane } else { packet.lane }
    }

    /// The local port by which a packet leaves the switch it has come into. Downwards there is only one, hence no
    /// choice.
    #[inline(always)]
    fn choose_path(&mut self, side: In, input: PortId, id: PacketId) -> u16 {
        let destination = self.packets[id].destination;
        let sets = &self.switches.path_choice.sets;
        match sets.set(side.switch.0, destination.0) {
            (_, 0) => self.switches.routes.port(side.switch, destination),
            set @ (_, 1) if !self.fails() => sets.ports(set)[0],
            set => self.choose_of_several(input, id, set),
        }
    }

    /// The local port by which a packet leaves where it may take one of several.
    #[inline(never)]
    fn choose_of_several(&mut self, input: PortId, id: PacketId, set: CandidateSet) -> u16 {
        // Looked up again: to hand it over, every arrival would have to put it on the stack.
        let side = self.links.ins[input];
        let label = self.label_of(id);
        let (lanes, occupancy) = (self.lanes(), &self.switches.occupancy);
        let waiting = |output: PortId| match lanes {
            1 => occupancy.waiting(output.index()),
            _ => occupancy.waiting_at(output.index() * lanes..(output.index() + 1) * lanes),
        };
        let fails = self.fails();
        let PathChoice { sets, routers, rng, .. } = &mut self.switches.path_choice;
        let mut candidates = sets.ports(set);
        if fails {
            candidates = self.links.faults.left(side.base, candidates);
            match candidates {
                [] => return self.switches.routes.port(side.switch, self.packets[id].destination),
                [only] => return *only,
                _ => {}
            }
        }
        let bytes = |candidate: u32| waiting(side.base + u32::from(candidates[candidate as usize]));
        let passing = Passing { now: self.now, label };
        let draw = || rng[side.switch].unit();
        let local = candidates[routers[side.switch].choose(passing, candidates.len() as u32, bytes, draw) as usize];
        self.control_routed(side, id, set, local)
    }

    /// A data packet has come in, perhaps behind one that was sent later.
    #[inline]
    pub(crate) fn note_order(&mut self, packet: &Packet) {
        if let Some(order) = self.switches.path_choice.orders.get_mut(packet.flow)
            && packet.kind == PacketKind::Data
        {
            if self.border.cut() && self.ends.cold[packet.flow].destination == HostId::NONE {
                return self.came_in(packet);
            }
            order.note(packet.sequence, packet.injected);
        }
    }

    /// Counts a packet of a flow to several hosts (which may be in different parts) where the flow begins.
    #[cold]
    fn came_in(&mut self, packet: &Packet) {
        let Packet { destination: host, flow, sequence, injected, .. } = *packet;
        let came = Came { at: self.now, host, flow, sequence, injected };
        let source = self.ends.flows[flow].host.port();
        match self.border.is_away(source) {
            true => self.border.came_in(source, came),
            false => self.switches.path_choice.came.push(came),
        }
    }
}
