//! UGAL: the direct path or a detour over another switch, whichever is faster according to the queues (Singh 2005).
//!
//! The first switch knows only its own queues (UGAL-L), and assumes every link of a path to be as full as its first:
//! with q bytes waiting for the first output of a path of H links, a packet goes directly if
//!
//! > q_direct · H_direct <= q_round · H_round + threshold
//!
//! and takes a detour otherwise. Of several candidates the one with the smallest q · H is used; of equals, the first.
//!
//! The ideal (UGAL-G) knows the queues of all links of a path, without delay: their sum replaces q · H. No real switch
//! can do that; it is a bound for switches that estimate.

use congestree_units::Bytes;
use serde::{Deserialize, Serialize};

use super::{PathLoad, Router, RouterKind};

/// Parameters of UGAL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct UgalParams {
    /// Hosts drawn among all for every packet, whose switches are the intermediate ones; the switch
    /// that decides and the packet's last one are not used. Default 1.
    #[schemars(range(min = 1, max = 16))]
    pub candidates: u32,
    /// Bias towards the minimal path: it is taken even if it is worse by up to this many bytes times links. Default 0.
    pub threshold: Bytes,
    /// What the first switch knows about the queues of a path. Default: local.
    pub knows: Knowledge,
}

/// What a switch knows of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Knowledge {
    /// Its own queues (UGAL-L).
    #[default]
    Local,
    /// The current queues of all switches on the path, which is an ideal (UGAL-G).
    Global,
}

impl Default for UgalParams {
    fn default() -> Self {
        Self { candidates: 1, threshold: Bytes(0), knows: Knowledge::Local }
    }
}

impl RouterKind for UgalParams {
    fn goes_by_queues(&self) -> bool {
        true
    }

    fn detours(&self) -> u32 {
        self.candidates
    }

    fn knows_all_queues(&self) -> bool {
        self.knows == Knowledge::Global
    }
}

/// A switch that compares.
#[derive(Clone, Debug)]
pub struct Ugal {
    threshold: Bytes,
    knows: Knowledge,
}

impl Ugal {
    /// A switch that compares.
    pub fn new(params: &UgalParams) -> Self {
        Self { threshold: params.threshold, knows: params.knows }
    }

    /// The cost of a path, in waiting bytes.
    fn cost(&self, path: PathLoad) -> u128 {
        match self.knows {
            Knowledge::Local => u128::from(path.waiting.0) * u128::from(path.hops),
            Knowledge::Global => u128::from(path.along.0),
        }
    }
}

impl Router for Ugal {
    fn round(&mut self, direct: PathLoad, rounds: &[PathLoad]) -> Option<usize> {
        let (best, round) = rounds.iter().enumerate().min_by_key(|(_, round)| self.cost(**round))?;
        (self.cost(direct) > self.cost(*round) + u128::from(self.threshold.0)).then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_detour_is_taken_if_the_direct_one_costs_more_than_the_threshold_above_it() {
        let path = |hops, waiting| PathLoad { hops, waiting: Bytes(waiting), along: Bytes(0) };
        let mut ugal = Ugal::new(&UgalParams { threshold: Bytes(100), ..UgalParams::default() });
        // 2 * 900 = 1,800 against 4 * 425 + 100 = 1,800, and one byte less.
        assert_eq!(ugal.round(path(2, 900), &[path(4, 425)]), None);
        assert_eq!(ugal.round(path(2, 900), &[path(4, 424)]), Some(0));
        assert_eq!(ugal.round(path(2, 900), &[path(5, 100), path(4, 90), path(3, 120)]), Some(1));
        assert_eq!(ugal.round(path(1, 0), &[path(3, 0)]), None);
        assert_eq!(ugal.round(path(2, 900), &[]), None);
    }

    #[test]
    fn the_ideal_goes_by_what_waits_along_the_path() {
        let path = |waiting, along| PathLoad { hops: 2, waiting: Bytes(waiting), along: Bytes(along) };
        let params = UgalParams { threshold: Bytes(100), knows: Knowledge::Global, ..UgalParams::default() };
        let mut ugal = Ugal::new(&params);
        assert_eq!(ugal.round(path(0, 900), &[path(700, 800)]), None);
        assert_eq!(ugal.round(path(0, 900), &[path(0, 810), path(700, 799)]), Some(1));
    }
}
