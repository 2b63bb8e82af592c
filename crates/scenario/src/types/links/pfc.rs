//! Priority flow control: pauses instead of credits.

use congestree_units::{Bytes, Rate, Span, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Priority flow control (PFC): a lane is paused when the receiver runs out of room. Before the run it is checked that
/// all that may still come in after that finds room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Pfc {
    /// Lanes that are paused and lose nothing; the others never are, and lose what finds no room. Absent: all lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 15))]
    pub lossless: Option<Vec<u8>>,
    /// When a pause is asked for, and when it ends.
    pub threshold: PauseThreshold,
    /// What the threshold and switches.buffer are about.
    pub counts: PauseCounts,
    /// Bytes of a pause frame on the wire.
    pub frame: Bytes,
    /// From the last bit of a pause frame being in until the sender starts no more packets.
    pub response: Span,
    /// How long a pause lasts.
    pub pause_duration: PauseDuration,
    /// What is done about packets that find no room in a lossless lane.
    pub losses: LossPolicy,
    /// Outputs of switches that are paused for too long get help. Absent: none do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watchdog: Option<PauseWatchdog>,
    /// Hosts that pause their switch whatever room they have.
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

/// When a pause is asked for, and when it ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PauseThreshold {
    /// At fixed numbers of bytes.
    Static(StaticThreshold),
    /// At a share of the shared memory that is free. Only with switches.shared_memory.
    Dynamic(DynamicThreshold),
}

/// Fixed thresholds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StaticThreshold {
    /// A pause is asked for when more is held. Absent: as late as the headroom allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xoff: Option<Bytes>,
    /// It ends when this or less is held. Absent: two packets below xoff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xon: Option<Bytes>,
}

/// A threshold that follows the free part of shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DynamicThreshold {
    /// An input and lane may use this times the shared memory that is free.
    #[schemars(range(min = 0.0, max = 1024.0))]
    pub alpha: f64,
    /// Ports of this rate have that alpha, and others have it in proportion to their rate. Absent: all have the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_rate: Option<Rate>,
    /// A pause ends so far below the threshold.
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
    /// All that an input port holds in a lane.
    Input,
    /// Each virtual output queue by itself: one that is over its threshold pauses the whole lane.
    Queue,
}

/// How long a pause lasts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PauseDuration {
    /// Until a frame ends it (XON).
    UntilXon,
    /// It ends by itself; its frame is sent again when half of it is over.
    Quanta(Quanta),
}

/// The length of a pause.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Quanta {
    /// In units of the time that 512 bits take on the link.
    #[schemars(range(min = 1, max = 65535))]
    pub count: u32,
}

impl Default for Quanta {
    fn default() -> Self {
        Self { count: 65_535 }
    }
}

/// What is done about packets that find no room in a lossless lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LossPolicy {
    /// A scenario in which they could occur is refused.
    Refuse,
    /// It is run, and the first one ends the run.
    Stop,
    /// It is run, and they are dropped and counted.
    Count,
}

/// Help for outputs of switches that are paused for too long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PauseWatchdog {
    /// A pause that lasts so long while packets wait is taken for a storm.
    pub detection_time: Span,
    /// From then on it is looked at so often whether it has ended.
    pub restoration_time: Span,
    /// What is done until then.
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
    /// Packets that wait for it are dropped. Only a transport sends them again: without one, a window waits for their ACKs for ever.
    Drop,
    /// They are sent in spite of the pause.
    Forward,
}

/// A host that pauses its switch whatever room it has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PauseStorm {
    /// The host.
    pub host: String,
    /// The lane.
    #[serde(default)]
    #[schemars(range(max = 14))]
    pub lane: u8,
    /// Its beginning.
    #[serde(default)]
    pub start: Time,
    /// Its end. Absent: it lasts for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Time>,
}
