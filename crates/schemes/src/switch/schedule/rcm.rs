//! RCM as a schedule; how regions form and end is in [`crate::switch::regional`].

use super::Schedule;
use crate::switch::regional::RegionalParams;

pub use crate::switch::regional::RegionalParams as RcmParams;

/// Outputs in regions of congestion.
#[derive(Clone, Debug)]
pub struct Rcm(RegionalParams);

impl Rcm {
    /// With these parameters.
    pub fn new(params: &RcmParams) -> Self {
        Self(params.clone())
    }
}

impl Schedule for Rcm {
    fn regions(&self) -> Option<RegionalParams> {
        Some(self.0.clone())
    }
}
