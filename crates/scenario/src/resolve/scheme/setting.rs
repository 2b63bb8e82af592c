//! What parts may know of the scenario around them.

use congestree_fabric::plan::{CreditUnit, FlowControl};
use congestree_schemes::check::{QueuedBy, Setting};
use congestree_schemes::{NotifyParams, ReactParams};
use congestree_units::Bytes;

use crate::resolve::limits::LARGEST_PACKET;
use crate::types::{self, Routing, Scenario};

/// The largest buffer that an input has in any lane; lanes with smaller ones may be of no use to a part. Isolation acts
/// on lane 0 alone.
pub(super) struct InputBuffers {
    /// Full packets; none if inputs have no buffers of their own.
    packets: Option<u32>,
    /// Bytes; none also if buffers are counted in packets.
    bytes: Option<Bytes>,
    /// Packets of any size in lane 0; none if buffers are not counted in packets.
    first_slots: Option<u32>,
}

impl InputBuffers {
    /// `rooms`: of each lane in credit units. If they are not known, because of an error that is reported elsewhere,
    /// there is no limit.
    pub(crate) fn of(scenario: &Scenario, flow_control: &FlowControl, rooms: &[u32]) -> Self {
        let unit = flow_control.unit;
        if unit == CreditUnit::None || scenario.switches.shared_memory.is_some() {
            return Self { packets: None, bytes: None, first_slots: None };
        }
        let packet = scenario.adapters.full_packet().min(LARGEST_PACKET);
        let units = rooms.iter().copied().max().unwrap_or(u32::MAX);
        Self {
            packets: Some(flow_control.packets_in(units, packet)),
            bytes: (unit != CreditUnit::Slot).then(|| Bytes(u64::from(units).saturating_mul(unit.bytes().0))),
            first_slots: rooms.first().copied().filter(|_| unit == CreditUnit::Slot),
        }
    }
}

/// The setting of the parts of a scenario.
pub(super) fn of(scenario: &Scenario, inputs: InputBuffers, notify: &NotifyParams, react: &ReactParams) -> Setting {
    let (links, switches) = (&scenario.links, &scenario.switches);
    let topology = scenario.topology.parameters();
    let own = matches!(scenario.routing, None | Some(Routing::Minimal));
    Setting {
        rate: links.rate,
        own_rates: topology.is_none_or(|parameters| parameters.has_host_rates()),
        lanes: links.lanes,
        packet: scenario.adapters.full_packet(),
        buffer_packets: inputs.packets,
        first_lane_slots: inputs.first_slots,
        buffer: inputs.bytes,
        queues: match switches.queues {
            types::Queues::Voq => QueuedBy::Output,
            types::Queues::Dbbm(_) | types::Queues::Obqa(_) => QueuedBy::Some,
            types::Queues::Single | types::Queues::Voqnet(_) => QueuedBy::Other,
        },
        output_buffers: switches.output_buffer.is_some(),
        holds: links.have_flow_control(),
        acks: *notify == NotifyParams::Ack,
        windowed: react.needs().window,
        groups: own && topology.is_some_and(|parameters| parameters.has_groups()),
    }
}
