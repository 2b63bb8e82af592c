//! What every part looks up and none changes, as the hot path needs it.

use congestree_units::{Span, Time};
use congestree_wire::PortId;

use crate::plan::{AdapterPlan, ArbiterPlan, FlowControl, Plan, QueueMap, Switching};

/// The rules of a network.
pub(crate) struct Rules {
    pub hosts_len: u32,
    pub lanes: usize,
    /// Of the run; the last job of a network may set it to now.
    pub end: Time,
    pub warm_up: Time,
    pub watchdog: Span,
    pub queue_map: QueueMap,
    pub arbiter: ArbiterPlan,
    pub switching: Switching,
    pub forwarding_delay: Span,
    /// Packets that may be read from one input at a time; all if absent.
    pub read_ports: Option<u8>,
    pub adapter: AdapterPlan,
    pub flow_control: FlowControl,
    /// Packets of a flow may overtake each other.
    pub overtaking: bool,
}

impl Rules {
    /// The port is that of a host.
    #[inline(always)]
    pub(crate) fn is_host(&self, port: PortId) -> bool {
        port.0 < self.hosts_len
    }

    /// Those of a plan.
    pub(crate) fn new(plan: &Plan) -> Self {
        Self {
            hosts_len: plan.graph.hosts.len() as u32,
            lanes: usize::from(plan.lanes),
            end: plan.measure.duration,
            warm_up: plan.measure.warm_up,
            watchdog: plan.measure.watchdog,
            queue_map: plan.switch.plain_queues(),
            arbiter: plan.switch.arbiter,
            switching: plan.switch.switching,
            forwarding_delay: plan.switch.forwarding_delay,
            read_ports: plan.switch.read_ports,
            adapter: plan.adapter,
            flow_control: plan.flow_control,
            overtaking: plan.reorders(),
        }
    }
}
