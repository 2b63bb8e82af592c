//! Naive marking: when an input buffer becomes full, the packets waiting in it are marked.
//!
//! This is possible for a switch that knows only its own buffers. Packets that share a buffer with many others are
//! marked more often than those with a buffer of their own, whatever causes the congestion (HPL-2002-4 section 5; ECN
//! evaluation section IV.A).

use serde::{Deserialize, Serialize};

use super::{MarkAction, Marker, OutputView, check_fullness, check_trigger};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of naive marking.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NaiveParams {
    /// Number of packets at which a buffer counts as full. Default: as many full ones as fit into the lane's buffer, or
    /// with pfc below its XOFF threshold. Required where an input has no buffer of its own.
    pub trigger: Option<u32>,
}

impl Check for NaiveParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        check_trigger(self.trigger, setting, found);
        check_fullness(self.trigger, setting, found);
    }
}

/// Naive marking at an output: it has no state.
#[derive(Clone, Debug)]
pub struct Naive {
    trigger: Option<u32>,
}

impl Naive {
    /// A marker without state.
    pub fn new(params: &NaiveParams) -> Self {
        Self { trigger: params.trigger }
    }
}

impl Marker for Naive {
    fn full_at(&self, capacity: u32) -> Option<u32> {
        Some(self.trigger.unwrap_or(capacity))
    }

    fn on_full(&mut self, _output: OutputView) -> MarkAction {
        MarkAction::MarkBuffer
    }
}
