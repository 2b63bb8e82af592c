//! In-band telemetry at work: what switches write into data packets, and ACKs bring back to reaction points.
//!
//! It stands in a table beside the packets, by their places in the pool: a packet stays one cache line, and where no reaction
//! asks for telemetry there is no table. A switch writes when a data packet leaves its queue, a receiver copies what has
//! come in into the ACK, and a source hears of it with the ACK.

use congestree_kernel::Rng;
use congestree_schemes::telemetry::{Digest, HopRecord, Seen, Telemetry, UtilisationMeter};
use congestree_units::Bytes;
use congestree_wire::{FlowId, IndexVec, PacketId, PortId};

use crate::plan::Plan;

/// What packets carry, and what outputs know of themselves. Empty where nothing is written.
#[derive(Debug, Default)]
pub(crate) struct Inband {
    /// By packet: how many records it carries, and they; `room` for each.
    lengths: Vec<u8>,
    hops: Vec<HopRecord>,
    room: usize,
    /// Instead of them, if outputs measure themselves.
    digests: Option<Digests>,
    /// What the packet that has come in last carried.
    carried: Vec<HopRecord>,
    carried_code: u8,
    /// By flow: what the packet carried that came in last and has not been answered, if ACKs wait.
    kept: IndexVec<FlowId, Written>,
}

/// What a packet carries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    hops: Vec<HopRecord>,
    code: u8,
}

/// Utilisations in one byte.
#[derive(Debug)]
pub(super) struct Digests {
    rule: Digest,
    /// By packet.
    codes: Vec<u8>,
    /// By port.
    meters: IndexVec<PortId, UtilisationMeter>,
    /// By port: chance, for codes that lie between two.
    rng: IndexVec<PortId, Rng>,
}

/// Records for which a packet has room at first; there will be more room once a packet needs it.
pub(super) const ROOM: usize = 6;

impl Inband {
    /// That of a plan with so many ports.
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

    /// Memory of what packets carry (B).
    pub(crate) fn bytes(&self) -> usize {
        let codes = self.digests.as_ref().map_or(0, |digests| digests.codes.len());
        codes + self.lengths.len() + size_of_val(&*self.hops)
    }

    /// A packet sets out, with nothing written yet.
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

    /// Twice as much room for every packet. No way is longer than 255 switches.
    #[cold]
    fn make_room(&mut self) {
        let room = (2 * self.room).min(usize::from(u8::MAX) + 1);
        let mut hops = vec![HopRecord::default(); self.lengths.len() * room];
        for (new, old) in hops.chunks_mut(room).zip(self.hops.chunks(self.room)) {
            new[..self.room].copy_from_slice(old);
        }
        (self.hops, self.room) = (hops, room);
    }

    /// What a packet carries, to be taken along where its place in the pool means nothing.
    pub(crate) fn written(&self, id: PacketId) -> Written {
        let place = id.index();
        if let Some(digests) = &self.digests {
            return Written { code: digests.codes[place], ..Written::default() };
        }
        let first = place * self.room;
        Written { hops: self.hops[first..first + usize::from(self.lengths[place])].to_vec(), code: 0 }
    }

    /// A packet has another place in another pool, and carries what it carried.
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

    /// A packet has come in: what it carries is kept until the next does.
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

    /// The ACK of the packet that has come in last takes along what that carried.
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

    /// What the packet that has come in last carried is kept for the ACK of its flow.
    pub(crate) fn keep(&mut self, flow: FlowId) {
        if self.kept.len() <= flow.index() {
            self.kept.resize(flow.index() + 1, Written::default());
        }
        let kept = &mut self.kept[flow];
        kept.hops.clone_from(&self.carried);
        kept.code = self.carried_code;
    }

    /// Other things are kept for a flow from now on than before.
    pub(crate) fn exchange_kept(&mut self, flow: FlowId, other: Written) -> Written {
        self.kept.get_mut(flow).map(|kept| std::mem::replace(kept, other)).unwrap_or_default()
    }

    /// An ACK takes along what was kept for its flow.
    pub(crate) fn pass_on_kept(&mut self, flow: FlowId, ack: PacketId) {
        let Some(kept) = self.kept.get_mut(flow) else { return self.start(ack) };
        let (hops, code) = (std::mem::take(&mut kept.hops), kept.code);
        let (last, last_code) = (std::mem::replace(&mut self.carried, hops), self.carried_code);
        self.carried_code = code;
        self.pass_on(ack);
        self.kept[flow].hops = std::mem::replace(&mut self.carried, last);
        self.carried_code = last_code;
    }

    /// What the packet that has come in last carried.
    pub(crate) fn seen(&self) -> Seen<'_> {
        match &self.digests {
            Some(digests) => Seen::Digest(digests.rule.utilisation(self.carried_code)),
            None => Seen::Records(&self.carried),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::{Rate, Time};

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
