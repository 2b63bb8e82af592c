//! A look at the fabric for whoever analyses congestion trees (`congestree_probes::trees`): all links, everything that waits,
//! and which of it flow control holds. Looking changes nothing.
//!
//! A look at an instant sees the fabric after all that happened in it.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_probes::trees::look::{Backlog, Channel, Look, NextChannels, SOURCE};
use congestree_topology::LaneMap;
use congestree_units::Time;
use congestree_wire::{HostId, IndexVec, Packet, PacketKind, PortId};

use crate::fabric::Fabric;
use crate::host::flow::Supply;
use crate::link::links::Links;
use crate::link::port::{Far, In, Out};
use crate::switch::queues::list::List;
use crate::switch::routes::forwarding::Forwarding;
use crate::switch::switches::Switches;
use crate::tune::variants::Variant;

/// Heads of queues that ask for a channel.
#[derive(Clone, Copy, Default)]
struct Asked {
    by: u32,
    /// Those that flow control would let start.
    able: u32,
}

impl Asked {
    fn count(&mut self, able: bool) {
        self.by += 1;
        self.able += u32::from(able);
    }
}

/// The routes of a fabric, from channel to channel.
struct Roads<'a> {
    outs: &'a IndexVec<PortId, Out>,
    ins: &'a IndexVec<PortId, In>,
    routes: &'a Forwarding,
    lane_map: Option<&'a LaneMap>,
    lanes: u32,
}

impl NextChannels for Roads<'_> {
    fn next(&self, channel: u32, destination: u32) -> Option<u32> {
        let (port, lane) = (PortId(channel / self.lanes), channel % self.lanes);
        let out = &self.outs[port];
        if out.far == Far::Host {
            return None;
        }
        let side = &self.ins[out.peer];
        let local = self.routes.port(side.switch, HostId(destination));
        let lane = match self.lane_map {
            Some(map) => u32::from(map.lane(side.switch.0, (out.peer - side.base) as u16, local, lane as u8, 0)),
            None => lane,
        };
        Some((side.base + u32::from(local)).0 * self.lanes + lane)
    }
}

fn roads<'a>(links: &'a Links, switches: &'a Switches) -> Roads<'a> {
    Roads {
        outs: &links.outs,
        ins: &links.ins,
        routes: &switches.routes,
        lane_map: switches.lane_map.as_deref(),
        lanes: (links.out_lanes.len() / links.outs.len().max(1)) as u32,
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Takes the looks that are due before `next`, when something happens again.
    #[cold]
    pub(crate) fn take_snapshots(&mut self, next: Time) {
        while self.probe.look_due() < next && self.probe.look_due() <= self.rules.end {
            let at = self.probe.look_due();
            let mut look = self.probe.blank_look();
            self.settle_own_rooms(at);
            self.fill_in(&mut look, at);
            let roads = roads(&self.links, &self.switches);
            self.probe.look(look, &roads);
        }
    }

    /// What this part of a network sees of a look at that instant, after all that happened in it here: what waits at its own
    /// ports, and its own channels.
    pub(crate) fn glimpse(&mut self, at: Time) -> Look {
        let mut look = self.probe.blank_look();
        self.settle_own_rooms(at);
        self.fill_in(&mut look, at);
        look
    }

    /// Tells somebody of a look at the whole network, whose routes are the same in all parts.
    pub(crate) fn show<Q: Probe>(&self, look: Look, probe: &mut Q) {
        probe.look(look, &roads(&self.links, &self.switches));
    }

    /// A look at the present.
    pub(crate) fn look_now(&mut self) -> Look {
        let mut look = Look::default();
        self.settle_own_rooms(self.now);
        self.fill_in(&mut look, self.now);
        look
    }

    fn fill_in(&self, look: &mut Look, at: Time) {
        look.at = at;
        look.packet = self.rules.adapter.full().0;
        look.waiting.clear();
        look.channels.clear();
        look.credits.clear();
        look.ends.clear();
        if look.asks_credits {
            let (ports, lanes) = (self.links.outs.len() as u32, self.lanes() as u8);
            let channels = (0..ports).flat_map(|port| (0..lanes).map(move |lane| (port, lane)));
            look.credits.extend(channels.map(|(port, lane)| self.credit_of(PortId(port), lane, None, at)));
        }
        for out in &self.links.outs {
            let rate = self.links.rates[usize::from(out.rate)].rate().0;
            let busy = out.busy_until > at;
            let channel = Channel { rate, to_host: out.far == Far::Host, busy, held: false };
            look.channels.extend(std::iter::repeat_n(channel, self.lanes()));
        }
        let mut asked = vec![Asked::default(); look.channels.len()];
        for port in self.links.outs.ids() {
            if self.border.is_away(port) {
                look.ends.push(look.waiting.len());
                continue;
            }
            match self.rules.is_host(port) {
                true => self.waiting_at_host(port.host(), at, &mut asked, look),
                false => self.waiting_by_port(port, &mut |output, packet, first, how| {
                    let place = self.at(output, packet.lane);
                    if first && how == How::default() {
                        asked[place].count(self.may_start(output, packet.lane, packet.destination, packet.units, at));
                    }
                    note(look, self.buffer_of(packet), place as u32, packet, how);
                }),
            }
            look.ends.push(look.waiting.len());
        }
        for (channel, asked) in look.channels.iter_mut().zip(asked) {
            channel.held = asked.by > 0 && asked.able == 0;
        }
    }

    /// Flow control lets a packet of so many units start: there is credit for it.
    fn may_start(&self, port: PortId, lane: u8, destination: HostId, units: u16, at: Time) -> bool {
        self.room_at(port, lane, Some(destination), at).is_none_or(|room| room >= u64::from(units))
    }

    /// The channel whose buffer a packet in a switch waits in.
    fn buffer_of(&self, packet: &Packet) -> u32 {
        self.at(self.links.ins[packet.input].sender, packet.buffer_lane) as u32
    }

    /// Tells of every data packet that waits at a switch, once: by the output it waits for, or by its input. `first`:
    /// it is the next of its queue.
    fn waiting_by_port(&self, port: PortId, tell: &mut dyn FnMut(PortId, &Packet, bool, How)) {
        self.each_list(port, &mut |list, stopped| self.tell_queue(port, list, stopped, tell));
    }

    /// Tells of a queue of a switch, whose packets may be for several outputs, and which may be stopped.
    fn tell_queue(&self, port: PortId, queue: List, stopped: bool, tell: &mut dyn FnMut(PortId, &Packet, bool, How)) {
        let side = self.links.ins[port];
        let mut head = None;
        self.tell_each(queue.iter(&self.packets), &mut |packet, first| {
            let output = side.base + u32::from(packet.port);
            let waits_for = *head.get_or_insert(output);
            tell(output, packet, first, How { behind: output != waits_for, stopped });
        });
    }

    /// Data packets of a queue, and whether they are its first.
    fn tell_each(&self, queue: impl Iterator<Item = congestree_wire::PacketId>, tell: &mut dyn FnMut(&Packet, bool)) {
        for (place, id) in queue.enumerate() {
            let packet = &self.packets[id];
            if packet.kind == PacketKind::Data {
                tell(packet, place == 0);
            }
        }
    }

    /// Flows of a host that could send, were it not for others or for flow control: a packet of each.
    fn waiting_at_host(&self, host: HostId, at: Time, asked: &mut [Asked], look: &mut Look) {
        let state = &self.ends.hosts[host];
        let set = &self.ends.ready[state.first_word as usize..state.end_word as usize];
        for slot in crate::switch::round_robin::cyclic(set, 0) {
            let id = self.flow_at(state, slot as u32);
            let flow = &self.ends.flows[id];
            if flow.supply == Supply::Pulled && flow.created > at {
                continue;
            }
            let size = self.next_size(id);
            let place = self.at(host.port(), flow.lane);
            let stopped =
                self.isolates() && self.control.isolation.mirrors[host.port()].stops_destination(flow.target.0);
            if !stopped {
                asked[place].count(self.may_start(
                    host.port(),
                    flow.lane,
                    flow.target,
                    self.units_of(size, PacketKind::Data),
                    at,
                ));
            }
            look.waiting.push(Backlog {
                buffer: SOURCE,
                output: place as u32,
                flow: id.0,
                destination: flow.target.0,
                bytes: u64::from(size),
                behind: false,
                stopped,
            });
        }
    }
}

/// How a packet waits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct How {
    /// Others in its queue go elsewhere and come first.
    behind: bool,
    /// Its queue is set aside, and stopped from downstream.
    stopped: bool,
}

/// Adds a packet to what waits; those of one flow that follow each other are one entry.
fn note(look: &mut Look, buffer: u32, output: u32, packet: &Packet, how: How) {
    let (flow, destination, bytes) = (packet.flow.0, packet.destination, u64::from(packet.size));
    let How { behind, stopped } = how;
    let fresh = Backlog { buffer, output, flow, destination: destination.0, bytes, behind, stopped };
    match look.waiting.last_mut() {
        Some(last) if (Backlog { bytes, ..*last }) == fresh => last.bytes += bytes,
        _ => look.waiting.push(fresh),
    }
}
