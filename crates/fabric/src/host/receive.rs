//! Packets that arrive at a host: they are counted, drained into its memory, and answered with an ACK or a
//! notification.

use congestree_kernel::Agenda;
use congestree_probes::{Delivery, Probe};
use congestree_schemes::transport::{Header, Role};
use congestree_units::{Span, Time};
use congestree_wire::{HostId, Packet, PacketId, PacketKind, PortId, Sign};

use crate::control::marking::mark::sent;
use crate::event::Event;
use crate::fabric::Fabric;
use crate::host::answers::feedback::met;
use crate::host::pace::CongestionSignal;
use crate::host::packets::Carries;
use crate::observe::outcome::Stop;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// All of a packet will have arrived at `in_at`. A packet that will only be counted is counted now, which saves
    /// an event, unless others arrive before it or the counts are read before then.
    #[inline(always)]
    pub(crate) fn deliver_at(&mut self, in_at: Time, host: HostId, id: PacketId, kind: PacketKind) {
        if self.receives_quietly() {
            if in_at <= self.records.unseen_until && self.ends.hosts[host].expected == 0 && self.is_quiet(id) {
                return self.come_in_at(in_at, host, id);
            }
            self.ends.hosts[host].expected += 1;
        }
        if self.runs_programs() && kind == PacketKind::Data && (self.packets[id].last || self.rules.counts_coming) {
            self.message_comes(id, in_at);
        }
        self.schedule(in_at, Event::Deliver { host, packet: id });
    }

    /// The arrival of the packet causes nothing but counting.
    #[inline(always)]
    fn is_quiet(&self, id: PacketId) -> bool {
        let packet = &self.packets[id];
        packet.kind == PacketKind::Data
            && packet.acks == 0
            && (packet.sign == Sign::Clear || self.control.cnp.is_none())
    }

    /// Does now what happens when all of a packet has arrived.
    #[inline(never)]
    fn come_in_at(&mut self, in_at: Time, host: HostId, id: PacketId) {
        let now = std::mem::replace(&mut self.now, in_at);
        self.come_in(host, id);
        self.now = now;
    }

    /// All of a packet has arrived.
    #[inline]
    pub(crate) fn deliver(&mut self, host: HostId, id: PacketId) {
        if self.receives_quietly() {
            self.ends.hosts[host].expected -= 1;
        }
        self.come_in(host, id);
    }

    #[inline]
    fn come_in(&mut self, host: HostId, id: PacketId) {
        if self.fails() && self.links.faults.has_lost(id) {
            return self.never_came(host.port(), id);
        }
        let packet = self.packets[id];
        if packet.kind == PacketKind::Cnp && self.control.cnp_delay() > Span::ZERO {
            return self.notification_in(host, id, &packet);
        }
        let header = if self.transports() { self.header_of(id, &packet) } else { Header::default() };
        let has_data = packet.kind == PacketKind::Data || header.role == Role::Trimmed;
        debug_assert!(
            !has_data || self.still().only_destination(packet.flow).is_none_or(|only| only == host),
            "a packet of flow {} has come to host {host}, which is not its destination",
            packet.flow
        );
        if self.telemeters() {
            self.control.inband.take(id);
        }
        self.packets.remove(id);
        if !self.takes_in(host, &packet) {
            return;
        }
        match (packet.kind, self.transports()) {
            (PacketKind::Data, false) => self.deliver_data(&packet),
            (PacketKind::Ack, false) => self.deliver_ack(&packet),
            (PacketKind::Cnp, _) => self.deliver_notification(&packet),
            (PacketKind::Data, true) => self.receive(&packet, header),
            (PacketKind::Ack, true) => self.receive_control(&packet, header),
        }
    }

    /// A notification for a host that acts on notifications with a delay: it leaves the link at once, and takes
    /// effect later.
    #[inline(never)]
    fn notification_in(&mut self, host: HostId, id: PacketId, packet: &Packet) {
        if packet.input == PortId::NONE {
            self.packets.remove(id);
            return self.deliver_notification(packet);
        }
        if !self.takes_in(host, packet) {
            return self.packets.remove(id);
        }
        (self.packets[id].input, self.packets[id].units) = (PortId::NONE, 0);
        self.ends.hosts[host].expected += u32::from(self.receives_quietly());
        self.schedule(self.now + self.control.cnp_delay(), Event::Deliver { host, packet: id });
    }

    /// A packet finds room in a receive buffer, and leaves it when it has been drained. Returns whether there is
    /// room.
    #[inline]
    fn takes_in(&mut self, host: HostId, packet: &Packet) -> bool {
        let finds_room = !self.pauses() || !self.ends.bus.drains_slowly() || self.take_at_host(host, packet);
        if finds_room {
            self.drain(host, packet);
        }
        finds_room
    }

    /// Room in the receive buffer comes back when the packet has been drained.
    #[inline]
    fn drain(&mut self, host: HostId, packet: &Packet) {
        if self.rules.adapter.receive_units.is_none() || packet.units == 0 || self.pauses() {
            return;
        }
        let mut at = self.now;
        if let Some(time) = self.ends.bus.drains(packet.size) {
            let state = &mut self.ends.hosts[host];
            at = state.drained_at.max(at) + time;
            state.drained_at = at;
        }
        self.give_back(host.port(), packet.lane, packet.destination, packet.units, at);
    }

    #[inline]
    fn deliver_data(&mut self, packet: &Packet) {
        if self.ends.all_ordered.unwrap_or_else(|| self.ends.cold[packet.flow].ordered) {
            self.check_order(packet);
        }
        if self.chooses_paths() {
            self.note_order(packet);
        }
        self.count_in(packet);
        if self.has_finite_flows() {
            self.look_for_finish(packet.flow);
        }
        if packet.acks > 0 {
            self.acknowledge(packet);
        }
        self.notify(packet);
        if self.runs_programs() {
            match self.rules.counts_packets {
                true => self.packet_in(packet.flow, packet.sequence),
                false if packet.last => self.message_in(packet.flow),
                false => {}
            }
        }
    }

    /// Checks that a packet arrives in order: behind all packets that have arrived or been lost.
    #[inline(always)]
    fn check_order(&mut self, packet: &Packet) {
        let mut expected = self.ends.receipts[packet.flow].packets;
        if !self.records.any_missed && packet.sequence == expected {
            return;
        }
        if self.loses() || self.pauses() || self.checks_frames() || self.fails() {
            let missed = &mut self.ends.cold[packet.flow].missed;
            expected = expected.wrapping_add(*missed);
            *missed += packet.sequence.saturating_sub(expected);
            self.records.any_missed |= *missed > 0;
            expected = expected.max(packet.sequence);
        }
        if packet.sequence != expected {
            self.records.stop = Some(Stop::Law(format!(
                "packet {} of flow {} arrived where packet {expected} was due: order within a flow is lost",
                packet.sequence, packet.flow
            )));
        }
    }

    /// Tells the source of a packet that is marked or undetermined, if notifications are in use.
    #[inline]
    pub(crate) fn notify(&mut self, packet: &Packet) {
        if packet.sign != Sign::Clear
            && let Some(cnp) = self.control.cnp
            && self.tells(packet.flow, cnp, packet.marked())
        {
            let lane = cnp.lane.unwrap_or_else(|| self.lane_back(packet));
            self.answer(packet, PacketKind::Cnp, cnp.size, lane, Carries::Nothing);
        }
    }

    /// A useful data packet has arrived.
    #[inline(always)]
    pub(crate) fn count_in(&mut self, packet: &Packet) {
        let receipt = &mut self.ends.receipts[packet.flow];
        receipt.packets += 1;
        receipt.bytes += u64::from(packet.size);
        receipt.marked += u32::from(packet.marked());
        let class = match self.probe.wants_classes() {
            true => self.ends.cold.get(packet.flow).map_or(0, |cold| cold.class),
            false => 0,
        };
        self.records.packet_came_in(self.now, packet);
        let flow = self.reporting_flow(packet.flow);
        if self.fails() {
            self.links.faults.note_arrival(self.now, flow, packet.injected);
        }
        self.probe.delivered(Delivery {
            at: self.now,
            flow: flow.0,
            class,
            sequence: packet.sequence,
            size: packet.size,
            marked: packet.marked(),
            created: packet.created,
            injected: packet.injected,
        });
    }

    /// A control packet about a data packet starts back to its source.
    pub(super) fn answer(&mut self, packet: &Packet, kind: PacketKind, size: u32, lane: u8, carries: Carries) {
        let answer = Packet {
            next: PacketId::NONE,
            destination: self.ends.flows[packet.flow].host,
            size,
            input: PortId::NONE,
            units: self.units_of(size, kind),
            kind,
            lane,
            buffer_lane: lane,
            ..*packet
        };
        self.dispatch(packet.destination, answer, None, carries);
    }

    /// What an ACK reports: how many packets have newly arrived, and how many are still on their way.
    #[inline(always)]
    pub(super) fn heard_from(&self, ack: &Packet, packets: u32, outstanding: u32) -> CongestionSignal {
        let round_trip = self.now.since(ack.injected);
        CongestionSignal::Acked { feedback: met(ack), round_trip, packets, outstanding }
    }

    /// A source is told that one of its packets arrived marked.
    fn deliver_notification(&mut self, packet: &Packet) {
        self.probe.echoed(self.now, sent(packet));
        let current = !self.ends.renews || self.ends.cold[packet.flow].epoch == packet.epoch;
        if current || self.control.shared_throttles {
            self.react(packet.flow, CongestionSignal::Notified(met(packet)));
            self.refresh(packet.flow);
        }
    }

    /// An ACK has arrived at the source of its flow, which has no transport: the window opens, and the source reacts.
    fn deliver_ack(&mut self, packet: &Packet) {
        if packet.marked() && self.control.cnp.is_none() {
            self.probe.echoed(self.now, sent(packet));
        }
        if self.has_finite_flows() {
            self.note_acknowledged(packet);
        }
        let cold = &mut self.ends.cold[packet.flow];
        let current = cold.epoch == packet.epoch;
        if current {
            cold.outstanding -= u32::from(packet.acks);
            self.ends.flows[packet.flow].window = cold.window();
            if packet.last {
                self.message_done(packet.flow, self.now);
                if self.runs_programs() {
                    self.message_acknowledged(packet.flow);
                }
            }
        } else if !self.control.shared_throttles {
            return;
        }
        if self.reacts_to_acks() {
            let outstanding = self.ends.cold[packet.flow].outstanding;
            self.react(packet.flow, self.heard_from(packet, u32::from(packet.acks), outstanding));
        }
        self.refresh(packet.flow);
    }
}
