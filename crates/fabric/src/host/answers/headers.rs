//! Headers of transports, kept beside the packets.

use congestree_schemes::transport::{AnyGrants, Grants, Header};
use congestree_units::{Rate, Time};
use congestree_wire::{HostId, IndexVec, PacketId};
use prefetch_index::prefetch_index;

use crate::by_packet::{ByPacket, swap_entries};
use crate::plan::Plan;

/// The headers of all packets, and the credit that hosts grant. Empty where transports have no headers.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    /// By packet.
    all: Vec<Header>,
    /// By packet: a copy of the entropy in its header. These are kept close together, since every switch on the path
    /// reads them.
    entropies: Vec<u16>,
    /// By host, if receivers grant credit.
    pub(super) grants: IndexVec<HostId, AnyGrants>,
    /// By host: when its next turn to grant is on the agenda; never if none is.
    pub(super) turn_at: IndexVec<HostId, Time>,
    /// The lane of control packets; absent if they use that of the data.
    pub(super) lane: Option<u8>,
}

impl Headers {
    /// The headers of a plan.
    pub(crate) fn new(plan: &Plan) -> Self {
        Self { lane: plan.scheme.transport.control_lane(), ..Self::default() }
    }

    /// Memory of all headers (B).
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.all) + size_of_val(&*self.entropies)
    }

    /// The link to a host has this rate from now on, which matters if the host grants credit.
    pub(crate) fn tell_rate(&mut self, host: HostId, line: Rate) {
        if let Some(grants) = self.grants.get_mut(host) {
            grants.on_rate(line);
        }
    }

    /// The header of a packet.
    #[inline]
    pub(crate) fn of(&self, id: PacketId) -> &Header {
        &self.all[id.index()]
    }

    /// The entropy of a packet.
    #[inline(always)]
    pub(crate) fn entropy(&self, id: PacketId) -> u16 {
        self.entropies[id.index()]
    }

    /// Prefetches the header of a packet.
    #[inline(always)]
    pub(crate) fn fetch(&self, id: PacketId) {
        prefetch_index(&self.all, id.index());
    }

    /// The header of a packet, to be changed.
    pub(crate) fn of_mut(&mut self, id: PacketId) -> &mut Header {
        &mut self.all[id.index()]
    }

    /// A packet sets out with this header.
    pub(crate) fn put(&mut self, id: PacketId, header: Header) {
        let place = id.index();
        if self.all.len() <= place {
            self.all.resize(place + 1, Header::default());
            self.entropies.resize(place + 1, 0);
        }
        self.all[place] = header;
        self.entropies[place] = header.entropy;
    }
}

impl ByPacket for Headers {
    fn swap(&mut self, a: PacketId, b: PacketId) {
        swap_entries(&mut self.all, a, b, Header::default());
        swap_entries(&mut self.entropies, a, b, 0);
    }
}
