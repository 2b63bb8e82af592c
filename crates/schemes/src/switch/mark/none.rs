//! No marking.

use serde::{Deserialize, Serialize};

use crate::check::Check;
use super::Marker;

/// Nothing to set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NoParams {}

impl Check for NoParams {}

/// An output that marks nothing.
#[derive(Clone, Debug)]
pub struct Unmarked;

impl Unmarked {
    /// An output that marks nothing.
    pub fn new(_params: &NoParams) -> Self {
        Self
    }
}

impl Marker for Unmarked {
    fn marks(&self) -> bool {
        false
    }

    fn full_at(&self, _capacity: u32) -> Option<u32> {
        None
    }
}
