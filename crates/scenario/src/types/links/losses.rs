//! Whether links lose packets.

use super::{FlowControl, Links};
use crate::types::{Failure, Faults};

impl Links {
    /// Whether a packet is sent only into room that is promised for it.
    pub fn have_flow_control(&self) -> bool {
        !matches!(self.flow_control, FlowControl::None)
    }

    /// Whether packets may be lost between two hosts: no room is promised for them, or links damage them, or go down.
    pub fn lose(&self) -> bool {
        let goes_down = self.faults.as_ref().is_some_and(|faults| faults.failures.iter().any(Failure::is_down));
        !self.have_flow_control() || (self.errors.is_some() && self.retry.is_none()) || (goes_down && !self.keeps_all())
    }

    /// Whether packets on a link that went down are sent again, and those that wait for one wait without limit.
    fn keeps_all(&self) -> bool {
        let patient = self.faults.as_ref().is_none_or(Faults::waits);
        self.retry.is_some() && patient
    }
}
