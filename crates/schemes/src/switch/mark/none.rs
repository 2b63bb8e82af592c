//! No marking.

use super::Marker;
pub use crate::check::NoParams;

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
