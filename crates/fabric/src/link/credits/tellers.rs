//! Counters of cells consumed and freed, by link and lane.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use congestree_units::{Span, Time};
use congestree_wire::{IndexVec, PortId};

use crate::link::cyclic::Cyclic;
use crate::link::wiring::Wiring;
use crate::plan::Plan;

/// A CF_Update on the wire.
pub(super) const FREED: u32 = 8;

/// A CC_Update on the wire.
pub(super) const CONSUMED: u32 = 64;

/// The receiver's counts of a lane of a link, and what its sender knows of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    /// Cells that have left the buffer.
    pub(super) freed: Cyclic,
    /// The same as last told.
    pub(super) told: Cyclic,
    /// The same as the sender has heard it.
    pub(super) heard: Cyclic,
    /// Cells that will leave, and when, earliest first.
    pub(super) leaving: BinaryHeap<Reverse<(Time, u32)>>,
    /// Cells of packets that were lost on the link.
    pub(super) lost: u32,
}

impl Lane {
    /// Counts what has left by now.
    pub(super) fn settle(&mut self, now: Time) {
        while let Some(&Reverse((at, cells))) = self.leaving.peek()
            && at <= now
        {
            self.freed = self.freed.plus(cells);
            self.leaving.pop();
        }
    }

    /// Cells that the sender may use again once it hears of them.
    fn untold(&self) -> u64 {
        let leaving: u64 = self.leaving.iter().map(|Reverse((_, cells))| u64::from(*cells)).sum();
        u64::from(self.freed.since(self.heard)) + leaving
    }
}

/// The receiving end of a link.
#[derive(Clone, Debug)]
pub(super) struct Teller {
    /// No message may be told before.
    pub(super) next_at: Time,
    /// A message is due then, if there is news; never: none is.
    pub(super) due_at: Time,
    /// From one message to the next.
    pub(super) spacing: Span,
    /// From one message to the next if there is no news; none where messages cannot be lost.
    pub(super) repeat: Option<Span>,
    /// The lane that was told last.
    pub(super) turn: usize,
}

/// All links, if credits come back in messages.
#[derive(Debug, Default)]
pub(crate) struct CreditMessages {
    /// By port, of the link into it, and lane.
    pub(super) lanes: Vec<Lane>,
    /// By port.
    pub(super) tellers: IndexVec<PortId, Teller>,
    /// From one CC_Update to the next.
    pub(super) heal: Span,
}

impl CreditMessages {
    /// Those of a plan, at rest.
    pub(crate) fn new(plan: &Plan, wiring: &Wiring) -> Self {
        let Some(rules) = plan.flow_control.messages else { return Self::default() };
        let may_lose = plan.checks.errors.is_some_and(|errors| errors.words > 0.0);
        let teller = |port: PortId| {
            let rate = wiring.rates[usize::from(wiring.outs[port].rate)];
            Teller {
                next_at: Time::START,
                due_at: Time::NEVER,
                spacing: rate.time_for(rules.spacing),
                repeat: may_lose.then(|| rate.time_for(rules.repeat)),
                turn: 0,
            }
        };
        Self {
            lanes: vec![Lane::default(); wiring.outs.len() * usize::from(plan.lanes)],
            tellers: wiring.outs.ids().map(teller).collect(),
            heal: rules.heal,
        }
    }

    /// Cells behind the link into a port that its sender will hear of.
    pub(crate) fn untold(&self, place: usize) -> u64 {
        self.lanes.get(place).map_or(0, |lane| lane.untold() + u64::from(lane.lost))
    }
}
