//! Which flows may use an output now: flows are held back according to notices of congestion from neighbours.
//!
//! Without a schedule an output sends whatever packets wait for it, in the order of its arbiter.

use crate::check::Check;
use crate::switch::regional::RegionalParams;

/// A schedule of outputs: its rules.
pub trait Schedule {
    /// The rules by which outputs notify each other of congested regions and pace the flows that cause them; `None` if
    /// they do not.
    fn regions(&self) -> Option<RegionalParams>;
}

parts! {
    /// Any schedule a scenario can name.
    AnySchedule / ScheduleParams: Schedule {
        /// Outputs send whatever packets wait.
        None = none::Unscheduled(NoParams),
        /// Regional congestion mitigation (RCM): congested outputs notify the neighbouring switches, which pace the
        /// flows that cause the congestion.
        Rcm = rcm::Rcm(RcmParams),
    }
}

impl Default for ScheduleParams {
    fn default() -> Self {
        ScheduleParams::None(none::NoParams::default())
    }
}

impl ScheduleParams {
    /// The rules by which flows are paced in congested regions; `None` if they are not.
    pub fn regions(&self) -> Option<RegionalParams> {
        each!(self.build(), part => part.regions())
    }
}
