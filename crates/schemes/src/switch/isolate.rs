//! How a switch isolates congested traffic, so that it does not block other packets.
//!
//! Where congestion is detected, a *line* of a content-addressable memory (CAM) says which destinations belong to the
//! tree, and their packets go to a *set-aside queue*; all other packets pass them. When such a queue fills in turn, the
//! line is sent upstream, and so on to the hosts. Four notices travel against the traffic of a link: allocate, stop,
//! go, release.
//!
//! | here            | RECN | FBICM, CCFIT | HFDI, EcoCC |
//! |-----------------|------|--------------|-------------|
//! | set-aside queue | SAQ  | CFQ          | HPQ         |
//! | normal queue    | –    | NFQ          | CPQ         |
//! | line            | CAM line, by path | CAM line, by destination | CAM line, by a list of destinations |
//!
//! These four techniques use the same two memories: [`cam::Cam`] at an input (and at a host), which owns lines and
//! queues, and [`mirror::Mirror`] at an output, which knows the lines of the next input downstream. They differ in
//! [`IsolationRules`]. Both answer and never act: the actions they request are a list of [`Effect`]s.
//!
//! BFC isolates by flow and not by tree: every output has queues for flows ([`flow_queues::Assignments`]), every input
//! knows which queues must be stopped ([`flow_queues::Charges`]), by [`FlowRules`].
//!
//! Gran's thesis, section 2.3.1; Paper V, section III; Paper VI, section 3.

use congestree_units::{Bytes, Span};
use serde::{Deserialize, Serialize};

use crate::check::{Check, Diagnostics, Setting};
use flow_queues::FlowRules;

pub mod cam;
pub mod cost;
pub mod flow_queues;
pub mod mirror;

/// The rules of an isolation scheme: every part is reduced to these. Thresholds are in packets.
#[derive(Clone, Debug, PartialEq)]
pub struct IsolationRules {
    /// Set-aside queues of an input, and of a host.
    pub queues: u8,
    /// Lines of an input.
    pub lines: u8,
    /// Destinations that one line can list.
    pub destinations: u16,
    /// A normal queue above this declares a root.
    pub detect: u32,
    /// Every packet above the threshold declares one, not only the packet that crosses it.
    pub detect_above: bool,
    /// The packet whose destination is considered congested, if a normal queue holds packets for several outputs.
    pub suspect: Suspect,
    /// The root has a set-aside queue of its own; otherwise its normal queue is used.
    pub local: bool,
    /// A root is only declared at an output that has credit for another packet: an output without is a victim.
    pub needs_credit: bool,
    /// The queue of a root above this counts in the congestion state of its output.
    pub high: u32,
    /// At or below this it no longer does.
    pub low: u32,
    /// A set-aside queue above this allocates upstream.
    pub propagate: u32,
    /// Above this, a queue that has allocated upstream stops the queue upstream.
    pub stop: u32,
    /// At or below this it releases it again.
    pub go: u32,
    /// When the first stop may follow an allocation.
    pub stop_at: StopAt,
    /// The normal queue of a root stops the queues upstream as well.
    pub root_stops: bool,
    /// When the line of a root's normal queue is released.
    pub root_release: RootRelease,
    /// A queue that becomes empty while it is stopped from downstream is kept until it may send.
    pub kept_while_stopped: bool,
    /// A host does not pass packets for the destinations of a stopped line to its link.
    pub hosts_skip_stopped: bool,
    /// How notices (allocate, stop, go, release) travel between switches.
    pub notices: Notices,
}

impl IsolationRules {
    /// The rules of a host: it detects nothing, and has no upstream neighbour.
    pub fn at_host(&self) -> IsolationRules {
        let never = u32::MAX;
        IsolationRules { detect: never, high: never, propagate: never, stop: never, lines: self.queues, ..self.clone() }
    }
}

/// Whose destination a queue for several outputs declares congested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Suspect {
    /// The destination of the packet at the head of the queue.
    Head,
    /// The most frequent destination in the queue; if there are several, the one whose first packet is nearest to the
    /// head.
    MostFrequent,
}

/// When a queue that has allocated upstream may stop the queue there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StopAt {
    /// Together with the allocation.
    Allocation,
    /// With the next packet that finds the queue above the stop threshold.
    NextPacket,
    /// When the queue crosses the stop threshold again, after it has fallen to the go threshold.
    NextCrossing,
}

/// When the line of a root that has no set-aside queue is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RootRelease {
    /// When its queue has fallen to the low threshold.
    Low,
    /// When its queue is empty.
    Empty,
}

/// How notices travel to the neighbour upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Notices {
    /// On separate wires: they take the propagation delay of the link and no bandwidth.
    OutOfBand(OutOfBand),
    /// On the link, before all packets that have not started.
    InBand(InBand),
}

/// Notices on wires of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OutOfBand {
    /// Extra time of a notice, in addition to the propagation delay of the link. Default 0.
    pub delay: Span,
}

impl Default for OutOfBand {
    fn default() -> Self {
        Self { delay: Span::ZERO }
    }
}

/// Notices on the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct InBand {
    /// Size of a notice on the wire. Default 64 B.
    pub size: Bytes,
}

impl Default for InBand {
    fn default() -> Self {
        Self { size: Bytes(64) }
    }
}

impl Default for Notices {
    fn default() -> Self {
        Notices::OutOfBand(OutOfBand::default())
    }
}

/// The bit of a destination in a word that says which ones may be listed. Several destinations share a bit: if it is
/// not set, a destination is certainly not listed, without searching any list.
#[inline(always)]
fn trace(destination: u32) -> u64 {
    1 << (destination % 64)
}

/// The bits of several destinations.
fn traces<'a>(destinations: impl IntoIterator<Item = &'a u32>) -> u64 {
    destinations.into_iter().fold(0, |bits, destination| bits | trace(*destination))
}

/// What an input reports to the upstream output about one of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The line is in use and lists these destinations; for a known line, these in addition.
    Allocate {
        /// The line.
        line: u8,
        /// Switches from here to the root, including this one.
        hops: u8,
        /// The destinations.
        destinations: Vec<u32>,
    },
    /// Its queue is full enough: stop the queue that feeds it.
    Stop {
        /// The line.
        line: u8,
    },
    /// There is room in its queue again.
    Go {
        /// The line.
        line: u8,
    },
    /// It is free: forget it.
    Release {
        /// The line.
        line: u8,
    },
}

impl Notice {
    /// The line that it concerns.
    pub fn line(&self) -> u8 {
        match *self {
            Notice::Allocate { line, .. } | Notice::Stop { line } | Notice::Go { line } | Notice::Release { line } => {
                line
            }
        }
    }
}

/// What a memory wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Tell the neighbour upstream.
    Upstream(Notice),
    /// One more queue counts in the congestion state of this output of the switch.
    Congested(u16),
    /// One queue less does.
    Calm(u16),
}

/// The destination of a packet at the head of a normal queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadDecision {
    /// It stays where it is: it may request its output.
    Stay,
    /// It belongs to a tree, but there is no queue or line left for it: it stays, and may request its output.
    NoQueue,
    /// In this set-aside queue.
    Isolate(u8),
}

/// An isolation scheme: its rules.
pub trait Isolation {
    /// The rules of switches and hosts; `None` if nothing is ever isolated.
    fn rules(&self) -> Option<IsolationRules>;

    /// The rules for flow queues; `None` if flows have no queues of their own.
    fn flow_rules(&self) -> Option<FlowRules> {
        None
    }

    /// The parameter that is the threshold `detect` of its rules; a note on a scenario names it where no queue of full
    /// packets is that long.
    fn detection_key(&self) -> Option<&'static str> {
        None
    }
}

parts! {
    /// Any isolation scheme a scenario can name.
    AnyIsolation / IsolateParams: Isolation {
        /// No isolation.
        None = none::Together(NoParams),
        /// Flow-based implicit congestion management (FBICM): packets of congested flows are moved to queues of their
        /// own.
        Fbicm = fbicm::Fbicm(FbicmParams),
        /// CCFIT: isolation of congested flows as in FBICM; outputs at the root also mark packets, so that sources can
        /// be throttled.
        Ccfit = ccfit::Ccfit(CcfitParams),
        /// Hot-flow dynamic isolation (HFDI), for switches with virtual output queues.
        Hfdi = hfdi::Hfdi(HfdiParams),
        /// EcoCC: isolation as in HFDI; outputs at the root also mark packets, so that sources can be throttled.
        Ecocc = ecocc::Ecocc(EcoccParams),
        /// Backpressure flow control (BFC): per-flow queues at every output, which are stopped and released
        /// individually.
        Bfc = bfc::Bfc(BfcParams),
    }
}

impl IsolateParams {
    /// Whether anything is ever isolated, by tree or by flow.
    pub fn isolates(&self) -> bool {
        self.rules().is_some() || self.flow_rules().is_some()
    }

    /// The rules of switches and hosts; `None` if nothing is ever isolated.
    pub fn rules(&self) -> Option<IsolationRules> {
        each!(self.build(), part => part.rules())
    }

    /// The rules for flow queues; `None` if flows have no queues of their own.
    pub fn flow_rules(&self) -> Option<FlowRules> {
        each!(self.build(), part => part.flow_rules())
    }

    /// The parameter above which, in packets, a normal queue declares a root; `None` if there is none.
    pub fn detection_key(&self) -> Option<&'static str> {
        each!(self.build(), part => part.detection_key())
    }
}

/// Checks the rules of a scheme that isolates by tree.
fn check_rules(rules: Option<IsolationRules>, found: &mut Diagnostics) {
    let Some(rules) = rules else { return };
    if rules.lines < rules.queues {
        let fact = format!("{} queues need as many lines, and there are {}", rules.queues, rules.lines);
        found.report("lines", fact, "make it larger, or take fewer queues");
    }
    if rules.high != u32::MAX && rules.low >= rules.high {
        let fact = format!("a queue is congested above {} packets and no longer at {}", rules.high, rules.low);
        found.report("low", fact, "make it smaller than high");
    }
    check_notices(rules.notices, found);
}

/// Checks that a queue can hold more packets than the threshold `key`. In a buffer of bytes there may be many small
/// packets, so only one that is counted in packets says how many there can be.
fn check_reach(key: &str, threshold: u32, setting: &Setting, found: &mut Diagnostics) {
    if let Some(slots) = setting.first_lane_slots.filter(|&slots| slots <= threshold) {
        let lane = if setting.lanes > 1 { " in lane 0, where isolation acts" } else { "" };
        let fact = format!(
            "a queue never holds more than {threshold} packets when the buffer of its input holds {slots}{lane}"
        );
        found.report(key, fact, "make it smaller, or the buffers larger (switches.buffer, lane_buffers)");
    }
}

/// For schemes whose parameters include the thresholds of a stop.
fn check_stop(stop: u32, go: u32, found: &mut Diagnostics) {
    if go >= stop {
        let fact = format!("a queue is stopped above {stop} packets and let go at {go}");
        found.report("go", fact, "make it smaller than stop");
    }
}

/// A notice on the link must have bytes.
fn check_notices(notices: Notices, found: &mut Diagnostics) {
    if let Notices::InBand(way) = notices
        && way.size.0 == 0
    {
        found.report("notices.in-band.size", "a notice has no bytes", "give it at least 1 B");
    }
}
