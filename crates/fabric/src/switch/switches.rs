//! What the switches of a network own: routes, queues, arbiters, and what their buffers hold.

use std::sync::Arc;

use congestree_topology::LaneMap;
use congestree_units::Time;
use congestree_wire::{IndexVec, PortId, QueueId, SwitchId};

use crate::link::wiring::Wiring;
use crate::plan::{ArbiterPlan, Plan, QueueMap};
use crate::switch::crossing::crossbar::Crossbar;
use crate::switch::crossing::islip::Islip;
use crate::switch::occupancy::Occupancy;
use crate::switch::queues::by_flow::table::FlowQueues;
use crate::switch::queues::inputs::Inputs;
use crate::switch::queues::list::Lists;
use crate::switch::queues::output::OutputQueues;
use crate::switch::queues::output_buffers::OutputBuffers;
use crate::switch::routes::forwarding::Forwarding;
use crate::switch::routes::path_choice::PathChoice;
use crate::tune::features::Features;

/// The parts of all switches, in the order in which a packet meets them.
pub(crate) struct Switches {
    pub routes: Forwarding,
    /// The lane in which packets leave a switch, if it is not always the one in which they came in.
    pub lane_map: Option<Arc<LaneMap>>,
    pub path_choice: PathChoice,
    /// Waiting packets, in up to three groups of lists. First: by input, lane and (with virtual output queues)
    /// output. Second: by output and lane, oldest first, with first-in first-out arbiters over virtual output queues,
    /// or if outputs have buffers. Third: by output and flow, if there are per-flow queues.
    pub queues: Lists,
    /// The first queue of the second group.
    pub first_at_outputs: QueueId,
    /// Input queues of any organisation, if inputs have more than the plain ones.
    pub inputs: Inputs,
    pub occupancy: Occupancy,
    /// Words in a set of the inputs of one switch.
    pub words: usize,
    /// By port, lane and word, if a set has more than one word: the inputs with a packet for this output.
    pub request_sets: Vec<u64>,
    /// By port, if there are several lanes: the lanes in which some input has a packet for this output, one bit each.
    pub waiting_lanes: IndexVec<PortId, u16>,
    /// By input and read port: busy until then. Empty if every output can read every input at any time.
    pub reads: Vec<Time>,
    /// By switch: the local output that decides first (limited read ports only).
    pub turns: IndexVec<SwitchId, u16>,
    pub islip: Islip,
    pub crossbar: Crossbar,
    pub output_queues: OutputQueues,
    pub output_buffers: OutputBuffers,
    pub flow_queues: FlowQueues,
}

impl Switches {
    /// The switches of a plan, empty.
    pub(crate) fn new(plan: &Plan, wiring: &Wiring, features: Features, routes: Forwarding) -> Self {
        let (count, lanes) = (wiring.outs.len(), usize::from(plan.lanes));
        let (switches, hosts) = (plan.graph.switches.len(), plan.graph.hosts.len());
        let words = wiring.outs.iter().map(|out| usize::from(out.radix)).max().unwrap_or(1).div_ceil(64);
        let fifo = matches!(plan.switch.arbiter, ArbiterPlan::Fifo { .. });
        let has_output_queues = fifo && plan.plain_queues() == QueueMap::Voq || plan.switch.output_buffer.is_some();
        let at_outputs = if has_output_queues { count * lanes } else { 0 };
        let flow_queues = FlowQueues::new(plan, wiring, QueueId::from_index(wiring.queues + at_outputs));
        let reads = plan.switch.read_ports.map_or(0, |reads| (count - hosts) * usize::from(reads));
        let matches = matches!(plan.switch.arbiter, ArbiterPlan::Islip { .. });
        Self {
            routes,
            lane_map: plan.lane_map.clone(),
            path_choice: PathChoice::new(plan),
            queues: Lists::new(wiring.queues + at_outputs + flow_queues.count()),
            first_at_outputs: QueueId::from_index(wiring.queues),
            inputs: Inputs::new(plan, &wiring.outs, &wiring.ins),
            occupancy: Occupancy::new(features, count * lanes, wiring.queues),
            words,
            request_sets: vec![0; if words > 1 { count * lanes * words } else { 0 }],
            waiting_lanes: vec![0; if lanes > 1 { count } else { 0 }].into(),
            reads: vec![Time::START; reads],
            turns: vec![0; switches].into(),
            islip: Islip::new(matches, count, switches, words),
            crossbar: Crossbar::new(plan, count),
            output_queues: OutputQueues::new(plan, &wiring.outs, &wiring.rates),
            output_buffers: OutputBuffers::new(plan, count),
            flow_queues,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use congestree_schemes::isolate::flow_queues::FlowRules;
    use congestree_schemes::isolate::{Notices, OutOfBand};

    use crate::plan::ArbiterPlan;
    use crate::small::{star, started};

    #[test]
    fn queues_of_inputs_outputs_and_flows_have_a_list_each_in_one_table() {
        let mut plan = star(4, &[(0, 3), (1, 3)]);
        plan.lanes = 2;
        plan.switch.buffer_units = vec![1 << 20; 2];
        plan.switch.arbiter = ArbiterPlan::Fifo { bypass_limit: None };
        plan.scheme.flow_queues = Some(FlowRules {
            queues: 5,
            flow_ids: 1 << 14,
            hop_round_trip: None,
            sticky: None,
            first_ahead: false,
            notices: Notices::OutOfBand(OutOfBand::default()),
        });
        let fabric = started(&plan);
        let (mut places, mut count) = (HashSet::new(), 0);
        let mut add = |queue| {
            places.insert(queue);
            count += 1;
        };
        for port in fabric.links.outs.ids() {
            let is_host = fabric.rules.is_host(port);
            for lane in 0..2 {
                let outputs = 0..if is_host { 0 } else { 4 };
                outputs.for_each(|output| add(fabric.queue(&fabric.links.ins[port], lane, output)));
                add(fabric.queue_at_output(port, lane));
            }
            let by_flow = &fabric.switches.flow_queues.outputs[port];
            assert_eq!(by_flow.queues().count(), if is_host { 1 } else { 5 + 1 });
            by_flow.queues().for_each(|(_, queue)| add(queue));
        }
        assert_eq!(count, 4 * (2 * 4) + 8 * 2 + 4 + 4 * 6);
        assert_eq!((places.len(), fabric.switches.queues.len()), (count, count));
        assert!(places.iter().all(|queue| queue.index() < count));
    }
}
