//! The plan of pauses, and of the memory that triggers them: which lanes, which thresholds, which headroom.

use congestree_units::{Bytes, Rate, Span, Time};
use congestree_wire::HostId;

/// Priority flow control: a receiver that runs out of room tells its neighbour to pause a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct PfcPlan {
    /// By lane: it pauses and loses nothing. The other lanes never pause, and drop what finds no room.
    pub lossless: Vec<bool>,
    /// When a pause is asked for.
    pub threshold: Threshold,
    /// Thresholds and room apply to each queue of an input, not to the input as a whole.
    pub per_queue: bool,
    /// Bytes of a pause frame on the wire.
    pub frame: Bytes,
    /// From when the last bit of a pause frame has come in until no more packet is started.
    pub response: Span,
    /// A pause lasts this many times 512 bit times, and is sent again in time; `None`: until its end is signalled.
    pub quanta: Option<u32>,
    /// A packet that finds no room in a lossless lane stops the run; otherwise it is dropped and counted.
    pub stop_at_loss: bool,
    /// The watchdog for outputs that are paused for too long.
    pub watchdog: Option<PauseWatchdog>,
    /// Hosts that pause their switch however much room they have.
    pub storms: Vec<Storm>,
}

/// When an input (and lane) asks for a pause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// At a fixed number of bytes.
    Static {
        /// Above this; `None`: such that the headroom is just enough.
        xoff: Option<Bytes>,
        /// The pause ends at or below; `None`: two packets below `xoff`.
        xon: Option<Bytes>,
    },
    /// At a share of the free part of the shared memory.
    Dynamic {
        /// That share; may be above 1.
        alpha: f64,
        /// The share applies to ports of this rate; that of other ports is in proportion to their rate. `None`: to all
        /// ports.
        for_rate: Option<Rate>,
        /// The pause ends this far below the threshold.
        offset: Bytes,
    },
}

impl Threshold {
    /// This times the free shared memory is the most that a port of this rate may use in a lane.
    pub fn alpha(self, rate: Rate) -> f64 {
        match self {
            Threshold::Static { .. } => 0.0,
            Threshold::Dynamic { alpha, for_rate: None, .. } => alpha,
            Threshold::Dynamic { alpha, for_rate: Some(whole), .. } => alpha * (rate.0 as f64 / whole.0 as f64),
        }
    }
}

/// What is done about an output and lane that is paused for a long time while packets wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseWatchdog {
    /// How long the pause must last.
    pub detect: Span,
    /// How often it is checked afterwards whether the pause has ended.
    pub restore: Span,
    /// Until then its packets are dropped; otherwise they are sent in spite of the pause.
    pub drop: bool,
}

/// A host that pauses its switch however much room it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storm {
    /// The host.
    pub host: HostId,
    /// The lane.
    pub lane: u8,
    /// Its beginning.
    pub start: Time,
    /// Its end; never if it has none.
    pub stop: Time,
}

/// Room for what comes in over a link after a pause was requested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Headroom {
    /// As much as the link needs.
    Needed,
    /// This much, whatever the link.
    Fixed(Bytes),
    /// This many times what the link carries during its delay.
    Delays(f64),
}

/// The memory of a switch, where senders are paused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedPlan {
    /// All of it.
    pub size: Bytes,
    /// Reserved for each input port and lane.
    pub reserved: Bytes,
    /// For each input port and lossless lane: for what comes in after a pause was requested.
    pub headroom: Headroom,
    /// The headroom of a switch in total, if ports share it; `None`: each port has its own.
    pub headroom_pool: Option<Bytes>,
    /// In lanes that never pause, at most this share of the free shared memory may wait for one output.
    pub lossy_alpha: f64,
}
