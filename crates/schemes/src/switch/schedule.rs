//! Who may use an output now: which flows it holds back, by what neighbours tell of congestion.
//!
//! Without a schedule an output serves whatever waits for it, in the order of its arbiter.

use crate::check::Check;
use crate::switch::regional::RegionalParams;

/// A schedule of outputs: its rules.
pub trait Schedule {
    /// By what rules outputs tell each other of regions of congestion and pace the flows that cause them; `None` if they
    /// do not.
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
    /// By what rules flows are paced in regions of congestion; `None` if they are not.
    pub fn regions(&self) -> Option<RegionalParams> {
        each!(self.build(), part => part.regions())
    }
}
