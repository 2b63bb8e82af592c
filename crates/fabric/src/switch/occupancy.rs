//! What switches hold, counted once.
//!
//! | count | up | down | asked by |
//! | --- | --- | --- | --- |
//! | bytes that wait for an output | a packet joins a queue | it starts on the link | routers, bounded queues, shared memory, telemetry, pause watchdogs, regions, probes |
//! | data packets of an input, and for an output | a packet joins a queue | its tail has left | markers that go by packets, probes of buffers |
//! | bytes of a queue of an input | a packet joins it | it starts on the link | markers that go by the fill of queues |
//!
//! A count that nobody asks for has no table and costs nothing (`tune/features.rs`).

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::PacketId;

use crate::fabric::Fabric;
use crate::tune::features::{Feature, Features};
use crate::tune::variants::Variant;

/// The counts of all switches.
#[derive(Debug, Default)]
pub(crate) struct Occupancy {
    /// By output and lane: bytes that wait for it, wherever they are.
    waiting: Vec<u64>,
    /// By input and lane in which they came: data packets from when they can be forwarded until their tails have left.
    inside: Vec<u32>,
    /// The same by output and lane in which they leave.
    leaving: Vec<u32>,
    /// By queue of an input: bytes in it. Of a queue with a packet or none the list itself tells.
    fill: Vec<u32>,
}

impl Occupancy {
    /// Nothing in so many ports times lanes and queues.
    pub(crate) fn new(features: Features, places: usize, queues: usize) -> Self {
        let if_asked = |feature, count| if features.has(feature) { count } else { 0 };
        Self {
            waiting: vec![0; if_asked(Feature::CountsWaiting, places)],
            inside: vec![0; if_asked(Feature::CountsPackets, places)],
            leaving: vec![0; if_asked(Feature::CountsPackets, places)],
            fill: vec![0; if_asked(Feature::MarksByFill, queues)],
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

    /// Fewer do.
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
    pub(crate) fn fill_mut(&mut self, queue: usize) -> &mut u32 {
        &mut self.fill[queue]
    }

    /// The same.
    #[inline]
    pub(crate) fn fill(&self, queue: usize) -> u32 {
        self.fill[queue]
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Bytes that wait for an output in all lanes.
    #[inline]
    pub(crate) fn waiting_for(&self, output: u32) -> u64 {
        let first = output as usize * self.lanes();
        self.switches.occupancy.waiting_at(first..first + self.lanes())
    }

    /// A data packet has become routable.
    pub(crate) fn counted_in(&mut self, input: u32, output: u32, id: PacketId) {
        let packet = &self.packets[id];
        let (inside, leaving) = (self.at(input, packet.buffer_lane), self.at(output, packet.lane));
        self.switches.occupancy.inside[inside] += 1;
        self.switches.occupancy.leaving[leaving] += 1;
        self.tell_held(input);
    }

    /// The tail of a data packet has left.
    pub(crate) fn left(&mut self, output: u32, input: u16, lane: u8, buffer_lane: u8) {
        let input = self.links.outs[output as usize].base + u32::from(input);
        let (inside, leaving) = (self.at(input, buffer_lane), self.at(output, lane));
        self.switches.occupancy.inside[inside] -= 1;
        self.switches.occupancy.leaving[leaving] -= 1;
        self.tell_held(input);
    }

    /// Probes know a buffer by the port that sends into it.
    fn tell_held(&mut self, input: u32) {
        let first = self.at(input, 0);
        let held = self.switches.occupancy.inside[first..first + self.lanes()].iter().sum();
        self.probe.held(self.now, self.links.outs[input as usize].peer, held);
    }
}
