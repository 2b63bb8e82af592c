//! In-band telemetry at work: what switches write into data packets, and what ACKs bring back to reaction points.
//!
//! Telemetry is stored in a table beside the packets, indexed by their places in the pool: so a packet still fits in
//! one cache line, and if no reaction point needs telemetry there is no table. A switch writes when a data packet
//! leaves its queue, a receiver copies what has come in into the ACK, and a source reads it when it gets the ACK.

use congestree_kernel::Rng;
use congestree_schemes::telemetry::{Digest, HopRecord, Seen, Telemetry, UtilisationMeter};
use congestree_units::Bytes;
use congestree_wire::{FlowId, IndexVec, PacketId, PortId};

use crate::by_packet::{ByPacket, swap_entries};
use crate::plan::Plan;

/// What packets carry, and what outputs know about themselves. Empty if nothing is written.
#[derive(Debug, Default)]
pub(crate) struct Inband {
    /// By packet: how many records it carries, and the records, with `room` places for each packet.
    lengths: Vec<u8>,
    hops: Vec<HopRecord>,
    room: usize,
    /// Used instead of records if outputs measure themselves.
    digests: Option<Digests>,
    /// What the last packet that came in carried.
    carried: Vec<HopRecord>,
    carried_code: u8,
    /// By flow: what its last packet that has come in and has not been answered carried, if ACKs are delayed.
    kept: IndexVec<FlowId, Written>,
}

/// The telemetry of a packet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    hops: Vec<HopRecord>,
    code: u8,
}

/// Utilisations coded in one byte.
#[derive(Debug)]
pub(super) struct Digests {
    rule: Digest,
    /// By packet.
    codes: Vec<u8>,
    /// By port.
    meters: IndexVec<PortId, UtilisationMeter>,
    /// By port: random numbers, for values that lie between two codes.
    rng: IndexVec<PortId, Rng>,
}

/// Records that a packet has room for at first; the room grows when a packet needs more.
pub(super) const ROOM: usize = 6;

impl Inband {
    /// The telemetry state of a plan with this number of ports.
    pub(crate) fn new(plan: &Plan, ports: usize) -> Self {
        let digests = match plan.scheme.react.needs().telemetry {
            Telemetry::None | Telemetry::Records => None,
            Telemetry::Digest(rule) => Some(Digests {
                rule,
                codes: Vec::new(),
                meters: vec![UtilisationMeter::default(); ports].into(),
                rng: (0..ports).map(|port| Rng::stream(plan.seed, "telemetry", port as u64)).collect(),
            }),
        };
        Self { digests, room: ROOM, ..Self::default() }
    }

    /// Memory for what packets carry (B).
    pub(crate) fn bytes(&self) -> usize {
        let codes = self.digests.as_ref().map_or(0, |digests| digests.codes.len());
        codes + self.lengths.len() + size_of_val(&*self.hops)
    }

    /// A packet sets out with nothing written yet.
    pub(crate) fn start(&mut self, id: PacketId) {
        let place = id.index();
        if let Some(digests) = &mut self.digests {
            digests.codes.resize(digests.codes.len().max(place + 1), 0);
            digests.codes[place] = 0;
            return;
        }
        if self.lengths.len() <= place {
            self.lengths.resize(place + 1, 0);
            self.hops.resize((place + 1) * self.room, HopRecord::default());
        }
        self.lengths[place] = 0;
    }

    /// Outputs measure themselves, and count all packets that leave.
    #[inline(always)]
    pub(super) fn measures(&self) -> bool {
        self.digests.is_some()
    }

    /// A packet that takes nothing along leaves by an output that measures itself.
    pub(super) fn count(&mut self, port: PortId, hop: HopRecord, size: Bytes) {
        if let Some(Digests { rule, meters, .. }) = &mut self.digests {
            meters[port].on_leaving(*rule, hop, size);
        }
    }

    /// An output writes into a packet that leaves.
    pub(super) fn write(&mut self, id: PacketId, port: PortId, hop: HopRecord, size: Bytes) {
        let place = id.index();
        if let Some(Digests { rule, codes, meters, rng }) = &mut self.digests {
            let utilisation = meters[port].on_leaving(*rule, hop, size);
            codes[place] = codes[place].max(rule.code(utilisation, || rng[port].unit()));
            return;
        }
        let length = usize::from(self.lengths[place]);
        if length == self.room {
            self.make_room();
        }
        self.hops[place * self.room + length] = hop;
        self.lengths[place] = self.lengths[place].saturating_add(1);
    }

    /// Doubles the room for every packet. No path has more than 255 switches.
    #[cold]
    fn make_room(&mut self) {
        let room = (2 * self.room).min(usize::from(u8::MAX) + 1);
        let mut hops = vec![HopRecord::default(); self.lengths.len() * room];
        for (new, old) in hops.chunks_mut(room).zip(self.hops.chunks(self.room)) {
            new[..self.room].copy_from_slice(old);
        }
        (self.hops, self.room) = (hops, room);
    }

    /// A copy of what a packet carries, for when its place in the pool will mean nothing.
    pub(crate) fn written(&self, id: PacketId) -> Written {
        let place = id.index();
        if let Some(digests) = &self.digests {
            return Written { code: digests.codes[place], ..Written::default() };
        }
        let first = place * self.room;
        Written { hops: self.hops[first..first + usize::from(self.lengths[place])].to_vec(), code: 0 }
    }

    /// A packet has been given another place, in another pool, and carries what it carried before.
    pub(crate) fn set_written(&mut self, id: PacketId, written: &Written) {
        self.start(id);
        let place = id.index();
        if let Some(digests) = &mut self.digests {
            digests.codes[place] = written.code;
            return;
        }
        while written.hops.len() > self.room {
            self.make_room();
        }
        let first = place * self.room;
        self.hops[first..first + written.hops.len()].copy_from_slice(&written.hops);
        self.lengths[place] = written.hops.len() as u8;
    }

    /// A packet has come in: what it carries is kept until the next packet comes in.
    pub(crate) fn take(&mut self, id: PacketId) {
        let place = id.index();
        if let Some(digests) = &self.digests {
            self.carried_code = digests.codes[place];
            return;
        }
        let first = place * self.room;
        self.carried.clear();
        self.carried.extend_from_slice(&self.hops[first..first + usize::from(self.lengths[place])]);
    }

    /// Copies what the last packet that came in carried into its ACK.
    pub(crate) fn pass_on(&mut self, ack: PacketId) {
        self.start(ack);
        let place = ack.0 as usize;
        if let Some(digests) = &mut self.digests {
            digests.codes[place] = self.carried_code;
            return;
        }
        let first = place * self.room;
        self.hops[first..first + self.carried.len()].copy_from_slice(&self.carried);
        self.lengths[place] = self.carried.len() as u8;
    }

    /// Keeps what the last packet that came in carried for the ACK of its flow.
    pub(crate) fn keep(&mut self, flow: FlowId) {
        if self.kept.len() <= flow.index() {
            self.kept.resize(flow.index() + 1, Written::default());
        }
        let kept = &mut self.kept[flow];
        kept.hops.clone_from(&self.carried);
        kept.code = self.carried_code;
    }

    /// Replaces what is kept for a flow; returns what was kept before.
    pub(crate) fn exchange_kept(&mut self, flow: FlowId, other: Written) -> Written {
        self.kept.get_mut(flow).map(|kept| std::mem::replace(kept, other)).unwrap_or_default()
    }

    /// Moves what was kept for a flow into its ACK.
    pub(crate) fn pass_on_kept(&mut self, flow: FlowId, ack: PacketId) {
        let Some(kept) = self.kept.get_mut(flow) else { return self.start(ack) };
        let (hops, code) = (std::mem::take(&mut kept.hops), kept.code);
        let (last, last_code) = (std::mem::replace(&mut self.carried, hops), self.carried_code);
        self.carried_code = code;
        self.pass_on(ack);
        self.kept[flow].hops = std::mem::replace(&mut self.carried, last);
        self.carried_code = last_code;
    }

    /// What the last packet that came in carried.
    pub(crate) fn seen(&self) -> Seen<'_> {
        match &self.digests {
            Some(digests) => Seen::Digest(digests.rule.utilisation(self.carried_code)),
            None => Seen::Records(&self.carried),
        }
    }
}

impl ByPacket for Inband {
    fn swap(&mut self, a: PacketId, b: PacketId) {
        if let Some(digests) = &mut self.digests {
            return swap_entries(&mut digests.codes, a, b, 0);
        }
        if self.lengths.is_empty() {
            return;
        }
        let (written, other) = (self.written(a), self.written(b));
        self.set_written(a, &other);
        self.set_written(b, &written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::{Rate, Span, Time};

    fn hop(n: u64) -> HopRecord {
        HopRecord { at: Time(n), bytes: n, queue: n as u32, output: 0, rate: Rate(1) }
    }

    #[test]
    fn records_stay_with_their_packets_when_there_must_be_more_room() {
        let mut inband = Inband { room: 2, ..Inband::default() };
        let (a, b, ack) = (PacketId(0), PacketId(1), PacketId(2));
        inband.start(a);
        inband.start(b);
        (0..7).for_each(|n| inband.write(a, PortId(0), hop(n), Bytes(1)));
        inband.write(b, PortId(0), hop(100), Bytes(1));
        inband.take(a);
        inband.pass_on(ack);
        inband.take(b);
        assert_eq!(inband.seen(), Seen::Records(&[hop(100)]));
        inband.take(ack);
        assert_eq!(inband.seen(), Seen::Records(&[0, 1, 2, 3, 4, 5, 6].map(hop)));
    }

    #[test]
    fn what_was_written_goes_along_to_another_pool() {
        let [mut here, mut there] = [8, 2].map(|room| Inband { room, ..Inband::default() });
        here.start(PacketId(4));
        (0..5).for_each(|n| here.write(PacketId(4), PortId(0), hop(n), Bytes(1)));
        there.set_written(PacketId(1), &here.written(PacketId(4)));
        there.write(PacketId(1), PortId(0), hop(5), Bytes(1));
        there.take(PacketId(1));
        assert_eq!(there.seen(), Seen::Records(&[0, 1, 2, 3, 4, 5].map(hop)));
    }

    #[test]
    fn what_is_kept_for_a_flow_stays_what_it_was() {
        let mut inband = Inband { room: 2, ..Inband::default() };
        let (a, b, ack) = (PacketId(0), PacketId(1), PacketId(2));
        inband.start(a);
        inband.write(a, PortId(0), hop(1), Bytes(1));
        inband.take(a);
        inband.keep(FlowId(5));
        inband.start(b);
        inband.write(b, PortId(0), hop(2), Bytes(1));
        inband.take(b);
        inband.pass_on_kept(FlowId(5), ack);
        assert_eq!(inband.seen(), Seen::Records(&[hop(2)]), "the one that came in last is as it was");
        inband.take(ack);
        assert_eq!(inband.seen(), Seen::Records(&[hop(1)]));
    }

    /// 1,000 B at 8 Gbit/s take 1 us: what leaves every microsecond fills the link.
    #[test]
    fn a_link_full_of_data_and_acks_in_turn_is_measured_as_full() {
        let rule = Digest { base: 1.05, round_trip: Span::from_us(10) };
        let (meters, rng) = (vec![UtilisationMeter::default()].into(), vec![Rng::stream(1, "telemetry", 0)].into());
        let digests = Some(Digests { rule, codes: Vec::new(), meters, rng });
        let (mut inband, data) = (Inband { digests, ..Inband::default() }, PacketId(0));
        for us in 0..200 {
            let hop = HopRecord { at: Time(us * 1_000_000), rate: Rate::from_gbps(8), ..HopRecord::default() };
            if us % 2 == 0 {
                inband.count(PortId(0), hop, Bytes(1_000));
            } else {
                inband.start(data);
                inband.write(data, PortId(0), hop, Bytes(1_000));
            }
        }
        inband.take(data);
        let Seen::Digest(seen) = inband.seen() else { panic!("a digest was written") };
        assert!((seen - 1.0).abs() < 0.05, "{seen}");
    }

    #[test]
    fn a_place_in_the_pool_begins_anew_with_every_packet() {
        let mut inband = Inband { room: 2, ..Inband::default() };
        inband.start(PacketId(3));
        inband.write(PacketId(3), PortId(0), hop(1), Bytes(1));
        inband.start(PacketId(3));
        inband.take(PacketId(3));
        assert_eq!(inband.seen(), Seen::Records(&[]));
    }
}
