//! What the driver of a simulation gives to it and gets from it.

/// A message to inject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InjectedMessage {
    /// Who asks for it: a number chosen by the driver, which orders the requests for one instant.
    pub rank: u32,
    /// The traffic entry that it is accounted to.
    pub class: u16,
    /// The sending host.
    pub from: u32,
    /// The receiving host.
    pub to: u32,
    /// Payload (B).
    pub bytes: u64,
}

/// Something that has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveEvent {
    /// A message has been delivered completely.
    Delivered {
        /// Its number.
        number: u64,
        /// The number of its flow, as probes have it.
        flow: u64,
        /// Its data packets.
        packets: u64,
        /// Those of them that arrived with a mark.
        marked: u64,
    },
    /// An external event is due: the driver's name for it.
    Due(u64),
}

/// Why the simulation does not go on by itself.
pub(super) enum Pause {
    /// There is something to report.
    Events(Vec<LiveEvent>),
    /// Nothing happens until the time that was requested, or enough has happened.
    Reached,
    /// The driver does not want to go on at present.
    Halted,
}
