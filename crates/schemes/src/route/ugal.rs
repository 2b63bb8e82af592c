//! UGAL: the direct way or one round by another switch, whichever the queues say is the faster (Singh 2005).
//!
//! The first switch knows its own queues only (UGAL-L). With q bytes waiting for the first output of a way of H links, a packet
//! goes directly if
//!
//! > q_direct · H_direct <= q_round · H_round + threshold
//!
//! and round otherwise. Of several candidates the one with the smallest q · H is taken; of equals, the first.

use congestree_units::Bytes;
use serde::{Deserialize, Serialize};

use super::{Passing, Router, Way};

/// Parameters of UGAL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct UgalParams {
    /// Switches drawn for every packet to go round by. Default 1.
    #[schemars(range(min = 1, max = 16))]
    pub candidates: u32,
    /// By how many bytes times links the direct way may be the worse one and is taken still. Default 0.
    pub threshold: Bytes,
}

impl Default for UgalParams {
    fn default() -> Self {
        Self { candidates: 1, threshold: Bytes(0) }
    }
}

/// A switch that compares.
#[derive(Clone, Debug)]
pub struct Ugal {
    threshold: Bytes,
}

impl Ugal {
    /// A switch that compares.
    pub fn new(params: &UgalParams) -> Self {
        Self { threshold: params.threshold }
    }
}

impl Router for Ugal {
    /// Each half of the way is a fixed route, on which there is nothing to choose.
    fn choose(&mut self, _: Passing, _: u32, _: impl Fn(u32) -> u64, _: impl FnOnce() -> f64) -> u32 {
        0
    }

    fn round(&mut self, direct: Way, rounds: &[Way]) -> Option<usize> {
        let (best, round) = rounds.iter().enumerate().min_by_key(|(_, round)| round.cost())?;
        (direct.cost() > round.cost() + u128::from(self.threshold.0)).then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_round_is_taken_if_the_direct_one_costs_more_than_the_threshold_above_it() {
        let way = |hops, waiting| Way { hops, waiting: Bytes(waiting) };
        let mut ugal = Ugal::new(&UgalParams { threshold: Bytes(100), ..UgalParams::default() });
        // 2 * 900 = 1,800 against 4 * 425 + 100 = 1,800, and one byte less.
        assert_eq!(ugal.round(way(2, 900), &[way(4, 425)]), None);
        assert_eq!(ugal.round(way(2, 900), &[way(4, 424)]), Some(0));
        assert_eq!(ugal.round(way(2, 900), &[way(5, 100), way(4, 90), way(3, 120)]), Some(1));
        assert_eq!(ugal.round(way(1, 0), &[way(3, 0)]), None);
        assert_eq!(ugal.round(way(2, 900), &[]), None);
    }
}
