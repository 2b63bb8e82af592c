//! CCFIT, combined congested-flow isolation and throttling, for switches with one normal queue at each input.
//!
//! The head of a normal queue that has grown above `detect` is considered congested: its destination gets a line and a
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

use super::{Isolation, IsolationRules, Notices, RootRelease, StopAt, Suspect, check_reach, check_rules, check_stop};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of CCFIT. Thresholds are in packets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CcfitParams {
    /// Set-aside queues (CFQs) of an input port and of a host, each with a line in its CAM. Default 2.
    #[schemars(range(max = 16))]
    pub queues: u8,
    /// Destinations that a CAM line can list. Default 1.
    #[schemars(range(min = 1, max = 1024))]
    pub destinations: u16,
    /// Detection threshold: a normal queue with more packets than this declares the destination of `suspect` congested.
    /// Default 8.
    pub detect: u32,
    /// Detection happens with every packet above the threshold, not only with the one that crosses it. Default false.
    pub detect_above: bool,
    /// Which packet's destination is declared congested.
    pub suspect: Suspect,
    /// High threshold: a set-aside queue one hop from the root puts its output into the congestion state when it holds
    /// more packets than this. Default 4.
    pub high: u32,
    /// Low threshold: at this many packets or fewer the queue no longer does so. Default 2.
    pub low: u32,
    /// Stop threshold: a set-aside queue with more packets than this stops the queue upstream. The first time it also
    /// has that queue allocated. Default 10.
    pub stop: u32,
    /// Go threshold: at this many packets or fewer the queue upstream may send again. Default 4.
    pub go: u32,
    /// When the first stop is sent, relative to the allocation of the queue upstream.
    pub stop_at: StopAt,
    /// A host gives its link no packets for the destinations of a stopped line. Default false.
    pub hosts_skip_stopped: bool,
    /// How notices (allocate, stop, go, release) travel between switches.
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
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        check_rules(Ccfit::new(self).rules(), found);
        check_reach("detect", self.detect, setting, found);
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

    fn detection_key(&self) -> Option<&'static str> {
        Some("detect")
    }
}
