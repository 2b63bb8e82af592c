//! A sample of the fabric for the analysis of congestion trees (`congestree_probes::trees`): all links,
//! everything that waits, and which of it flow control holds. Looking changes nothing.
//!
//! A sample of an instant sees the fabric after everything in that instant has happened.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_probes::trees::sample::{Backlog, Channel, FabricSample, NextChannels, SOURCE};
use congestree_schemes::Transport;
use congestree_schemes::transport::Next;
use congestree_topology::LaneMap;
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, IndexVec, Packet, PacketId, PacketKind, PortId};

use crate::fabric::Fabric;
use crate::link::links::Links;
use crate::link::port::{Far, In, Out};
use crate::plan::ArbiterPlan;
use crate::switch::queues::list::List;
use crate::switch::routes::forwarding::Forwarding;
use crate::switch::routes::path_choice::PathChoice;
use crate::switch::switches::Switches;
use crate::tune::variants::Variant;

/// Heads of queues that request a channel.
#[derive(Clone, Copy, Default)]
struct Asked {
    by: u32,
    /// Number of those that flow control would let start.
    able: u32,
}

impl Asked {
    fn count(&mut self, able: bool) {
        self.by += 1;
        self.able += u32::from(able);
    }
}

/// The routes of a fabric, as steps from channel to channel.
struct Roads<'a> {
    outs: &'a IndexVec<PortId, Out>,
    ins: &'a IndexVec<PortId, In>,
    routes: &'a Forwarding,
    lane_map: Option<&'a LaneMap>,
    /// The choices of switches, where they choose by flow.
    path_choice: Option<&'a PathChoice>,
    lanes: u32,
}

impl NextChannels for Roads<'_> {
    fn next(&self, channel: u32, destination: u32, label: u64) -> Option<u32> {
        let (port, lane) = (PortId(channel / self.lanes), channel % self.lanes);
        let out = &self.outs[port];
        if out.far == Far::Host {
            return None;
        }
        let side = &self.ins[out.peer];
        let chosen = self.path_choice.and_then(|choice| choice.foretell(side.switch, HostId(destination), label));
        let local = chosen.unwrap_or_else(|| self.routes.port(side.switch, HostId(destination)));
        let lane = match self.lane_map {
            Some(map) => u32::from(map.lane(side.switch.0, (out.peer - side.base) as u16, local, lane as u8, 0)),
            None => lane,
        };
        Some((side.base + u32::from(local)).0 * self.lanes + lane)
    }
}

/// Where links may fail, and on detours, the choice of a switch cannot be predicted: packets are assumed to follow the
/// routes.
fn roads<'a>(links: &'a Links, switches: &'a Switches, fails: bool) -> Roads<'a> {
    let foretold = !fails && switches.path_choice.detours.candidates == 0 && !switches.path_choice.routers.is_empty();
    Roads {
        outs: &links.outs,
        ins: &links.ins,
        routes: &switches.routes,
        lane_map: switches.lane_map.as_deref(),
        path_choice: foretold.then_some(&switches.path_choice),
        lanes: (links.out_lanes.len() / links.outs.len().max(1)) as u32,
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Takes the samples that are due before `next`, the time of the next event.
    #[cold]
    pub(crate) fn take_snapshots(&mut self, next: Time) {
        while self.probe.sample_due() < next && self.probe.sample_due() <= self.rules.end {
            let at = self.probe.sample_due();
            let mut sample = self.probe.blank_sample();
            self.settle_queue_credits(at);
            self.fill_in(&mut sample, at);
            let roads = roads(&self.links, &self.switches, self.fails());
            self.probe.take_sample(sample, &roads);
        }
    }

    /// The share of this part of a network in a sample of that instant, after everything in it has happened here: what
    /// waits at its own ports, and the state of its own channels.
    pub(crate) fn part_sample(&mut self, at: Time) -> FabricSample {
        let mut sample = self.probe.blank_sample();
        self.settle_queue_credits(at);
        self.fill_in(&mut sample, at);
        sample
    }

    /// Shows a probe a sample of the whole network, whose routes are the same in all parts.
    pub(crate) fn show<Q: Probe>(&self, sample: FabricSample, probe: &mut Q) {
        probe.take_sample(sample, &roads(&self.links, &self.switches, self.fails()));
    }

    /// A sample of the present.
    pub(crate) fn sample_now(&mut self) -> FabricSample {
        let mut sample = FabricSample::default();
        self.settle_queue_credits(self.now);
        self.fill_in(&mut sample, self.now);
        sample
    }

    fn fill_in(&self, sample: &mut FabricSample, at: Time) {
        sample.at = at;
        sample.packet = self.rules.adapter.full().0;
        sample.waiting.clear();
        sample.channels.clear();
        sample.credits.clear();
        sample.ends.clear();
        if sample.asks_credits {
            let (ports, lanes) = (self.links.outs.len() as u32, self.lanes() as u8);
            let channels = (0..ports).flat_map(|port| (0..lanes).map(move |lane| (port, lane)));
            sample.credits.extend(channels.map(|(port, lane)| self.credit_for_all(PortId(port), lane, at)));
        }
        for (port, out) in self.links.outs.with_ids() {
            let rate = self.links.rates[usize::from(out.rate)].rate().0;
            let busy = self.is_occupied(port, at);
            let channel = Channel { rate, to_host: out.far == Far::Host, busy, held: false };
            sample.channels.extend(std::iter::repeat_n(channel, self.lanes()));
        }
        let at_hosts = self.waiting_flows(at);
        let mut asked = vec![Asked::default(); sample.channels.len()];
        for port in self.links.outs.ids() {
            if self.border.is_away(port) {
                sample.ends.push(sample.waiting.len());
                continue;
            }
            match self.rules.is_host(port) {
                true => self.waiting_at_host(&at_hosts[port.host().index()], at, &mut asked, sample),
                false => self.waiting_by_port(port, &mut |place, id, how| {
                    let packet = &self.packets[id];
                    let output = PortId((place / self.lanes()) as u32);
                    let fits = self.may_start(output, packet.lane, packet.destination, packet.units, at);
                    if how.first && !how.stopped {
                        asked[place].count(fits);
                    }
                    let packet = Backlog {
                        buffer: self.buffer_of(packet),
                        output: place as u32,
                        flow: self.reporting_flow(packet.flow).0,
                        destination: packet.destination.0,
                        label: self.label_of(id),
                        bytes: u64::from(packet.size),
                        front: how.front,
                        over: how.over,
                        stopped: how.stopped,
                        fits: fits && self.came_in_time(packet, output, at),
                    };
                    add_to(sample, packet);
                }),
            }
            sample.ends.push(sample.waiting.len());
        }
        for (channel, asked) in sample.channels.iter_mut().zip(asked) {
            channel.held = asked.by > 0 && asked.able == 0;
        }
    }

    /// The port can take no packet, and neither flow control nor a packet for another port is the cause: it sends, keeps
    /// all that its replay buffer has room for, has frames to send again, or takes what crosses to it. Or it has used the
    /// present slot, where switches match in slots.
    fn is_occupied(&self, port: PortId, at: Time) -> bool {
        let taken = self.links.outs[port].busy_until > at || self.retries() && self.retry_holds(port);
        if taken || self.rules.is_host(port) {
            return taken;
        }
        self.open_at(port) > self.slot_began(at).unwrap_or(at)
    }

    /// Where switches match in slots: the packet was here when the present one began, and flow control let its output send
    /// then.
    fn came_in_time(&self, packet: &Packet, output: PortId, at: Time) -> bool {
        let let_send = self.links.outs[output].blocked_since == Time::NEVER;
        self.slot_began(at).is_none_or(|began| packet.ready <= began && let_send)
    }

    /// Where switches match in slots: when the present one began.
    fn slot_began(&self, at: Time) -> Option<Time> {
        match self.arbiter() {
            ArbiterPlan::Islip { slot: Some(slot), .. } => Some(Time(at.0 - at.0 % slot.0)),
            _ => None,
        }
    }

    /// Flow control lets a packet of `units` credit units start: there is credit for it.
    fn may_start(&self, port: PortId, lane: u8, destination: HostId, units: u16, at: Time) -> bool {
        self.room_at(port, lane, Some(destination), at).is_none_or(|room| room >= u64::from(units))
    }

    /// The channel that feeds the buffer in which a packet in a switch waits.
    fn buffer_of(&self, packet: &Packet) -> u32 {
        self.at(self.links.ins[packet.input].sender, packet.buffer_lane) as u32
    }

    /// Calls `tell` once for every data packet that waits at a switch, with the channel by which it leaves. The packets
    /// are found by the output that they wait for, or by their input.
    fn waiting_by_port(&self, port: PortId, tell: &mut dyn FnMut(usize, PacketId, How)) {
        let mut tell_queue =
            |queue, stopped, over| self.tell_queue(port, queue, How { stopped, over, ..How::default() }, tell);
        self.each_list(port, &mut |queue, stopped| tell_queue(queue, stopped, false));
        for lane in 0..if self.buffers_outputs() { self.lanes() as u8 } else { 0 } {
            tell_queue(self.switches.queues.get(self.queue_at_output(port, lane)), false, true);
        }
    }

    /// Calls `tell` for the data packets of a queue of a switch, which may be for several outputs.
    fn tell_queue(&self, port: PortId, queue: List, how: How, tell: &mut dyn FnMut(usize, PacketId, How)) {
        let side = self.links.ins[port];
        let mut front = None;
        for (place, id) in queue.iter(&self.packets).enumerate() {
            let packet = &self.packets[id];
            let channel = self.at(side.base + u32::from(packet.port), packet.lane);
            let front = *front.get_or_insert(channel as u32);
            if packet.kind == PacketKind::Data {
                tell(channel, id, How { first: place == 0, front, ..how });
            }
        }
    }

    /// By host: the flows that wait for its link.
    fn waiting_flows(&self, at: Time) -> Vec<Vec<FlowId>> {
        let mut waiting = vec![Vec::new(); self.ends.hosts.len()];
        for (id, flow) in self.ends.flows.with_ids() {
            if !self.border.is_away(flow.host.port()) && self.waits_for_link(id, at) {
                waiting[flow.host.index()].push(id);
            }
        }
        waiting
    }

    /// A flow has a packet, and its rate limit and its host allow it to start as soon as the link is free. (Whether the
    /// flow is marked as ready does not show this: that mark is only updated when it is needed for a decision.)
    fn waits_for_link(&self, id: FlowId, at: Time) -> bool {
        let flow = &self.ends.flows[id];
        let asked = match self.transports() {
            true => self.asked_by_connection(id),
            false => {
                if flow.has_packet(at) {
                    Time::START
                } else {
                    Time::NEVER
                }
            }
        };
        let allowed = asked.max(self.ends.flows[self.pacer(id)].next_at).max(self.ends.hosts[flow.host].inject_at);
        let busy_until = self.links.outs[flow.host.port()].busy_until;
        let free = if busy_until == Time::NEVER { at } else { at.max(busy_until) };
        allowed <= free && self.posted_at(id) <= at
    }

    /// When the transport of a flow wants to send next, if it wants to and may.
    fn asked_by_connection(&self, id: FlowId) -> Time {
        let transport = &self.ends.connections.senders[id].transport;
        let may = |next: &Next| next.fills || transport.in_flight() < self.ends.cold[id].window;
        transport.next().filter(may).map_or(Time::NEVER, |next| next.at)
    }

    /// The flows of a host that could send, but for other flows or flow control: notes a packet of each.
    fn waiting_at_host(&self, flows: &[FlowId], at: Time, asked: &mut [Asked], sample: &mut FabricSample) {
        for &id in flows {
            let flow = &self.ends.flows[id];
            let host = flow.host;
            let size = self.next_size(id);
            let place = self.at(host.port(), flow.lane);
            let stopped = self.isolates()
                && self.control.isolation.mirrors[host.port()].stops_destination(flow.target.0)
                || self.queues_flows() && self.control.flow_isolation.holds(host, flow.slot);
            let fits = self.may_start(host.port(), flow.lane, flow.target, self.units_of(size, PacketKind::Data), at);
            if !stopped {
                asked[place].count(fits);
            }
            sample.waiting.push(Backlog {
                buffer: SOURCE,
                output: place as u32,
                flow: self.reporting_flow(id).0,
                destination: flow.target.0,
                label: self.flow_number(id) << 2 | PacketKind::Data as u64,
                bytes: u64::from(size),
                front: place as u32,
                over: false,
                stopped,
                fits,
            });
        }
    }
}

/// How a packet waits.
#[derive(Clone, Copy, Default)]
struct How {
    /// It is the first of its queue.
    first: bool,
    /// The channel by which the first packet of its queue leaves.
    front: u32,
    /// It is in a set-aside queue, which is stopped from downstream.
    stopped: bool,
    /// It is in the buffer of its output.
    over: bool,
}

/// Adds a packet to those that wait; successive packets of one flow are a single entry.
fn add_to(sample: &mut FabricSample, packet: Backlog) {
    match sample.waiting.last_mut() {
        Some(last) if (Backlog { bytes: packet.bytes, ..*last }) == packet => last.bytes += packet.bytes,
        _ => sample.waiting.push(packet),
    }
}
