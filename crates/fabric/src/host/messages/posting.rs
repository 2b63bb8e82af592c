//! What a message costs before its first byte, and how many messages of a queue pair may be outstanding.
//!
//! Posting a message costs its host a time T0: software, doorbell, the adapter's reading of the work request. A queue
//! pair takes at most `depth` messages at a time. A message is posted when it has been made and there is a free
//! place. Its first packet may start T0 later. Its place is free again when its last byte has left or, where packets
//! are acknowledged, when the ACK of its last packet has arrived. T0 of one message passes while others are on the
//! wire:
//!
//! * one queue pair sends messages of S bytes at min(C, Q S / (T0 + S / C)), C being the rate of its link and Q its depth;
//! * Q queue pairs of depth 1, which share the link packet by packet, post and send together: S / (T0 / Q + S / C), the law by
//!   which measurements of adapters are described (fixed cost).
//!
//! Messages of a flow are sent in order, so it is enough to remember when places became free. An event is needed only
//! if a flow waits.

use std::collections::VecDeque;

use congestree_units::{Span, Time};
use congestree_wire::{FlowId, IndexVec};

use crate::plan::Plan;

/// The posting state of all flows. Empty where messages cost nothing.
#[derive(Debug, Default)]
pub(crate) struct Posting {
    /// T0, the posting cost.
    pub(super) cost: Span,
    /// The most messages of a flow that may be outstanding.
    pub(super) depth: u32,
    pub(super) posts: IndexVec<FlowId, Post>,
}

/// The posting state of a flow.
#[derive(Clone, Debug)]
pub(super) struct Post {
    /// Places that have never been taken.
    pub(super) unused: u32,
    /// When the other free places became free, oldest first.
    pub(super) freed: VecDeque<Time>,
    /// When the first message was made; an endless source makes all its messages at that time.
    pub(super) since: Option<Time>,
    /// When the current message could have been posted if there had been a place; absent if it is posted.
    pub(super) waits: Option<Time>,
    /// When the first packet of the current message may start.
    pub(super) ready: Time,
}

impl Post {
    pub(super) fn new(depth: u32) -> Self {
        Self { unused: depth, freed: VecDeque::new(), since: None, waits: None, ready: Time::START }
    }

    /// The next message was made at `created`: sets when its first packet may start, unless there is no place for it.
    pub(super) fn begin(&mut self, created: Time, cost: Span) {
        let place = match self.unused.checked_sub(1) {
            Some(left) => {
                self.unused = if self.unused == u32::MAX { u32::MAX } else { left };
                Some(Time::START)
            }
            None => self.freed.pop_front(),
        };
        (self.waits, self.ready) = match place {
            Some(free) => (None, created.max(free) + cost),
            None => (Some(created), Time::NEVER),
        };
    }

    /// A message is done: its place goes to the message that waits, or becomes free.
    pub(super) fn done(&mut self, now: Time, cost: Span) {
        match self.waits.take() {
            Some(created) => self.ready = created.max(now) + cost,
            None if self.unused == u32::MAX => {}
            None => self.freed.push_back(now),
        }
    }
}

impl Posting {
    pub(crate) fn new(plan: &Plan) -> Self {
        if !posts(plan) {
            return Self::default();
        }
        let depth = plan.adapter.queue_depth.unwrap_or(u32::MAX);
        Self { cost: plan.adapter.message_cost, depth, posts: vec![Post::new(depth); plan.flows.len()].into() }
    }

    /// T0, the posting cost.
    pub(crate) fn cost(&self) -> Span {
        self.cost
    }
}

/// Whether messages cost something, or their number is limited.
pub(crate) fn posts(plan: &Plan) -> bool {
    plan.adapter.message_cost > Span::ZERO || plan.adapter.queue_depth.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: Span = Span(10);

    /// When the messages of a flow made at these times may start, if each takes `takes` from its start until it is
    /// done.
    fn starts(depth: u32, made: &[u64], takes: u64) -> Vec<u64> {
        let mut post = Post::new(depth);
        let mut idle_at = 0;
        let mut started = Vec::new();
        for &at in made {
            post.begin(Time(at), COST);
            let start = post.ready.0.max(idle_at);
            started.push(start);
            idle_at = start + takes;
            post.done(Time(idle_at), COST);
        }
        started
    }

    #[test]
    fn with_one_place_cost_and_sending_take_turns() {
        assert_eq!(starts(1, &[0, 0, 0], 4), [10, 24, 38]);
    }

    #[test]
    fn with_two_places_one_is_posted_while_the_other_is_sent() {
        // Places become free at 14, 18, 28, 32: a pair of messages every 14.
        assert_eq!(starts(2, &[0; 6], 4), [10, 14, 24, 28, 38, 42]);
    }

    #[test]
    fn with_places_enough_only_the_first_waits() {
        assert_eq!(starts(4, &[0; 6], 4), [10, 14, 18, 22, 26, 30]);
        assert_eq!(starts(u32::MAX, &[0; 6], 4), [10, 14, 18, 22, 26, 30]);
    }

    #[test]
    fn a_message_made_late_is_posted_late() {
        assert_eq!(starts(2, &[0, 100, 101], 4), [10, 110, 114]);
    }

    #[test]
    fn a_message_without_a_place_waits_for_the_one_before_it() {
        let mut post = Post::new(1);
        post.begin(Time(0), COST);
        post.begin(Time(3), COST);
        assert_eq!((post.ready, post.waits), (Time::NEVER, Some(Time(3))));
        post.done(Time(50), COST);
        assert_eq!((post.ready, post.waits), (Time(60), None));
    }
}
