//! Fixed routes. Switches do not call it; this part only represents them.

use super::{Router, RouterKind};
pub use crate::check::NoParams;

impl RouterKind for NoParams {
    fn goes_by_queues(&self) -> bool {
        false
    }

    fn chooses(&self) -> bool {
        false
    }
}

/// Takes the first path.
#[derive(Clone, Debug)]
pub struct Fixed;

impl Fixed {
    /// A router that never chooses.
    pub fn new(_params: &NoParams) -> Self {
        Self
    }
}

impl Router for Fixed {}
