//! Equal-cost multi-path: the hash of a flow determines its path, permanently.
//!
//! The order within a flow is kept, and flows spread evenly if there are many; a few large ones may share a link while
//! another is idle. Every switch has a hash of its own, unless `same_hash`: then consecutive switches make the same
//! choice, and only some of the paths of the second one are used (hash polarisation).
//!
//! RFC 2992: Analysis of an Equal-Cost Multi-Path Algorithm.

use serde::{Deserialize, Serialize};

use super::{Passing, Router, RouterKind, mixed, one_of};

/// Parameters of equal-cost multi-path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EcmpParams {
    /// All switches use the same hash seed.
    pub same_hash: bool,
}

impl RouterKind for EcmpParams {
    fn goes_by_queues(&self) -> bool {
        false
    }

    fn reorders(&self) -> bool {
        false
    }

    fn ignores_rates(&self) -> bool {
        true
    }
}

/// The hash of one switch.
#[derive(Clone, Debug)]
pub struct Ecmp {
    same_hash: bool,
    salt: u64,
}

impl Ecmp {
    /// A switch that does not know its number yet.
    pub fn new(params: &EcmpParams) -> Self {
        Self { same_hash: params.same_hash, salt: 0 }
    }

    #[inline]
    fn hashed(&self, label: u64, candidates: u32) -> u32 {
        one_of(mixed(mixed(label) ^ self.salt), candidates)
    }
}

impl Router for Ecmp {
    fn at_switch(&mut self, salt: u64) {
        if !self.same_hash {
            self.salt = mixed(salt);
        }
    }

    #[inline]
    fn choose(&mut self, packet: Passing, candidates: u32, _: impl Fn(u32) -> u64, _: impl FnOnce() -> f64) -> u32 {
        self.hashed(packet.label, candidates)
    }

    #[inline]
    fn foretell(&self, label: u64, candidates: u32) -> Option<u32> {
        Some(self.hashed(label, candidates))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::Time;

    fn choices(salt: u64, candidates: u32, flows: u64) -> Vec<u32> {
        let mut router = Ecmp::new(&EcmpParams::default());
        router.at_switch(salt);
        (0..flows)
            .map(|label| router.choose(Passing { now: Time::START, label }, candidates, |_| 0, || panic!("no rng")))
            .collect()
    }

    /// Pearson's chi-squared over the candidates: the 99.9 % quantiles for 2, 5, 6, 15 and 31 degrees of freedom.
    #[test]
    fn flows_spread_evenly_over_any_number_of_candidates() {
        for (candidates, most) in [(3u32, 13.8), (6, 20.5), (7, 22.5), (16, 37.7), (32, 61.1)] {
            for salt in 0..20 {
                let mut counts = vec![0.0f64; candidates as usize];
                choices(salt, candidates, 10_000).into_iter().for_each(|candidate| counts[candidate as usize] += 1.0);
                let mean = 10_000.0 / f64::from(candidates);
                let chi: f64 = counts.iter().map(|count| (count - mean) * (count - mean) / mean).sum();
                assert!(chi < most, "{candidates} candidates, switch {salt}: {chi}");
            }
        }
    }

    /// The choices of two switches are independent: of the flows of one path, each path of the next has its share.
    #[test]
    fn the_next_switch_chooses_afresh() {
        let (first, second) = (choices(1, 6, 60_000), choices(2, 6, 60_000));
        let mut counts = [[0.0f64; 6]; 6];
        first.into_iter().zip(second).for_each(|(a, b)| counts[a as usize][b as usize] += 1.0);
        let mean = 60_000.0 / 36.0;
        let chi: f64 = counts.iter().flatten().map(|count| (count - mean) * (count - mean) / mean).sum();
        // 99.9 % quantile for 35 degrees of freedom.
        assert!(chi < 66.6, "{chi}");
    }

    #[test]
    fn with_the_same_hash_everywhere_switches_agree() {
        let all = |salt| {
            let mut router = Ecmp::new(&EcmpParams { same_hash: true });
            router.at_switch(salt);
            (0..100)
                .map(|label| router.choose(Passing { now: Time::START, label }, 4, |_| 0, || 0.0))
                .collect::<Vec<_>>()
        };
        assert_eq!(all(1), all(2));
    }
}
