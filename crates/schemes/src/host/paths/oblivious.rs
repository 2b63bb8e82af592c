//! All paths in turn, in an order that changes with every round: (i xor X) mod P, where i counts up and X is drawn anew
//! at every wrap. Feedback does not change it.
//!
//! `uec_mp.cpp` of the Ultra Ethernet simulator (UecMpOblivious).

use congestree_units::Time;
use serde::{Deserialize, Serialize};

use super::{Draws, Paths, check_turns};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of oblivious spreading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ObliviousParams {
    /// Paths (entropy values), a power of two. Default 64, as the Ultra Ethernet simulator has it.
    #[schemars(range(min = 1, max = 256))]
    pub paths: u16,
}

impl Default for ObliviousParams {
    fn default() -> Self {
        Self { paths: 64 }
    }
}

impl Check for ObliviousParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        check_turns(self.paths, found);
    }
}

/// The turn of one flow.
#[derive(Clone, Debug)]
pub struct Oblivious {
    paths: u16,
    turn: u16,
    order: u16,
    draws: Draws,
}

impl Oblivious {
    /// A flow that has sent nothing.
    pub fn new(params: &ObliviousParams) -> Self {
        Self { paths: params.paths.max(1), turn: 0, order: 0, draws: Draws::default() }
    }

    /// The path whose turn it is.
    pub(crate) fn here(&self) -> u16 {
        (self.turn ^ self.order) % self.paths
    }

    /// It is the next one's turn.
    pub(crate) fn pass(&mut self) {
        self.turn += 1;
        if self.turn == self.paths {
            self.turn = 0;
            self.order = self.draws.below(self.paths);
        }
    }
}

impl Paths for Oblivious {
    fn at_flow(&mut self, salt: u64) {
        self.draws = Draws::of(salt);
        self.order = self.draws.below(self.paths);
    }

    fn next(&mut self, _now: Time, _window: u32) -> u16 {
        let path = self.here();
        self.pass();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_its_turn_in_every_round_and_rounds_differ() {
        let mut paths = Oblivious::new(&ObliviousParams { paths: 16 });
        paths.at_flow(7);
        let mut round = || (0..16).map(|_| paths.next(Time::START, 0)).collect::<Vec<_>>();
        let rounds = [round(), round(), round()];
        for round in &rounds {
            let mut sorted = round.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..16).collect::<Vec<_>>());
        }
        assert!(rounds[0] != rounds[1] || rounds[1] != rounds[2]);
    }

    #[test]
    fn one_path_is_always_the_same() {
        let mut paths = Oblivious::new(&ObliviousParams { paths: 1 });
        paths.at_flow(9);
        assert_eq!([0; 3].map(|_| paths.next(Time::START, 0)), [0, 0, 0]);
    }
}
