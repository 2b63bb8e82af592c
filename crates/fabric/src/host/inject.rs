//! A host's attachment: control packets go first, then flows take turns at the link.
//!
//! `turns.rs` decides whose turn it is, `pace.rs` when the pace of a flow allows its next packet, and `receive.rs` does
//! what arriving packets cause.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, Packet, PacketId, PacketKind};

use crate::event::Event;
use crate::fabric::Fabric;
use crate::host::adapter::{Host, IN_A_ROW};
use crate::host::flow::{Supply, WindowState};
use crate::host::turns::Turn;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The host may send: a control packet if there is one, otherwise the next flow in turn that can.
    pub(crate) fn inject(&mut self, host: HostId) {
        let out = &self.links.outs[host.port()];
        if out.busy_until > self.now {
            let busy_until = out.busy_until;
            if self.has_work(host) {
                self.wake_by(host.port(), busy_until);
            }
            return;
        }
        if self.frame_first(host.port()) {
            return;
        }
        for lane in 0..if self.holds_senders() { self.lanes() } else { 0 } {
            let place = self.at(host.port(), lane as u8);
            self.settle(place);
        }
        let mut blocked = false;
        if !self.ends.hosts[host].control.is_empty() {
            if self.send_waiting_control(host) {
                return;
            }
            blocked = true;
        }
        if self.stages() {
            return self.inject_from_memory(host, blocked);
        }
        match self.choose_flow(host) {
            Turn::Flow(flow) => self.send_data(host, flow),
            Turn::Idle(_) => {}
            Turn::Starved => self.note_blocked(host.port()),
            Turn::Later(at) => {
                if at != Time::NEVER {
                    self.wake_by(host.port(), at);
                }
                if blocked { self.note_blocked(host.port()) } else { self.note_unblocked(host.port()) }
            }
        }
    }

    /// Sends the oldest control packet for which there is room; in each lane they keep their order. Returns whether there
    /// was one.
    fn send_waiting_control(&mut self, host: HostId) -> bool {
        let (all, mut held) = ((1_u32 << self.lanes()) - 1, 0_u32);
        let (mut before, mut id) = (None, self.ends.hosts[host].control.head);
        while id != PacketId::NONE && held != all {
            let Packet { lane, units, destination, next, .. } = self.packets[id];
            if held >> lane & 1 == 0 {
                if self.fits(host.port(), lane, destination, units) {
                    self.forget_if_idle(host.port());
                    self.ends.hosts[host].control.unlink(&mut self.packets, before);
                    let until = self.transmit(host.port(), id);
                    if self.has_work(host) {
                        self.wake_by(host.port(), until);
                    }
                    return true;
                }
                self.starve(host, lane, units);
                held |= 1 << lane;
            }
            (before, id) = (Some(id), next);
        }
        false
    }

    /// The lane lacks room for a packet of `units` units: wake the host when there is room for it, or for a smaller
    /// packet that waits as well.
    pub(crate) fn starve(&mut self, host: HostId, lane: u8, units: u16) {
        let least = match self.links.out_lanes[self.at(host.port(), lane)].starved {
            0 => u32::from(units),
            others => others.min(u32::from(units)),
        };
        self.await_room(host.port(), lane, least);
        if self.lanes() > 1 {
            self.probe.waits(self.now, host.0, lane);
        }
    }

    /// The flow at this place among those of a host.
    #[inline(always)]
    pub(crate) fn flow_at(&self, host: &Host, slot: u32) -> FlowId {
        match host.first_flow & IN_A_ROW {
            0 => self.ends.host_flows[(host.first_flow + slot) as usize],
            _ => FlowId((host.first_flow ^ IN_A_ROW) + slot),
        }
    }

    /// Bytes on the wire of the flow's next packet.
    #[inline]
    pub(crate) fn next_size(&self, flow: FlowId) -> u32 {
        if self.transports() {
            return self.connection_size(flow);
        }
        let payload = self.ends.flows[flow].remaining.min(self.rules.adapter.mtu.0);
        (payload + self.rules.adapter.header.0) as u32
    }

    /// Makes the next packet of a flow without a transport, and counts it as sent.
    #[inline(always)]
    pub(super) fn next_of_stream(&mut self, flow_id: FlowId, size: u32) -> Packet {
        let packet = self.packet_of(flow_id, PacketKind::Data, size);
        // For an endless source, only the posting of its messages needs to know where a message ends.
        let (posts, asks_where_it_ends) = (self.posts(), self.runs_programs() || self.coalesces());
        let flow = &mut self.ends.flows[flow_id];
        let greedy = matches!(flow.supply, Supply::Greedy { .. });
        let packet = Packet {
            sequence: flow.sent,
            last: (posts || asks_where_it_ends && !greedy) && flow.remaining <= self.rules.adapter.mtu.0,
            acks: u8::from(flow.window != WindowState::None),
            created: if greedy { self.now } else { flow.created },
            ..packet
        };
        flow.sent += 1;
        flow.remaining -= flow.remaining.min(self.rules.adapter.mtu.0);
        if flow.window != WindowState::None {
            let cold = &mut self.ends.cold[flow_id];
            cold.outstanding += 1;
            flow.window = cold.window();
        }
        packet
    }

    /// The host will not decide what to send before this time: a change until then needs no event.
    #[inline]
    pub(crate) fn decides_at(&self, host: HostId) -> Time {
        if self.transports() || self.stages() { self.now } else { self.link_free_at(host) }
    }

    /// When the link of a host is free. For a link that is down this is not known: it counts as free, so that each
    /// change is an event.
    #[inline]
    pub(crate) fn link_free_at(&self, host: HostId) -> Time {
        let busy_until = self.links.outs[host.port()].busy_until;
        if self.fails() && busy_until == Time::NEVER { self.now } else { self.now.max(busy_until) }
    }

    /// There is something new for the link of a host: the host decides now if the link is idle, otherwise when it has
    /// sent.
    #[inline(always)]
    pub(crate) fn ask_host(&mut self, host: HostId) {
        let open_at = self.open_at(host.port());
        match open_at <= self.now {
            true => self.consider(host.port()),
            false => self.wake_by(host.port(), open_at),
        }
    }

    /// A flow of a host was ready already. Then the host has decided with it, or is about to, and nothing changes.
    #[inline(always)]
    fn was_ready(&self, host: HostId, slot: u32) -> bool {
        !self.stages() && self.is_ready(host, slot)
    }

    /// A flow of a host may send, if there is room for its packet.
    #[inline(always)]
    pub(crate) fn is_ready(&self, host: HostId, slot: u32) -> bool {
        let word = self.ends.hosts[host].first_word + slot / 64;
        self.ends.turns.ready[word as usize] & 1 << (slot % 64) != 0
    }

    /// Brings up to date whether a flow may send, and when its pace will allow it.
    pub(crate) fn refresh(&mut self, flow_id: FlowId) {
        if self.transports() {
            return self.refresh_connection(flow_id);
        }
        let now = self.now;
        let flow = &self.ends.flows[flow_id];
        let has_packet = flow.has_packet(self.decides_at(flow.host));
        let posted_at = self.posted_at(flow_id);
        // Whether a shared throttle allows it is checked at its turn.
        let next_at = if self.control.shared_throttles { posted_at } else { flow.next_at.max(posted_at) };
        let (host, slot) = (flow.host, flow.slot);
        // The host does not decide before its link and bus are free, so an earlier permission needs no event.
        let decides_later = |at: Time| at <= self.link_free_at(host) || at <= self.ends.hosts[host].inject_at;
        let ready = has_packet && (next_at <= now || decides_later(next_at));
        if has_packet && !ready {
            let cold = &mut self.ends.cold[flow_id];
            if next_at < cold.wake_at {
                cold.wake_at = next_at;
                self.schedule(next_at, Event::Pace { flow: flow_id });
            }
        }
        if !ready || !self.was_ready(host, slot) {
            self.set_ready(host, slot, ready);
        }
    }

    /// Sets whether a flow of the host may send.
    #[inline(always)]
    pub(crate) fn set_ready(&mut self, host: HostId, slot: u32, ready: bool) {
        if self.groups_flows() {
            self.set_in_group(host, slot, ready);
        }
        let state = &mut self.ends.hosts[host];
        let place = slot / 64;
        let word = &mut self.ends.turns.ready[(state.first_word + place) as usize];
        let bit = 1 << (slot % 64);
        let was = *word & bit != 0;
        if ready {
            *word |= bit;
            state.filled |= 1u64.checked_shl(place).unwrap_or(0);
            state.ready += u32::from(!was);
            // Before the host bus allows data, a flow has nothing to decide.
            let inject_at = state.inject_at;
            match inject_at > self.link_free_at(host) && !self.stages() {
                true => self.wake_by(host.port(), inject_at),
                false => self.ask_host(host),
            }
        } else {
            *word &= !bit;
            if *word == 0 {
                state.filled &= !1u64.checked_shl(place).unwrap_or(0);
            }
            state.ready -= u32::from(was);
            if self.links.outs[host.port()].blocked_since != Time::NEVER {
                self.consider(host.port());
            }
        }
    }
    /// Sets whether a flow of the host may send, in its group.
    #[inline(never)]
    fn set_in_group(&mut self, host: HostId, slot: u32, ready: bool) {
        let state = self.ends.hosts[host];
        let group = self.group_of(self.flow_at(&state, slot));
        self.ends.turns.groups.set(host, &state, group, slot, ready);
    }
}
