//! Valiant's routing: every packet first goes to some other switch, drawn at random, and from there to its destination.
//!
//! Any pattern becomes two uniform ones, so nobody fares badly, and nobody well: half of the bandwidth goes into the way
//! round. Valiant: A scheme for fast parallel communication (SIAM J. Computing 1982).
//!
//! The switch between is that of a host drawn among all of them. If that is where the packet is, or where it goes to, it goes
//! directly. Both halves of the way are those of the fixed routes.

use serde::{Deserialize, Serialize};

use super::{Passing, Router, RouterKind, Way};

/// Nothing to set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ValiantParams {}

impl RouterKind for ValiantParams {
    fn goes_by_queues(&self) -> bool {
        false
    }

    fn detours(&self) -> u32 {
        1
    }
}

/// A switch that sends packets round.
#[derive(Clone, Debug)]
pub struct Valiant;

impl Valiant {
    /// A switch that sends packets round.
    pub fn new(_params: &ValiantParams) -> Self {
        Self
    }
}

impl Router for Valiant {
    /// Each half of the way is a fixed route, on which there is nothing to choose.
    fn choose(&mut self, _: Passing, _: u32, _: impl Fn(u32) -> u64, _: impl FnOnce() -> f64) -> u32 {
        0
    }

    fn round(&mut self, _direct: Way, rounds: &[Way]) -> Option<usize> {
        (!rounds.is_empty()).then_some(0)
    }
}
