//! Packets on a detour by another switch: which of them are under way.

use congestree_schemes::route::PathLoad;
use congestree_topology::Node;
use congestree_wire::{HostId, IndexVec, PacketId, PortId, SwitchId};

use crate::by_packet::{ByPacket, swap_entries};
use crate::plan::Plan;

/// The state of detours.
#[derive(Debug, Default)]
pub(crate) struct Detours {
    /// Hosts drawn for every packet; 0 if there are no detours.
    pub candidates: u32,
    /// By switch: its group, if packets on the direct path are asked again (PAR); otherwise empty.
    pub(super) groups: IndexVec<SwitchId, u32>,
    /// Routers know what waits at all switches of a path.
    pub(super) knows_all: bool,
    /// By switch: the connected component that it is in by the present tables; empty if the network is whole.
    pub components: IndexVec<SwitchId, u32>,
    /// By host: its switch.
    pub(super) homes: IndexVec<HostId, SwitchId>,
    /// By switch: the first of its ports.
    pub(super) bases: IndexVec<SwitchId, PortId>,
    /// By packet: its real destination while it is on a detour; `NONE` if it is not on one.
    pub(super) bound: Vec<HostId>,
    /// The hosts drawn for a packet, and the paths by them.
    pub(super) drawn: Vec<HostId>,
    pub(super) paths: Vec<PathLoad>,
}

/// Not on a detour.
pub(super) const NONE: HostId = HostId::NONE;

/// Not on a detour, but may still be asked again.
pub(super) const OPEN: HostId = HostId(u32::MAX - 1);

impl Detours {
    pub(crate) fn new(plan: &Plan) -> Self {
        let candidates = plan.scheme.route.detours();
        if candidates == 0 {
            return Self::default();
        }
        let mut homes: IndexVec<HostId, SwitchId> = vec![SwitchId::NONE; plan.graph.hosts.len()].into();
        for link in &plan.graph.links {
            if let (Node::Host(host), Node::Switch(switch)) | (Node::Switch(switch), Node::Host(host)) =
                (link.a, link.b)
            {
                homes[HostId(host)] = SwitchId(switch);
            }
        }
        // Ports of hosts come first, then those of the switches.
        let mut bases = vec![PortId::from_index(homes.len())];
        for own in plan.graph.ports().switches {
            bases.push(bases[bases.len() - 1] + own.len() as u32);
        }
        let switches = 0..plan.graph.switches.len() as u32;
        let groups = plan.routes.formula().filter(|_| plan.scheme.route.turns() > 1);
        let groups =
            groups.map_or(IndexVec::default(), |formula| switches.map(|switch| formula.group(switch)).collect());
        Self {
            candidates,
            groups,
            knows_all: plan.scheme.route.knows_all_queues(),
            homes,
            bases: bases.into(),
            ..Self::default()
        }
    }

    /// The tables have paths from a switch to another.
    pub(super) fn connects(&self, from: SwitchId, to: SwitchId) -> bool {
        self.components.is_empty() || self.components[from] == self.components[to]
    }

    /// The real destination of a packet, to be noted elsewhere; absent if there are no detours.
    pub(crate) fn bound(&self, id: PacketId) -> Option<HostId> {
        (self.candidates > 0).then(|| self.bound.get(id.index()).copied().unwrap_or(NONE))
    }

    /// Notes the real destination of a packet.
    pub(crate) fn note(&mut self, id: PacketId, bound: HostId) {
        let place = id.index();
        if self.bound.len() <= place {
            self.bound.resize(place + 1, NONE);
        }
        self.bound[place] = bound;
    }
}

impl ByPacket for Detours {
    fn swap(&mut self, a: PacketId, b: PacketId) {
        swap_entries(&mut self.bound, a, b, NONE);
    }
}
