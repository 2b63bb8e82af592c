//! No isolation.

use super::{Isolation, IsolationRules};
pub use crate::check::NoParams;

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
