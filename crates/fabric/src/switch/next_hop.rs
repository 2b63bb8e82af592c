//! The next hop of a packet. Switches may choose: a packet that could leave by several ports, all equally near to its host, asks the router.
//!
//! The choice is made when a packet comes in, once a switch, and kept with the packet. With it goes the lane in which the
//! packet leaves, where that depends on the hop (`LaneMap`). A packet that goes round by another switch (`detours.rs`) is
//! addressed to a host there until it has come that far. Packets of a flow that go different ways may overtake each other: how many did, and by how much, is counted at the host.

use congestree_kernel::{Agenda, Dice, mix};
use congestree_probes::{Probe, RegionFlow};
use congestree_schemes::route::{AnyRouter, Passing, Router};

use congestree_topology::EqualCost;
use congestree_wire::{Kind, Packet, PacketId};

use crate::fabric::Fabric;
use crate::link::port::In;
use crate::plan::Plan;
use crate::switch::detours::Detours;
use crate::tune::variants::Variant;

/// The routers of a network; none if routes are fixed.
#[derive(Debug, Default)]
pub(crate) struct Ways {
    sets: EqualCost,
    /// By switch.
    pub routers: Vec<AnyRouter>,
    pub dice: Vec<Dice>,
    pub detours: Detours,
    /// By flow, if packets may overtake each other.
    pub orders: Vec<Order>,
}

/// In which order the packets of a flow came in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Order {
    /// One more than the highest number so far.
    next: u32,
    /// Packets that came after one with a higher number.
    pub late: u64,
    /// Most by which a number was below the highest so far.
    pub extent: u32,
}

impl Order {
    /// Another series of packets has been in this order.
    pub(crate) fn add(&mut self, other: Order) {
        self.late += other.late;
        self.extent = self.extent.max(other.extent);
    }

    /// A packet with this number has come in.
    pub(crate) fn note(&mut self, sequence: u32) {
        if sequence >= self.next {
            self.next = sequence + 1;
        } else {
            self.late += 1;
            self.extent = self.extent.max(self.next - 1 - sequence);
        }
    }
}

/// Above the bits of a label that flow and kind of packet take.
const ENTROPY: u32 = 48;

impl Ways {
    pub(crate) fn new(plan: &Plan) -> Self {
        if plan.ways.is_none() && plan.scheme.route.detours() == 0 {
            return Self::default();
        }
        let switches = plan.graph.switches.len();
        let mut routers = vec![plan.scheme.route.build(); switches];
        for (switch, router) in routers.iter_mut().enumerate() {
            router.at_switch(mix(plan.seed) ^ mix(switch as u64 + 1));
        }
        Self {
            sets: plan.ways.clone().unwrap_or_default(),
            routers,
            dice: (0..switches as u64).map(|switch| Dice::stream(plan.seed, "ways", switch)).collect(),
            detours: Detours::new(plan),
            orders: vec![Order::default(); if plan.reorders() { plan.flows.len() } else { 0 }],
        }
    }
}

impl Ways {
    /// From now on these are the ways that there are.
    pub(crate) fn renew(&mut self, sets: EqualCost) {
        self.sets = sets;
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Chooses by which local port a packet leaves the switch that it has come into, and in which lane. Both are kept with
    /// the packet.
    #[inline(always)]
    pub(crate) fn choose_next_hop(&mut self, side: In, input: u32, id: PacketId) -> u16 {
        let mut from = (input - side.base) as u16;
        let local = match self.chooses_ways() {
            true if self.switches.ways.detours.candidates > 0 => self.go_round(side, &mut from, id),
            true => self.choose_way(side, id),
            false => self.switches.routes.port(side.switch, self.packets[id].destination),
        };
        let maps_lanes = self.maps_lanes();
        let packet = &mut self.packets[id];
        packet.port = local;
        if maps_lanes && let Some(map) = &self.switches.lane_map {
            packet.lane = map.lane(side.switch, from, local, packet.lane, packet.service);
        }
        local
    }

    /// The output and the lane by which a packet leaves the switch behind `side`, where it is or to which it is on its way.
    /// What is still on its way, and will choose, may choose otherwise.
    pub(crate) fn next_hop(&self, side: In, id: PacketId) -> (u32, u8) {
        let packet = &self.packets[id];
        if packet.port != Packet::UNROUTED {
            return (side.base + u32::from(packet.port), packet.lane);
        }
        let local = self.switches.routes.port(side.switch, packet.destination);
        let from = (packet.input - side.base) as u16;
        let lane = match &self.switches.lane_map {
            Some(map) => map.lane(side.switch, from, local, packet.lane, packet.service),
            None => packet.lane,
        };
        (side.base + u32::from(local), lane)
    }

    /// The service level of a flow, where lanes go by it.
    #[inline(always)]
    pub(crate) fn service_of(&self, flow: u32) -> u8 {
        if self.maps_lanes() { self.ends.rests[flow as usize].service } else { 0 }
    }

    /// The lane in which an answer to a packet starts: that of its flow.
    #[inline(always)]
    pub(crate) fn lane_back(&self, packet: &Packet) -> u8 {
        if self.maps_lanes() { self.ends.flows[packet.flow as usize].lane } else { packet.lane }
    }

    /// The local port by which a packet leaves the switch it has come into.
    #[inline(never)]
    fn choose_way(&mut self, side: In, id: PacketId) -> u16 {
        let packet = &self.packets[id];
        let mut label = self.flow_number(packet.flow) << 2 | packet.kind as u64;
        if self.has_headers() {
            label |= u64::from(self.ends.headers.of(id).entropy) << ENTROPY;
        }
        let regions = self.regions();
        let told_as = if regions { self.told_as(packet.flow) } else { 0 };
        let fails = self.fails();
        let (lanes, occupancy) = (self.lanes(), &self.switches.occupancy);
        let waiting = |output: u32| match lanes {
            1 => occupancy.waiting(output as usize),
            _ => occupancy.waiting_at(output as usize * lanes..(output as usize + 1) * lanes),
        };
        let Ways { sets, routers, dice, .. } = &mut self.switches.ways;
        let mut ways = sets.ways(side.switch, packet.destination);
        if fails {
            ways = self.links.faults.left(side.base, ways);
        }
        match ways {
            [] => self.switches.routes.port(side.switch, packet.destination),
            [only] => *only,
            several => {
                let (router, dice) = (&mut routers[side.switch as usize], &mut dice[side.switch as usize]);
                let bytes = |way: u32| waiting(side.base + u32::from(several[way as usize]));
                let passing = Passing { now: self.now, label };
                let local = several[router.choose(passing, several.len() as u32, bytes, || dice.unit()) as usize];
                match regions {
                    true => {
                        let (flow, kind) = ((label >> 2) as u32, self.packets[id].kind);
                        let round = self.control.regional.way_round(side.base, several, local, flow, kind, waiting);
                        if round != local && self.probe.wants_regions() {
                            let output = side.base + u32::from(local);
                            let rerouted = RegionFlow::Rerouted { harmful: self.control.regional.knows(output, flow) };
                            self.probe.region_flow(self.now, output, told_as, rerouted);
                        }
                        round
                    }
                    false => local,
                }
            }
        }
    }

    /// A data packet has come in, perhaps later than it should have.
    #[inline]
    pub(crate) fn note_order(&mut self, packet: &Packet) {
        if let Some(order) = self.switches.ways.orders.get_mut(packet.flow as usize)
            && packet.kind == Kind::Data
        {
            order.note(packet.sequence);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_after_a_higher_number_is_late_by_the_distance() {
        let mut order = Order::default();
        [0, 2, 1, 6, 3, 4, 5, 7].into_iter().for_each(|sequence| order.note(sequence));
        assert_eq!((order.late, order.extent, order.next), (4, 3, 8));
    }
}
