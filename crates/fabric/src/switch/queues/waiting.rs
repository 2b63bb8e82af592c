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
    /// Calls `tell` for those lists of a switch in which packets from this input may wait, in the order of
    /// [`Self::each_list`] over all its ports.
    pub(crate) fn each_list_from(&self, input: PortId, tell: &mut dyn FnMut(List)) {
        if self.lists_by_input() {
            return self.each_list(input, &mut |list, _| tell(list));
        }
        let (side, all) = (self.links.ins[input], self.queues_flows() || self.serves_oldest_at_output());
        for port in PortId::each(side.base..side.base + u32::from(side.radix)) {
            if all {
                self.each_list(port, &mut |list, _| tell(list));
                continue;
            }
            for lane in 0..self.lanes() as u8 {
                tell(self.switches.queues.get(self.queue(&side, lane, (port - side.base) as u16)));
            }
        }
    }

    /// Calls `tell` for those lists of a switch in which packets for this output may wait, in the order of
    /// [`Self::each_list`] over all its ports.
    pub(crate) fn each_list_for(&self, output: PortId, tell: &mut dyn FnMut(List)) {
        if !self.lists_by_input() {
            return self.each_list(output, &mut |list, _| tell(list));
        }
        let side = self.links.ins[output];
        for port in PortId::each(side.base..side.base + u32::from(side.radix)) {
            self.each_list(port, &mut |list, _| tell(list));
        }
    }

    /// Whether the lists of a port are those of its input.
    fn lists_by_input(&self) -> bool {
        self.has_input_queues() || (self.queue_map() == QueueMap::Single && !self.queues_flows())
    }
}
