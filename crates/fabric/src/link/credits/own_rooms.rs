//! Queues that have room of their own behind a link: what each has reserved, what it may use, and what it uses.

use std::collections::VecDeque;

use congestree_units::Time;
use congestree_wire::{IndexVec, PortId, QueueId};

use crate::link::credits::{LaneCredits, Notes, UNLIMITED};
use crate::link::port::{Far, In, Out};
use crate::plan::Plan;

/// What the queues behind a link have besides the pool that they share, in one lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoomShare {
    /// Units reserved for each queue.
    pub(super) reserve: u32,
    /// The most units that one queue may use.
    pub(super) limit: u32,
}

/// The state of room by queue, besides the pools (`LaneCredits::credit`) and the units on their way back to them.
/// Empty if no queue has room of its own.
#[derive(Debug, Default)]
pub(crate) struct OwnRooms {
    /// By port and lane.
    pub(super) shares: Vec<RoomShare>,
    /// By queue: units in use, including those on their way back.
    pub(super) used: IndexVec<QueueId, u32>,
    /// By port and lane: the queues whose units are on their way back (`QueueId::NONE` in a host), in the order of the notes.
    pub(super) returning: Vec<VecDeque<QueueId>>,
}

impl RoomShare {
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

impl OwnRooms {
    pub(crate) fn new(plan: &Plan, outs: &IndexVec<PortId, Out>, ins: &IndexVec<PortId, In>, queues: usize) -> Self {
        if !plan.switch.has_room_by_queue() {
            return Self::default();
        }
        let share = |out: &Out, lane: usize| match out.far {
            Far::Host => RoomShare { reserve: 0, limit: u32::MAX },
            _ => {
                let (_, reserve, limit) = plan.switch.rooms(lane, ins[out.peer].radix);
                RoomShare { reserve, limit }
            }
        };
        let lanes = usize::from(plan.lanes);
        Self {
            shares: outs.iter().flat_map(|out| (0..lanes).map(move |lane| share(out, lane))).collect(),
            used: vec![0; queues].into(),
            returning: vec![VecDeque::new(); outs.len() * lanes],
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
        for (place, returning) in part.returning.iter().enumerate() {
            if owns(PortId::from_index(place / lanes)) {
                self.returning[place].clone_from(returning);
            }
        }
    }

    /// Units of a queue will come back at `at`; the caller adds the note.
    pub(super) fn expect(&mut self, place: usize, lane: &LaneCredits, notes: &Notes, queue: QueueId, at: Time) {
        let returning = &mut self.returning[place];
        // Most units come back in the order in which they were promised; with links of different rates some may
        // overtake others.
        match notes.latest(lane).is_none_or(|latest| latest <= at) {
            true => returning.push_back(queue),
            false => returning.insert(notes.until(lane, at).count(), queue),
        }
    }

    /// Makes units that have come back by now usable, by the pool first.
    pub(super) fn settle(&mut self, place: usize, lane: &mut LaneCredits, notes: &mut Notes, now: Time) {
        let (share, returning) = (self.shares[place], &mut self.returning[place]);
        notes.come_back(lane, now, |lane, units| {
            let queue = returning.pop_front().unwrap_or(QueueId::NONE);
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

    fn rooms(reserve: u32, limit: u32) -> OwnRooms {
        OwnRooms {
            shares: vec![RoomShare { reserve, limit }],
            used: vec![0; 2].into(),
            returning: vec![VecDeque::new()],
        }
    }

    fn take(rooms: &mut OwnRooms, lane: &mut LaneCredits, queue: u32, units: u32) -> bool {
        let queue = QueueId(queue);
        let fits = rooms.shares[0].fits(lane.credit, rooms.used[queue], units);
        if fits {
            rooms.take(0, lane, queue, units);
        }
        fits
    }

    #[test]
    fn a_queue_uses_its_reserve_before_the_pool_and_stops_at_its_limit() {
        let (mut rooms, mut lane) = (rooms(2, 5), LaneCredits::new(4, 0));
        assert!(take(&mut rooms, &mut lane, 0, 2));
        assert_eq!(lane.credit, 4);
        assert!(take(&mut rooms, &mut lane, 0, 3));
        assert_eq!(lane.credit, 1);
        assert!(!take(&mut rooms, &mut lane, 0, 1));
        assert!(take(&mut rooms, &mut lane, 1, 3));
        assert!(!take(&mut rooms, &mut lane, 1, 1));
    }

    #[test]
    fn room_comes_back_to_the_pool_first_and_in_order_of_time() {
        let (mut rooms, mut lane, mut notes) = (rooms(2, 9), LaneCredits::new(4, 0), Notes::default());
        let back = |rooms: &mut OwnRooms, lane: &mut LaneCredits, notes: &mut Notes, queue, units, at| {
            rooms.expect(0, lane, notes, QueueId(queue), Time(at));
            notes.add(lane, Time(at), units);
        };
        assert!(take(&mut rooms, &mut lane, 0, 6));
        assert!(take(&mut rooms, &mut lane, 1, 2));
        back(&mut rooms, &mut lane, &mut notes, 0, 1, 30);
        back(&mut rooms, &mut lane, &mut notes, 0, 3, 10);
        back(&mut rooms, &mut lane, &mut notes, 1, 2, 20);
        back(&mut rooms, &mut lane, &mut notes, 0, 1, 20);
        assert_eq!(rooms.returning[0], [0, 1, 0, 0].map(QueueId));
        rooms.settle(0, &mut lane, &mut notes, Time(10));
        assert_eq!((lane.credit, rooms.used[QueueId(0)]), (3, 3));
        rooms.settle(0, &mut lane, &mut notes, Time(20));
        assert_eq!((lane.credit, rooms.used[QueueId(0)], rooms.used[QueueId(1)]), (4, 2, 0));
        back(&mut rooms, &mut lane, &mut notes, 0, 1, 25);
        rooms.settle(0, &mut lane, &mut notes, Time(30));
        assert_eq!((lane.credit, rooms.used[QueueId(0)], rooms.returning[0].len()), (4, 0, 0));
    }
}
