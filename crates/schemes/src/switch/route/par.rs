//! Progressive adaptive routing (PAR) on a dragonfly: as UGAL, and packets on the direct path are compared once more.
//!
//! The first switch of a packet rarely has the global link of its direct path, so it does not know what waits there;
//! UGAL-L notices it only when buffers have filled back to it. Here a packet that was sent directly, over a local link
//! to another switch of its group, is compared again at that switch, with what waits there, and may take a detour from
//! there. A detour is never revoked. Jiang, Kim, Dally: Indirect adaptive routing on large scale interconnection
//! networks (ISCA 2009), section 3.3.
//!
//! Both comparisons are those of UGAL-L. A packet that takes a detour starts anew at that switch, as if a host of it
//! had sent the packet: lanes by route are those of the dragonfly three times.

use congestree_units::Bytes;
use serde::{Deserialize, Serialize};

use crate::check::{Diagnostics, Setting};

use super::ugal::{Knowledge, Ugal, UgalParams};
use super::{PathLoad, Router, RouterKind};

/// Parameters of PAR.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ParParams {
    /// Hosts drawn among all for every packet at each decision, whose switches are the intermediate ones; the
    /// switch that decides and the packet's last one are not used. Default 1.
    #[schemars(range(min = 1, max = 16))]
    pub candidates: u32,
    /// Bias towards the minimal path: it is taken even if it is worse by up to this many bytes times links. Default 0.
    pub threshold: Bytes,
}

impl Default for ParParams {
    fn default() -> Self {
        Self { candidates: 1, threshold: Bytes(0) }
    }
}

impl RouterKind for ParParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        if !setting.groups {
            let fact = "packets are asked again in the group that they come from, and only a dragonfly with its own routes has groups";
            found.report_at("scheme.route", fact, "take \"ugal\", or write topology.dragonfly without routing");
        }
    }

    fn goes_by_queues(&self) -> bool {
        true
    }

    fn detours(&self) -> u32 {
        self.candidates
    }

    /// It is asked again at the second switch of its group.
    fn turns(&self) -> u8 {
        2
    }
}

/// A switch that compares, for packets of its hosts and for those of its neighbours.
#[derive(Clone, Debug)]
pub struct Par(Ugal);

impl Par {
    /// A switch that compares.
    pub fn new(params: &ParParams) -> Self {
        let ParParams { candidates, threshold } = *params;
        Self(Ugal::new(&UgalParams { candidates, threshold, knows: Knowledge::Local }))
    }
}

impl Router for Par {
    fn round(&mut self, direct: PathLoad, rounds: &[PathLoad]) -> Option<usize> {
        self.0.round(direct, rounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_comparison_is_that_of_ugal_with_its_own_queues() {
        let path = |hops, waiting| PathLoad { hops, waiting: Bytes(waiting), along: Bytes(1 << 20) };
        let mut par = Par::new(&ParParams { threshold: Bytes(100), ..ParParams::default() });
        // At the second switch the direct path is a link shorter: 1 * 900 against 4 * 200 + 100 = 900, and a byte less.
        assert_eq!(par.round(path(1, 900), &[path(4, 200)]), None);
        assert_eq!(par.round(path(1, 901), &[path(4, 200)]), Some(0));
    }
}
