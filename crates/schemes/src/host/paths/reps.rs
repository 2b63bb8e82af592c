//! REPS: the entropy of a packet that arrived unmarked is used again; if there is none, a path is drawn.
//!
//! A ring keeps the last eight good entropies, each for one packet. A timeout indicates a dead link: the ring
//! *freezes*, so that only paths that are known to work are used, over and over; after `freeze` it is emptied, and the
//! next sixteen packets explore.
//!
//! Bonato et al.: REPS: Recycled Entropy Packet Spraying for Adaptive Load Balancing and Failure Mitigation
//! (arXiv 2407.21625), section 3; `buffer_reps.cpp` of the Ultra Ethernet simulator.

use congestree_units::{Span, Time};
use serde::{Deserialize, Serialize};

use super::{Draws, Fared, Paths};
use crate::check::Check;

/// Packets that explore after the ring was frozen.
const EXPLORING: u32 = 16;

/// Parameters of recycled entropies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RepsParams {
    /// Paths (entropy values) to draw from. Default 64.
    #[schemars(range(min = 1, max = 256))]
    pub paths: u16,
    /// Entropy values that are remembered. Default 8.
    #[schemars(range(min = 1, max = 64))]
    pub ring: u8,
    /// Freezing mode: for how long after a timeout only remembered entropy values are used. Default 10 ms; 0 s: never.
    /// It is meant for switches that trim, where a timeout indicates a dead link: without trimming, congestion causes
    /// timeouts, too.
    pub freeze: Span,
}

impl Default for RepsParams {
    fn default() -> Self {
        Self { paths: 64, ring: 8, freeze: Span::from_ms(10) }
    }
}

impl Check for RepsParams {}

/// The ring of one flow.
#[derive(Clone, Debug)]
pub struct Reps {
    params: RepsParams,
    draws: Draws,
    /// Entropies, and whether each is valid, that is, still to be used.
    ring: Vec<(u16, bool)>,
    /// Where the next entropy is stored, and where one is taken.
    put: usize,
    take: usize,
    frozen_until: Option<Time>,
    exploring: u32,
}

impl Reps {
    /// A flow that has sent nothing.
    pub fn new(params: &RepsParams) -> Self {
        Self {
            params: params.clone(),
            draws: Draws::default(),
            ring: Vec::new(),
            put: 0,
            take: 0,
            frozen_until: None,
            exploring: 0,
        }
    }

    /// The oldest unused entropy, or any of the ring while it is frozen.
    fn recycled(&mut self) -> Option<u16> {
        let frozen = self.frozen_until.is_some();
        for _ in 0..self.ring.len() {
            let (entropy, valid) = &mut self.ring[self.take];
            let (entropy, found) = (*entropy, *valid || frozen);
            *valid = false;
            self.take = (self.take + 1) % self.ring.len();
            if found {
                return Some(entropy);
            }
        }
        None
    }
}

impl Paths for Reps {
    fn boxed(&self) -> usize {
        size_of_val(&*self.ring)
    }

    fn at_flow(&mut self, salt: u64) {
        self.draws = Draws::of(salt);
    }

    fn next(&mut self, now: Time, _window: u32) -> u16 {
        if self.frozen_until.is_some_and(|until| until <= now) {
            (self.frozen_until, self.exploring) = (None, EXPLORING);
            self.ring.clear();
            (self.put, self.take) = (0, 0);
        }
        if self.exploring > 0 {
            self.exploring -= 1;
            return self.draws.below(self.params.paths);
        }
        self.recycled().unwrap_or_else(|| self.draws.below(self.params.paths))
    }

    fn on_answer(&mut self, entropy: u16, fared: Fared) {
        if fared != Fared::Good {
            return;
        }
        if self.ring.len() < usize::from(self.params.ring.max(1)) {
            self.ring.push((entropy, true));
            return;
        }
        // The oldest entry is overwritten, used or not; the reading position of a ring that was not overtaken stays.
        if self.ring[self.put].1 && self.put == self.take {
            self.take = (self.take + 1) % self.ring.len();
        }
        self.ring[self.put] = (entropy, true);
        self.put = (self.put + 1) % self.ring.len();
    }

    fn on_timeout(&mut self, now: Time) {
        if self.frozen_until.is_none() && self.exploring == 0 && self.params.freeze > Span::ZERO {
            self.frozen_until = Some(now + self.params.freeze);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(good: &[u16]) -> Reps {
        let mut reps = Reps::new(&RepsParams::default());
        reps.at_flow(5);
        good.iter().for_each(|&entropy| reps.on_answer(entropy, Fared::Good));
        reps
    }

    #[test]
    fn what_did_well_is_used_once_oldest_first() {
        let mut reps = with(&[40, 41, 42]);
        reps.on_answer(50, Fared::Marked);
        reps.on_answer(51, Fared::Trimmed);
        assert_eq!([0; 3].map(|_| reps.next(Time::START, 0)), [40, 41, 42]);
        assert!(reps.recycled().is_none());
    }

    #[test]
    fn of_nine_the_oldest_is_forgotten() {
        let mut reps = with(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!([0; 8].map(|_| reps.next(Time::START, 0)), [2, 3, 4, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn a_full_ring_forgets_one_after_the_other() {
        let mut reps = with(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!([0; 8].map(|_| reps.next(Time::START, 0)), [4, 5, 6, 7, 8, 9, 10, 11]);
    }

    #[test]
    fn who_does_not_freeze_goes_on_after_a_timeout() {
        let mut reps = Reps::new(&RepsParams { freeze: Span::ZERO, ..Default::default() });
        reps.on_answer(40, Fared::Good);
        reps.on_timeout(Time(5));
        assert_eq!(reps.next(Time(5), 0), 40);
    }

    #[test]
    fn frozen_it_goes_round_and_afterwards_it_explores() {
        let mut reps = with(&[40, 41]);
        reps.on_timeout(Time::START);
        assert_eq!([0; 5].map(|_| reps.next(Time(1), 0)), [40, 41, 40, 41, 40]);
        let later = Time::START + Span::from_ms(10);
        reps.next(later, 0);
        assert_eq!((reps.exploring, reps.ring.len()), (15, 0));
        reps.on_answer(7, Fared::Good);
        for _ in 0..15 {
            reps.next(later, 0);
        }
        assert_eq!(reps.next(later, 0), 7);
    }
}
