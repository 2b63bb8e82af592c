//! HFDI, hot-flow dynamic isolation: EcoCC without throttling. By default its hosts pass on packets for stopped
//! destinations like all others, so that these can fill their memory.
//!
//! With `local` the root has a set-aside queue of its own, as in CCFIT; the supplement of Paper VI needs it for the demand
//! for queues in its figure 10.
//!
//! Gran's thesis, Paper VI, section 4.1 and its supplement, section 9.1.

use serde::{Deserialize, Serialize};

use super::ecocc::{Ecocc, EcoccParams};
use super::{Isolation, IsolationRules, Notices, RootRelease, StopAt, check_reach, check_rules};
use crate::check::{Check, Diagnostics, Setting};

// Fields that EcoCC also has are repeated in both: with serde's `flatten` an unknown key would not be refused.
/// Parameters of HFDI. Thresholds are in packets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HfdiParams {
    /// Set-aside queues (HPQs) of an input port and of a host. Default 2.
    #[schemars(range(max = 16))]
    pub queues: u8,
    /// CAM lines of an input port: one for each set-aside queue, and one for each virtual output queue that is the root
    /// of a congestion tree. Default 9.
    #[schemars(range(max = 64))]
    pub lines: u8,
    /// Destinations that a CAM line can list; packets for further destinations are not moved. Default 16.
    #[schemars(range(min = 1, max = 1024))]
    pub destinations: u16,
    /// High threshold: a queue with more packets than this is congested (HTh). Default 6.
    pub high: u32,
    /// Low threshold: at this many packets or fewer it is no longer congested (LTh). Default 4.
    pub low: u32,
    /// The root, too, has a set-aside queue. Default false.
    pub local: bool,
    /// Only an output that has credit for another packet can be declared a root. Default true.
    pub needs_credit: bool,
    /// When the first stop is sent, relative to the allocation of the queue upstream.
    pub stop_at: StopAt,
    /// The virtual output queue of a root also stops the queues upstream; otherwise it only has them allocated. Default
    /// true.
    pub root_stops: bool,
    /// When the CAM line of a root is released.
    pub root_release: RootRelease,
    /// A host gives its link no packets for the destinations of a stopped line. Default false.
    pub hosts_skip_stopped: bool,
    /// How notices (allocate, stop, go, release) travel between switches.
    pub notices: Notices,
}

impl Default for HfdiParams {
    fn default() -> Self {
        let EcoccParams {
            queues,
            lines,
            destinations,
            high,
            low,
            needs_credit,
            stop_at,
            root_stops,
            root_release,
            notices,
            ..
        } = EcoccParams::default();
        Self {
            queues,
            lines,
            destinations,
            high,
            low,
            local: false,
            needs_credit,
            stop_at,
            root_stops,
            root_release,
            hosts_skip_stopped: false,
            notices,
        }
    }
}

impl Check for HfdiParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        check_rules(Hfdi::new(self).rules(), found);
        check_reach("high", self.high, setting, found);
    }
}

/// Isolation by HFDI.
#[derive(Clone, Debug)]
pub struct Hfdi(IsolationRules);

impl Hfdi {
    /// With these parameters.
    pub fn new(params: &HfdiParams) -> Self {
        let ecocc = Ecocc::new(&EcoccParams {
            queues: params.queues,
            lines: params.lines,
            destinations: params.destinations,
            high: params.high,
            low: params.low,
            needs_credit: params.needs_credit,
            stop_at: params.stop_at,
            root_stops: params.root_stops,
            root_release: params.root_release,
            hosts_skip_stopped: params.hosts_skip_stopped,
            notices: params.notices,
        });
        Self(IsolationRules { local: params.local, ..ecocc.0 })
    }
}

impl Isolation for Hfdi {
    fn rules(&self) -> Option<IsolationRules> {
        Some(self.0.clone())
    }

    fn detection_key(&self) -> Option<&'static str> {
        Some("high")
    }
}
