//! The injection memory of a host: a few packets between its flows and its link.
//!
//! Whenever the link is idle and no control packet goes, flows hand packets to the memory in turn, as their windows
//! and paces allow, while there is room; the packet being sent takes no room. From there packets leave as from an
//! input of a switch: from one normal queue, first in first out, and from the set-aside queues of an isolation
//! scheme, in turn. When the switch says that a line is stopped, the line's queue is held here. Without set-aside
//! queues the memory is one queue, whatever is congested.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::isolate::cam::HeadPacket;
use congestree_schemes::isolate::{HeadDecision, Notice};
use congestree_units::Time;
use congestree_wire::{HostId, Packet, PacketId, PortId};

use crate::control::isolation::lines::TreeIsolation;
use crate::fabric::Fabric;
use crate::host::turns::Turn;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The host may send: flows fill the memory, and one of its queues sends. `held`: flow control already holds
    /// another packet.
    pub(crate) fn inject_from_memory(&mut self, host: HostId, held: bool) {
        let mut later = Time::NEVER;
        while self.ends.injection.memories[host].packets < self.ends.injection.room {
            match self.choose_flow(host) {
                Turn::Flow(flow) => self.send_data(host, flow),
                Turn::Later(at) | Turn::Idle(at) => {
                    later = at;
                    break;
                }
                Turn::Starved => break,
            }
        }
        if later != Time::NEVER {
            self.wake_by(host.port(), later);
        }
        let first = usize::from(self.ends.injection.memories[host].turn) + 1;
        let mut blocked = held;
        for step in 0..self.ends.injection.each {
            let queue = (first + step) % self.ends.injection.each;
            let head = self.ends.injection.head(host, queue);
            if head == PacketId::NONE || (queue > 0 && self.queue_is_stopped(host.port(), queue as u8 - 1)) {
                continue;
            }
            let (lane, units, to) = (self.packets[head].lane, self.packets[head].units, self.packets[head].destination);
            if self.fits(host.port(), lane, to, units) {
                return self.send_from_memory(host, queue);
            }
            self.starve(host, lane, units);
            blocked = true;
        }
        if blocked { self.note_blocked(host.port()) } else { self.note_unblocked(host.port()) }
    }

    /// The head of a queue of the memory starts.
    fn send_from_memory(&mut self, host: HostId, queue: usize) {
        let (id, left) = self.ends.injection.pop(host, queue, &self.packets);
        let memory = &mut self.ends.injection.memories[host];
        memory.packets -= 1;
        memory.turn = queue as u8;
        self.packets[id].injected = self.now;
        let until = self.transmit(host.port(), id);
        if self.packets[id].last {
            self.message_has_left(id, until);
        }
        if queue == 0 {
            self.sort_memory(host);
        } else {
            self.isolated_queue_has_sent(host, queue as u8 - 1, left);
        }
        if self.has_work(host) {
            self.wake_by(host.port(), until);
        }
    }

    /// The last packet of a message starts; its tail will have left at `until`.
    fn message_has_left(&mut self, id: PacketId, until: Time) {
        let Packet { flow, epoch, acks, .. } = self.packets[id];
        if self.runs_programs() {
            self.message_out(flow, until);
        }
        if acks == 0 && self.posts() && self.ends.cold[flow].epoch == epoch {
            self.message_done(flow, until);
            self.refresh(flow);
        }
    }

    /// A packet of a flow joins the memory.
    pub(crate) fn stage(&mut self, host: HostId, id: PacketId) {
        self.packets[id].input = PortId::NONE;
        self.ends.injection.push(host, 0, &mut self.packets, id);
        self.ends.injection.memories[host].packets += 1;
        self.sort_memory(host);
    }

    /// Moves packets for congested lines from the head of the normal queue to their set-aside queues.
    #[inline]
    fn sort_memory(&mut self, host: HostId) {
        if self.isolates() && self.isolation_concerns(host.port(), host.port()) {
            self.sort_concerned(host);
        }
    }

    fn sort_concerned(&mut self, host: HostId) {
        let injection = &mut self.ends.injection;
        let TreeIsolation { cams, mirrors, host_rules: Some(rules), counts, .. } = &mut self.control.isolation else {
            return;
        };
        let (cam, mirror) = (&mut cams[host.port()], &mirrors[host.port()]);
        let mut effects = Vec::new();
        loop {
            let head = injection.head(host, 0);
            if head == PacketId::NONE {
                break;
            }
            let packet = HeadPacket { output: 0, destination: self.packets[head].destination.0 };
            let HeadDecision::Isolate(number) = cam.sort(rules, packet, mirror, &mut effects) else { break };
            injection.pop(host, 0, &self.packets);
            injection.push(host, 1 + usize::from(number), &mut self.packets, head);
            counts.isolated += 1;
        }
        // A host has nothing upstream of it, and it declares no roots.
        debug_assert!(effects.is_empty());
        self.host_lines_changed(host);
    }

    /// A packet from a set-aside queue starts, in which so many are left.
    fn isolated_queue_has_sent(&mut self, host: HostId, number: u8, left: u32) {
        let TreeIsolation { cams, host_rules: Some(rules), .. } = &mut self.control.isolation else { return };
        cams[host.port()].isolated_queue_shrank(rules, number, left, false, &mut Vec::new());
        self.host_lines_changed(host);
    }

    /// A host receives a notice about a line at the far end of its link.
    pub(crate) fn host_hears_of_line(&mut self, host: HostId, notice: &Notice) {
        if self.stages() {
            let first = self.ends.injection.at(host, 1);
            let queues = &self.ends.injection.queues;
            let empty = |number: u8| queues[first + usize::from(number)].packets == 0;
            self.control.isolation.cams[host.port()].hear(0, notice, empty, &mut Vec::new());
            if matches!(notice, Notice::Allocate { .. }) {
                self.sort_memory(host);
            }
            self.host_lines_changed(host);
        }
        self.ask(host.port());
    }

    /// Updates what follows from the lines of a host, and tells probes how many are in use.
    fn host_lines_changed(&mut self, host: HostId) {
        self.note_lines(host.port());
        self.tell_in_use(host.port(), (self.ends.injection.each - 1) as u8);
    }
}
