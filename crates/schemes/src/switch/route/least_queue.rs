//! Adaptive routing by the queues of the switch itself: every packet takes the port with the fewest bytes waiting;
//! among equals the first from a random port on, so that one that follows busy ports is taken more often.
//!
//! It fills links evenly and avoids slow neighbours; it knows nothing of congestion further away, and packets overtake
//! each other. This part is our own, not from a paper.

use serde::{Deserialize, Serialize};

use super::{Passing, Router, RouterKind, drawn};

/// Nothing to set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LeastQueueParams {}

impl RouterKind for LeastQueueParams {
    fn goes_by_queues(&self) -> bool {
        true
    }
}

/// A switch that looks at its queues.
#[derive(Clone, Debug)]
pub struct LeastQueue;

impl LeastQueue {
    /// A switch that looks at its queues.
    pub fn new(_params: &LeastQueueParams) -> Self {
        Self
    }
}

impl Router for LeastQueue {
    #[inline]
    fn choose(
        &mut self,
        _packet: Passing,
        candidates: u32,
        waiting: impl Fn(u32) -> u64,
        draw: impl FnOnce() -> f64,
    ) -> u32 {
        shortest(candidates, drawn(draw(), candidates), waiting)
    }
}

/// The port with the fewest bytes waiting; among equals the first from `start` on, which is one of them.
#[inline]
pub(super) fn shortest(candidates: u32, start: u32, waiting: impl Fn(u32) -> u64) -> u32 {
    let (mut best, mut least, mut candidate) = (start, u64::MAX, start);
    for _ in 0..candidates {
        let bytes = waiting(candidate);
        if bytes < least {
            (best, least) = (candidate, bytes);
            if bytes == 0 {
                break;
            }
        }
        // There may be dozens of ports: this avoids a division for each.
        candidate = if candidate + 1 == candidates { 0 } else { candidate + 1 };
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::Time;

    #[test]
    fn the_emptiest_path_is_taken_and_equals_are_drawn() {
        let packet = Passing { now: Time::START, label: 1 };
        let mut router = LeastQueue::new(&LeastQueueParams::default());
        let mut take =
            |queues: [u64; 4], draw: f64| router.choose(packet, 4, |candidate| queues[candidate as usize], || draw);
        assert_eq!(take([5, 3, 4, 9], 0.99), 1);
        assert_eq!([take([2, 7, 2, 7], 0.0), take([2, 7, 2, 7], 0.5), take([2, 7, 2, 7], 0.75)], [0, 2, 0]);
    }
}
