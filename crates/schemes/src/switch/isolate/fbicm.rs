//! FBICM, flow-based implicit congestion management: CCFIT without its High and Low thresholds, which only throttling
//! needs. With `stop` packets a queue allocates upstream, and stops the queue there.
//!
//! Gran's thesis, section 2.3.1; Paper V, sections II and IV.A.

use serde::{Deserialize, Serialize};

use super::ccfit::{Ccfit, CcfitParams};
use super::{Isolation, IsolationRules, Notices, StopAt, Suspect, check_reach, check_rules, check_stop};
use crate::check::{Check, Diagnostics, Setting};

// Fields that CCFIT also has are repeated in both: with serde's `flatten` an unknown key would not be refused.
/// Parameters of FBICM. Thresholds are in packets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FbicmParams {
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

impl Default for FbicmParams {
    fn default() -> Self {
        let CcfitParams {
            queues,
            destinations,
            detect,
            detect_above,
            suspect,
            stop,
            go,
            stop_at,
            hosts_skip_stopped,
            notices,
            ..
        } = CcfitParams::default();
        Self { queues, destinations, detect, detect_above, suspect, stop, go, stop_at, hosts_skip_stopped, notices }
    }
}

impl Check for FbicmParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        check_rules(Fbicm::new(self).rules(), found);
        check_reach("detect", self.detect, setting, found);
        check_stop(self.stop, self.go, found);
    }
}

/// Isolation by FBICM.
#[derive(Clone, Debug)]
pub struct Fbicm(Ccfit);

impl Fbicm {
    /// With these parameters.
    pub fn new(params: &FbicmParams) -> Self {
        Self(Ccfit::new(&CcfitParams {
            queues: params.queues,
            destinations: params.destinations,
            detect: params.detect,
            detect_above: params.detect_above,
            suspect: params.suspect,
            high: u32::MAX,
            low: 0,
            stop: params.stop,
            go: params.go,
            stop_at: params.stop_at,
            hosts_skip_stopped: params.hosts_skip_stopped,
            notices: params.notices,
        }))
    }
}

impl Isolation for Fbicm {
    fn rules(&self) -> Option<IsolationRules> {
        self.0.rules()
    }

    fn detection_key(&self) -> Option<&'static str> {
        Some("detect")
    }
}
