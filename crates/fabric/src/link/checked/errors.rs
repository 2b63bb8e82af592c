//! Transmission errors: what a link does to the frames that it carries.

use congestree_kernel::Rng;
use congestree_wire::{IndexVec, PortId};

use crate::plan::{ErrorPlan, ErrorRate};

/// The state in which a frame arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Whole,
    /// Its checksum is wrong.
    Damaged,
    /// So damaged that the far end does not notice a frame at all.
    Unseen,
}

/// Random errors on every link.
#[derive(Debug)]
pub(crate) struct Errors {
    plan: ErrorPlan,
    /// By port: random numbers for the frames that it sends, and for the control words that arrive at it.
    frames: IndexVec<PortId, Rng>,
    words: IndexVec<PortId, Rng>,
}

impl Errors {
    pub(crate) fn new(plan: ErrorPlan, seed: u64, ports: usize) -> Self {
        let rng = |name| (0..ports as u64).map(|port| Rng::stream(seed, name, port)).collect();
        Self { plan, frames: rng("frame errors"), words: rng("word errors") }
    }

    /// What happens to the next frame of `size` bytes that a port sends.
    pub(crate) fn fate(&mut self, port: PortId, size: u32) -> Fate {
        let rng = &mut self.frames[port];
        if rng.unit() >= self.plan.rate.of_frame(size) {
            Fate::Whole
        } else if self.plan.unseen > 0.0 && rng.unit() < self.plan.unseen {
            Fate::Unseen
        } else {
            Fate::Damaged
        }
    }

    /// Whether the next control word that arrives at a port is lost.
    pub(crate) fn loses_word(&mut self, port: PortId) -> bool {
        self.plan.words > 0.0 && self.words[port].unit() < self.plan.words
    }

    /// For tests: from now on all frames or control words are lost, or none is.
    #[cfg(test)]
    pub(super) fn lose_from_now(&mut self, lost: Lost) {
        let share = |of| if lost == of { 1.0 } else { 0.0 };
        self.plan.rate = ErrorRate::Packets(share(Lost::Frames));
        self.plan.words = share(Lost::Words);
    }
}

/// What every link loses, in a test.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    Nothing,
    Frames,
    Words,
}

impl ErrorRate {
    /// The share of frames of this size (bytes) that are damaged.
    fn of_frame(self, size: u32) -> f64 {
        match self {
            ErrorRate::Packets(share) => share,
            // 1 - (1 - p)^n, without losing a p as small as 1e-12.
            ErrorRate::Bits(share) => -libm::expm1(8.0 * f64::from(size) * libm::log1p(-share)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_bit_error_rates_are_those_of_all_bits_together() {
        assert!((ErrorRate::Bits(1e-12).of_frame(1_250) / 1e-8 - 1.0).abs() < 1e-6);
        assert!((ErrorRate::Bits(1e-4).of_frame(1_000) - (1.0 - libm::pow(0.9999, 8_000.0))).abs() < 1e-12);
    }

    #[test]
    fn frames_are_damaged_as_often_as_said() {
        let plan = ErrorPlan { rate: ErrorRate::Packets(0.25), unseen: 0.5, words: 0.0 };
        let mut errors = Errors::new(plan, 1, 1);
        let fates: Vec<Fate> = (0..20_000).map(|_| errors.fate(PortId(0), 100)).collect();
        let count = |fate| fates.iter().filter(|&&of| of == fate).count() as f64 / 20_000.0;
        assert!((count(Fate::Damaged) - 0.125).abs() < 0.01 && (count(Fate::Unseen) - 0.125).abs() < 0.01);
        assert!(!errors.loses_word(PortId(0)));
    }
}
