//! The laws, written once. Lossless means: for every lane of every link, the room behind it is promised exactly once:
//! as credit at the sender, as a packet on the wire or in the buffer, or as credit on its way back. And every packet
//! that a flow has sent has been delivered, is in flight, was dropped (where links may drop), or came in twice (where
//! losses are repaired), and goes to the host that its flow sends to.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::{FlowId, HostId, IndexVec, PacketId, PacketKind, PortId, SwitchId};

use crate::fabric::Fabric;
use crate::link::credits::UNLIMITED;
use crate::link::port::Out;
use crate::observe::audit_totals::AuditTotals;
use crate::observe::outcome::Stop;
use crate::observe::still::Still;
use crate::tune::variants::Variant;

/// Events between two audits, if the run asks for them.
pub(crate) const AUDIT_EVERY: u64 = 1 << 8;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Checks the laws, if the run asks for it.
    pub(crate) fn audit_now(&mut self) {
        if self.records.stop.is_none() {
            self.audit_at_end();
        }
    }

    /// Checks the laws at the end of a run, whatever ended it.
    pub(crate) fn audit_at_end(&mut self) {
        if let Some(audit) = &self.records.audit
            && let Err(broken) = self.check_totals(audit)
        {
            self.records.stop = Some(Stop::Law(broken));
        }
    }

    fn check_totals(&self, audit: &AuditTotals) -> Result<(), String> {
        self.check_isolation()?;
        self.still().check_flow_isolation()?;
        self.still().check_retry()?;
        if self.pauses() {
            self.check_memory()?;
        }
        let mut held = vec![Held::default(); self.links.out_lanes.len()];
        let mut in_flight: IndexVec<FlowId, u64> = vec![0; self.ends.flows.len()].into();
        for id in self.live_packets() {
            let packet = &self.packets[id];
            if packet.input != PortId::NONE {
                let held = &mut held[self.at(packet.input, packet.buffer_lane)];
                held.units += u64::from(packet.units);
                let needs_room = packet.kind == PacketKind::Data || self.rules.flow_control.control_uses_credits;
                held.bytes += if needs_room { u64::from(packet.size) } else { 0 };
            }
            if packet.kind == PacketKind::Data {
                in_flight[packet.flow] += 1;
                self.still().check_destination(id)?;
            }
        }
        self.check_bytes(&held, audit)?;
        let room_of = |out: &Out, lane| audit.room(out.far, lane, self.links.ins[out.peer].radix);
        match self.has_queue_credits() {
            true => self.check_queue_credits(room_of)?,
            false => self.check_credits(&held, room_of)?,
        }
        self.still().check_flows(&in_flight)
    }

    /// Checks that packets have no more bytes than there is room for, however many units they say that they take.
    fn check_bytes(&self, held: &[Held], audit: &AuditTotals) -> Result<(), String> {
        for (port, out) in self.links.outs.with_ids() {
            for lane in 0..self.lanes() {
                let bytes = held[self.at(out.peer, lane as u8)].bytes;
                if let Some(room) = audit.bytes(out.far, lane).filter(|&room| bytes > room) {
                    return Err(format!(
                        "at {} ps the room behind port {port} lane {lane} is {room} B, but packets take {bytes} B of it",
                        self.now.0,
                    ));
                }
            }
        }
        Ok(())
    }

    /// Checks that the room behind every port and lane is promised exactly once.
    fn check_credits(&self, held: &[Held], room_of: impl Fn(&Out, usize) -> u32) -> Result<(), String> {
        for (port, out) in self.links.outs.with_ids() {
            for lane in 0..self.lanes() {
                let room = room_of(out, lane);
                if room == UNLIMITED {
                    continue;
                }
                let (here, there) = (self.at(port, lane as u8), self.at(out.peer, lane as u8));
                let state = &self.links.out_lanes[here];
                let (credit, on_the_way, used) = (state.credit, self.links.returning.total(state), held[there].units);
                let untold = self.links.messages.untold(there, here, self.now);
                let promised = u64::from(credit) + on_the_way + used + untold;
                if promised != u64::from(room) {
                    return Err(format!(
                        "at {} ps the room behind port {port} lane {lane} is {room} units, but {promised} are promised: \
                         {credit} at the sender, {on_the_way} on their way back, {used} in use",
                        self.now.0,
                    ));
                }
            }
        }
        Ok(())
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
        self.still().check_shared_memory()
    }

    /// Every packet in flight.
    pub(crate) fn live_packets(&self) -> impl Iterator<Item = PacketId> + '_ {
        self.packets.live_ids()
    }
}

/// What packets take of the room of an input and lane, or will take when they have arrived.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    units: u64,
    bytes: u64,
}

impl Still<'_> {
    /// The host at which all packets of a flow arrive; none if it differs from message to message.
    pub(crate) fn only_destination(&self, flow: FlowId) -> Option<HostId> {
        Some(self.ends.cold[flow].destination).filter(|&host| host != HostId::NONE)
    }

    /// Checks that a packet in flight goes to the host that its flow sends to, at once or after a detour.
    fn check_destination(&self, id: PacketId) -> Result<(), String> {
        let packet = &self.packets[id];
        let Some(host) = self.only_destination(packet.flow) else { return Ok(()) };
        if packet.destination == host || self.switches.path_choice.detours.bound(id) == Some(host) {
            return Ok(());
        }
        Err(format!(
            "at {} ps packet {} of flow {} goes to host {}, but the flow sends to host {host}",
            self.now.0, packet.sequence, packet.flow, packet.destination
        ))
    }

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

    /// Checks that what is used of shared memory, and of a shared headroom, is the sum over the accounts, and no more
    /// than there is.
    fn check_shared_memory(&self) -> Result<(), String> {
        let pauses = &self.links.pauses;
        if pauses.pools.is_empty() {
            return Ok(());
        }
        let (first, lanes) = (self.rules.hosts_len as usize, self.rules.lanes);
        let mut sums: IndexVec<SwitchId, (u64, u64)> = vec![(0, 0); pauses.pools.len()].into();
        for (side, own) in self.links.ins.iter().zip(pauses.accounts.chunks(lanes)).skip(first) {
            let (used, above) = &mut sums[side.switch];
            *used += own.iter().map(|account| account.shared(&pauses.pools[side.switch])).sum::<u64>();
            *above += own.iter().map(|account| account.above).sum::<u64>();
        }
        for ((switch, pool), &(used, above)) in pauses.pools.with_ids().zip(&sums) {
            for (what, counted, summed, most) in
                [("shared memory", pool.used, used, pool.size), ("shared headroom", pool.above, above, pool.headroom)]
            {
                if counted != summed || summed > most {
                    return Err(format!(
                        "at {} ps switch {switch} counts {counted} B of {what} in use of {most} B, and its inputs have \
                         {summed} B",
                        self.now.0
                    ));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use congestree_units::Bytes;

    use super::*;
    use crate::plan::{CreditUnit, Headroom, SharedPlan, Threshold};
    use crate::small::{small_pfc, star, started, until};

    #[test]
    fn a_packet_that_goes_to_another_host_than_its_flow_breaks_the_law() {
        let mut fabric = started(&star(3, &[(0, 2), (1, 2)]));
        until(&mut fabric, 10_000_000);
        let id =
            fabric.live_packets().find(|&id| fabric.packets[id].kind == PacketKind::Data).expect("one is under way");
        assert_eq!(fabric.still().check_destination(id), Ok(()));
        fabric.packets[id].destination = HostId(1);
        assert!(fabric.still().check_destination(id).is_err_and(|told| told.contains("goes to host 1")));
    }

    #[test]
    fn packets_with_more_bytes_than_there_is_room_for_break_the_law() {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        plan.flow_control.unit = CreditUnit::Block(Bytes(1));
        plan.switch.buffer_units = vec![4_000];
        let mut fabric = started(&plan);
        until(&mut fabric, 10_000_000);
        let audit = AuditTotals::new(&plan);
        assert_eq!(fabric.check_totals(&audit), Ok(()));
        let waits =
            fabric.live_packets().find(|&id| fabric.packets[id].input.0 >= 3).expect("a packet is in the switch");
        // As much as if its units had been counted modulo 65,536.
        fabric.packets[waits].size += 65_536;
        let told = fabric.check_totals(&audit).expect_err("the packet is larger than the buffer");
        assert!(told.contains("is 4000 B, but packets take"), "{told}");
    }

    /// Two hosts send to one, whose switch has shared memory: one of them waits in it.
    #[test]
    fn memory_in_use_that_no_input_has_taken_breaks_the_law() {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        plan.flow_control.unit = CreditUnit::Pause;
        let pfc = small_pfc();
        plan.pfc = Some(crate::plan::PfcPlan { threshold: Threshold::Static { xoff: None, xon: None }, ..pfc });
        plan.switch.shared_memory = Some(SharedPlan {
            size: Bytes(1 << 20),
            reserved: Bytes(0),
            headroom: Headroom::Fixed(Bytes(10_000)),
            headroom_pool: Some(Bytes(30_000)),
            lossy_alpha: 1.0,
        });
        let mut fabric = started(&plan);
        until(&mut fabric, 10_000_000);
        assert_eq!(fabric.check_memory(), Ok(()));
        assert!(fabric.links.pauses.pools[SwitchId(0)].used >= 1_000);
        fabric.links.pauses.pools[SwitchId(0)].used += 1;
        assert!(fabric.check_memory().is_err_and(|told| told.contains("of shared memory in use")));
        fabric.links.pauses.pools[SwitchId(0)].used -= 1;
        fabric.links.pauses.pools[SwitchId(0)].above += 1;
        assert!(fabric.check_memory().is_err_and(|told| told.contains("of shared headroom in use")));
    }
}
