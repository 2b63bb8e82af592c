//! All paths in turn, except those with a penalty: a mark adds 1, a trimmed packet 4, up to 15. A path with a penalty
//! is skipped; of the paths skipped in one choice, the first loses one point. After more than P skipped paths the next
//! one is used. A timeout is not related to a path, so it adds no penalty.
//!
//! `uec_mp.cpp` of the Ultra Ethernet simulator (UecMpBitmap).

use congestree_units::Time;
use serde::{Deserialize, Serialize};

use super::oblivious::{Oblivious, ObliviousParams};
use super::{Fared, Paths, check_turns};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of spreading by penalties.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BitmapParams {
    /// Paths (entropy values), a power of two. Default 64.
    #[schemars(range(min = 1, max = 256))]
    pub paths: u16,
    /// What a marked packet adds to the penalty of its path. Default 1.
    pub marked: u8,
    /// What a trimmed packet adds to the penalty. Default 4.
    pub trimmed: u8,
    /// The highest penalty. Default 15.
    pub most: u8,
}

impl Default for BitmapParams {
    fn default() -> Self {
        Self { paths: 64, marked: 1, trimmed: 4, most: 15 }
    }
}

impl Check for BitmapParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        check_turns(self.paths, found);
    }
}

/// The penalties of one flow.
#[derive(Clone, Debug)]
pub struct Bitmap {
    params: BitmapParams,
    turns: Oblivious,
    penalties: Vec<u8>,
}

impl Bitmap {
    /// A flow that has sent nothing.
    pub fn new(params: &BitmapParams) -> Self {
        Self {
            turns: Oblivious::new(&ObliviousParams { paths: params.paths }),
            penalties: vec![0; usize::from(params.paths.max(1))],
            params: params.clone(),
        }
    }
}

impl Paths for Bitmap {
    fn boxed(&self) -> usize {
        size_of_val(&*self.penalties)
    }

    fn at_flow(&mut self, salt: u64) {
        self.turns.at_flow(salt);
    }

    fn next(&mut self, _now: Time, _window: u32) -> u16 {
        for passed_over in 0..=self.penalties.len() {
            let path = self.turns.here();
            let penalty = &mut self.penalties[usize::from(path)];
            if *penalty == 0 {
                break;
            }
            *penalty -= u8::from(passed_over == 0);
            self.turns.pass();
        }
        let path = self.turns.here();
        self.turns.pass();
        path
    }

    fn on_answer(&mut self, entropy: u16, fared: Fared) {
        let more = match fared {
            Fared::Good => 0,
            Fared::Marked => self.params.marked,
            Fared::Trimmed => self.params.trimmed,
        };
        if let Some(penalty) = self.penalties.get_mut(usize::from(entropy)) {
            *penalty = penalty.saturating_add(more).min(self.params.most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(paths: u16) -> Bitmap {
        let mut bitmap = Bitmap::new(&BitmapParams { paths, ..Default::default() });
        bitmap.at_flow(3);
        bitmap
    }

    #[test]
    fn a_penalised_path_is_passed_over_until_its_points_are_gone() {
        let mut bitmap = of(4);
        bitmap.on_answer(2, Fared::Trimmed);
        // Skipped four times, once or twice per round of the three others: then it has its turn again.
        let first = (0..).position(|_| bitmap.next(Time::START, 0) == 2);
        assert!(first.is_some_and(|at| (12..=18).contains(&at)), "{first:?}");
    }

    #[test]
    fn penalties_have_a_limit_and_if_all_have_some_one_is_taken_all_the_same() {
        let mut bitmap = of(2);
        for _ in 0..10 {
            (0..2).for_each(|path| bitmap.on_answer(path, Fared::Trimmed));
        }
        assert_eq!(bitmap.penalties, [15, 15]);
        assert!(bitmap.next(Time::START, 0) < 2);
        assert_eq!(bitmap.penalties.iter().sum::<u8>(), 29);
    }
}
