//! Packets that hosts put on their links: the one place where packets are made, and the one way on which they leave.
//!
//! Streams, windows and transports differ in what they send next; how it is sent is the same for all. An ACK carries
//! a number, the time stamp of the packet that caused it, the congestion that this packet met, and what switches have
//! written into it.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::transport::{Header, Role};
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, Packet, PacketId, PacketKind, PortId, Sign};

use crate::fabric::Fabric;
use crate::tune::variants::Variant;

/// Which data that switches have written a control packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carries {
    /// None: it answers no data packet.
    Nothing,
    /// That of the packet that has just arrived.
    Last,
    /// That of the packet for which it was kept for this flow.
    Kept,
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Credit units that a packet takes. With pauses all kinds and sizes of packets are held alike.
    #[inline]
    pub(crate) fn units_of(&self, size: u32, kind: PacketKind) -> u16 {
        if self.pauses() {
            return 1;
        }
        if kind != PacketKind::Data && !self.rules.flow_control.control_uses_credits {
            return 0;
        }
        self.rules.flow_control.units(size)
    }

    /// A packet of a flow as it leaves a host, towards the destination of the flow.
    #[inline(always)]
    pub(super) fn packet_of(&self, flow_id: FlowId, kind: PacketKind, size: u32) -> Packet {
        let flow = &self.ends.flows[flow_id];
        Packet {
            next: PacketId::NONE,
            flow: flow_id,
            destination: flow.target,
            size,
            input: PortId::NONE,
            sequence: 0,
            units: self.units_of(size, kind),
            epoch: if self.ends.renews { self.ends.cold[flow_id].epoch } else { 0 },
            passed: 0,
            port: Packet::UNROUTED,
            lane: flow.lane,
            buffer_lane: flow.lane,
            service: self.service_of(flow_id),
            kind,
            sign: Sign::Clear,
            last: false,
            acks: 0,
            created: self.now,
            injected: self.now,
            ready: self.now,
        }
    }

    /// Sends the next packet of a flow.
    pub(crate) fn send_data(&mut self, host: HostId, flow_id: FlowId) {
        let size = self.next_size(flow_id);
        if self.transports() {
            return self.send_from_connection(host, flow_id, size);
        }
        let packet = Packet { input: host.port(), ..self.next_of_stream(flow_id, size) };
        let (until, plain) = self.put_on_link(host, packet, None);
        if self.runs_programs() && packet.last && !self.stages() {
            self.message_out(flow_id, until);
        }
        if self.ends.flows[flow_id].remaining == 0 {
            if packet.acks == 0 && !self.stages() {
                self.message_done(flow_id, until);
            }
            self.next_message(flow_id);
        }
        if !plain {
            self.tell_limit(flow_id);
        }
        self.refresh(flow_id);
        if !self.stages() {
            self.wake_after(host, until);
        }
    }

    /// A data packet starts. Returns when its link (or, with an injection memory, the host) is done with it, and
    /// whether its flow was plain before.
    #[inline(always)]
    pub(super) fn put_on_link(&mut self, host: HostId, packet: Packet, header: Option<Header>) -> (Time, bool) {
        let (flow, size, lane) = (packet.flow, packet.size, packet.lane);
        self.audit_injection(host, flow, size);
        let plain = self.starts(host, flow, self.pacer(flow), size);
        let id = self.packets.add(packet);
        if self.telemeters() {
            self.control.inband.start(id);
        }
        if self.queues_flows() {
            self.name_queue(id);
        }
        if self.has_headers() {
            self.ends.headers.put(id, header.unwrap_or_default());
        }
        let until = if self.stages() {
            self.stage(host, id);
            self.now
        } else {
            let place = self.at(host.port(), packet.lane);
            self.links.out_lanes[place].starved = 0;
            self.transmit(host.port(), id)
        };
        let slot = self.ends.flows[flow].slot;
        if self.weighs_lanes() || self.schedules_lanes() {
            let place = self.at(host.port(), lane);
            self.ends.turns.by_lane[place] = slot;
        }
        let state = &mut self.ends.hosts[host];
        state.turn = slot;
        if let Some(time) = self.ends.bus.between(size) {
            state.inject_at = self.now + time;
        }
        (until, plain)
    }

    /// The host decides again at `until`, when its link is free; if only data waits, not before its bus is free.
    #[inline(always)]
    pub(super) fn wake_after(&mut self, host: HostId, until: Time) {
        if self.has_work(host) {
            let state = &self.ends.hosts[host];
            let next = if state.control.is_empty() { until.max(state.inject_at) } else { until };
            self.wake_by(host.port(), next);
        }
    }

    /// A control packet of a host sets out (an ACK: after its turnaround), with the header of a transport if there
    /// are headers.
    pub(super) fn dispatch(&mut self, host: HostId, packet: Packet, header: Option<Header>, carries: Carries) {
        let id = self.packets.add(packet);
        if self.telemeters() {
            match carries {
                Carries::Nothing => self.control.inband.start(id),
                Carries::Last => self.control.inband.pass_on(id),
                Carries::Kept => self.control.inband.pass_on_kept(packet.flow, id),
            }
        }
        if self.has_headers() {
            self.ends.headers.put(id, header.unwrap_or_default());
        }
        let asks = header.is_some_and(|header| matches!(header.role, Role::Grant | Role::Request));
        match packet.kind == PacketKind::Ack && !asks {
            true => self.turn_around(host, id),
            false => self.queue_control(host, id),
        }
    }
}
