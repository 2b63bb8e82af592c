//! Output queues of bounded size, for links without flow control: a packet that finds too many bytes waiting is
//! dropped.
//!
//! With `flow_control = "none"` a sender never waits for room. The only bound on what waits in a switch is this one,
//! on the bytes that wait for one output in one lane, whichever input they came in by. A packet joins when it is
//! routable and leaves the queue when it starts to be sent (tail drop, as in ns-2's DropTail). The queues themselves
//! are those of the switch; this file keeps only their totals and what was lost. Packets can also be lost at random.
//!
//! Where switches *trim*, a data packet that finds no room loses its payload instead. Its header goes on in another
//! lane, which has a queue of its own, so that the receiver soon knows what is missing. With `either`, a coin toss
//! decides whether the arriving packet is trimmed, or the newest one waiting, whose place the arriving packet then
//! takes. Without that, flows that arrive in step would lose all or nothing (Ultra Ethernet Specification 1.0,
//! section 4; uet-htsim, `compositequeue.cpp`). A header that finds no room is dropped, and so is a control packet in
//! any lane. A trimmed packet counts as dropped: its payload is lost.

use congestree_kernel::Rng;
use congestree_units::{Bytes, Rate};
use congestree_wire::{FlowId, IndexVec, PortId};

use crate::link::port::Out;
use crate::plan::{Plan, TrimPlan};

/// What waits at the outputs, and what was dropped there.
#[derive(Debug, Default)]
pub(crate) struct OutputQueues {
    /// By output: most bytes that may wait for it in one lane.
    pub(super) limits: IndexVec<PortId, u64>,
    /// By output: most bytes that may wait for it in the lane of trimmed packets; empty if there is none.
    pub(super) trim_limits: IndexVec<PortId, u64>,
    /// What happens to data that finds no room, if it is not dropped.
    pub(super) trim: Option<TrimPlan>,
    /// Share of the packets that are lost at random.
    pub(super) loss: f64,
    /// By output: the random numbers that decide which packets are lost or trimmed.
    pub(super) rng: IndexVec<PortId, Rng>,
    /// Data packets dropped, by flow.
    pub by_flow: IndexVec<FlowId, u64>,
    /// Packets dropped, by output, ACKs included.
    pub by_port: IndexVec<PortId, u64>,
}

impl OutputQueues {
    pub(crate) fn new(plan: &Plan, outs: &IndexVec<PortId, Out>, rates: &[Rate]) -> Self {
        let ports = outs.len();
        let at_each = |limit: &dyn Fn(Rate) -> Option<Bytes>| -> IndexVec<PortId, u64> {
            outs.iter().filter_map(|out| limit(rates[usize::from(out.rate)])).map(|limit| limit.0).collect()
        };
        match plan.switch.output_queue {
            None if plan.pfc.is_some() || plan.checks.loses() || plan.faults.any() => {
                Self { by_flow: vec![0; plan.flows.len()].into(), by_port: vec![0; ports].into(), ..Self::default() }
            }
            None => Self::default(),
            Some(_) => Self {
                limits: at_each(&|rate| plan.switch.output_queue_at(rate)),
                trim_limits: at_each(&|rate| plan.switch.trim_queue_at(rate)),
                trim: plan.switch.trim,
                loss: plan.switch.random_loss,
                rng: (0..ports as u64).map(|port| Rng::stream(plan.seed, "loss", port)).collect(),
                by_flow: vec![0; plan.flows.len()].into(),
                by_port: vec![0; ports].into(),
            },
        }
    }

    /// Packets can be dropped: queues are bounded, or some lanes drop packets that find no room.
    pub(crate) fn may_drop(&self) -> bool {
        !self.by_port.is_empty()
    }

    /// A packet was dropped.
    pub(crate) fn count_drop(&mut self, output: PortId, flow: FlowId, is_data: bool) {
        self.by_port[output] += 1;
        if is_data {
            *self.of_flow(flow) += 1;
        }
    }

    /// The count of a flow, which may have begun after the start of the run.
    fn of_flow(&mut self, flow: FlowId) -> &mut u64 {
        if flow.index() >= self.by_flow.len() {
            self.by_flow.resize(flow.index() + 1, 0);
        }
        &mut self.by_flow[flow]
    }

    /// Adds what a part of the network has dropped.
    pub(crate) fn add_drops(&mut self, part: &Self) {
        self.by_port.iter_mut().zip(&part.by_port).for_each(|(sum, drops)| *sum += drops);
        part.by_flow.with_ids().for_each(|(flow, drops)| *self.of_flow(flow) += drops);
    }

    /// Data packets of a flow that were dropped.
    pub(crate) fn dropped(&self, flow: FlowId) -> u64 {
        self.by_flow.get(flow).copied().unwrap_or(0)
    }

    /// Packets that an output has dropped.
    pub(crate) fn dropped_at(&self, port: PortId) -> u64 {
        self.by_port.get(port).copied().unwrap_or(0)
    }
}
