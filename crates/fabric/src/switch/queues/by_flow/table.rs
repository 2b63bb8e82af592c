//! The per-flow queues of an output, and whose turn it is.

use congestree_kernel::Rng;
use congestree_schemes::isolate::flow_queues::Assignments;
use congestree_wire::{IndexVec, PacketId, PortId, QueueId};

use crate::by_packet::{ByPacket, swap_entries};
use crate::link::wiring::Wiring;
use crate::plan::Plan;
use crate::switch::queues::list::Lists;

/// The per-flow queues of all outputs. Empty where there are none.
#[derive(Debug, Default)]
pub(crate) struct FlowQueues {
    /// By port. Ports of hosts have only the priority queue, which stays empty.
    pub outputs: IndexVec<PortId, FlowOutput>,
    /// By packet: its queue, and the queue that it came from.
    pub packet_states: Vec<PacketState>,
    /// Bytes added to a queue's deficit at each turn.
    pub(super) quantum: u64,
}

/// The queues of one output.
#[derive(Clone, Debug)]
pub(crate) struct FlowOutput {
    /// Which flow uses which queue, and which queues may send.
    pub assignments: Assignments,
    /// Its first queue in the table of all queues; its last is the priority queue.
    first: QueueId,
    /// By queue: its deficit counter (bytes left of its turn).
    pub(super) deficits: Vec<u64>,
    /// The queue whose turn it is.
    pub(super) turn: usize,
    /// Random choice of a queue for flows that find no empty one.
    pub rng: Rng,
}

/// A packet in the per-flow queues: its queue, and the queue that it came from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PacketState {
    /// Identifies its flow.
    pub flow: u32,
    /// The queue it was sent from: one of the previous switch, or its flow's place at its host.
    pub from: u32,
    /// The queue it is in.
    pub queue: u16,
    /// It is charged to the queue that it was sent from.
    pub charged: bool,
}

impl FlowQueues {
    /// The queues of a plan, from `first` in the table of all queues on.
    pub(crate) fn new(plan: &Plan, wiring: &Wiring, first: QueueId) -> Self {
        let Some(rules) = &plan.scheme.flow_queues else { return Self::default() };
        let hosts = plan.graph.hosts.len();
        let mut next = first;
        let output = |port: usize| {
            let queues = if port < hosts { 0 } else { rules.queues };
            let first = next;
            next = next + u32::from(queues) + 1;
            FlowOutput {
                assignments: Assignments::new(queues),
                first,
                deficits: vec![0; queues.into()],
                turn: usize::from(queues).saturating_sub(1),
                rng: Rng::stream(plan.seed, "flow queues", port as u64),
            }
        };
        Self {
            outputs: (0..wiring.outs.len()).map(output).collect(),
            packet_states: Vec::new(),
            quantum: plan.adapter.full().0,
        }
    }

    /// Number of queues.
    pub(crate) fn count(&self) -> usize {
        self.outputs.iter().map(|output| usize::from(output.priority_queue()) + 1).sum()
    }

    /// The state of a packet that sets out.
    pub(crate) fn packet_state_mut(&mut self, id: PacketId) -> &mut PacketState {
        let place = id.index();
        if self.packet_states.len() <= place {
            self.packet_states.resize(place + 1, PacketState::default());
        }
        &mut self.packet_states[place]
    }
}

impl ByPacket for FlowQueues {
    fn swap(&mut self, a: PacketId, b: PacketId) {
        swap_entries(&mut self.packet_states, a, b, PacketState::default());
    }
}

impl FlowOutput {
    /// The number of the strict-priority queue.
    pub(crate) fn priority_queue(&self) -> u16 {
        self.deficits.len() as u16
    }

    /// The place of a queue in the table of all queues.
    pub(crate) fn queue(&self, number: u16) -> QueueId {
        self.first + u32::from(number)
    }

    /// All queues, by number, with their places in the table of all queues.
    pub(crate) fn queues(&self) -> impl Iterator<Item = (u16, QueueId)> + '_ {
        (0..=self.priority_queue()).map(|number| (number, self.queue(number)))
    }

    /// Some packet may go, as far as the neighbour's queues are concerned.
    pub(crate) fn has_eligible(&self, queues: &Lists) -> bool {
        self.assignments.active_len() > 0 || queues.head(self.queue(self.priority_queue())) != PacketId::NONE
    }

    /// A packet of `bytes` bytes has left a queue, which is `empty` now or not. `next_of_turn`: size of the next
    /// packet in the queue whose turn it was, if that packet may go.
    pub(super) fn sent(&mut self, queue: u16, bytes: u64, empty: bool, next_of_turn: Option<u64>, quantum: u64) {
        let queue = usize::from(queue);
        if queue != self.turn || bytes > self.deficits[queue] {
            if next_of_turn.is_none_or(|size| size <= self.deficits[self.turn]) && queue != self.turn {
                self.deficits[self.turn] = 0;
            }
            self.turn = queue;
            self.deficits[queue] += quantum;
        }
        self.deficits[queue] -= bytes;
        if empty {
            self.deficits[queue] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(queues: u16) -> FlowOutput {
        FlowOutput {
            assignments: Assignments::new(queues),
            first: QueueId(0),
            deficits: vec![0; queues.into()],
            turn: usize::from(queues) - 1,
            rng: Rng::stream(1, "flow queues", 0),
        }
    }

    #[test]
    fn a_turn_is_worth_a_quantum_and_what_is_left_of_it_is_kept_for_the_next() {
        let mut queues = output(2);
        queues.sent(0, 600, false, None, 1000);
        assert_eq!((queues.turn, queues.deficits[0]), (0, 400));
        queues.sent(0, 400, false, Some(600), 1000);
        assert_eq!(queues.deficits[0], 0);
        queues.sent(1, 700, false, Some(600), 1000);
        // The next packet of queue 1 has 500 B, more than the 300 B left, so the queue keeps them.
        queues.sent(0, 600, false, Some(500), 1000);
        assert_eq!((queues.turn, queues.deficits[0], queues.deficits[1]), (0, 400, 300));
        queues.sent(1, 500, false, Some(600), 1000);
        assert_eq!(queues.deficits[1], 800);
    }

    #[test]
    fn who_is_passed_though_it_could_have_sent_loses_what_is_left() {
        let mut queues = output(2);
        queues.sent(0, 200, false, None, 1000);
        queues.sent(1, 1000, false, None, 1000);
        assert_eq!(queues.deficits[0], 0);
        queues.sent(0, 1000, false, Some(10), 1000);
        queues.sent(1, 100, true, Some(10), 1000);
        assert_eq!((queues.turn, queues.deficits[1]), (1, 0));
    }
}
