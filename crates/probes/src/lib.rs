//! Facts and measures.
//!
//! The fabric emits facts through [`Probe`]; what they are used for is decided here, outside the engine. With
//! [`Silent`] the calls vanish at compile time. Nothing that a probe does can change what happens.

mod bins;
mod built_in;
mod facts;
mod histogram;
mod probe;
mod recorder;
mod recordings;
mod table;
pub mod trees;

pub use built_in::NetworkSize;
pub use facts::{
    BlockedBehind, Completion, Delivery, Detection, InUse, Injected, Mark, MessageFact, RegionFlow, RegionState,
    RegionWindow, Sending, SentPacket, Transfer, TransportState, Trigger,
};
pub use probe::{MeasurementWindow, Names, Parted, Probe, Silent};
pub use recorder::Recorder;
pub use recordings::{ProbeSet, Recording};
pub use table::{Column, LINK_NAME, Named, Table, Values};
