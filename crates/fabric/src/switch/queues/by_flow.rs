//! Queues by flow at every output: a packet of lane 0 joins one of its output's queues, whichever input it came in by.
//!
//! Its room is still that of its input, as is that of any packet; the queues say in which order packets go. One of them
//! goes before all others: there stands what is not data and, if the rules say so, the first packet of each flow. The
//! others take turns by bytes (deficit round robin): a queue whose turn comes may send a full packet's bytes more than it
//! had left, and its turn ends when the next packet is larger than what is left of them. What it has left then it keeps;
//! if its turn ends for another reason (nothing waits, or what waits may not go) it loses it.
//!
//! Which flow stands where, and who is stopped, is up to `congestree_schemes::isolate::flow_queues`; who is told, to
//! `control/isolate_flows.rs`.

use congestree_kernel::{Agenda, Dice};
use congestree_probes::Probe;
use congestree_schemes::isolate::flow_queues::Assignments;
use congestree_units::Time;
use congestree_wire::{Kind, PacketId};

use crate::control::isolate::LANE;
use crate::fabric::Fabric;
use crate::link::wiring::Wiring;
use crate::plan::Plan;
use crate::switch::arbiter::{Choice, cyclic};
use crate::switch::queues::list::List;
use crate::tune::variants::Variant;

/// The queues of all outputs. Empty where flows have none.
#[derive(Debug, Default)]
pub(crate) struct FlowQueues {
    /// By port; those of hosts have no queues.
    pub outputs: Vec<FlowOutput>,
    /// By packet: where it stands.
    pub tags: Vec<Tag>,
    /// Bytes that a turn is worth.
    quantum: u64,
}

/// The queues of one output.
#[derive(Debug)]
pub(crate) struct FlowOutput {
    /// Which flow stands in which, and which may go.
    pub known: Assignments,
    /// Packets by queue; behind them the queue that goes before all.
    pub lists: Vec<List>,
    /// By queue: bytes that are left of its turn.
    left: Vec<u64>,
    /// Whose turn it is.
    turn: usize,
    /// Chance, for flows that find no empty queue.
    pub dice: Dice,
}

/// Where a packet stands, and where it comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tag {
    /// What its flow is known by.
    pub flow: u32,
    /// The queue that it was sent from: of the switch before, or its flow's place at its host.
    pub from: u32,
    /// The queue that it stands in.
    pub queue: u16,
    /// It is charged to the queue that it was sent from.
    pub charged: bool,
}

impl FlowQueues {
    pub(crate) fn new(plan: &Plan, wiring: &Wiring) -> Self {
        let Some(rules) = &plan.scheme.flow_queues else { return Self::default() };
        let hosts = plan.graph.hosts.len();
        let output = |port: usize| {
            let queues = if port < hosts { 0 } else { rules.queues };
            let lists = if port < hosts { 0 } else { usize::from(queues) + 1 };
            FlowOutput {
                known: Assignments::new(queues),
                lists: vec![List::EMPTY; lists],
                left: vec![0; queues.into()],
                turn: usize::from(queues).saturating_sub(1),
                dice: Dice::stream(plan.seed, "flow queues", port as u64),
            }
        };
        Self { outputs: (0..wiring.outs.len()).map(output).collect(), tags: Vec::new(), quantum: plan.adapter.full().0 }
    }

    /// The tag of a packet that sets out.
    pub(crate) fn tag_mut(&mut self, id: PacketId) -> &mut Tag {
        let place = id.0 as usize;
        if self.tags.len() <= place {
            self.tags.resize(place + 1, Tag::default());
        }
        &mut self.tags[place]
    }

    /// What waits in all queues.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &List> {
        self.outputs.iter().flat_map(|output| &output.lists)
    }
}

impl FlowOutput {
    /// The number of the queue that goes before all others.
    pub(crate) fn ahead(&self) -> u16 {
        (self.lists.len() - 1) as u16
    }

    /// A packet waits that may go, as far as the neighbour's queues are concerned.
    pub(crate) fn waits(&self) -> bool {
        self.known.active_len() > 0 || self.lists.last().is_some_and(|list| !list.is_empty())
    }

    /// A packet of so many bytes has left a queue; the next of the queue whose turn it was has so many, if it may go.
    fn took(&mut self, queue: u16, bytes: u64, next_of_turn: Option<u64>, quantum: u64) {
        let queue = usize::from(queue);
        if queue != self.turn || bytes > self.left[queue] {
            if next_of_turn.is_none_or(|size| size <= self.left[self.turn]) && queue != self.turn {
                self.left[self.turn] = 0;
            }
            self.turn = queue;
            self.left[queue] += quantum;
        }
        self.left[queue] -= bytes;
        if self.lists[queue].is_empty() {
            self.left[queue] = 0;
        }
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A packet of lane 0 joins its queue. What that means for others is in [`Fabric::charge`].
    #[inline(never)]
    pub(crate) fn join_by_flow(&mut self, input: u32, output: u32, id: PacketId) {
        let packet = &self.packets[id];
        let (kind, flow, sequence, size) = (packet.kind, packet.flow, packet.sequence, packet.size);
        let ahead = kind != Kind::Data || (sequence == 0 && self.control.flow_isolation.first_ahead());
        let at = self.switches.flow_queues.outputs[output as usize].ahead();
        if ahead {
            let tag = self.switches.flow_queues.tag_mut(id);
            (tag.queue, tag.charged) = (at, false);
            self.switches.flow_queues.outputs[output as usize].lists[usize::from(at)].push(&mut self.packets, id);
            return;
        }
        let number = self.flow_number(flow);
        let (known_by, sticky) = self.control.flow_isolation.id_and_sticky(number, input);
        let FlowOutput { known, dice, .. } = &mut self.switches.flow_queues.outputs[output as usize];
        let placed = known.join(self.now, known_by, size, sticky, || dice.unit());
        let list = &mut self.switches.flow_queues.outputs[output as usize].lists[usize::from(placed.queue)];
        list.push(&mut self.packets, id);
        let tag = self.switches.flow_queues.tag_mut(id);
        (tag.flow, tag.queue) = (known_by, placed.queue);
        self.charge(input, output, id, placed);
    }

    /// The packet that goes next by an output.
    #[inline(never)]
    pub(crate) fn next_by_flow(&self, output: u32) -> Choice {
        let queues = &self.switches.flow_queues.outputs[output as usize];
        let state = &self.links.out_lanes[self.at(output, LANE)];
        let first = queues.lists[usize::from(queues.ahead())].head;
        if first != PacketId::NONE {
            return match self.packets[first].units {
                units if state.fits(units) => Choice::Send { id: first, before: None },
                units => Choice::Wait { starved: units.into(), blocked: true, input_free: Time::NEVER },
            };
        }
        let set = queues.known.active();
        let may_go_on = |queue: usize| {
            set[queue / 64] & 1 << (queue % 64) != 0
                && u64::from(self.packets[queues.lists[queue].head].size) <= queues.left[queue]
        };
        let own_turn = Some(queues.turn).filter(|&queue| may_go_on(queue));
        let mut starved = u32::MAX;
        for queue in own_turn.into_iter().chain(cyclic(set, queues.turn + 1)) {
            let id = queues.lists[queue].head;
            let units = self.packets[id].units;
            if state.fits(units) {
                return Choice::Send { id, before: None };
            }
            starved = starved.min(units.into());
        }
        match starved {
            u32::MAX => Choice::Nothing,
            starved => Choice::Wait { starved, blocked: true, input_free: Time::NEVER },
        }
    }

    /// A packet that was chosen leaves its queue.
    #[inline(never)]
    pub(crate) fn leave_by_flow(&mut self, input: u32, output: u32, id: PacketId) {
        let size = self.packets[id].size;
        let Tag { flow, queue, .. } = self.switches.flow_queues.tags[id.0 as usize];
        let quantum = self.switches.flow_queues.quantum;
        let queues = &mut self.switches.flow_queues.outputs[output as usize];
        queues.lists[usize::from(queue)].pop(&self.packets);
        if queue != queues.ahead() {
            queues.known.leave(self.now, flow, size);
            let turn = queues.turn;
            let may_go = queues.known.active()[turn / 64] & 1 << (turn % 64) != 0;
            let next = may_go.then(|| u64::from(self.packets[queues.lists[turn].head].size));
            queues.took(queue, size.into(), next, quantum);
        }
        self.discharge(input, id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(queues: u16) -> FlowOutput {
        let mut some = List::EMPTY;
        some.head = PacketId(0);
        FlowOutput {
            known: Assignments::new(queues),
            lists: vec![some; usize::from(queues) + 1],
            left: vec![0; queues.into()],
            turn: usize::from(queues) - 1,
            dice: Dice::stream(1, "flow queues", 0),
        }
    }

    #[test]
    fn a_turn_is_worth_a_quantum_and_what_is_left_of_it_is_kept_for_the_next() {
        let mut queues = output(2);
        queues.took(0, 600, None, 1000);
        assert_eq!((queues.turn, queues.left[0]), (0, 400));
        queues.took(0, 400, Some(600), 1000);
        assert_eq!(queues.left[0], 0);
        queues.took(1, 700, Some(600), 1000);
        // The next of queue 1 would take 500 B, more than the 300 B left: it keeps them.
        queues.took(0, 600, Some(500), 1000);
        assert_eq!((queues.turn, queues.left[0], queues.left[1]), (0, 400, 300));
        queues.took(1, 500, Some(600), 1000);
        assert_eq!(queues.left[1], 800);
    }

    #[test]
    fn who_is_passed_though_it_could_have_sent_loses_what_is_left() {
        let mut queues = output(2);
        queues.took(0, 200, None, 1000);
        queues.took(1, 1000, None, 1000);
        assert_eq!(queues.left[0], 0);
        queues.took(0, 1000, Some(10), 1000);
        queues.lists[1] = List::EMPTY;
        queues.took(1, 100, Some(10), 1000);
        assert_eq!((queues.turn, queues.left[1]), (1, 0));
    }
}
