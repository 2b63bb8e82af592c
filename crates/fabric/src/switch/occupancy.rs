//! What switches hold, each quantity counted in one place.
//!
//! | count | up | down | asked by |
//! | --- | --- | --- | --- |
//! | bytes that wait for an output | a packet joins a queue | it starts on the link, which is after it has crossed a crossbar | markers that go by them, routers, bounded queues, shared memory, telemetry, pause watchdogs, regions, probes |
//! | data packets of an input, and for an output | a packet joins a queue | its tail has left | markers that go by packets, probes of buffers |
//! | bytes of a queue of an input | a packet joins it | it starts on the link, or to cross | markers that go by the fill of queues |
//!
//! A count that no part uses has no table and costs nothing (`tune/features.rs`).

use congestree_wire::{IndexVec, QueueId};

use crate::tune::features::{Feature, Features};

/// The counts of all switches.
#[derive(Debug, Default)]
pub(crate) struct Occupancy {
    /// By output and lane: bytes that wait for it, wherever they are.
    waiting: Vec<u64>,
    /// By input and arrival lane: data packets from when they can be forwarded until their tails have left.
    pub(super) inside: Vec<u32>,
    /// The same packets by output and departure lane.
    pub(super) leaving: Vec<u32>,
    /// By queue of an input: bytes in it. Not used for a queue of at most one packet, where the list itself tells.
    fill: IndexVec<QueueId, u32>,
}

impl Occupancy {
    /// All counts zero, for this many places (ports times lanes) and queues.
    pub(crate) fn new(features: Features, places: usize, queues: usize) -> Self {
        let if_asked = |feature, count| if features.has(feature) { count } else { 0 };
        Self {
            waiting: vec![0; if_asked(Feature::CountsWaiting, places)],
            inside: vec![0; if_asked(Feature::CountsPackets, places)],
            leaving: vec![0; if_asked(Feature::CountsPackets, places)],
            fill: vec![0; if_asked(Feature::MarksByFill, queues)].into(),
        }
    }

    /// Bytes that wait for an output in the lane at this place.
    #[inline]
    pub(crate) fn waiting(&self, place: usize) -> u64 {
        self.waiting[place]
    }

    /// Bytes that wait for the outputs and lanes at these places.
    #[inline]
    pub(crate) fn waiting_at(&self, places: std::ops::Range<usize>) -> u64 {
        self.waiting.get(places).map_or(0, |lanes| lanes.iter().sum())
    }

    /// More bytes wait for an output.
    #[inline]
    pub(crate) fn join(&mut self, place: usize, bytes: u32) {
        self.waiting[place] += u64::from(bytes);
    }

    /// Fewer bytes wait for an output.
    #[inline]
    pub(crate) fn leave(&mut self, place: usize, bytes: u32) {
        self.waiting[place] -= u64::from(bytes);
    }

    /// Data packets of an input and lane.
    #[inline]
    pub(crate) fn inside(&self, place: usize) -> u32 {
        self.inside[place]
    }

    /// Data packets for an output and lane.
    #[inline]
    pub(crate) fn leaving(&self, place: usize) -> u32 {
        self.leaving[place]
    }

    /// Bytes in a queue of an input.
    #[inline]
    pub(crate) fn fill_mut(&mut self, queue: QueueId) -> &mut u32 {
        &mut self.fill[queue]
    }

    /// Bytes in a queue of an input.
    #[inline]
    pub(crate) fn fill(&self, queue: QueueId) -> u32 {
        self.fill[queue]
    }
}
