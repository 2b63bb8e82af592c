//! Switches that choose: a packet that could leave by several ports, all equally near to its host, asks the router.
//!
//! The choice is made when a packet becomes routable, once a switch, and remembered as long as the packet is there. Packets
//! of a flow that go different ways may overtake each other: how many did, and by how much, is counted at the host.

use congestree_kernel::{Agenda, Dice, mix};
use congestree_probes::{Probe, RegionFlow};
use congestree_schemes::route::{AnyRouter, Passing, Router};
use congestree_topology::EqualCost;
use congestree_wire::{Kind, Packet, PacketId};

use crate::fabric::Fabric;
use crate::plan::Plan;
use crate::port::In;
use crate::shape::Shape;

/// The routers of a network; none if routes are fixed.
#[derive(Debug, Default)]
pub(crate) struct Ways {
    /// There are any.
    pub on: bool,
    sets: EqualCost,
    /// By switch.
    routers: Vec<AnyRouter>,
    dice: Vec<Dice>,
    /// By packet: the local port that was chosen in the switch it is in.
    chosen: Vec<u16>,
    /// By port: bytes that wait for it.
    waiting: Vec<u64>,
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

impl Ways {
    pub(crate) fn new(plan: &Plan, ports: usize) -> Self {
        let Some(sets) = &plan.ways else { return Self::default() };
        let switches = plan.graph.switches.len();
        let mut routers = vec![plan.scheme.route.build(); switches];
        for (switch, router) in routers.iter_mut().enumerate() {
            router.at_switch(mix(plan.seed) ^ mix(switch as u64 + 1));
        }
        Self {
            on: true,
            sets: sets.clone(),
            routers,
            dice: (0..switches as u64).map(|switch| Dice::stream(plan.seed, "ways", switch)).collect(),
            chosen: Vec::new(),
            waiting: vec![0; ports],
            orders: vec![Order::default(); if plan.scheme.reorders() { plan.flows.len() } else { 0 }],
        }
    }
}

impl<A: Agenda, P: Probe, S: Shape> Fabric<A, P, S> {
    /// The local port by which a packet leaves the switch it has come into.
    #[inline(never)]
    pub(crate) fn choose_way(&mut self, side: In, id: PacketId) -> u16 {
        let packet = &self.packets[id];
        let label = self.flow_number(packet.flow) << 2 | packet.kind as u64;
        let told_as = if self.regional.on { self.told_as(packet.flow) } else { 0 };
        let Ways { sets, routers, dice, chosen, waiting, .. } = &mut self.ways;
        let ways = sets.ways(side.switch, packet.destination);
        let local = match ways {
            [] => self.routes.port(side.switch, packet.destination),
            [only] => *only,
            several => {
                let (router, dice) = (&mut routers[side.switch as usize], &mut dice[side.switch as usize]);
                let bytes = |way: u32| waiting[side.base as usize + usize::from(several[way as usize])];
                let passing = Passing { now: self.now, label };
                let local = several[router.choose(passing, several.len() as u32, bytes, || dice.unit()) as usize];
                match self.regional.on {
                    true => {
                        let (flow, kind) = ((label >> 2) as u32, self.packets[id].kind);
                        let round = self.regional.way_round(side.base, several, local, flow, kind);
                        if round != local && self.probe.wants_regions() {
                            let output = side.base + u32::from(local);
                            let rerouted = RegionFlow::Rerouted { harmful: self.regional.knows(output, flow) };
                            self.probe.region_flow(self.now, output, told_as, rerouted);
                        }
                        round
                    }
                    false => local,
                }
            }
        };
        let place = id.0 as usize;
        if chosen.len() <= place {
            chosen.resize((place + 1).next_power_of_two(), 0);
        }
        chosen[place] = local;
        local
    }

    /// The local port by which a packet leaves that waits in a switch.
    #[inline]
    pub(crate) fn way_of(&self, side: In, id: PacketId) -> u16 {
        match self.ways.chosen.get(id.0 as usize) {
            Some(&local) if self.ways.on && local < side.radix => local,
            _ => self.routes.port(side.switch, self.packets[id].destination),
        }
    }

    /// More bytes wait for an output, or fewer.
    #[inline]
    pub(crate) fn way_fills(&mut self, output: u32, grown: u32, shrunk: u32) {
        let waiting = &mut self.ways.waiting[output as usize];
        *waiting = *waiting + u64::from(grown) - u64::from(shrunk);
    }

    /// A data packet has come in, perhaps later than it should have.
    #[inline]
    pub(crate) fn note_order(&mut self, packet: &Packet) {
        if let Some(order) = self.ways.orders.get_mut(packet.flow as usize)
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
