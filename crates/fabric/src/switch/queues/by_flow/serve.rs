//! Packets join and leave the per-flow queues of an output.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{PacketId, PacketKind, PortId};

use crate::control::isolation::lines::LANE;
use crate::fabric::Fabric;
use crate::switch::arbiter::{Decision, QueuePosition};
use crate::switch::queues::by_flow::table::{FlowOutput, PacketState};
use crate::switch::round_robin::cyclic;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A packet of lane 0 joins its queue. The effect on the sender's queue is in [`Fabric::charge`].
    #[inline(never)]
    pub(crate) fn join_by_flow(&mut self, input: PortId, output: PortId, id: PacketId) {
        let packet = &self.packets[id];
        let (kind, flow, sequence, size) = (packet.kind, packet.flow, packet.sequence, packet.size);
        let ahead = kind != PacketKind::Data || (sequence == 0 && self.control.flow_isolation.first_ahead());
        let priority = self.switches.flow_queues.outputs[output].priority_queue();
        if ahead {
            let state = self.switches.flow_queues.packet_state_mut(id);
            (state.queue, state.charged) = (priority, false);
            let queue = self.switches.flow_queues.outputs[output].queue(priority);
            self.switches.queues.change(queue, |list| list.push(&mut self.packets, id));
            return;
        }
        let number = self.flow_number(flow);
        let (known_by, sticky) = self.control.flow_isolation.id_and_sticky(number, input);
        let FlowOutput { assignments, rng, .. } = &mut self.switches.flow_queues.outputs[output];
        let placed = assignments.join(self.now, known_by, size, sticky, || rng.unit());
        let queue = self.switches.flow_queues.outputs[output].queue(placed.queue);
        self.switches.queues.change(queue, |list| list.push(&mut self.packets, id));
        let state = self.switches.flow_queues.packet_state_mut(id);
        (state.flow, state.queue) = (known_by, placed.queue);
        self.charge(input, output, id, placed);
    }

    /// The packet that an output sends next.
    #[inline(never)]
    pub(crate) fn next_by_flow(&self, output: PortId) -> Decision {
        let queues = &self.switches.flow_queues.outputs[output];
        let head = |queue: usize| self.switches.queues.head(queues.queue(queue as u16));
        let state = &self.links.out_lanes[self.at(output, LANE)];
        let first = head(queues.priority_queue().into());
        if first != PacketId::NONE {
            return match self.packets[first].units {
                units if state.fits(units) => Decision::Send { id: first, place: QueuePosition::Head },
                units => Decision::Wait { starved: units.into(), blocked: true, input_free: Time::NEVER },
            };
        }
        let set = queues.assignments.active();
        let may_go_on = |queue: usize| {
            set[queue / 64] & 1 << (queue % 64) != 0
                && u64::from(self.packets[head(queue)].size) <= queues.deficits[queue]
        };
        let own_turn = Some(queues.turn).filter(|&queue| may_go_on(queue));
        let mut starved = u32::MAX;
        for queue in own_turn.into_iter().chain(cyclic(set, queues.turn + 1)) {
            let id = head(queue);
            let units = self.packets[id].units;
            if state.fits(units) {
                return Decision::Send { id, place: QueuePosition::Head };
            }
            starved = starved.min(units.into());
        }
        match starved {
            u32::MAX => Decision::Nothing,
            starved => Decision::Wait { starved, blocked: true, input_free: Time::NEVER },
        }
    }

    /// A chosen packet leaves its queue.
    #[inline(never)]
    pub(crate) fn leave_by_flow(&mut self, input: PortId, output: PortId, id: PacketId) {
        let size = self.packets[id].size;
        let PacketState { flow, queue, .. } = self.switches.flow_queues.packet_states[id.index()];
        let quantum = self.switches.flow_queues.quantum;
        let queues = &mut self.switches.flow_queues.outputs[output];
        let next = self.packets[id].next;
        self.switches.queues.set_head(queues.queue(queue), next);
        if queue != queues.priority_queue() {
            queues.assignments.leave(self.now, flow, size);
            let turn = queues.turn;
            let may_go = queues.assignments.active()[turn / 64] & 1 << (turn % 64) != 0;
            let of_turn =
                may_go.then(|| self.packets[self.switches.queues.head(queues.queue(turn as u16))].size.into());
            queues.sent(queue, size.into(), next == PacketId::NONE, of_turn, quantum);
        }
        self.discharge(input, id);
    }
}
