//! EcoCC, efficient and cost-effective congestion control, for switches with virtual output queues.
//!
//! A virtual output queue (CPQ) above `high` *is* the root of a tree: all of its packets go to one output, and need no
//! separate queue there. It puts that output into the congestion state, which `scheme.mark.root` turns into marks, and
//! tells the switch upstream which destinations it sees. There, and further upstream, packets for them are isolated
//! (HPQs). The same two thresholds are used for everything: above `high` a set-aside queue allocates upstream, and
//! later stops the queue there; at `low` it releases it.
//!
//! | here           | Paper VI             | default                        |
//! |----------------|----------------------|--------------------------------|
//! | `queues`       | HPQs per input       | 2                              |
//! | `lines`        | CAM lines per input  | 9: 7 CPQs and 2 HPQs           |
//! | `destinations` | dList                | 16 (8, 16, 32 for 64, 256 and 1,024 nodes) |
//! | `high`, `low`  | HTh, LTh             | 6 and 4 packets                |
//!
//! Gran's thesis, Paper VI, sections 3.1 to 3.4 and its supplement, sections 7 and 8.

use serde::{Deserialize, Serialize};

use super::{Isolation, IsolationRules, Notices, RootRelease, StopAt, Suspect, check_reach, check_rules};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of EcoCC. Thresholds are in packets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EcoccParams {
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
    /// Only an output that has credit for another packet can be declared a root. Default true.
    pub needs_credit: bool,
    /// When the first stop is sent, relative to the allocation of the queue upstream.
    pub stop_at: StopAt,
    /// The virtual output queue of a root also stops the queues upstream; otherwise it only has them allocated. Default
    /// true.
    pub root_stops: bool,
    /// When the CAM line of a root is released.
    pub root_release: RootRelease,
    /// A host gives its link no packets for the destinations of a stopped line. Default true.
    pub hosts_skip_stopped: bool,
    /// How notices (allocate, stop, go, release) travel between switches.
    pub notices: Notices,
}

impl Default for EcoccParams {
    fn default() -> Self {
        Self {
            queues: 2,
            lines: 9,
            destinations: 16,
            high: 6,
            low: 4,
            needs_credit: true,
            stop_at: StopAt::NextPacket,
            root_stops: true,
            root_release: RootRelease::Empty,
            hosts_skip_stopped: true,
            notices: Notices::default(),
        }
    }
}

impl Check for EcoccParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        check_rules(Ecocc::new(self).rules(), found);
        check_reach("high", self.high, setting, found);
    }
}

/// Isolation by EcoCC.
#[derive(Clone, Debug)]
pub struct Ecocc(pub(super) IsolationRules);

impl Ecocc {
    /// With these parameters.
    pub fn new(params: &EcoccParams) -> Self {
        Self(IsolationRules {
            queues: params.queues,
            lines: params.lines,
            destinations: params.destinations,
            detect: params.high,
            detect_above: true,
            suspect: Suspect::Head,
            local: false,
            needs_credit: params.needs_credit,
            high: params.high,
            low: params.low,
            propagate: params.high,
            stop: params.high,
            go: params.low,
            stop_at: params.stop_at,
            root_stops: params.root_stops,
            root_release: params.root_release,
            kept_while_stopped: false,
            hosts_skip_stopped: params.hosts_skip_stopped,
            notices: params.notices,
        })
    }
}

impl Isolation for Ecocc {
    fn rules(&self) -> Option<IsolationRules> {
        Some(self.0.clone())
    }

    fn detection_key(&self) -> Option<&'static str> {
        Some("high")
    }
}
