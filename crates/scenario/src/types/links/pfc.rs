//! Priority flow control: pauses instead of credits.

use congestree_units::{Bytes, Rate, Span, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Priority flow control (PFC): a lane is paused when the receiver runs out of room. Before the run it is checked that
/// there is room for all data that may still arrive after a pause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Pfc {
    /// Lossless lanes: they are paused and lose nothing. The other lanes are never paused, and drop packets that find
    /// no room. Absent: all lanes are lossless.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 15))]
    pub lossless: Option<Vec<u8>>,
    /// The thresholds at which a receiver sends a pause (XOFF) and ends it (XON).
    pub threshold: PauseThreshold,
    /// Which fill the threshold and switches.buffer apply to.
    pub counts: PauseCounts,
    /// Size of a pause frame on the wire.
    pub frame: Bytes,
    /// Response time: from the last bit of a pause frame until the paused sender starts no more packets.
    pub response: Span,
    /// How long a pause lasts.
    pub pause_duration: PauseDuration,
    /// What happens to packets that find no room in a lossless lane.
    pub losses: LossPolicy,
    /// PFC watchdog: acts on switch outputs that are paused for too long. Absent: no watchdog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watchdog: Option<PauseWatchdog>,
    /// Pause storms: hosts that pause their switch although they have room.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub storms: Vec<PauseStorm>,
}

impl Default for Pfc {
    fn default() -> Self {
        Self {
            lossless: None,
            threshold: PauseThreshold::Static(StaticThreshold::default()),
            counts: PauseCounts::Input,
            frame: Bytes(64),
            response: Span::ZERO,
            pause_duration: PauseDuration::UntilXon,
            losses: LossPolicy::Refuse,
            watchdog: None,
            storms: Vec::new(),
        }
    }
}

/// The thresholds at which a receiver sends a pause (XOFF) and ends it (XON).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PauseThreshold {
    /// Fixed thresholds in bytes.
    Static(StaticThreshold),
    /// Dynamic thresholds: a multiple (alpha) of the free shared memory. Only with switches.shared_memory.
    Dynamic(DynamicThreshold),
}

/// Fixed thresholds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StaticThreshold {
    /// XOFF: a pause is sent when more than this is held; in shared memory, more than this beyond what is reserved.
    /// Absent: as late as the headroom allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xoff: Option<Bytes>,
    /// XON: the pause ends when this or less is held, counted as for xoff. Absent: two packets below xoff; in shared
    /// memory without xoff, as soon as the headroom is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xon: Option<Bytes>,
}

/// A threshold that follows the free part of shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DynamicThreshold {
    /// An input port and lane may use this times the free shared memory before it sends a pause.
    #[schemars(range(min = 0.0, max = 1024.0))]
    pub alpha: f64,
    /// `alpha` is for ports of this rate, and scales in proportion to the rate of other ports. Absent: the same for all
    /// ports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_rate: Option<Rate>,
    /// The pause ends when the headroom of the input is empty again and what the input holds of the shared memory is
    /// this far below the threshold, or nothing.
    pub offset: Bytes,
}

impl Default for DynamicThreshold {
    fn default() -> Self {
        Self { alpha: 0.125, for_rate: None, offset: Bytes(3_000) }
    }
}

/// What thresholds and buffers are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PauseCounts {
    /// Everything that an input port holds in a lane.
    Input,
    /// Each virtual output queue by itself: one queue above the threshold pauses the whole lane.
    Queue,
}

/// How long a pause lasts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PauseDuration {
    /// Until an XON frame ends it.
    UntilXon,
    /// For a fixed time (quanta); if it is still needed, the pause frame is sent again when half of this time is over.
    Quanta(Quanta),
}

/// The length of a pause.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Quanta {
    /// Length of a pause in quanta: the time that 512 bits take on the link.
    #[schemars(range(min = 1, max = 65535))]
    pub count: u32,
}

impl Default for Quanta {
    fn default() -> Self {
        Self { count: 65_535 }
    }
}

/// What happens to packets that find no room in a lossless lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LossPolicy {
    /// A scenario in which such losses could occur is refused.
    Refuse,
    /// The scenario is run; the first such loss ends the run.
    Stop,
    /// The scenario is run; such packets are dropped and counted.
    Count,
}

/// The PFC watchdog: acts on switch outputs that are paused for too long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PauseWatchdog {
    /// A pause that lasts this long counts as a pause storm if packets wait when this time is over, however long they
    /// have waited.
    pub detection_time: Span,
    /// Interval at which the watchdog then checks whether the storm has ended.
    pub restoration_time: Span,
    /// What the watchdog does until the storm has ended.
    pub action: WatchdogAction,
}

impl Default for PauseWatchdog {
    fn default() -> Self {
        Self { detection_time: Span::from_ms(200), restoration_time: Span::from_ms(200), action: WatchdogAction::Drop }
    }
}

/// What is done about an output that is paused for too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WatchdogAction {
    /// Packets that wait for the output are dropped. Only a transport retransmits them; without one, a window waits for
    /// their ACKs forever.
    Drop,
    /// Packets that wait for the output are sent in spite of the pause. Those that find no room are lost, so that
    /// `losses` must not be "refuse".
    Forward,
}

/// A pause storm: a host that pauses its switch although it has room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PauseStorm {
    /// Name of the host.
    pub host: String,
    /// The lane that it pauses.
    #[serde(default)]
    #[schemars(range(max = 14))]
    pub lane: u8,
    /// When the storm begins.
    #[serde(default)]
    pub start: Time,
    /// When the storm ends. Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Time>,
}
