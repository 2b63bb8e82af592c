//! How a run is executed. Nothing here changes its results.

use std::num::NonZeroU16;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a run is computed. Nothing here changes its results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Processor cores that compute the run, each a part of the network. Default: as many as the parts of the network
    /// keep busy; one if the network cannot be cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<NonZeroU16>,
}

impl Run {
    /// Nothing is said.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
