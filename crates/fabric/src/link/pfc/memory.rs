//! The memory of inputs and of slow receivers, where senders are paused: packets that take it ask for pauses or are
//! refused, and packets that leave it end pauses.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::{HostId, Packet, PacketId, PacketKind, PortId};

use super::accounts::Taken;
use super::pauses::LosslessDrop;
use crate::event::{Due, Event};
use crate::fabric::Fabric;
use crate::observe::outcome::Stop;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The account in which the bytes of an input and lane for this output are counted.
    #[inline(always)]
    pub(crate) fn account_of(&self, input: PortId, lane: u8, output: PortId) -> usize {
        if !self.links.pauses.per_queue || self.rules.is_host(input) {
            return self.at(input, lane);
        }
        let side = &self.links.ins[input];
        self.rules.hosts_len as usize * self.lanes() + self.queue(side, lane, (output - side.base) as u16).index()
    }

    /// A packet has become routable and needs room. Returns whether there is any; if not, it is gone.
    #[inline(always)]
    pub(crate) fn take_memory(&mut self, input: PortId, output: PortId, id: PacketId) -> bool {
        let Packet { buffer_lane: lane, size, .. } = self.packets[id];
        let place = self.account_of(input, lane, output);
        let account = &mut self.links.pauses.accounts[place];
        if account.take_quietly(size.into()) {
            let held = account.bytes();
            self.tell_buffered(input, lane, held);
            self.tell_queued(output);
            return true;
        }
        self.take_more_memory(input, output, id, place)
    }

    /// A packet needs shared memory, or causes a pause.
    #[inline(never)]
    fn take_more_memory(&mut self, input: PortId, output: PortId, id: PacketId, account: usize) -> bool {
        let packet = &self.packets[id];
        let (lane, size) = (packet.buffer_lane, u64::from(packet.size));
        let egress = self.at(output, packet.lane);
        let pauses = &mut self.links.pauses;
        let state = &mut pauses.accounts[account];
        let taken = if pauses.pools.is_empty() {
            state.take(size)
        } else {
            let pool = &mut pauses.pools[self.links.ins[input].switch];
            let others = |waiting: u64| waiting - size;
            let lossy = (!pauses.lossless[usize::from(lane)]).then(|| others(self.switches.occupancy.waiting(egress)));
            state.take_shared(pool, size, pauses.shares[input], lossy)
        };
        let held = state.bytes();
        if taken == Taken::Refused {
            let packet = self.packets[id];
            if self.counts_waiting() {
                self.switches.occupancy.leave(egress, packet.size);
            }
            self.no_room(input, output, &packet, held);
            self.packets.remove(id);
            return false;
        }
        self.tell_buffered(input, lane, held);
        self.tell_queued(output);
        if taken == Taken::Crossed {
            self.ask_for_pause(input, lane);
        }
        true
    }

    /// A packet that came in in `lane` leaves the memory of its input, because it starts to be sent.
    #[inline(always)]
    pub(crate) fn leave_memory(&mut self, input: PortId, output: PortId, lane: u8, size: u32) {
        let place = self.account_of(input, lane, output);
        let account = &mut self.links.pauses.accounts[place];
        if account.give_quietly(size.into()) {
            let held = account.bytes();
            return self.tell_buffered(input, lane, held);
        }
        self.leave_more_memory(input, lane, size, place);
    }

    /// A packet leaves shared memory, or a pause may end.
    #[inline(never)]
    fn leave_more_memory(&mut self, input: PortId, lane: u8, size: u32, account: usize) {
        let pauses = &mut self.links.pauses;
        let state = &mut pauses.accounts[account];
        match pauses.pools.get_mut(self.links.ins[input].switch) {
            Some(pool) => state.give_shared(pool, u64::from(size)),
            None => state.give(u64::from(size)),
        }
        let (held, may_end) = (state.bytes(), state.pausing);
        if may_end {
            pauses.may_end.push((input, lane, account));
            self.consider(input);
        }
        self.tell_buffered(input, lane, held);
    }

    /// All ports have decided: pauses end where enough room has been given back, whichever packet started first.
    #[inline]
    pub(crate) fn end_pauses(&mut self) {
        if !self.links.pauses.may_end.is_empty() {
            self.end_these_pauses();
        }
    }

    #[inline(never)]
    fn end_these_pauses(&mut self) {
        let mut may_end = std::mem::take(&mut self.links.pauses.may_end);
        for (input, lane, account) in may_end.drain(..) {
            let pauses = &mut self.links.pauses;
            let state = &mut pauses.accounts[account];
            let ends = match pauses.pools.get(self.links.ins[input].switch) {
                Some(pool) => state.ends_shared(pool, pauses.shares[input]),
                None => state.ends_own(),
            };
            if ends {
                self.ask_no_more(input, lane, true);
            }
        }
        self.links.pauses.may_end = may_end;
    }

    /// Tells probes what an input holds.
    #[inline(always)]
    fn tell_buffered(&mut self, input: PortId, lane: u8, held: u64) {
        if self.probe.wants_buffered() {
            self.tell_held_by_input(input, lane, held);
        }
    }

    #[inline(never)]
    fn tell_held_by_input(&mut self, input: PortId, lane: u8, held: u64) {
        let held = if self.links.pauses.per_queue { self.held_by_queues(input, lane) } else { held };
        self.probe.buffered(self.now, self.links.outs[input].peer.0, lane, held);
    }

    /// What an input holds in a lane, if each of its queues has an account.
    fn held_by_queues(&self, input: PortId, lane: u8) -> u64 {
        let side = &self.links.ins[input];
        let first = self.account_of(input, lane, side.base);
        self.links.pauses.accounts[first..first + usize::from(side.radix)].iter().map(|account| account.bytes()).sum()
    }

    /// A packet has arrived at a host whose receive buffer drains slowly. Returns whether there is room.
    #[inline(never)]
    pub(crate) fn take_at_host(&mut self, host: HostId, packet: &Packet) -> bool {
        let Some(time) = self.ends.bus.drains(packet.size) else { return true };
        let place = self.at(host.port(), packet.lane);
        let state = &mut self.links.pauses.accounts[place];
        let taken = state.take(u64::from(packet.size));
        let held = state.bytes();
        if taken == Taken::Refused {
            self.no_room(host.port(), self.links.outs[host.port()].peer, packet, held);
            return false;
        }
        let state = &mut self.ends.hosts[host];
        state.drained_at = state.drained_at.max(self.now) + time;
        let at = state.drained_at;
        self.links.pauses.drains[host].push_back((packet.lane, packet.size));
        self.schedule(at, Event::Pause { port: host.port(), lane: 0, due: Due::Drained });
        self.probe.buffered(self.now, self.links.outs[host.port()].peer.0, packet.lane, held);
        if taken == Taken::Crossed {
            self.ask_for_pause(host.port(), packet.lane);
        }
        true
    }

    /// The oldest packet in the receive buffer of a host has been drained.
    pub(super) fn drained(&mut self, host: HostId) {
        let Some((lane, size)) = self.links.pauses.drains[host].pop_front() else { return };
        let place = self.at(host.port(), lane);
        let state = &mut self.links.pauses.accounts[place];
        state.give(size.into());
        let (held, ends) = (state.bytes(), state.ends_own());
        self.probe.buffered(self.now, self.links.outs[host.port()].peer.0, lane, held);
        if ends {
            self.ask_no_more(host.port(), lane, false);
        }
    }

    /// A packet is lost for want of room. In a lossless lane this ends the run, unless the run is to go on.
    fn no_room(&mut self, input: PortId, output: PortId, packet: &Packet, held: u64) {
        let lane = packet.buffer_lane;
        if self.links.pauses.lossless[usize::from(lane)]
            && self.links.pauses.stop_at_loss
            && self.records.stop.is_none()
        {
            self.links.pauses.loss = Some(LosslessDrop { input, lane, size: packet.size, held });
            self.records.stop = Some(Stop::Loss(String::new()));
        }
        self.switches.output_queues.count_drop(output, packet.flow, packet.kind == PacketKind::Data);
        self.probe.dropped(self.now, output.0, self.reporting_flow(packet.flow).0);
    }
}
