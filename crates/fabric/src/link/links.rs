//! What the links of a network own: ports, credits, frames between the two ends, and pauses.

use congestree_wire::{IndexVec, PortId};

use crate::control::marking::filter::MarkingFilter;
use crate::link::checked::ends::CheckedLinks;
use crate::link::credits::queue_credits::QueueCredits;
use crate::link::credits::tellers::CreditTellers;
use crate::link::credits::{LaneCredits, ReturningCredits, UNLIMITED};
use crate::link::faults::Faults;
use crate::link::frames::Neighbours;
use crate::link::lanes::schedule::Deficits;
use crate::link::lanes::weighted::LaneTurn;
use crate::link::pfc::pauses::Pauses;
use crate::link::port::{Far, In, Out, PortCounters, Serialiser};
use crate::link::wiring::Wiring;
use crate::plan::{CreditUnit, LaneSchedule, LaneWeights, Plan};

/// The sending and the receiving side of every link, by port.
pub(crate) struct Links {
    pub outs: IndexVec<PortId, Out>,
    pub ins: IndexVec<PortId, In>,
    pub meters: IndexVec<PortId, PortCounters>,
    /// The distinct rates, with the transmission times of packet sizes.
    pub rates: Vec<Serialiser>,
    /// By port and lane.
    pub out_lanes: Vec<LaneCredits>,
    /// Credits on their way back.
    pub returning: ReturningCredits,
    /// Frames between the two ends of a link.
    pub neighbours: Neighbours,
    /// Credits of queues that have buffer space of their own.
    pub queue_credits: QueueCredits,
    /// Credits that come back in messages.
    pub messages: CreditTellers,
    /// Frames that the receiver checks before they are forwarded.
    pub checked: CheckedLinks,
    /// Links that fail.
    pub faults: Faults,
    /// Priority flow control.
    pub pauses: Pauses,
    /// Weights by which lanes share a link, if they do not just take turns.
    pub lane_weights: Option<Box<LaneWeights>>,
    /// By port, if there are weights: the position in the tables.
    pub lane_turns: IndexVec<PortId, LaneTurn>,
    /// Strict lanes, and quanta of the others.
    pub lane_schedule: Option<Box<LaneSchedule>>,
    /// By port, if lanes share by quanta: their deficits.
    pub deficits: IndexVec<PortId, Deficits>,
    /// One bit a port: flow control holds it (`Out::blocked_since`).
    pub blocked: Vec<u64>,
}

impl Links {
    /// The links of a plan at rest. `filters`, by port and lane: what the marker of each lane need not be asked for.
    /// `queue_credits`: the credits of queues that have space of their own.
    pub(crate) fn new(
        plan: &Plan,
        wiring: Wiring,
        filters: impl Iterator<Item = MarkingFilter>,
        queue_credits: QueueCredits,
    ) -> Self {
        let count = wiring.outs.len();
        let full = plan.adapter.full();
        let radix_behind = |out: &Out| wiring.ins[out.peer].radix;
        let lanes = |out: &Out| {
            let (far, radix, behind) = (out.far, out.radix, radix_behind(out));
            (0..plan.lanes).map(move |lane| LaneCredits::new(room_at(plan, far, lane, behind), radix - 1))
        };
        let schedule = plan.lane_schedule.iter();
        Self {
            meters: vec![PortCounters::default(); count].into(),
            rates: wiring.rates.iter().map(|&rate| Serialiser::new(rate, full)).collect(),
            out_lanes: wiring
                .outs
                .iter()
                .flat_map(lanes)
                .zip(filters)
                .map(|(lane, filter)| lane.with_filter(filter))
                .collect(),
            returning: ReturningCredits::default(),
            neighbours: Neighbours::new(plan.neighbours_talk(), count),
            queue_credits,
            messages: CreditTellers::new(plan, &wiring),
            checked: CheckedLinks::new(plan, &wiring),
            faults: Faults::new(plan, &wiring),
            pauses: Pauses::new(plan, &wiring.ins, wiring.queues),
            lane_turns: vec![LaneTurn::default(); if plan.lane_weights.is_some() { count } else { 0 }].into(),
            lane_weights: plan.lane_weights.clone().map(Box::new),
            deficits: schedule.flat_map(|schedule| vec![Deficits::new(schedule); count]).collect(),
            lane_schedule: plan.lane_schedule.clone().map(Box::new),
            blocked: vec![0; count.div_ceil(64)],
            outs: wiring.outs,
            ins: wiring.ins,
        }
    }
}

/// Credit units with which a sender starts in a lane, before a switch with `radix` ports or a host: those that all
/// queues there share.
pub(crate) fn room_at(plan: &Plan, far: Far, lane: u8, radix: u16) -> u32 {
    match far {
        _ if plan.flow_control.unit == CreditUnit::Pause => UNLIMITED,
        Far::Host => plan.adapter.receive_units.unwrap_or(UNLIMITED),
        _ => plan.switch.credit_units(usize::from(lane), radix).0,
    }
}
