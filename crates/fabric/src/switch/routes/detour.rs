//! Detours: packets that take a non-minimal path by another switch.
//!
//! A switch that gets a packet from one of its own hosts draws other hosts at random, and the router decides whether
//! the packet goes by the switch of one of them. If so, the packet is addressed to that host, and the switches
//! on the path need not know. At that host's switch it turns: it is addressed to its own destination again and goes
//! on as if that host had sent it, in a lane of the next phase where lanes have phases.
//!
//! With progressive adaptive routing (PAR) a packet that takes the direct path is marked as open. At its second
//! switch, if that is in the group where the packet started and the packet has to leave the group, it may still be
//! sent on a detour, as if a host of that switch had sent it.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::route::{PathLoad, Router};
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
            let direct = if self.switches.path_choice.detours.groups.is_empty() { NONE } else { OPEN };
            self.switches.path_choice.detours.note(id, if bound == NONE { direct } else { destination });
            if bound != NONE {
                self.packets[id].destination = bound;
            }
        } else if self.switches.path_choice.detours.bound[id.index()] == OPEN {
            self.ask_again(side, from, id);
        } else if self.switches.path_choice.detours.bound[id.index()] != NONE
            && self.switches.path_choice.detours.homes[destination] == side.switch
        {
            let bound = std::mem::replace(&mut self.switches.path_choice.detours.bound[id.index()], NONE);
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
        let detours = &mut self.switches.path_choice.detours;
        detours.bound[id.index()] = NONE;
        let group = |switch: SwitchId| detours.groups[switch];
        let here = group(side.switch);
        if group(came_from) != here || group(detours.homes[destination]) == here {
            return;
        }
        let between = self.drawn_detour(side, destination);
        if between != NONE {
            self.switches.path_choice.detours.bound[id.index()] = destination;
            let is_host = |port: &u16| self.links.outs[side.base + u32::from(*port)].far == Far::Host;
            let host_port = (0..side.radix).find(is_host).unwrap_or(0);
            self.turn(from, id, between, host_port);
        }
    }

    /// The host whose switch a packet's detour goes by; `NONE` if it goes directly.
    fn drawn_detour(&mut self, side: In, destination: HostId) -> HostId {
        let (here, home) = (side.switch, self.switches.path_choice.detours.homes[destination]);
        if here == home {
            return NONE;
        }
        let (mut drawn, mut paths) = (
            std::mem::take(&mut self.switches.path_choice.detours.drawn),
            std::mem::take(&mut self.switches.path_choice.detours.paths),
        );
        drawn.clear();
        paths.clear();
        let hosts = self.switches.path_choice.detours.homes.len();
        for _ in 0..self.switches.path_choice.detours.candidates {
            let between = (self.switches.path_choice.rng[here].unit() * hosts as f64) as usize;
            let between = HostId::from_index(between.min(hosts - 1));
            let switch = self.switches.path_choice.detours.homes[between];
            if switch != here && switch != home && self.switches.path_choice.detours.connects(here, switch) {
                drawn.push(between);
                paths.push(self.path_load(here, between).then(self.path_load(switch, destination)));
            }
        }
        let direct = self.path_load(here, destination);
        let chosen = self.switches.path_choice.routers[here].round(direct, &paths).map_or(NONE, |detour| drawn[detour]);
        (self.switches.path_choice.detours.drawn, self.switches.path_choice.detours.paths) = (drawn, paths);
        chosen
    }

    /// The load of the path from a switch to that of a host, along the routes.
    fn path_load(&self, switch: SwitchId, host: HostId) -> PathLoad {
        let detours = &self.switches.path_choice.detours;
        let (mut at, mut base, mut path) = (switch, detours.bases[switch], PathLoad::default());
        loop {
            let output = base + u32::from(self.switches.routes.port(at, host));
            let out = &self.links.outs[output];
            if out.far == Far::Host {
                return path;
            }
            if self.counts_waiting() && (path.hops == 0 || detours.knows_all) {
                let waiting = self.waiting_for(output);
                if path.hops == 0 {
                    path.waiting = Bytes(waiting);
                }
                path.along = Bytes(path.along.0 + waiting);
            }
            path.hops += 1;
            let next = &self.links.ins[out.peer];
            (at, base) = (next.switch, next.base);
        }
    }
}
