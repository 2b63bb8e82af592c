//! Isolating congested flows: carries out what the CAMs of `congestree_schemes::isolate` decide.
//!
//! Every input of a switch has a CAM for its own lines ([`Cam`]), and every output has one for the lines of the next
//! input downstream ([`Mirror`]); a host has both for its link. They decide, and this file acts:
//!
//! - when a normal queue grows, its head is *sorted*: moved to a set-aside queue, repeatedly while the head belongs in
//!   one. The same is done when the head has left, and when a notice makes a new line known;
//! - a set-aside queue whose line downstream is stopped is *stopped*: it does not request any output;
//! - notices go to the upstream neighbour, in band or out of band (`link/frames.rs`); their contents are stored here
//!   until they are heard;
//! - a root that counts as congested puts its output into the congestion state, if there is a marker that follows
//!   roots.
//!
//! All of this happens in lane 0. Packets in other lanes, and packets other than data, are never isolated.

use congestree_kernel::Agenda;
use congestree_probes::{InUse, Probe};
use congestree_schemes::isolate::cam::HeadPacket;
use congestree_schemes::isolate::{Effect, HeadDecision, IsolationRules, Notice, Notices, Suspect};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, HostId, Packet, PacketId, PacketKind, PortId, QueueId};

use crate::control::isolation::lines::LANE;
use crate::fabric::Fabric;
use crate::link::frames::{ControlFrame, Frame};
use crate::tune::variants::Variant;

/// When a notice is sent: at once, or after all packets that start in the instant.
const AT_ONCE: bool = false;
const LATE: bool = true;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Something may have to be done about the packets at an input for an output. (In a queue for several outputs, the
    /// head may now be a packet for another output.)
    #[inline(always)]
    pub(crate) fn isolation_concerns(&self, input: PortId, output: PortId) -> bool {
        let known = self.links.ins[input].has_lines || self.links.outs[output].knows_lines;
        !self.input_map().is_by_output() || known
    }

    /// Updates whether any lines of a CAM are in use.
    pub(crate) fn note_lines(&mut self, port: PortId) {
        let some = self.control.isolation.queueless || !self.control.isolation.cams[port].is_empty();
        self.links.ins[port].has_lines = some;
    }

    /// Prefetches what is looked up about a packet at an input, see `tune/prefetch.rs`.
    #[inline(always)]
    pub(crate) fn fetch_lines(&self, input: PortId) {
        if self.links.ins[input].has_lines {
            self.control.isolation.cams.prefetch(input);
        }
    }

    /// Prefetches what is looked up about the output that a packet goes to.
    #[inline(always)]
    pub(crate) fn fetch_known_lines(&self, output: PortId) {
        if self.links.outs[output].knows_lines {
            self.control.isolation.mirrors.prefetch(output);
        }
    }

    /// A data packet has joined a normal queue of lane 0.
    #[inline]
    pub(crate) fn isolate_arrival(&mut self, input: PortId, output: PortId, queue: QueueId) {
        let fills = self.switches.inputs.queues[queue].packets > self.control.isolation.detect;
        if fills || self.isolation_concerns(input, output) {
            self.look_at_arrival(input, queue);
        }
    }

    fn look_at_arrival(&mut self, input: PortId, queue: QueueId) {
        let Some(rules) = self.control.isolation.rules.clone() else { return };
        let mut effects = std::mem::take(&mut self.control.isolation.effects);
        let held = self.switches.inputs.queues[queue].packets;
        if held > rules.detect {
            let packet = self.suspect(queue, rules.suspect);
            let output = self.links.ins[input].base + u32::from(packet.output);
            let downstream = self.control.isolation.mirrors[output].listing(packet.destination).next().is_some();
            let credit = !rules.needs_credit || self.could_fit(output, LANE, self.control.isolation.full_units);
            let cam = &mut self.control.isolation.cams[input];
            let lines = cam.lines_in_use();
            cam.normal_grew(&rules, held, |_| (packet, downstream), |_| credit, &mut effects);
            if cam.lines_in_use() > lines {
                self.watch_declared(input, queue, packet);
            }
        }
        self.sort(input, queue, &rules, &mut effects);
        self.carry_out(input, effects, &rules, AT_ONCE);
    }

    /// A packet of lane 0 has left a queue; `data` says whether it is a data packet.
    #[inline]
    pub(crate) fn isolate_departure(
        &mut self,
        input: PortId,
        output: PortId,
        queue: QueueId,
        packet: HeadPacket,
        data: bool,
    ) {
        if self.isolation_concerns(input, output) {
            self.look_at_departure(input, queue, packet, data);
        }
    }

    fn look_at_departure(&mut self, input: PortId, queue: QueueId, packet: HeadPacket, data: bool) {
        let Some(rules) = self.control.isolation.rules.clone() else { return };
        let mut effects = std::mem::take(&mut self.control.isolation.effects);
        let held = self.switches.inputs.queues[queue].packets;
        let isolated = self.switches.inputs.isolated_queues(input);
        if isolated.contains(&queue) {
            let number = (queue - isolated.start) as u8;
            let stopped = self.queue_is_stopped(input, number);
            self.control.isolation.cams[input].isolated_queue_shrank(&rules, number, held, stopped, &mut effects);
        } else {
            if self.input_map().is_by_output() {
                self.control.isolation.cams[input].normal_shrank(&rules, packet, held, data, &mut effects);
            }
            self.sort(input, queue, &rules, &mut effects);
        }
        self.carry_out(input, effects, &rules, LATE);
    }

    /// Moves packets that must be isolated to their queues, starting at the head of a normal queue.
    fn sort(&mut self, input: PortId, queue: QueueId, rules: &IsolationRules, effects: &mut Vec<Effect>) {
        let base = self.links.ins[input].base;
        loop {
            let head = self.switches.inputs.queues[queue].list.head;
            if head == PacketId::NONE || self.packets[head].kind != PacketKind::Data {
                return;
            }
            let packet = self.waiting(head);
            let mirror = &self.control.isolation.mirrors[base + u32::from(packet.output)];
            let number = match self.control.isolation.cams[input].sort(rules, packet, mirror, effects) {
                HeadDecision::Stay => return,
                HeadDecision::NoQueue => {
                    self.control.isolation.counts.queues_exhausted += 1;
                    return;
                }
                HeadDecision::Isolate(number) => number,
            };
            self.control.isolation.counts.isolated += 1;
            let isolated = self.switches.inputs.isolated_queues(input).start + u32::from(number);
            self.stop_as_told(input, number);
            self.watch_isolated(base + u32::from(packet.output), input, isolated, self.packets[head].size);
            for output in self.move_head(input, queue, isolated).into_iter().flatten() {
                self.ask(output);
            }
            self.waits_for_less(base + u32::from(packet.output));
            let voq = self.input_map().is_by_output();
            let cam = &mut self.control.isolation.cams[input];
            if voq {
                let held = self.switches.inputs.queues[queue].packets;
                cam.normal_shrank(rules, packet, held, false, effects);
            }
            cam.isolated_queue_grew(rules, number, self.switches.inputs.queues[isolated].packets, effects);
        }
    }

    /// A packet that waits at an input, as the CAM sees it.
    fn waiting(&self, id: PacketId) -> HeadPacket {
        let Packet { destination, port: output, .. } = self.packets[id];
        HeadPacket { output, destination: destination.0 }
    }

    /// The packet to blame for the length of a queue that holds a data packet.
    fn suspect(&self, queue: QueueId, whom: Suspect) -> HeadPacket {
        let list = self.switches.inputs.queues[queue].list;
        let mut data = list.iter(&self.packets).filter(|id| self.packets[*id].kind == PacketKind::Data);
        if whom == Suspect::Head || self.input_map().is_by_output() {
            return self.waiting(data.next().unwrap_or(list.head));
        }
        let ids: Vec<PacketId> = data.collect();
        let count = |id: PacketId| {
            let destination = self.packets[id].destination;
            ids.iter().filter(|other| self.packets[**other].destination == destination).count()
        };
        let most = ids.iter().copied().rev().max_by_key(|id| count(*id)).unwrap_or(list.head);
        self.waiting(most)
    }

    /// The line downstream that a set-aside queue of an input, or of a host's memory, feeds is stopped at present.
    pub(crate) fn queue_is_stopped(&self, input: PortId, number: u8) -> bool {
        let Some(line) = self.control.isolation.cams[input].line_of(number) else { return false };
        let output = self.links.ins[input].base + u32::from(line.output);
        line.next.is_some_and(|next| self.control.isolation.mirrors[output].stops(next))
    }

    /// Lets a set-aside queue request its output, or not, as it was told from downstream.
    fn stop_as_told(&mut self, input: PortId, number: u8) {
        let queue = self.switches.inputs.isolated_queues(input).start + u32::from(number);
        let stopped = self.queue_is_stopped(input, number);
        if self.switches.inputs.queues[queue].stopped == stopped {
            return;
        }
        let requested = self.requested_output(queue);
        if let Some(output) = self.stop_queue(input, queue, stopped) {
            self.ask(output);
        }
        if let Some(output) = requested {
            self.waits_for_less(output);
        }
    }

    /// A queue that waited for this output does so no longer: perhaps nothing waits for credit any more.
    fn waits_for_less(&mut self, output: PortId) {
        if self.links.outs[output].blocked_since != Time::NEVER {
            self.consider(output);
        }
    }

    /// Carries out what the CAM of an input has asked for. Notices on the link are sent late if their cause is that a
    /// packet leaves.
    fn carry_out(&mut self, input: PortId, mut effects: Vec<Effect>, rules: &IsolationRules, late: bool) {
        let base = self.links.ins[input].base;
        for effect in effects.drain(..) {
            match effect {
                Effect::Upstream(notice) => self.tell_upstream(input, notice, rules.notices, late),
                Effect::Congested(output) => self.root_counts(base + u32::from(output), true),
                Effect::Calm(output) => self.root_counts(base + u32::from(output), false),
            }
        }
        self.control.isolation.effects = effects;
        self.note_lines(input);
        self.tell_in_use(input, rules.queues);
    }

    /// Tells a probe what is in use of the lines and queues of a port, which has so many set-aside queues.
    pub(crate) fn tell_in_use(&mut self, port: PortId, there_are: u8) {
        if self.probe.wants_isolation() {
            let cam = &self.control.isolation.cams[port];
            let (lines, queues) = (cam.lines_in_use(), cam.queues_in_use());
            let (host, full) = (self.rules.is_host(port), queues == there_are);
            self.probe.isolated(self.now, InUse { port: port.0, host, lines, queues, full });
        }
    }

    /// Before anything happens, ports without set-aside queues have none that is free.
    pub(crate) fn tell_queueless(&mut self) {
        let Some(there_are) = self.control.isolation.rules.as_ref().map(|rules| rules.queues) else { return };
        if there_are == 0 {
            let own = |port: &PortId| !self.border.is_away(*port) && (self.stages() || !self.rules.is_host(*port));
            let ports: Vec<PortId> = self.links.outs.ids().filter(own).collect();
            ports.into_iter().for_each(|port| self.tell_in_use(port, 0));
        }
    }

    fn tell_upstream(&mut self, input: PortId, notice: Notice, way: Notices, late: bool) {
        let kind = match notice {
            Notice::Allocate { .. } => 0,
            Notice::Stop { .. } => 1,
            Notice::Go { .. } => 2,
            Notice::Release { .. } => 3,
        };
        self.control.isolation.counts.notices[kind] += 1;
        let notice = ControlFrame::Isolation { line: notice.line(), place: self.control.isolation.say(notice) };
        match way {
            Notices::OutOfBand(way) => self.tell_out_of_band(input, way.delay, notice),
            Notices::InBand(way) => {
                let frame = Frame { bytes: way.size.0 as u32, after: Span::ZERO, notice };
                if late { self.tell_late(input, frame) } else { self.tell(input, frame) }
            }
        }
    }

    /// A port hears of a line at the far end of its link.
    pub(crate) fn hear_of_line(&mut self, port: PortId, place: u32) {
        let notice = self.control.isolation.take_out(place);
        self.control.isolation.counts.heard += 1;
        let mirror = &mut self.control.isolation.mirrors[port];
        mirror.hear(&notice);
        let knows = !mirror.is_empty();
        self.links.outs[port].knows_lines = knows;
        if self.rules.is_host(port) {
            return self.host_hears_of_line(port.host(), &notice);
        }
        let Some(rules) = self.control.isolation.rules.clone() else { return };
        let side = self.links.ins[port];
        let local = (port - side.base) as u16;
        for input in PortId::each(side.base..side.base + u32::from(side.radix)) {
            let mut effects = std::mem::take(&mut self.control.isolation.effects);
            let first = self.switches.inputs.isolated_queues(input).start;
            let queues = &self.switches.inputs.queues;
            let empty = |number: u8| queues[first + u32::from(number)].packets == 0;
            self.control.isolation.cams[input].hear(local, &notice, empty, &mut effects);
            if matches!(notice, Notice::Allocate { .. }) {
                let queue = self.queue_towards(input, local);
                self.sort(input, queue, &rules, &mut effects);
            }
            for number in 0..rules.queues {
                self.stop_as_told(input, number);
            }
            self.carry_out(input, effects, &rules, AT_ONCE);
        }
    }

    /// The normal queue of lane 0 in which packets for an output wait.
    pub(super) fn queue_towards(&self, input: PortId, local: u16) -> QueueId {
        self.queue_to(&self.links.ins[input], input, LANE, local, HostId::NONE)
    }

    /// Whether the switch at the far end of its link has stopped a flow of a host, which is at this place there.
    #[inline(always)]
    pub(crate) fn isolation_stops(&self, host: HostId, flow: FlowId, slot: u32) -> bool {
        self.isolates() && self.is_stopped(host, self.ends.flows[flow].target)
            || self.queues_flows() && self.control.flow_isolation.holds(host, slot)
    }

    /// Whether a line at the far end of a host's link that is stopped at present lists this destination.
    #[inline]
    fn is_stopped(&self, host: HostId, destination: HostId) -> bool {
        let skips = self.control.isolation.rules.as_ref().is_some_and(|rules| rules.hosts_skip_stopped);
        (skips || !self.stages()) && self.control.isolation.mirrors[host.port()].stops_destination(destination.0)
    }
}
