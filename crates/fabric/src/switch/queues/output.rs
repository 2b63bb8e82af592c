//! Output queues of bounded size, for links without flow control: whoever finds too many bytes waiting is dropped.
//!
//! With `flow_control = "none"` a sender never waits for room, and nothing bounds what waits in a switch but this: the
//! bytes that wait for one output, in one lane, whichever input they came in by. A packet joins when it is routable and
//! leaves the queue when it starts to be sent (tail drop, as ns-2's DropTail has it). The queues themselves are those
//! of the switch; here is only what they add up to, and what was lost. Beside that, packets can be lost at random.
//!
//! Where switches *trim*, a data packet that finds no room loses its payload instead: its header goes on in a lane of its own,
//! which has a queue of its own, so that the receiver soon knows what is missing. With `either`, a coin says whether that
//! happens to the packet that comes or to the newest that waits, whose place the other then takes: without it flows that
//! come in step would lose all or nothing (Ultra Ethernet Specification 1.0, section 4; uet-htsim, `compositequeue.cpp`). A
//! header that finds no room is dropped. A trimmed packet counts as dropped: its payload is lost.

use congestree_kernel::{Agenda, Dice};
use congestree_probes::Probe;
use congestree_units::{Bytes, Rate};
use congestree_wire::{Kind, Packet, PacketId};

use crate::fabric::Fabric;
use crate::link::port::{Far, Out};
use crate::plan::{Plan, TrimPlan};
use crate::tune::variants::Variant;

/// What waits at the outputs, and what was dropped there.
#[derive(Debug, Default)]
pub(crate) struct OutputQueues {
    /// By output: most bytes that wait for it in one lane.
    limits: Vec<u64>,
    /// What happens to data that finds no room, if it is not dropped.
    trim: Option<TrimPlan>,
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
    pub(crate) fn new(plan: &Plan, outs: &[Out], rates: &[Rate]) -> Self {
        let ports = outs.len();
        match plan.switch.output_queue {
            None if plan.pfc.is_some() || plan.checks.loses() || plan.faults.any() => {
                Self { by_flow: vec![0; plan.flows.len()], by_port: vec![0; ports], ..Self::default() }
            }
            None => Self::default(),
            Some(Bytes(limit)) => Self {
                limits: outs
                    .iter()
                    .map(|out| match plan.switch.output_queue_rate {
                        Some(of) => (limit as f64 * rates[usize::from(out.rate)].0 as f64 / of.0 as f64) as u64,
                        None => limit,
                    })
                    .collect(),
                trim: plan.switch.trim,
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
        let kind = packet.kind;
        let place = self.at(output, packet.lane);
        let waiting = self.switches.occupancy.waiting(place);
        let queues = &mut self.switches.output_queues;
        let lost = queues.loss > 0.0 && queues.dice[output as usize].unit() < queues.loss;
        let limit = queues.limits[output as usize];
        if let Some(trim) = queues.trim.filter(|_| !lost) {
            let headers = trim.lane == self.packets[id].lane;
            if !headers && kind == Kind::Data && waiting > limit {
                return self.admit_trimmed(output, id, trim);
            }
            if headers && waiting > trim.queue.0 {
                return self.refuse(output, id);
            }
            self.probe.queued(self.now, output, waiting);
            return true;
        }
        if lost || waiting > limit {
            return self.refuse(output, id);
        }
        self.probe.queued(self.now, output, waiting);
        true
    }

    /// There is no room: the packet is gone.
    fn refuse(&mut self, output: u32, id: PacketId) -> bool {
        let Packet { flow, size, kind, lane, .. } = self.packets[id];
        let place = self.at(output, lane);
        self.switches.occupancy.leave(place, size);
        self.switches.output_queues.count_drop(output, flow, kind == Kind::Data);
        self.packets.remove(id);
        self.probe.dropped(self.now, output, self.told_as(flow));
        false
    }

    /// A data packet finds no room: it, or the newest that waits, goes on without its payload. Answers whether anything is to join
    /// a queue still: what is trimmed, under the id of the packet that came.
    fn admit_trimmed(&mut self, output: u32, id: PacketId, trim: TrimPlan) -> bool {
        let place = self.at(output, self.packets[id].lane);
        let newest =
            self.switches.lines.get(place).filter(|line| trim.either && !line.is_empty()).map(|line| line.last());
        if let Some(newest) = newest
            && self.packets[newest].kind == Kind::Data
            && self.packets[newest].size == self.packets[id].size
            && self.switches.output_queues.dice[output as usize].unit() < 0.5
        {
            self.exchange(newest, id);
        }
        let Packet { flow, size, .. } = self.packets[id];
        self.switches.occupancy.leave(place, size);
        self.switches.output_queues.count_drop(output, flow, true);
        self.probe.dropped(self.now, output, self.told_as(flow));
        let last_hop = self.links.outs[output as usize].far == Far::Host;
        self.trim(id, trim.size, trim.lane, last_hop);
        let place = self.at(output, trim.lane);
        self.switches.occupancy.join(place, trim.size.0 as u32);
        let waiting = self.switches.occupancy.waiting(place);
        if waiting > trim.queue.0 {
            return self.refuse(output, id);
        }
        self.probe.queued(self.now, output, waiting);
        true
    }

    /// Two packets of one output and size change places: each takes the other's place in its queue and the room that it
    /// holds.
    fn exchange(&mut self, a: PacketId, b: PacketId) {
        let (one, other) = (self.packets[a], self.packets[b]);
        let at = |packet: Packet, place: Packet| Packet {
            next: place.next,
            input: place.input,
            units: place.units,
            buffer_lane: place.buffer_lane,
            port: place.port,
            passed: place.passed,
            ready: place.ready,
            ..packet
        };
        (self.packets[a], self.packets[b]) = (at(other, one), at(one, other));
        self.ends.headers.swap(a, b);
    }
}
