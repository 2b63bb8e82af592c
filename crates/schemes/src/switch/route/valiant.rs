//! Valiant's routing: every packet first goes to another switch, drawn at random, and from there to its destination.
//!
//! Any traffic pattern becomes two uniform ones, so no pattern performs badly, and none well: half of the bandwidth is
//! spent on the detour. Valiant: A scheme for fast parallel communication (SIAM J. Computing 1982).
//!
//! The intermediate switch is that of a host drawn among all of them. If the packet is at that switch already, or its
//! destination is, it goes directly. Both halves of the path are fixed routes.

use serde::{Deserialize, Serialize};

use super::{PathLoad, Router, RouterKind};

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

/// A switch that sends packets on detours.
#[derive(Clone, Debug)]
pub struct Valiant;

impl Valiant {
    /// A switch that sends packets on detours.
    pub fn new(_params: &ValiantParams) -> Self {
        Self
    }
}

impl Router for Valiant {
    fn round(&mut self, _direct: PathLoad, rounds: &[PathLoad]) -> Option<usize> {
        (!rounds.is_empty()).then_some(0)
    }
}
