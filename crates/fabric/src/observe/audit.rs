//! The laws, written once. Lossless means: for every lane of every link, the room behind it is promised exactly once:
//! as credit at the sender, as a packet on the wire or in the buffer, or as credit on its way back. And every packet
//! that a flow has sent has been delivered, is in flight, was dropped (where links may drop), or came in twice (where
//! losses are repaired).

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::{FlowId, IndexVec, PacketId, PacketKind, PortId, SwitchId};

use crate::fabric::Fabric;
use crate::link::credits::UNLIMITED;
use crate::link::port::Out;
use crate::observe::books::Audit;
use crate::observe::outcome::Stop;
use crate::observe::still::Still;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Checks the laws, if the run asks for it.
    pub(crate) fn audit_now(&mut self) {
        if let Some(audit) = &self.records.audit
            && self.records.stop.is_none()
            && let Err(broken) = self.check_books(audit)
        {
            self.records.stop = Some(Stop::Law(broken));
        }
    }

    /// Checks the laws at the end of a run, whatever ended it.
    pub(crate) fn audit_at_end(&mut self) {
        if let Some(audit) = &self.records.audit
            && let Err(broken) = self.check_books(audit)
        {
            self.records.stop = Some(Stop::Law(broken));
        }
    }

    fn check_books(&self, audit: &Audit) -> Result<(), String> {
        self.check_isolation()?;
        self.still().check_flow_isolation()?;
        self.still().check_retry()?;
        if self.pauses() {
            self.check_memory()?;
        }
        let mut held = vec![0u64; self.links.out_lanes.len()];
        let mut in_flight: IndexVec<FlowId, u64> = vec![0; self.ends.flows.len()].into();
        for id in self.live_packets() {
            let packet = &self.packets[id];
            if packet.input != PortId::NONE {
                held[self.at(packet.input, packet.buffer_lane)] += u64::from(packet.units);
            }
            if packet.kind == PacketKind::Data {
                in_flight[packet.flow] += 1;
            }
        }
        let room_of = |out: &Out, lane| audit.room(out.far, lane, self.links.ins[out.peer].radix);
        if self.has_room_by_queue() {
            self.check_own_rooms(room_of)?;
            return self.still().check_flows(&in_flight);
        }
        for (port, out) in self.links.outs.iter().enumerate() {
            for lane in 0..self.lanes() {
                let room = room_of(out, lane);
                if room == UNLIMITED {
                    continue;
                }
                let state = &self.links.out_lanes[port * self.lanes() + lane];
                let beyond = held[out.peer.index() * self.lanes() + lane];
                let (there, here) = (out.peer.index() * self.lanes() + lane, port * self.lanes() + lane);
                let untold = self.links.messages.untold(there, here, self.now);
                let promised = u64::from(state.credit) + self.links.notes.total(state) + beyond + untold;
                if promised != u64::from(room) {
                    return Err(format!(
                        "at {} ps the room behind port {port} lane {lane} is {room} units, but {promised} are promised: \
                         {} at the sender, {} on their way back, {beyond} in use",
                        self.now.0,
                        state.credit,
                        self.links.notes.total(state)
                    ));
                }
            }
        }
        self.still().check_flows(&in_flight)
    }

    /// Checks that each account holds the bytes that wait in its queue, or in its receive buffer.
    fn check_memory(&self) -> Result<(), String> {
        let mut held = vec![0; self.links.pauses.accounts.len()];
        for (host, drains) in self.links.pauses.drains.with_ids() {
            for &(lane, size) in drains {
                held[self.at(host.port(), lane)] += u64::from(size);
            }
        }
        for port in self.links.outs.ids().skip(self.ends.hosts.len()) {
            self.each_list(port, &mut |list, _| {
                for id in list.iter(&self.packets) {
                    let packet = &self.packets[id];
                    let output = self.links.ins[packet.input].base + u32::from(packet.port);
                    held[self.account_of(packet.input, packet.buffer_lane, output)] += u64::from(packet.size);
                }
            });
        }
        for (place, (account, held)) in self.links.pauses.accounts.iter().zip(held).enumerate() {
            if account.bytes() != held {
                return Err(format!(
                    "at {} ps account {place} of the memory counts {} B, but {held} B wait",
                    self.now.0,
                    account.bytes()
                ));
            }
        }
        self.still().check_shared_headroom()
    }

    /// Every packet in flight.
    pub(crate) fn live_packets(&self) -> impl Iterator<Item = PacketId> + '_ {
        self.packets.live_ids()
    }
}

impl Still<'_> {
    /// Checks that every packet that a flow sent is somewhere, and that its receiver knows of as many as were
    /// delivered.
    fn check_flows(&self, in_flight: &IndexVec<FlowId, u64>) -> Result<(), String> {
        for (id, flow) in self.ends.flows.with_ids() {
            let delivered = u64::from(self.ends.receipts[id].packets);
            let dropped = self.switches.output_queues.dropped(id);
            let receiver = self.ends.connections.receivers.get(id);
            let discarded = receiver.map_or(0, |receiver| receiver.discarded);
            if u64::from(flow.sent) != delivered + in_flight[id] + dropped + discarded {
                return Err(format!(
                    "flow {id} has sent {} packets; {delivered} were delivered, {} are in flight, {dropped} were dropped and \
                     {discarded} were of no use",
                    flow.sent, in_flight[id]
                ));
            }
            if let Some(receiver) = receiver
                && receiver.useful() != delivered
            {
                return Err(format!(
                    "{delivered} packets of flow {id} were delivered, but its receiver knows of {}",
                    receiver.useful()
                ));
            }
        }
        Ok(())
    }

    /// Checks that the used part of a shared headroom is the sum over the accounts, and no more than the headroom.
    fn check_shared_headroom(&self) -> Result<(), String> {
        if self.links.pauses.pools.is_empty() {
            return Ok(());
        }
        let (first, lanes) = (self.rules.hosts_len as usize, self.rules.lanes);
        let mut above: IndexVec<SwitchId, u64> = vec![0; self.links.pauses.pools.len()].into();
        for (side, own) in self.links.ins.iter().zip(self.links.pauses.accounts.chunks(lanes)).skip(first) {
            above[side.switch] += own.iter().map(|account| account.above).sum::<u64>();
        }
        for ((switch, pool), &above) in self.links.pauses.pools.with_ids().zip(&above) {
            if pool.above != above || above > pool.headroom {
                return Err(format!(
                    "at {} ps switch {switch} counts {} B of shared headroom in use of {} B, and its inputs have {above} B",
                    self.now.0, pool.above, pool.headroom
                ));
            }
        }
        Ok(())
    }
}
