//! Queues that have buffer space of their own behind a link: what each has reserved, what it may use, and what it uses.

use std::collections::VecDeque;

use congestree_units::Time;
use congestree_wire::{IndexVec, PortId, QueueId};

use crate::link::credits::{LaneCredits, ReturningCredits, UNLIMITED};
use crate::link::port::{Far, In, Out};
use crate::plan::Plan;

/// What the queues behind a link have besides the pool that they share, in one lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueueShare {
    /// Units reserved for each queue.
    pub(super) reserve: u32,
    /// The most units that one queue may use.
    pub(super) limit: u32,
}

/// The state of credits by queue, besides the pools (`LaneCredits::credit`) and the units on their way back to them.
/// Empty if no queue has space of its own.
#[derive(Debug, Default)]
pub(crate) struct QueueCredits {
    /// By port and lane.
    pub(super) shares: Vec<QueueShare>,
    /// By queue: units in use, including those on their way back.
    pub(super) used: IndexVec<QueueId, u32>,
    /// By port and lane: the queues whose units are on their way back (`QueueId::NONE` in a host), in the order of the
    /// returning credits.
    pub(super) returning_queues: Vec<VecDeque<QueueId>>,
}

impl QueueShare {
    /// How many units a queue takes from the pool when it has `used` units in use.
    #[inline]
    pub(super) fn pooled(self, used: u32) -> u32 {
        used.saturating_sub(self.reserve)
    }

    /// Whether a queue that uses `used` units may take `units` more, when the pool has `pool` units left.
    #[inline]
    pub(super) fn fits(self, pool: u32, used: u32, units: u32) -> bool {
        pool == UNLIMITED || (used + units <= self.limit && self.pooled(used + units) - self.pooled(used) <= pool)
    }
}

impl QueueCredits {
    pub(crate) fn new(plan: &Plan, outs: &IndexVec<PortId, Out>, ins: &IndexVec<PortId, In>, queues: usize) -> Self {
        if !plan.switch.has_queue_credits() {
            return Self::default();
        }
        let share = |out: &Out, lane: usize| match out.far {
            Far::Host => QueueShare { reserve: 0, limit: u32::MAX },
            _ => {
                let (_, reserve, limit) = plan.switch.credit_units(lane, ins[out.peer].radix);
                QueueShare { reserve, limit }
            }
        };
        let lanes = usize::from(plan.lanes);
        Self {
            shares: outs.iter().flat_map(|out| (0..lanes).map(move |lane| share(out, lane))).collect(),
            used: vec![0; queues].into(),
            returning_queues: vec![VecDeque::new(); outs.len() * lanes],
        }
    }

    /// A queue takes units: first from what it has reserved, then from the pool. `QueueId::NONE` is a host, which has
    /// nothing reserved.
    pub(super) fn take(&mut self, place: usize, lane: &mut LaneCredits, queue: QueueId, units: u32) {
        if lane.credit == UNLIMITED {
            return;
        }
        let Some(used) = self.used.get_mut(queue) else {
            lane.credit -= units;
            return;
        };
        let share = self.shares[place];
        debug_assert!(share.fits(lane.credit, *used, units));
        lane.credit -= share.pooled(*used + units) - share.pooled(*used);
        *used += units;
    }

    /// Merges what the ports of a part of the network, with this many lanes each, know of the queues behind their
    /// links.
    pub(crate) fn take_from(
        &mut self,
        part: &Self,
        lanes: usize,
        senders: impl Fn(QueueId) -> PortId,
        owns: impl Fn(PortId) -> bool,
    ) {
        for (queue, &used) in part.used.with_ids().filter(|&(queue, _)| owns(senders(queue))) {
            self.used[queue] = used;
        }
        for (place, queues) in part.returning_queues.iter().enumerate() {
            if owns(PortId::from_index(place / lanes)) {
                self.returning_queues[place].clone_from(queues);
            }
        }
    }

    /// Units of a queue will come back at `at`; the caller adds the credit.
    pub(super) fn expect(
        &mut self,
        place: usize,
        lane: &LaneCredits,
        returning: &ReturningCredits,
        queue: QueueId,
        at: Time,
    ) {
        let queues = &mut self.returning_queues[place];
        // Most units come back in the order in which they were promised; with links of different rates some may
        // overtake others.
        match returning.latest(lane).is_none_or(|latest| latest <= at) {
            true => queues.push_back(queue),
            false => queues.insert(returning.until(lane, at).count(), queue),
        }
    }

    /// Makes units that have come back by now usable, by the pool first.
    pub(super) fn settle(&mut self, place: usize, lane: &mut LaneCredits, returning: &mut ReturningCredits, now: Time) {
        let (share, queues) = (self.shares[place], &mut self.returning_queues[place]);
        returning.come_back(lane, now, |lane, units| {
            let queue = queues.pop_front().unwrap_or(QueueId::NONE);
            match self.used.get_mut(queue) {
                None => lane.credit += units,
                Some(used) => {
                    lane.credit += share.pooled(*used) - share.pooled(*used - units);
                    *used -= units;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credits(reserve: u32, limit: u32) -> QueueCredits {
        QueueCredits {
            shares: vec![QueueShare { reserve, limit }],
            used: vec![0; 2].into(),
            returning_queues: vec![VecDeque::new()],
        }
    }

    fn take(credits: &mut QueueCredits, lane: &mut LaneCredits, queue: u32, units: u32) -> bool {
        let queue = QueueId(queue);
        let fits = credits.shares[0].fits(lane.credit, credits.used[queue], units);
        if fits {
            credits.take(0, lane, queue, units);
        }
        fits
    }

    #[test]
    fn a_queue_uses_its_reserve_before_the_pool_and_stops_at_its_limit() {
        let (mut credits, mut lane) = (credits(2, 5), LaneCredits::new(4, 0));
        assert!(take(&mut credits, &mut lane, 0, 2));
        assert_eq!(lane.credit, 4);
        assert!(take(&mut credits, &mut lane, 0, 3));
        assert_eq!(lane.credit, 1);
        assert!(!take(&mut credits, &mut lane, 0, 1));
        assert!(take(&mut credits, &mut lane, 1, 3));
        assert!(!take(&mut credits, &mut lane, 1, 1));
    }

    #[test]
    fn credit_comes_back_to_the_pool_first_and_in_order_of_time() {
        let (mut credits, mut lane, mut returning) =
            (credits(2, 9), LaneCredits::new(4, 0), ReturningCredits::default());
        let back =
            |credits: &mut QueueCredits, lane: &mut LaneCredits, returning: &mut ReturningCredits, queue, units, at| {
                credits.expect(0, lane, returning, QueueId(queue), Time(at));
                returning.add(lane, Time(at), units);
            };
        assert!(take(&mut credits, &mut lane, 0, 6));
        assert!(take(&mut credits, &mut lane, 1, 2));
        back(&mut credits, &mut lane, &mut returning, 0, 1, 30);
        back(&mut credits, &mut lane, &mut returning, 0, 3, 10);
        back(&mut credits, &mut lane, &mut returning, 1, 2, 20);
        back(&mut credits, &mut lane, &mut returning, 0, 1, 20);
        assert_eq!(credits.returning_queues[0], [0, 1, 0, 0].map(QueueId));
        credits.settle(0, &mut lane, &mut returning, Time(10));
        assert_eq!((lane.credit, credits.used[QueueId(0)]), (3, 3));
        credits.settle(0, &mut lane, &mut returning, Time(20));
        assert_eq!((lane.credit, credits.used[QueueId(0)], credits.used[QueueId(1)]), (4, 2, 0));
        back(&mut credits, &mut lane, &mut returning, 0, 1, 25);
        credits.settle(0, &mut lane, &mut returning, Time(30));
        assert_eq!((lane.credit, credits.used[QueueId(0)], credits.returning_queues[0].len()), (4, 0, 0));
    }
}
