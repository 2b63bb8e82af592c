//! The plan of pauses, and of the memory that decides when: which lanes, which thresholds, which headroom.

use congestree_units::{Bytes, Rate, Span, Time};
use congestree_wire::HostId;

/// Priority flow control: a receiver that runs out of room tells its neighbour to pause in a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct PfcPlan {
    /// By lane: it pauses and loses nothing; the others never pause, and lose what finds no room.
    pub lossless: Vec<bool>,
    /// When a pause is asked for.
    pub threshold: Threshold,
    /// Thresholds and room are those of each queue of an input, not of the input.
    pub per_queue: bool,
    /// Bytes of a pause frame on the wire.
    pub frame: Bytes,
    /// From the last bit of a pause frame being in until no more packet is started.
    pub response: Span,
    /// A pause lasts so many times 512 bit times, and is told again in time; `None`: until its end is told.
    pub quanta: Option<u32>,
    /// A packet that finds no room in a lossless lane stops the run; otherwise it is dropped and counted.
    pub stop_at_loss: bool,
    /// Who looks after outputs that are paused for too long.
    pub watchdog: Option<PauseWatchdog>,
    /// Hosts that pause their switch whatever room they have.
    pub storms: Vec<Storm>,
}

/// When an input (and lane) asks for a pause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// At a fixed number of bytes.
    Static {
        /// Above; `None`: so that the headroom is just enough.
        xoff: Option<Bytes>,
        /// The pause ends at or below; `None`: two packets below `xoff`.
        xon: Option<Bytes>,
    },
    /// At a share of the shared memory that is free.
    Dynamic {
        /// That share; may be above 1.
        alpha: f64,
        /// Of ports of this rate; others have it in proportion. `None`: of all.
        for_rate: Option<Rate>,
        /// The pause ends so far below.
        offset: Bytes,
    },
}

impl Threshold {
    /// This times the free shared memory bounds what a port of this rate may use in a lane.
    pub fn alpha(self, rate: Rate) -> f64 {
        match self {
            Threshold::Static { .. } => 0.0,
            Threshold::Dynamic { alpha, for_rate: None, .. } => alpha,
            Threshold::Dynamic { alpha, for_rate: Some(whole), .. } => alpha * (rate.0 as f64 / whole.0 as f64),
        }
    }
}

/// What is done about an output and lane that is paused for long while packets wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseWatchdog {
    /// For how long.
    pub detect: Span,
    /// Looked at so often afterwards, whether the pause has ended.
    pub restore: Span,
    /// Until then its packets are dropped; otherwise they are sent in spite of the pause.
    pub drop: bool,
}

/// A host that pauses its switch whatever room it has.
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

/// Room for what comes in over a link after a pause was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Headroom {
    /// As much as the link needs.
    Needed,
    /// So much, whatever the link is.
    Fixed(Bytes),
    /// So many times what the link carries in its delay.
    Delays(f64),
}

/// The memory of a switch, where senders are paused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedPlan {
    /// All of it.
    pub size: Bytes,
    /// Of each input port and lane for itself.
    pub reserved: Bytes,
    /// Of each input port and lossless lane, for what comes in after a pause was asked for.
    pub headroom: Headroom,
    /// All that of a switch together, if they share it; `None`: each has its own.
    pub headroom_pool: Option<Bytes>,
    /// Lanes that never pause may have this share of the free shared memory waiting for one output.
    pub lossy_alpha: f64,
}
