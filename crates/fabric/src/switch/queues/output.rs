//! Output queues of bounded size, for links without flow control: whoever finds too many bytes waiting is dropped.
//!
//! With `flow_control = "none"` a sender never waits for room, and nothing bounds what waits in a switch but this: the
//! bytes that wait for one output, in one lane, whichever input they came in by. A packet joins when it is routable and
//! leaves the queue when it starts to be sent (tail drop, as ns-2's DropTail has it). The queues themselves are those
//! of the switch; here is only what they add up to, and what was lost. Beside that, packets can be lost at random.

use congestree_kernel::{Agenda, Dice};
use congestree_probes::Probe;
use congestree_units::Bytes;
use congestree_wire::{Kind, PacketId};

use crate::fabric::Fabric;
use crate::plan::Plan;
use crate::tune::variants::Variant;

/// What waits at the outputs, and what was dropped there.
#[derive(Debug, Default)]
pub(crate) struct OutputQueues {
    /// Most bytes that wait for one output in one lane.
    limit: u64,
    /// Share of the packets that are lost at random.
    loss: f64,
    /// By output: what decides which.
    dice: Vec<Dice>,
    /// Data packets dropped, by flow.
    pub by_flow: Vec<u64>,
    /// Packets dropped, by output; ACKs too.
    pub by_port: Vec<u64>,
}

impl OutputQueues {
    pub(crate) fn new(plan: &Plan, ports: usize) -> Self {
        match plan.switch.output_queue {
            None if plan.pfc.is_some() => {
                Self { by_flow: vec![0; plan.flows.len()], by_port: vec![0; ports], ..Self::default() }
            }
            None => Self::default(),
            Some(Bytes(limit)) => Self {
                limit,
                loss: plan.switch.random_loss,
                dice: (0..ports as u64).map(|port| Dice::stream(plan.seed, "loss", port)).collect(),
                by_flow: vec![0; plan.flows.len()],
                by_port: vec![0; ports],
            },
        }
    }

    /// Packets can be dropped: queues are bounded, or there are lanes that lose what finds no room.
    pub(crate) fn may_drop(&self) -> bool {
        !self.by_port.is_empty()
    }

    /// A packet was dropped.
    pub(crate) fn count_drop(&mut self, output: u32, flow: u32, is_data: bool) {
        self.by_port[output as usize] += 1;
        self.by_flow[flow as usize] += u64::from(is_data);
    }

    /// Data packets of a flow that were dropped.
    pub(crate) fn dropped(&self, flow: usize) -> u64 {
        self.by_flow.get(flow).copied().unwrap_or(0)
    }

    /// Packets that an output has dropped.
    pub(crate) fn dropped_at(&self, port: usize) -> u64 {
        self.by_port.get(port).copied().unwrap_or(0)
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A packet wants to join the queue of an output, and is counted there. Answers whether it may; if not, it is gone.
    #[inline(never)]
    pub(crate) fn admit(&mut self, output: u32, id: PacketId) -> bool {
        let packet = &self.packets[id];
        let (flow, size, kind) = (packet.flow, packet.size, packet.kind);
        let place = self.at(output, packet.lane);
        let waiting = self.occupancy.waiting(place);
        let queues = &mut self.output_queues;
        let lost = queues.loss > 0.0 && queues.dice[output as usize].unit() < queues.loss;
        if lost || waiting > self.output_queues.limit {
            self.occupancy.leave(place, size);
            self.output_queues.count_drop(output, flow, kind == Kind::Data);
            self.packets.remove(id);
            self.probe.dropped(self.now, output, self.told_as(flow));
            return false;
        }
        self.probe.queued(self.now, output, waiting);
        true
    }
}
