//! What probes of isolation are told beyond the fabric's own state: what had been offered to an output when it is
//! declared a root, which packets stand behind which in a queue, and what hosts send in spite of stops and throttles.
//!
//! None of this is stored or looked at unless a probe asks for it. It works where inputs have queues of any kind
//! (`switch/queues/inputs.rs`).

use congestree_kernel::Agenda;
use congestree_probes::{BlockedBehind, Detection, Injected, Probe};
use congestree_schemes::isolate::cam::HeadPacket;
use congestree_schemes::react::{ReactionPoint, Sent};
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, PacketId, PacketKind, PortId, QueueId};

use crate::fabric::Fabric;
use crate::observe::isolation_watch::{Demand, at};
use crate::plan::CreditUnit;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A data packet of `bytes` bytes has come to an input, and requests an output.
    #[inline]
    pub(crate) fn watch_offer(&mut self, output: PortId, input: PortId, bytes: u32) {
        let now = self.now;
        if self.probe.wants_detections() {
            self.offer_of(output).more(now, input, 1, u64::from(bytes));
        }
    }

    /// A data packet crosses to an output.
    #[inline]
    pub(crate) fn watch_carried(&mut self, output: PortId) {
        if self.probe.wants_detections() {
            self.offer_of(output).requesting -= 1;
        }
    }

    /// A data packet that requests an output is dropped.
    pub(crate) fn watch_dropped(&mut self, output: PortId, input: PortId, bytes: u32) {
        if self.probe.wants_detections() {
            self.offer_of(output).less(input, 1, u64::from(bytes));
        }
    }

    /// A data packet has been isolated in a queue, stopped or not.
    pub(crate) fn watch_isolated(&mut self, output: PortId, input: PortId, queue: QueueId, bytes: u32) {
        if self.probe.wants_detections() && self.switches.inputs.queues[queue].stopped {
            self.offer_of(output).less(input, 1, u64::from(bytes));
        }
    }

    /// From now on a set-aside queue of an input is stopped, or no longer is.
    pub(crate) fn watch_stop(&mut self, input: PortId, queue: QueueId, stopped: bool) {
        let list = self.switches.inputs.queues[queue].list;
        if !self.probe.wants_detections() || list.head == PacketId::NONE {
            return;
        }
        let now = self.now;
        // All of its packets go to the output of its line.
        let output = self.output_of(list.head, input);
        let sizes = list.iter(&self.packets).map(|id| u64::from(self.packets[id].size));
        let (packets, bytes) = sizes.fold((0, 0), |(packets, bytes), size| (packets + 1, bytes + size));
        match stopped {
            true => self.offer_of(output).less(input, packets, bytes),
            false => self.offer_of(output).more(now, input, packets, bytes),
        }
    }

    fn offer_of(&mut self, output: PortId) -> &mut Demand {
        let none = Demand::none(self.now);
        at(&mut self.records.isolation.offers, output.index(), none)
    }

    /// A queue of an input has declared the output of `packet` to be the root of a tree.
    pub(crate) fn watch_declared(&mut self, input: PortId, queue: QueueId, packet: HeadPacket) {
        if !self.probe.wants_detections() {
            return;
        }
        let side = self.links.ins[input];
        let output = side.base + u32::from(packet.output);
        let offer = self.offer_of(output).clone();
        let rate = self.links.rates[usize::from(self.links.outs[output].rate)].rate();
        let capacity = rate.carries_in(self.now.since(offer.since));
        let list = self.switches.inputs.queues[queue].list;
        let data = || list.iter(&self.packets).filter(|id| self.packets[*id].kind == PacketKind::Data);
        let for_output = data().filter(|id| self.output_of(*id, input) == output).count() as u32;
        let detection = Detection {
            at: self.now,
            input: self.links.outs[input].peer.0,
            output: output.0,
            destination: packet.destination,
            held: data().count() as u32,
            for_output,
            requesting: offer.requesting,
            inputs: offer.inputs.iter().filter(|(_, count)| *count > 0).count() as u32,
            since: offer.since,
            offered: offer.bytes,
            capacity: capacity.0,
        };
        self.probe.detected(detection);
    }

    /// The output that a packet at an input waits for.
    fn output_of(&self, id: PacketId, input: PortId) -> PortId {
        let side = &self.links.ins[input];
        side.base + u32::from(self.packets[id].port)
    }

    /// A queue that was empty now has a head.
    #[inline]
    pub(crate) fn watch_head(&mut self, queue: QueueId) {
        if self.probe.wants_hol_blocking() {
            *at(&mut self.records.isolation.heads, queue.index(), self.now) = self.now;
        }
    }

    /// The head of a queue is about to leave it: the data packets behind it that are for other outputs were blocked by
    /// it.
    #[inline]
    pub(crate) fn watch_departure(&mut self, input: PortId, queue: QueueId) {
        if self.probe.wants_hol_blocking() {
            self.note_departure(input, queue);
        }
    }

    fn note_departure(&mut self, input: PortId, queue: QueueId) {
        let list = self.switches.inputs.queues[queue].list;
        let first = self.packets[list.head];
        let output = self.output_of(list.head, input);
        let front = self.ends.cold[first.flow].class;
        let head_since = self.records.isolation.heads[queue.index()];
        let blocked: Vec<PacketId> = list.iter(&self.packets).skip(1).collect();
        for id in blocked {
            let packet = &self.packets[id];
            if first.kind != PacketKind::Data || packet.kind != PacketKind::Data || self.output_of(id, input) == output
            {
                continue;
            }
            let time = self.now.since(head_since.max(packet.ready));
            let stood = at(&mut self.records.isolation.stood, id.index(), Vec::new());
            match stood.iter_mut().find(|(class, _)| *class == front) {
                Some((_, sum)) => *sum = *sum + time,
                None => stood.push((front, time)),
            }
        }
        self.records.isolation.heads[queue.index()] = self.now;
        let Some(stood) = self.records.isolation.stood.get_mut(list.head.0 as usize) else { return };
        for (class_in_front, time) in std::mem::take(stood) {
            self.probe.blocked_behind(BlockedBehind { at: self.now, class: front, front: class_in_front, time });
        }
    }

    /// A host takes a packet of this many bytes from a flow.
    #[inline]
    pub(crate) fn audit_injection(&mut self, host: HostId, flow: FlowId, size: u32) {
        if !self.probe.wants_injection_audit() {
            return;
        }
        let mirror = self.control.isolation.mirrors.get(host.port());
        let destination = self.ends.flows[flow].target;
        let listed = mirror.is_some_and(|mirror| mirror.listing(destination.0).next().is_some());
        let stopped = mirror.is_some_and(|mirror| mirror.stops_destination(destination.0));
        let (at, limit, pacer) = (self.now, self.limit_of(flow), self.pacer(flow));
        let life = if self.control.shared_throttles { 0 } else { self.ends.cold[flow].epoch };
        let link = &mut self.links.rates[usize::from(self.links.outs[host.port()].rate)];
        let (time, full, line) = (link.time(size), link.full, link.rate());
        let packet = Injected { at, host: host.0, pacer: pacer.0, life, time, limit, listed, stopped };
        let reaction = self.control.throttles.at(self.ends.flows[pacer].throttle);
        self.probe.injected(packet, &|time| reaction.gap(at, Sent { start: at, time, full, line }));
    }

    /// Bytes that flow control allows a port to send in a lane at an instant. `None` if no credits are counted, or if
    /// every queue has its own and the destination is not known.
    pub(crate) fn credit_of(&self, port: PortId, lane: u8, destination: Option<HostId>, at: Time) -> Option<u64> {
        Some(self.room_at(port, lane, destination, at)? * self.bytes_of_a_credit()?)
    }

    /// Bytes that flow control allows a port to send in a lane at an instant, to all its destinations together. `None`
    /// if no credits are counted.
    pub(crate) fn credit_for_all(&self, port: PortId, lane: u8, at: Time) -> Option<u64> {
        Some(self.room_for_all(port, lane, at)? * self.bytes_of_a_credit()?)
    }

    fn bytes_of_a_credit(&self) -> Option<u64> {
        match self.rules.flow_control.unit {
            CreditUnit::Slot => Some(self.rules.adapter.full().0),
            CreditUnit::Block(block) => Some(block.0),
            CreditUnit::None | CreditUnit::Pause => None,
        }
    }
}
