//! No isolation.

use serde::{Deserialize, Serialize};

use crate::check::Check;
use super::{Isolation, IsolationRules};

/// No parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NoParams {}

impl Check for NoParams {}

/// Everybody waits together.
#[derive(Clone, Debug)]
pub struct Together;

impl Together {
    /// Sets nothing aside.
    pub fn new(_: &NoParams) -> Self {
        Self
    }
}

impl Isolation for Together {
    fn rules(&self) -> Option<IsolationRules> {
        None
    }
}
