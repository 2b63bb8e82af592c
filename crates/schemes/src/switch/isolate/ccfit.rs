//! CCFIT, combined congested-flow isolation and throttling, for switches with one normal queue at each input.
//!
//! The head of a normal queue that has grown above `detect` is taken for congested: its destination gets a line and a
//! queue. A set-aside queue one hop from the root that grows above `high` puts its output into the congestion state,
//! which `scheme.mark.root` turns into marks. With `stop` packets it allocates upstream, and stops the queue there.
//!
//! | here     | Paper V                | default                                      |
//! |----------|------------------------|----------------------------------------------|
//! | `detect` | detection threshold    | 8 packets (not given in the paper)            |
//! | `high`   | High                   | 4 packets                                    |
//! | `low`    | Low                    | 2 packets                                    |
//! | `stop`   | Stop                   | 10 packets                                   |
//! | `go`     | Go                     | 4 packets                                    |
//!
//! Gran's thesis, Paper V, sections III and IV.A.

use serde::{Deserialize, Serialize};

use super::{Isolation, IsolationRules, Notices, RootRelease, StopAt, Suspect, check_rules, check_stop};
use crate::check::{Check, Complaints, Setting};

/// Parameters of CCFIT. Thresholds are in packets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CcfitParams {
    /// Set-aside queues (CFQs) of an input and of a host, and lines of its memory. Default 2.
    #[schemars(range(max = 16))]
    pub queues: u8,
    /// Destinations that a line lists. Default 1.
    #[schemars(range(min = 1, max = 1024))]
    pub destinations: u16,
    /// A normal queue with more packets than this declares the destination of `suspect` congested. Default 8.
    pub detect: u32,
    /// It does so with every packet above the threshold, not only with the one that crosses it. Default false.
    pub detect_above: bool,
    /// Whose destination is declared congested.
    pub suspect: Suspect,
    /// A queue one hop from the root counts in the congestion state of its output from above this many packets. Default 4.
    pub high: u32,
    /// It no longer counts at this many packets or fewer. Default 2.
    pub low: u32,
    /// A queue with more packets than this stops the queue upstream; the first time it also allocates it. Default 10.
    pub stop: u32,
    /// At this many packets or fewer it lets it go. Default 4.
    pub go: u32,
    /// When the first stop follows the allocation.
    pub stop_at: StopAt,
    /// A host hands no packet to its link that is for a destination of a stopped line. Default false.
    pub hosts_skip_stopped: bool,
    /// How notices travel.
    pub notices: Notices,
}

impl Default for CcfitParams {
    fn default() -> Self {
        Self {
            queues: 2,
            destinations: 1,
            detect: 8,
            detect_above: false,
            suspect: Suspect::Head,
            high: 4,
            low: 2,
            stop: 10,
            go: 4,
            stop_at: StopAt::Allocation,
            hosts_skip_stopped: false,
            notices: Notices::default(),
        }
    }
}

impl Check for CcfitParams {
    fn check(&self, _setting: &Setting, found: &mut Complaints) {
        check_rules(Ccfit::new(self).rules(), found);
        check_stop(self.stop, self.go, found);
    }
}

/// Isolation by CCFIT.
#[derive(Clone, Debug)]
pub struct Ccfit(IsolationRules);

impl Ccfit {
    /// With these parameters.
    pub fn new(params: &CcfitParams) -> Self {
        Self(IsolationRules {
            queues: params.queues,
            lines: params.queues,
            destinations: params.destinations,
            detect: params.detect,
            detect_above: params.detect_above,
            suspect: params.suspect,
            local: true,
            needs_credit: false,
            high: params.high,
            low: params.low,
            propagate: params.stop,
            stop: params.stop,
            go: params.go,
            stop_at: params.stop_at,
            root_stops: true,
            root_release: RootRelease::Empty,
            kept_while_stopped: true,
            hosts_skip_stopped: params.hosts_skip_stopped,
            notices: params.notices,
        })
    }
}

impl Isolation for Ccfit {
    fn rules(&self) -> Option<IsolationRules> {
        Some(self.0.clone())
    }
}
