//! Adaptive routing by the queues of the switch itself: every packet takes the port with the fewest bytes waiting;
//! among equals each is as likely.
//!
//! It fills links evenly and avoids slow neighbours; it knows nothing of congestion further away, and packets overtake
//! each other. This part is our own, not from a paper.

use serde::{Deserialize, Serialize};

use super::{Passing, Router, RouterKind, mixed, one_of};

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
        shortest(candidates, draw(), waiting)
    }
}

/// The port with the fewest bytes waiting; among equals each is as likely, by `draw` in [0, 1).
///
/// There may be dozens of ports, of which many are often idle. One that is drawn among all and idle is one of the best,
/// so half as many as there are ports are drawn before all are looked at.
#[inline]
pub(super) fn shortest(candidates: u32, draw: f64, waiting: impl Fn(u32) -> u64) -> u32 {
    let mut bits = draw.to_bits();
    for _ in 0..candidates / 2 {
        bits = mixed(bits);
        let port = one_of(bits, candidates);
        if waiting(port) == 0 {
            return port;
        }
    }
    let (mut best, mut least, mut equals) = (0, u64::MAX, 0);
    for candidate in 0..candidates {
        let bytes = waiting(candidate);
        if bytes < least {
            (best, least, equals) = (candidate, bytes, 1);
        } else if bytes == least {
            equals += 1;
        }
    }
    match one_of(mixed(bits), equals) {
        0 => best,
        later => {
            (best + 1..candidates).filter(|&other| waiting(other) == least).nth(later as usize - 1).unwrap_or(best)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::Time;

    /// How often each port is taken, by 60,000 draws in equal distances.
    fn taken(queues: &[u64]) -> Vec<u32> {
        let packet = Passing { now: Time::START, label: 1 };
        let mut router = LeastQueue::new(&LeastQueueParams::default());
        let mut taken = vec![0; queues.len()];
        for draw in (0..60_000).map(|i| f64::from(i) / 60_000.0) {
            let port = router.choose(packet, queues.len() as u32, |candidate| queues[candidate as usize], || draw);
            taken[port as usize] += 1;
        }
        taken
    }

    #[test]
    fn the_emptiest_path_is_taken() {
        assert_eq!(taken(&[5, 3, 4, 9]), [0, 60_000, 0, 0]);
        assert_eq!(taken(&[5, 3, 4, 9, 0]), [0, 0, 0, 0, 60_000]);
    }

    #[test]
    fn each_of_the_emptiest_paths_is_taken_as_often() {
        let mut sixteen = [9_000; 16];
        (sixteen[3], sixteen[4]) = (0, 0);
        for queues in [&[0, 0, 9, 9][..], &[0, 9, 0, 0], &[7, 7, 7, 9], &[5, 9, 5, 5, 5], &[0, 0], &[8, 8], &sixteen] {
            let least = queues.iter().min();
            let due = 60_000 / queues.iter().filter(|&bytes| Some(bytes) == least).count() as u32;
            for (times, bytes) in taken(queues).into_iter().zip(queues) {
                // Within four standard deviations of independent draws.
                let even = if Some(bytes) == least { times.abs_diff(due) <= 490 } else { times == 0 };
                assert!(even, "{times} times a queue of {bytes} B in {queues:?}");
            }
        }
    }
}
