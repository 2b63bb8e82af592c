//! How a run is worked off. Nothing in here changes what happens in it.

use std::num::NonZeroU16;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a run is worked off: its results are the same whatever stands here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Cores that work on the run, each on a part of the network. Default: if the network can be cut,
    /// as many as have enough to do in parts of it, otherwise one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<NonZeroU16>,
}

impl Run {
    /// Nothing is said.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
