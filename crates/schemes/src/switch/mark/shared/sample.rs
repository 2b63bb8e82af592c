//! Which of the packets that leave in the congestion state are marked: Packet_Size and Marking_Rate.

use serde::{Deserialize, Serialize};

/// How the packets to be marked are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sampling {
    /// Each with probability 1/(marking_rate + 1).
    Random,
    /// Every (marking_rate + 1)-th packet.
    EveryNth,
}

/// Chooses the packets to mark.
#[derive(Clone, Debug)]
pub(in crate::switch::mark) struct Sample {
    /// Probability of a mark, drawn at random.
    share: f64,
    /// Eligible packets between two marked ones, if every n-th is marked.
    between: Option<u16>,
    /// Eligible packets since the last marked one.
    passed: u16,
    /// Smaller packets are never marked.
    smallest: u32,
}

impl Sample {
    /// By a rate, or by a share that replaces it.
    pub(in crate::switch::mark) fn new(smallest: u64, marking_rate: u16, share: Option<f64>, choice: Sampling) -> Self {
        Self {
            share: share.unwrap_or(1.0 / (f64::from(marking_rate) + 1.0)),
            between: (choice == Sampling::EveryNth).then_some(marking_rate),
            passed: 0,
            smallest: smallest.min(u64::from(u32::MAX)) as u32,
        }
    }

    /// A packet of this many bytes leaves in the congestion state: is it marked?
    #[inline]
    pub(in crate::switch::mark) fn takes(&mut self, size: u32, draw: impl FnOnce() -> f64) -> bool {
        if size < self.smallest {
            return false;
        }
        match self.between {
            _ if self.share >= 1.0 => true,
            None => draw() < self.share,
            Some(between) => {
                let due = self.passed == between;
                self.passed = if due { 0 } else { self.passed + 1 };
                due
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_takes_the_place_of_the_rate() {
        let mut sample = Sample::new(0, 1, Some(0.85), Sampling::Random);
        assert!(sample.takes(64, || 0.849));
        assert!(!sample.takes(64, || 0.85));
    }
}
