//! Detours: packets that take a non-minimal path by another switch.
//!
//! A switch that gets a packet from one of its own hosts draws other hosts at random, and the router decides whether
//! the packet goes by way of the switch of one of them. If so, the packet is addressed to that host, and the switches
//! on the path need not know. At that host's switch it turns: it is addressed to its own destination again and goes
//! on as if that host had sent it, in a lane of the next phase where lanes have phases.
//!
//! With progressive adaptive routing (PAR) a packet that takes the direct path is marked as open. At its second
//! switch, if that is in the group where the packet started and the packet has to leave the group, it may still be
//! sent on a detour, as if a host of that switch had sent it.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::route::{Router, Way};
use congestree_units::Bytes;
use congestree_wire::{HostId, PacketId, SwitchId};

use crate::fabric::Fabric;
use crate::link::port::{Far, In};
use crate::switch::routes::detours::{NONE, OPEN};
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The local port by which a packet leaves a switch that it came into by local port `from`. If it turns here,
    /// `from` becomes the port of the host that its detour was addressed to.
    #[inline(never)]
    pub(crate) fn go_round(&mut self, side: In, from: &mut u16, id: PacketId) -> u16 {
        let destination = self.packets[id].destination;
        if self.links.outs[side.base + u32::from(*from)].far == Far::Host {
            let bound = self.drawn_detour(side, destination);
            let direct = if self.switches.ways.detours.groups.is_empty() { NONE } else { OPEN };
            self.switches.ways.detours.note(id, if bound == NONE { direct } else { destination });
            if bound != NONE {
                self.packets[id].destination = bound;
            }
        } else if self.switches.ways.detours.bound[id.index()] == OPEN {
            self.ask_again(side, from, id);
        } else if self.switches.ways.detours.bound[id.index()] != NONE
            && self.switches.ways.detours.homes[destination] == side.switch
        {
            let bound = std::mem::replace(&mut self.switches.ways.detours.bound[id.index()], NONE);
            let between = self.switches.routes.port(side.switch, destination);
            self.turn(from, id, bound, between);
        }
        self.switches.routes.port(side.switch, self.packets[id].destination)
    }

    /// A packet goes on to another destination, as if it had come in by the port of that host.
    fn turn(&mut self, from: &mut u16, id: PacketId, destination: HostId, host_port: u16) {
        let packet = &mut self.packets[id];
        packet.destination = destination;
        if let Some(lane) = self.switches.lane_map.as_ref().and_then(|map| map.turning(packet.lane)) {
            (*from, packet.lane) = (host_port, lane);
        }
    }

    /// A packet on the direct path has come to its second switch, and may take a detour from here.
    fn ask_again(&mut self, side: In, from: &mut u16, id: PacketId) {
        let destination = self.packets[id].destination;
        let came_from = self.links.ins[self.links.ins[side.base + u32::from(*from)].sender].switch;
        let detours = &mut self.switches.ways.detours;
        detours.bound[id.index()] = NONE;
        let group = |switch: SwitchId| detours.groups[switch];
        let here = group(side.switch);
        if group(came_from) != here || group(detours.homes[destination]) == here {
            return;
        }
        let between = self.drawn_detour(side, destination);
        if between != NONE {
            self.switches.ways.detours.bound[id.index()] = destination;
            let is_host = |port: &u16| self.links.outs[side.base + u32::from(*port)].far == Far::Host;
            let host_port = (0..side.radix).find(is_host).unwrap_or(0);
            self.turn(from, id, between, host_port);
        }
    }

    /// The host whose switch a packet's detour goes by; `NONE` if it goes directly.
    fn drawn_detour(&mut self, side: In, destination: HostId) -> HostId {
        let (here, home) = (side.switch, self.switches.ways.detours.homes[destination]);
        if here == home {
            return NONE;
        }
        let (mut drawn, mut ways) = (
            std::mem::take(&mut self.switches.ways.detours.drawn),
            std::mem::take(&mut self.switches.ways.detours.ways),
        );
        drawn.clear();
        ways.clear();
        let hosts = self.switches.ways.detours.homes.len();
        for _ in 0..self.switches.ways.detours.candidates {
            let between = (self.switches.ways.rng[here].unit() * hosts as f64) as usize;
            let between = HostId::from_index(between.min(hosts - 1));
            let switch = self.switches.ways.detours.homes[between];
            if switch != here && switch != home {
                drawn.push(between);
                ways.push(self.way(here, between).then(self.way(switch, destination)));
            }
        }
        let direct = self.way(here, destination);
        let chosen = self.switches.ways.routers[here].round(direct, &ways).map_or(NONE, |way| drawn[way]);
        (self.switches.ways.detours.drawn, self.switches.ways.detours.ways) = (drawn, ways);
        chosen
    }

    /// The path from a switch to that of a host, along the routes.
    fn way(&self, switch: SwitchId, host: HostId) -> Way {
        let detours = &self.switches.ways.detours;
        let (mut at, mut base, mut way) = (switch, detours.bases[switch], Way::default());
        loop {
            let output = base + u32::from(self.switches.routes.port(at, host));
            let out = &self.links.outs[output];
            if out.far == Far::Host {
                return way;
            }
            if self.counts_waiting() && (way.hops == 0 || detours.knows_all) {
                let waiting = self.waiting_for(output);
                if way.hops == 0 {
                    way.waiting = Bytes(waiting);
                }
                way.along = Bytes(way.along.0 + waiting);
            }
            way.hops += 1;
            let next = &self.links.ins[out.peer];
            (at, base) = (next.switch, next.base);
        }
    }
}
