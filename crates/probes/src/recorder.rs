//! The recorder: passes the facts on to the recorders of a set, and makes tables of what they have recorded.

pub(crate) mod detections;
pub(crate) mod events;
pub(crate) mod flows;
pub(crate) mod isolation;
mod long;
mod parted;
pub(crate) mod ports;
pub(crate) mod regions;
mod sampling;
pub(crate) mod series;

use congestree_units::{Span, Time};

use crate::built_in::NetworkSize;
use crate::recordings::{Recorders, any, tell};
use crate::trees::sample::{FabricSample, NextChannels};
use crate::{
    BlockedBehind, Completion, Delivery, Detection, InUse, Injected, Mark, MeasurementWindow, MessageFact, Names,
    Probe, ProbeSet, RegionFlow, RegionState, RegionWindow, Sending, SentPacket, Table, Transfer, TransportState,
    Trigger,
};
use sampling::Sampler;

/// Records what a [`ProbeSet`] asks for.
#[derive(Debug)]
pub struct Recorder {
    all: Recorders,
    sampler: Option<Sampler>,
}

impl Recorder {
    /// A recorder for a network of this size.
    pub fn new(set: ProbeSet, window: MeasurementWindow, size: NetworkSize) -> Self {
        Self { all: Recorders::new(set, window, size), sampler: Sampler::new(set, window) }
    }

    /// Something may need to know about packets that start on links.
    #[inline(never)]
    fn tell_sent(&mut self, sending: Sending) {
        tell!(self.all, sent(sending));
    }
}

impl Probe for Recorder {
    fn warmed_up(&mut self) {
        tell!(self.all, warmed_up());
    }

    #[inline(always)]
    fn sent(&mut self, sending: Sending) {
        if self.all.ports.is_some() || self.all.counters.is_some() || !self.all.listed.is_empty() {
            self.tell_sent(sending);
        }
    }

    fn waits(&mut self, now: Time, port: u32, lane: u8) {
        tell!(self.all, waits(now, port, lane));
    }

    fn delivered(&mut self, delivery: Delivery) {
        tell!(self.all, delivered(delivery));
    }

    fn blocked(&mut self, port: u32, from: Time, to: Time) {
        tell!(self.all, blocked(port, from, to));
    }

    fn held(&mut self, now: Time, port: u32, packets: u32) {
        tell!(self.all, held(now, port, packets));
    }

    fn wants_limits(&self) -> bool {
        any!(self.all, wants_limits)
    }

    fn limit(&mut self, now: Time, flow: u32, times: f64) {
        tell!(self.all, limit(now, flow, times));
    }

    fn full(&mut self, now: Time, input: u32, lane: u8, buffered: &mut dyn Iterator<Item = u32>) {
        if self.all.events.is_some() || !self.all.listed.is_empty() {
            let flows: Vec<u32> = buffered.collect();
            tell!(self.all, full(now, input, lane, &mut flows.iter().copied()));
        }
    }

    fn triggered(&mut self, trigger: Trigger) {
        tell!(self.all, triggered(trigger));
    }

    fn marked(&mut self, mark: Mark) {
        tell!(self.all, marked(mark));
    }

    fn limit_when_marked(&mut self, output: u32, number: u64, limit: f64) {
        tell!(self.all, limit_when_marked(output, number, limit));
    }

    fn congestion(&mut self, now: Time, output: u32, lane: u8, entered: bool, credit: f64) {
        tell!(self.all, congestion(now, output, lane, entered, credit));
    }

    fn echoed(&mut self, now: Time, packet: SentPacket) {
        tell!(self.all, echoed(now, packet));
    }

    fn answered_together(&mut self, packet: SentPacket, marked: bool, later: Time) {
        tell!(self.all, answered_together(packet, marked, later));
    }

    fn wants_fill(&self) -> bool {
        any!(self.all, wants_fill)
    }

    fn wants_buffered(&self) -> bool {
        any!(self.all, wants_buffered)
    }

    fn queued(&mut self, now: Time, output: u32, bytes: u64) {
        tell!(self.all, queued(now, output, bytes));
    }

    fn dropped(&mut self, now: Time, output: u32, flow: u32) {
        tell!(self.all, dropped(now, output, flow));
    }

    fn buffered(&mut self, now: Time, port: u32, lane: u8, bytes: u64) {
        tell!(self.all, buffered(now, port, lane, bytes));
    }

    fn sent_again(&mut self, at: Time, until: Time, port: u32, bytes: u32) {
        tell!(self.all, sent_again(at, until, port, bytes));
    }

    fn pause_sent(&mut self, now: Time, port: u32, lane: u8, pause: bool) {
        tell!(self.all, pause_sent(now, port, lane, pause));
    }

    fn pause_heard(&mut self, now: Time, port: u32, lane: u8, pause: bool) {
        tell!(self.all, pause_heard(now, port, lane, pause));
    }

    fn pause_expired(&mut self, now: Time, port: u32, lane: u8) {
        tell!(self.all, pause_expired(now, port, lane));
    }

    fn paused(&mut self, now: Time, port: u32, lane: u8, paused: bool) {
        tell!(self.all, paused(now, port, lane, paused));
    }

    fn storm(&mut self, now: Time, port: u32, lane: u8, begins: bool) {
        tell!(self.all, storm(now, port, lane, begins));
    }

    fn transferred(&mut self, transfer: Transfer) {
        tell!(self.all, transferred(transfer));
    }

    fn transferring(&mut self, transfer: Transfer) {
        tell!(self.all, transferring(transfer));
    }

    fn wants_transfers(&self) -> bool {
        any!(self.all, wants_transfers)
    }

    fn message(&mut self, message: MessageFact) {
        tell!(self.all, message(message));
    }

    fn completed(&mut self, completion: Completion) {
        tell!(self.all, completed(completion));
    }

    fn acknowledged(&mut self, at: Time, record: u32, created: Time, packets: u32) {
        tell!(self.all, acknowledged(at, record, created, packets));
    }

    fn batch(&mut self, names: &Names) -> Option<Table> {
        self.all.batch(names)
    }

    fn transport(&mut self, state: TransportState) {
        tell!(self.all, transport(state));
    }

    fn isolated(&mut self, now: Time, in_use: InUse) {
        tell!(self.all, isolated(now, in_use));
    }

    fn wants_classes(&self) -> bool {
        any!(self.all, wants_classes)
    }

    fn wants_isolation(&self) -> bool {
        any!(self.all, wants_isolation)
    }

    fn detected(&mut self, detection: Detection) {
        tell!(self.all, detected(detection));
    }

    fn wants_detections(&self) -> bool {
        any!(self.all, wants_detections)
    }

    fn blocked_behind(&mut self, stood: BlockedBehind) {
        tell!(self.all, blocked_behind(stood));
    }

    fn wants_hol_blocking(&self) -> bool {
        any!(self.all, wants_hol_blocking)
    }

    fn injected(&mut self, packet: Injected, gap: &dyn Fn(Span) -> Span) {
        tell!(self.all, injected(packet, gap));
    }

    fn wants_injection_audit(&self) -> bool {
        any!(self.all, wants_injection_audit)
    }

    fn region(&mut self, now: Time, output: u32, state: RegionState) {
        tell!(self.all, region(now, output, state));
    }

    fn region_window(&mut self, now: Time, output: u32, window: RegionWindow) {
        tell!(self.all, region_window(now, output, window));
    }

    fn region_flow(&mut self, now: Time, output: u32, flow: u32, what: RegionFlow) {
        tell!(self.all, region_flow(now, output, flow, what));
    }

    fn wants_regions(&self) -> bool {
        any!(self.all, wants_regions)
    }

    fn wants_transport(&self) -> bool {
        any!(self.all, wants_transport)
    }

    fn wants_events(&self) -> bool {
        any!(self.all, wants_events)
    }

    fn sample_due(&self) -> Time {
        self.sampler.as_ref().map_or(Time::NEVER, |sampler| sampler.due)
    }

    fn blank_sample(&mut self) -> FabricSample {
        let blank = self.sampler.as_mut().map(Sampler::blank).unwrap_or_default();
        FabricSample { asks_credits: any!(self.all, wants_credits), ..blank }
    }

    fn take_sample(&mut self, sample: FabricSample, routes: &dyn NextChannels) {
        tell!(self.all, sampled(&sample, routes));
        if let Some(sampler) = &mut self.sampler {
            sampler.taken(sample);
        }
    }

    fn happens(&mut self, place: u32) {
        tell!(self.all, happens(place));
    }

    fn finish(&mut self, end: Time) {
        tell!(self.all, finish(end));
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        self.all.tables(names)
    }
}
