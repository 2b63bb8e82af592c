//! Finite flows: their records, which records are free, and the counts of flows that are over.

use congestree_traffic::FlowMapping;
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, HostId, IndexVec};

use crate::host::flow::FlowMeter;
use crate::plan::Plan;

/// All finite flows. Empty where there are none.
#[derive(Debug, Default)]
pub(crate) struct FiniteFlows {
    /// Records from here on in the tables of flows belong to finite flows; those before are the plan's.
    pub(super) first: FlowId,
    pub(super) records: Vec<Record>,
    /// By flow of the plan: records of its finished flows, in the order in which the flows finished.
    left: IndexVec<FlowId, Vec<Left>>,
    /// How long after the end of a flow its record may be reused: by then all parts of a network know of the end.
    rest: Span,
    /// By flow of the plan: the counts of its finished flows.
    pub(super) done: IndexVec<FlowId, FlowMeter>,
    /// By host: how many places among its flows are taken, and how many there are.
    pub(super) places: IndexVec<HostId, (u32, u32)>,
    started: u64,
    pub(super) finished: u64,
    /// By flow of the plan: how many of its flows have begun and have finished.
    counted: IndexVec<FlowId, (u64, u64)>,
    /// Flows that have finished, if they are asked for.
    pub landed: Option<Vec<LandedFlow>>,
}

/// A finite flow whose last packet has arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LandedFlow {
    /// Its number among all finite flows.
    pub(crate) number: u64,
    /// Its data packets.
    pub(crate) packets: u64,
    /// Those of them that arrived with a mark.
    pub(crate) marked: u64,
}

/// A record whose flow has finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Left {
    /// When it may be reused.
    free_at: Time,
    /// The host at which the flow has finished: no other flow finishes there at the same instant.
    host: HostId,
    record: FlowId,
}

/// The data of a finite flow that other flows do not have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// The flow of the plan that is its account.
    pub(super) account: FlowId,
    /// Its data packets; zero if the record has no flow now.
    pub(super) packets: u64,
    /// Its number among all finite flows.
    pub(super) number: u64,
    /// Its payload.
    pub(super) bytes: u64,
}

impl FiniteFlows {
    pub(crate) fn new(plan: &Plan) -> Self {
        if !plan.comes_and_goes() {
            return Self::default();
        }
        let mut places: IndexVec<HostId, (u32, u32)> = vec![(0, 0); plan.graph.hosts.len()].into();
        for flow in &plan.flows {
            let (taken, all) = &mut places[flow.source];
            (*taken, *all) = (*taken + 1, *all + 1);
        }
        Self {
            first: FlowId::from_index(plan.flows.len()),
            left: vec![Vec::new(); plan.flows.len()].into(),
            rest: plan.news_takes(),
            done: vec![FlowMeter::default(); plan.flows.len()].into(),
            counted: vec![(0, 0); plan.flows.len()].into(),
            places,
            ..Self::default()
        }
    }

    /// The place of a finite flow in `records`.
    #[inline(always)]
    pub(super) fn place(&self, flow: FlowId) -> usize {
        (flow - self.first) as usize
    }

    /// The flow of the plan on whose account a flow is: for one of the plan, itself.
    #[inline(always)]
    pub(super) fn account_of(&self, flow: FlowId) -> FlowId {
        if flow < self.first { flow } else { self.records[self.place(flow)].account }
    }

    /// The finite flow at a place in `records`.
    fn at(&self, place: usize) -> FlowId {
        FlowId::from_index(self.first.index() + place)
    }

    /// The flows that are not over, each behind its account.
    pub(crate) fn live(&self) -> impl Iterator<Item = (FlowId, FlowId)> {
        let live = |(_, record): &(usize, &Record)| record.packets > 0;
        self.records.iter().enumerate().filter(live).map(|(place, record)| (record.account, self.at(place)))
    }

    /// A record that is free for the next flow of an account: the most recently left one.
    pub(super) fn take_free(&mut self, account: FlowId, now: Time) -> Option<FlowId> {
        let left = &mut self.left[account];
        let place = left.iter().rposition(|left| left.free_at <= now)?;
        Some(left.remove(place).record)
    }

    /// A flow begins on an account. Returns its number among all finite flows.
    pub(super) fn begin(&mut self, account: FlowId) -> u64 {
        self.counted[account].0 += 1;
        self.started += 1;
        self.started - 1
    }

    /// The flow of a record has finished at a host. Reports from other parts of a network come in any order.
    pub(super) fn leave(&mut self, record: FlowId, finished: Time, host: HostId) {
        let account = self.account_of(record);
        let new = Left { free_at: finished + self.rest, host, record };
        let place = self.left[account].partition_point(|left| *left < new);
        self.left[account].insert(place, new);
        self.counted[account].1 += 1;
        self.finished += 1;
    }

    /// Merges those of a part of the network.
    pub(crate) fn take_in(&mut self, part: &Self) {
        self.records.clone_from(&part.records);
        (self.started, self.finished) = (part.started, part.finished);
        self.counted.clone_from(&part.counted);
        self.done.iter_mut().zip(&part.done).for_each(|(sum, done)| sum.add(*done));
    }

    /// How many finite flows have begun and have finished.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.started, self.finished)
    }

    /// The same, by flow of the plan.
    pub(crate) fn counts_by_account(&self) -> impl Iterator<Item = (u64, u64)> {
        self.counted.iter().copied()
    }
}

impl Plan {
    /// Whether some source makes finite flows.
    pub(crate) fn comes_and_goes(&self) -> bool {
        self.sources.iter().any(|source| matches!(source.mapping, FlowMapping::Each(_)))
    }
}

impl FlowMeter {
    pub(crate) fn add(&mut self, other: FlowMeter) {
        self.sent += other.sent;
        self.packets += other.packets;
        self.bytes += other.bytes;
        self.marked += other.marked;
    }
}
