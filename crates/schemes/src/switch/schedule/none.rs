//! No schedule.

use super::Schedule;
pub use crate::switch::isolate::none::NoParams;
use crate::switch::regional::RegionalParams;

/// Outputs send whatever packets wait.
#[derive(Clone, Debug)]
pub struct Unscheduled;

impl Unscheduled {
    /// Holds no packet back.
    pub fn new(_params: &NoParams) -> Self {
        Self
    }
}

impl Schedule for Unscheduled {
    fn regions(&self) -> Option<RegionalParams> {
        None
    }
}
