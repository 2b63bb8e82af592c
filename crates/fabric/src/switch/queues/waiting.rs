//! Everything that waits in a switch, whatever its queue organisation: for code that needs to see all of it.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::PortId;

use crate::fabric::Fabric;
use crate::plan::{ArbiterPlan, QueueMap};
use crate::switch::queues::list::List;
use crate::switch::round_robin::cyclic;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Calls `tell` for the lists of packets that wait at a port of a switch, with whether each is stopped from
    /// downstream. The lists are those of the port's input or those for its output, depending on the organisation;
    /// over all ports of a switch every waiting packet is in exactly one list. Packets that have crossed into the
    /// buffer of an output are left out.
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
