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
        self.cure_of_losses().is_some()
    }

    /// What to write so that none is lost, if they may be. Packets that were damaged, or on a link that went down, must
    /// be sent again, and those that wait for such a link must wait until it is up.
    pub fn cure_of_losses(&self) -> Option<&'static str> {
        let goes_down = self.faults.as_ref().is_some_and(|faults| faults.failures.iter().any(Failure::is_down));
        if !self.have_flow_control() {
            Some("take links with flow control (links.flow_control)")
        } else if (self.errors.is_some() || goes_down) && self.retry.is_none() {
            Some("write links.retry = {}")
        } else if !self.faults.as_ref().is_none_or(Faults::waits) {
            Some("make links.faults.head_of_queue_lifetime no shorter than any failure (1 s for one without until)")
        } else {
            None
        }
    }
}
