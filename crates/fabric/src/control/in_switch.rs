//! What congestion control sees of a packet in a switch, in the order in which it happens. A switch calls these
//! functions; which parts of a scheme are concerned is said here.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::isolate::cam::HeadPacket;
use congestree_topology::CandidateSet;
use congestree_wire::{Packet, PacketId, PacketKind, PortId, QueueId};

use crate::control::isolation::lines::LANE;
use crate::control::marking::mark::FillChange;
use crate::fabric::Fabric;
use crate::link::port::In;
use crate::switch::arbiter::QueuePosition;
use crate::switch::transit::Transit;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A port was chosen for a packet among several. Returns the one that it takes.
    #[inline(always)]
    pub(crate) fn control_routed(&mut self, side: In, id: PacketId, set: CandidateSet, local: u16) -> u16 {
        if self.regions() { self.route_around(side, id, set, local) } else { local }
    }

    /// A packet has joined a queue.
    #[inline(always)]
    pub(crate) fn control_joined(&mut self, side: In, id: PacketId, packet: Transit) {
        let Transit { input, output, lane, kind, size, .. } = packet;
        if self.regions() {
            self.region_joined(input, output, lane, id);
        }
        if self.marks_by_packets() && kind == PacketKind::Data {
            self.marker_sees_arrival(output, lane);
        } else if self.marks_by_fill() {
            self.fill_changed(side, output, lane, FillChange::joined(size));
        }
    }

    /// Its output has been told, and has perhaps sent it already.
    #[inline(always)]
    pub(crate) fn control_told(&mut self, side: In, packet: Transit) {
        if self.may_isolate(packet) {
            let Transit { input, output, local, lane, size, destination, .. } = packet;
            self.watch_offer(output, input, size);
            self.isolate_arrival(input, output, self.queue_to(&side, input, lane, local, destination));
        }
    }

    /// An output is about to choose a packet.
    #[inline(always)]
    pub(crate) fn control_chooses(&mut self, output: PortId) {
        if self.regions() {
            // A region's window that held packets back may be over, whether or not the link is busy.
            self.let_go(output);
        }
    }

    /// A packet has crossed from its input to the buffer of its output.
    #[inline(always)]
    pub(crate) fn control_crossed(&mut self, input: PortId, output: PortId, lane: u8, id: PacketId) {
        if self.regions() {
            self.region_passed(input, output, lane, id);
        }
    }

    /// A packet was chosen, and is about to leave its queue.
    #[inline(always)]
    pub(crate) fn control_leaves(&mut self, input: PortId, output: PortId, lane: u8, id: PacketId) {
        if self.regions() {
            self.region_left(input, output, lane, id);
        }
    }

    /// A packet of so many bytes and credit units has left its queue.
    #[inline(always)]
    pub(crate) fn control_left(&mut self, side: In, output: PortId, lane: u8, size: u32, units: u16) {
        if self.marks_by_fill() {
            self.fill_changed(side, output, lane, FillChange::left(size, units));
        }
    }

    /// A packet that has left its queue starts now, on the link or across the crossbar: data may be marked, and
    /// takes telemetry along. Behind a crossbar what goes by all that waits for the link comes later (`control_on_link`).
    #[inline(always)]
    pub(crate) fn control_starts(&mut self, id: PacketId, packet: Transit, place: QueuePosition) {
        let Transit { input, output, lane, kind, .. } = packet;
        if self.marks_when_chosen() {
            if kind == PacketKind::Data {
                let isolated = self.isolates() && self.is_isolated(input, place);
                self.mark_departure(output, lane, id, isolated);
            } else if self.control.marking.follow_all {
                self.other_departure(output, lane);
            }
        }
        if self.telemeters() && !self.has_crossbar() {
            self.telemetry_leaves(output, id, kind);
        }
    }

    /// A packet that has crossed starts on the link. Whether it was set aside no longer matters: no marker that goes by
    /// the bytes waiting for a link asks for that.
    pub(crate) fn control_on_link(&mut self, output: PortId, id: PacketId) {
        let Packet { lane, kind, .. } = self.packets[id];
        if self.marks_by_waiting() && kind == PacketKind::Data {
            self.mark_departure(output, lane, id, false);
        }
        if self.telemeters() {
            self.telemetry_leaves(output, id, kind);
        }
    }

    /// A packet has started.
    #[inline(always)]
    pub(crate) fn control_started(&mut self, packet: Transit) {
        if self.may_isolate(packet) {
            self.watch_carried(packet.output);
        }
    }

    /// A packet that left its queue was dropped.
    pub(crate) fn control_dropped(&mut self, packet: Transit) {
        if self.may_isolate(packet) {
            self.watch_dropped(packet.output, packet.input, packet.size);
        }
    }

    /// The head of a queue has gone: the next one has not requested its output yet, and may be isolated first.
    #[inline(always)]
    pub(crate) fn control_at_head(&mut self, queue: QueueId, gone: Transit) {
        if self.isolates() && gone.lane == LANE {
            let packet = HeadPacket { output: gone.local, destination: gone.destination.0 };
            self.isolate_departure(gone.input, gone.output, queue, packet, gone.kind == PacketKind::Data);
        }
    }

    /// Flows of such a packet may be isolated by congestion tree.
    #[inline(always)]
    fn may_isolate(&self, packet: Transit) -> bool {
        self.isolates() && packet.kind == PacketKind::Data && packet.lane == LANE
    }

    /// The packet that was chosen is in a set-aside queue.
    #[inline(always)]
    fn is_isolated(&self, input: PortId, place: QueuePosition) -> bool {
        matches!(place, QueuePosition::Queue(queue) if self.switches.inputs.isolated_queues(input).contains(&queue))
    }
}
