//! No isolation.

use super::{Isolation, IsolationRules};
pub use crate::check::NoParams;

/// Everybody waits together.
#[derive(Clone, Debug)]
pub struct Together;

impl Together {
    /// No isolation.
    pub fn new(_: &NoParams) -> Self {
        Self
    }
}

impl Isolation for Together {
    fn rules(&self) -> Option<IsolationRules> {
        None
    }
}
