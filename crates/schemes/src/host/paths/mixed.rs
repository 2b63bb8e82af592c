//! Recycled entropies first, penalties otherwise: an entropy that came back unmarked is used again, oldest first; if
//! there is none, all paths are used in turn except those with a penalty.
//!
//! `uec_mp.cpp` of the Ultra Ethernet simulator (UecMpMixed), its default.

use std::collections::VecDeque;

use congestree_units::Time;
use serde::{Deserialize, Serialize};

use super::bitmap::{Bitmap, BitmapParams};
use super::{Fared, Paths, check_turns};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of mixed spreading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MixedParams {
    /// Paths (entropy values), a power of two. Default 64.
    #[schemars(range(min = 1, max = 256))]
    pub paths: u16,
}

impl Default for MixedParams {
    fn default() -> Self {
        Self { paths: 64 }
    }
}

impl Check for MixedParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        check_turns(self.paths, found);
    }
}

/// The recycled entropies of one flow, and its penalties.
#[derive(Clone, Debug)]
pub struct Mixed {
    good: VecDeque<u16>,
    others: Bitmap,
}

impl Mixed {
    /// A flow that has sent nothing.
    pub fn new(params: &MixedParams) -> Self {
        let others = Bitmap::new(&BitmapParams { paths: params.paths, ..Default::default() });
        Self { good: VecDeque::new(), others }
    }
}

impl Paths for Mixed {
    fn boxed(&self) -> usize {
        self.others.boxed()
    }

    fn at_flow(&mut self, salt: u64) {
        self.others.at_flow(salt);
    }

    fn next(&mut self, now: Time, window: u32) -> u16 {
        self.good.pop_front().unwrap_or_else(|| self.others.next(now, window))
    }

    fn on_answer(&mut self, entropy: u16, fared: Fared) {
        if fared == Fared::Good {
            self.good.push_back(entropy);
        }
        self.others.on_answer(entropy, fared);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_back_goes_first_and_penalties_hold_for_the_rest() {
        let mut paths = Mixed::new(&MixedParams { paths: 4 });
        paths.at_flow(1);
        paths.on_answer(9, Fared::Good);
        paths.on_answer(2, Fared::Trimmed);
        assert_eq!(paths.next(Time::START, 0), 9);
        assert!((0..9).all(|_| paths.next(Time::START, 0) != 2));
    }
}
