//! What waits in switches, whichever queues they have: for those who look at all of it.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::PortId;

use crate::fabric::Fabric;
use crate::plan::{ArbiterPlan, QueueMap};
use crate::switch::queues::list::List;
use crate::switch::round_robin::cyclic;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Tells of the lists of packets that wait at a port of a switch, and which of them are stopped from downstream: those of its
    /// input, or those for its output, as queues are. Over all ports of a switch every packet that waits there is in one. What has
    /// crossed into the buffer of an output is not told of.
    pub(crate) fn each_list(&self, port: PortId, tell: &mut dyn FnMut(List, bool)) {
        if self.has_input_queues() {
            for queue in self.switches.inputs.of_input(port) {
                let queue = &self.switches.inputs.queues[queue];
                tell(queue.list, queue.stopped);
            }
            return;
        }
        if self.queues_flows() {
            let queues = &self.switches.flow_queues.outputs[port];
            for (number, queue) in queues.queues() {
                tell(
                    self.switches.queues.get(queue),
                    number < queues.priority_queue() && queues.assignments.is_stopped(number),
                );
            }
        }
        let (base, first) = (self.links.ins[port].base, self.links.ins[port].queues);
        for lane in 0..self.lanes() as u8 {
            match (self.queue_map(), self.arbiter()) {
                (QueueMap::Voq, ArbiterPlan::RoundRobin | ArbiterPlan::Islip { .. }) => {
                    for local in cyclic(self.requests(self.at(port, lane)), 0) {
                        let side = &self.links.ins[base + local as u32];
                        tell(self.switches.queues.get(self.queue(side, lane, (port - base) as u16)), false);
                    }
                }
                (QueueMap::Voq, ArbiterPlan::Fifo { .. }) => {
                    tell(self.switches.queues.get(self.queue_at_output(port, lane)), false);
                }
                _ => tell(self.switches.queues.get(first + u32::from(lane)), false),
            }
        }
    }
}
