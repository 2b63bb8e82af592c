//! What parts may know of the scenario around them.

use congestree_schemes::check::{QueuedBy, Setting};
use congestree_schemes::{NotifyParams, ReactParams};

use crate::types::{self, FlowControl, Room, Routing, Scenario};

/// The setting of the parts of a scenario; `buffer_packets` is the number of packets that fit into the smallest input
/// buffer.
pub(super) fn of(
    scenario: &Scenario,
    buffer_packets: Option<u32>,
    notify: &NotifyParams,
    react: &ReactParams,
) -> Setting {
    let (links, switches) = (&scenario.links, &scenario.switches);
    let topology = scenario.topology.parameters();
    let own = matches!(scenario.routing, None | Some(Routing::Minimal));
    Setting {
        rate: links.rate,
        own_rates: topology.is_none_or(|parameters| parameters.has_host_rates()),
        lanes: links.lanes,
        packet: scenario.adapters.full_packet(),
        buffer_packets,
        buffer: match (&links.flow_control, switches.buffer) {
            (FlowControl::ByteCredits(_), Room::Bytes(buffer)) => Some(buffer),
            (FlowControl::Pfc(_), Room::Bytes(buffer)) if switches.shared_memory.is_none() => Some(buffer),
            _ => None,
        },
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
