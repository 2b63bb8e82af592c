//! The recorder: records the facts and makes tables of them.

mod detections;
mod events;
mod flows;
mod isolation;
mod long;
mod looks;
mod parted;
mod ports;
mod regions;
mod series;

use congestree_units::Time;

use crate::recordings::{ListedRecorder, listed};
use crate::trees::look::{Look, NextChannels};
use crate::{
    BlockedBehind, Completion, Delivery, Detection, InUse, Injected, Mark, MeasurementWindow, MessageFact, Names,
    Probe, ProbeSet, Recording, RegionFlow, RegionState, RegionWindow, Sending, Table, Transfer, TransportState,
    Trigger,
};
use events::EventLog;
use flows::deliveries::Latency;
use flows::transfers::Transfers;
use flows::transport;
use isolation::IsolationSeries;
use looks::LookRecorder;
use ports::counters::Counters;
use ports::output_queues::OutputQueueSeries;
use ports::pauses::{BufferSeries, PauseLog};
use regions::Regions;
use series::{ClassSeries, FlowSeries, PortSeries, QueueTimes};

/// Records what a [`ProbeSet`] asks for.
#[derive(Debug)]
pub struct Recorder {
    window: MeasurementWindow,
    /// The warm-up is over.
    warm: bool,
    flows: Option<FlowSeries>,
    classes: Option<ClassSeries>,
    ports: Option<PortSeries>,
    queues: Option<QueueTimes>,
    events: Option<EventLog>,
    latency: Option<Vec<Latency>>,
    facts: Facts,
    counters: Option<Counters>,
    output_queues: Option<OutputQueueSeries>,
    pauses: Option<PauseLog>,
    buffers: Option<BufferSeries>,
    transport: Option<Vec<TransportState>>,
    isolation: Option<IsolationSeries>,
    looks: Option<LookRecorder>,
    regions: Option<Regions>,
    /// The recorders with files of their own.
    listed: Vec<Box<dyn ListedRecorder>>,
}

/// Tables with one row for each event.
#[derive(Clone, Debug)]
struct Facts {
    deliveries: Option<Vec<Delivery>>,
    /// In a part of a network: the place of each delivery in the order of its instant.
    delivery_places: Vec<u32>,
    transfers: Option<Transfers>,
    messages: Option<Vec<MessageFact>>,
    /// In a part of a network: the place of each message in the order of its instant.
    message_places: Vec<u32>,
    /// The place of the facts that are being reported; `None` unless the network is in parts.
    place: Option<u32>,
    completions: Option<flows::completions::Completions>,
    detections: Option<Vec<Detection>>,
}

impl Facts {
    fn new(set: ProbeSet) -> Self {
        Self {
            deliveries: set.has(Recording::Deliveries).then(Vec::new),
            delivery_places: Vec::new(),
            transfers: set.has(Recording::Transfers).then(Transfers::default),
            messages: set.has(Recording::Messages).then(Vec::new),
            message_places: Vec::new(),
            place: None,
            completions: set.has(Recording::Completions).then(Default::default),
            detections: set.has(Recording::Detections).then(Vec::new),
        }
    }
}

impl Recorder {
    /// A recorder for a fabric of this size.
    pub fn new(
        set: ProbeSet,
        window: MeasurementWindow,
        flows: usize,
        ports: usize,
        lanes: usize,
        classes: usize,
    ) -> Self {
        Self {
            window,
            warm: window.warm_up == Time::START,
            flows: set.has(Recording::Flows).then(|| FlowSeries::new(window, flows)),
            classes: set.has(Recording::Classes).then(|| ClassSeries::new(window, classes)),
            ports: set.has(Recording::Ports).then(|| PortSeries::new(window, ports)),
            queues: set.has(Recording::Queues).then(|| QueueTimes::new(window, ports)),
            events: set.has(Recording::Events).then(EventLog::default),
            latency: set.has(Recording::Latency).then(|| vec![Latency::default(); classes]),
            facts: Facts::new(set),
            counters: set.has(Recording::Counters).then(|| Counters::new(window, ports, lanes)),
            output_queues: set.has(Recording::OutputQueues).then(|| OutputQueueSeries::new(window, ports)),
            pauses: set.has(Recording::Pauses).then(|| PauseLog::new(window, ports, lanes)),
            buffers: set.has(Recording::Buffers).then(|| BufferSeries::new(window, ports, lanes)),
            transport: set.has(Recording::Transport).then(Vec::new),
            isolation: set.has(Recording::Isolation).then(|| IsolationSeries::new(window, ports)),
            looks: LookRecorder::new(set, window, lanes),
            regions: set.has(Recording::Regions).then(|| Regions::new(window, ports)),
            listed: listed(set, window),
        }
    }
}

/// Passes a fact on to the recorders with files of their own.
macro_rules! tell {
    ($self:ident, $($fact:tt)*) => {
        for listed in &mut $self.listed {
            listed.$($fact)*;
        }
    };
}

impl Recorder {
    /// Something may need to know about packets that start on links.
    #[inline(never)]
    fn tell_sent(&mut self, sending: Sending) {
        if let Some(ports) = &mut self.ports {
            ports.sent(sending.at, sending.until, sending.port, sending.size);
        }
        if let Some(counters) = &mut self.counters {
            counters.sent(sending, self.warm);
        }
        tell!(self, sent(sending));
    }

    /// Whether the answer of any recorder with a file of its own is yes.
    fn any(&self, says: impl Fn(&dyn ListedRecorder) -> bool) -> bool {
        self.listed.iter().any(|listed| says(listed.as_ref()))
    }
}

impl Probe for Recorder {
    fn warmed_up(&mut self) {
        self.warm = true;
        tell!(self, warmed_up());
    }

    #[inline(always)]
    fn sent(&mut self, sending: Sending) {
        if self.ports.is_some() || self.counters.is_some() || !self.listed.is_empty() {
            self.tell_sent(sending);
        }
    }

    fn waits(&mut self, now: Time, port: u32, lane: u8) {
        if let Some(counters) = &mut self.counters {
            counters.waits(now, port, lane);
        }
        tell!(self, waits(now, port, lane));
    }

    fn delivered(&mut self, delivery: Delivery) {
        if let Some(flows) = &mut self.flows {
            flows.delivered(delivery);
        }
        if let Some(classes) = &mut self.classes {
            classes.delivered(delivery);
        }
        if let Some(latency) = &mut self.latency
            && self.warm
        {
            latency[usize::from(delivery.class)].add(delivery);
        }
        if let Some(deliveries) = &mut self.facts.deliveries {
            deliveries.push(delivery);
            self.facts.delivery_places.extend(self.facts.place);
        }
        tell!(self, delivered(delivery));
    }

    fn blocked(&mut self, port: u32, from: Time, to: Time) {
        if let Some(ports) = &mut self.ports {
            ports.blocked(port, from, to);
        }
        if let Some(counters) = &mut self.counters {
            counters.blocked(port, from, to);
        }
        tell!(self, blocked(port, from, to));
    }

    fn held(&mut self, now: Time, port: u32, packets: u32) {
        if let Some(ports) = &mut self.ports {
            ports.held(now, port, packets);
        }
        if let Some(queues) = &mut self.queues {
            queues.held(now, port, packets);
        }
        tell!(self, held(now, port, packets));
    }

    fn wants_limits(&self) -> bool {
        self.flows.is_some() || self.any(|listed| listed.wants_limits())
    }

    fn limit(&mut self, now: Time, flow: u32, times: f64) {
        if let Some(flows) = &mut self.flows {
            flows.limit(now, flow, times);
        }
        tell!(self, limit(now, flow, times));
    }

    fn full(&mut self, now: Time, input: u32, buffered: &mut dyn Iterator<Item = u32>) {
        let place = self.facts.place;
        if self.listed.is_empty() {
            if let Some(events) = &mut self.events {
                events.full(now, input, buffered, place);
            }
            return;
        }
        let flows: Vec<u32> = buffered.collect();
        if let Some(events) = &mut self.events {
            events.full(now, input, &mut flows.iter().copied(), place);
        }
        tell!(self, full(now, input, &mut flows.iter().copied()));
    }

    fn triggered(&mut self, trigger: Trigger) {
        if let Some(events) = &mut self.events {
            events.triggered(trigger, self.facts.place);
        }
        tell!(self, triggered(trigger));
    }

    fn marked(&mut self, mark: Mark) {
        if let Some(events) = &mut self.events {
            events.marked(mark);
        }
        tell!(self, marked(mark));
    }

    fn limit_when_marked(&mut self, output: u32, number: u64, limit: f64) {
        if let Some(events) = &mut self.events {
            events.limit_when_marked(output, number, limit);
        }
        tell!(self, limit_when_marked(output, number, limit));
    }

    fn congestion(&mut self, now: Time, output: u32, lane: u8, entered: bool, credit: f64) {
        if let Some(events) = &mut self.events {
            events.congestion(now, output, lane, entered, credit);
        }
        if let Some(counters) = &mut self.counters {
            counters.congestion(now, output, lane, entered);
        }
        tell!(self, congestion(now, output, lane, entered, credit));
    }

    fn echoed(&mut self, now: Time, flow: u32, sequence: u32) {
        if let Some(events) = &mut self.events {
            events.echoed(now, flow, sequence);
        }
        tell!(self, echoed(now, flow, sequence));
    }

    fn wants_fill(&self) -> bool {
        self.output_queues.is_some() || self.any(|listed| listed.wants_fill())
    }

    fn wants_buffered(&self) -> bool {
        self.buffers.is_some() || self.any(|listed| listed.wants_buffered())
    }

    fn queued(&mut self, now: Time, output: u32, bytes: u64) {
        if let Some(queues) = &mut self.output_queues {
            queues.queued(now, output, bytes);
        }
        tell!(self, queued(now, output, bytes));
    }

    fn dropped(&mut self, now: Time, output: u32, flow: u32) {
        if let Some(queues) = &mut self.output_queues {
            queues.dropped(now, output);
        }
        tell!(self, dropped(now, output, flow));
    }

    fn buffered(&mut self, now: Time, port: u32, lane: u8, bytes: u64) {
        if let Some(buffers) = &mut self.buffers {
            buffers.held(now, port, lane, bytes);
        }
        tell!(self, buffered(now, port, lane, bytes));
    }

    fn pause_sent(&mut self, now: Time, port: u32, lane: u8, pause: bool) {
        if let Some(pauses) = &mut self.pauses {
            pauses.sent(now, port, lane, pause);
        }
        tell!(self, pause_sent(now, port, lane, pause));
    }

    fn pause_heard(&mut self, now: Time, port: u32, lane: u8, pause: bool) {
        if let Some(pauses) = &mut self.pauses {
            pauses.heard(now, port, lane, pause, self.facts.place);
        }
        tell!(self, pause_heard(now, port, lane, pause));
    }

    fn pause_expired(&mut self, now: Time, port: u32, lane: u8) {
        if let Some(pauses) = &mut self.pauses {
            pauses.expired(now, port, lane, self.facts.place);
        }
        tell!(self, pause_expired(now, port, lane));
    }

    fn paused(&mut self, now: Time, port: u32, lane: u8, paused: bool) {
        if let Some(pauses) = &mut self.pauses {
            pauses.paused(now, port, lane, paused);
        }
        tell!(self, paused(now, port, lane, paused));
    }

    fn storm(&mut self, now: Time, port: u32, lane: u8, begins: bool) {
        if let Some(pauses) = &mut self.pauses {
            pauses.storm(now, port, lane, begins, self.facts.place);
        }
        tell!(self, storm(now, port, lane, begins));
    }

    fn transferred(&mut self, transfer: Transfer) {
        if let Some(transfers) = &mut self.facts.transfers {
            transfers.arrived(transfer, self.facts.place);
        }
        tell!(self, transferred(transfer));
    }

    fn transferring(&mut self, transfer: Transfer) {
        if let (Some(transfers), Some(place)) = (&mut self.facts.transfers, self.facts.place) {
            transfers.sender_knows(transfer, place);
        }
        tell!(self, transferring(transfer));
    }

    fn wants_transfers(&self) -> bool {
        self.facts.transfers.is_some() || self.any(|listed| listed.wants_transfers())
    }

    fn message(&mut self, message: MessageFact) {
        if let Some(messages) = &mut self.facts.messages {
            messages.push(message);
            self.facts.message_places.extend(self.facts.place);
        }
        tell!(self, message(message));
    }

    fn completed(&mut self, completion: Completion) {
        if let Some(completions) = &mut self.facts.completions {
            completions.completed(completion);
        }
        tell!(self, completed(completion));
    }

    fn acknowledged(&mut self, at: Time, record: u32, created: Time, packets: u32) {
        if let Some(completions) = &mut self.facts.completions {
            completions.acknowledged(at, record, created, packets);
        }
        tell!(self, acknowledged(at, record, created, packets));
    }

    fn batch(&mut self, names: &Names) -> Option<Table> {
        long::batch(self, names)
    }

    fn transport(&mut self, state: TransportState) {
        if let Some(states) = &mut self.transport {
            transport::put(states, state);
        }
        tell!(self, transport(state));
    }

    fn isolated(&mut self, now: Time, in_use: InUse) {
        if let Some(isolation) = &mut self.isolation {
            isolation.in_use(now, in_use, self.facts.place.is_some());
        }
        tell!(self, isolated(now, in_use));
    }

    fn wants_classes(&self) -> bool {
        self.classes.is_some() || self.latency.is_some() || self.any(|listed| listed.wants_classes())
    }

    fn wants_isolation(&self) -> bool {
        self.isolation.is_some() || self.any(|listed| listed.wants_isolation())
    }

    fn detected(&mut self, detection: Detection) {
        if let Some(detections) = &mut self.facts.detections {
            detections.push(detection);
        }
        tell!(self, detected(detection));
    }

    fn wants_detections(&self) -> bool {
        self.facts.detections.is_some() || self.any(|listed| listed.wants_detections())
    }

    fn blocked_behind(&mut self, stood: BlockedBehind) {
        tell!(self, blocked_behind(stood));
    }

    fn wants_hol_blocking(&self) -> bool {
        self.any(|listed| listed.wants_hol_blocking())
    }

    fn injected(&mut self, past: Injected) {
        tell!(self, injected(past));
    }

    fn wants_injection_audit(&self) -> bool {
        self.any(|listed| listed.wants_injection_audit())
    }

    fn region(&mut self, now: Time, output: u32, state: RegionState) {
        if let Some(regions) = &mut self.regions {
            regions.state(now, output, state);
        }
        tell!(self, region(now, output, state));
    }

    fn region_window(&mut self, now: Time, output: u32, window: RegionWindow) {
        if let Some(regions) = &mut self.regions {
            regions.window(now, output, window);
        }
        tell!(self, region_window(now, output, window));
    }

    fn region_flow(&mut self, now: Time, output: u32, flow: u32, what: RegionFlow) {
        if let Some(regions) = &mut self.regions {
            regions.flow(now, output, flow, what);
        }
        tell!(self, region_flow(now, output, flow, what));
    }

    fn wants_regions(&self) -> bool {
        self.regions.is_some() || self.any(|listed| listed.wants_regions())
    }

    fn wants_transport(&self) -> bool {
        self.transport.is_some() || self.any(|listed| listed.wants_transport())
    }

    fn wants_events(&self) -> bool {
        self.events.is_some() || self.any(|listed| listed.wants_events())
    }

    fn look_due(&self) -> Time {
        self.looks.as_ref().map_or(Time::NEVER, |looks| looks.due)
    }

    fn blank_look(&mut self) -> Look {
        self.looks.as_mut().map(LookRecorder::blank).unwrap_or_default()
    }

    fn look(&mut self, look: Look, ways: &dyn NextChannels) {
        if let Some(looks) = &mut self.looks {
            looks.seen(look, ways);
        }
    }

    fn happens(&mut self, place: u32) {
        self.facts.place = Some(place);
    }

    fn finish(&mut self, end: Time) {
        self.window.end = end;
        if let Some(looks) = &mut self.looks {
            looks.finish(end);
        }
        if let Some(transfers) = &mut self.facts.transfers {
            transfers.finish();
        }
        if let Some(flows) = &mut self.flows {
            flows.finish(end);
        }
        if let Some(classes) = &mut self.classes {
            classes.finish(end);
        }
        if let Some(ports) = &mut self.ports {
            ports.finish(end);
        }
        if let Some(queues) = &mut self.queues {
            queues.finish(end);
        }
        if let Some(counters) = &mut self.counters {
            counters.finish(end);
        }
        if let Some(queues) = &mut self.output_queues {
            queues.finish(end);
        }
        if let Some(isolation) = &mut self.isolation {
            isolation.finish(end);
        }
        if let Some(pauses) = &mut self.pauses {
            pauses.finish(end);
        }
        if let Some(buffers) = &mut self.buffers {
            buffers.finish(end);
        }
        tell!(self, finish(end));
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        let mut tables = Vec::new();
        tables.extend(self.flows.take().map(FlowSeries::table));
        tables.extend(self.classes.take().map(|classes| classes.table(names)));
        tables.extend(self.ports.take().map(PortSeries::table));
        tables.extend(self.queues.take().map(QueueTimes::table));
        tables.extend(self.events.take().into_iter().flat_map(|events| events.tables(names)));
        tables.extend(self.latency.take().map(|latency| flows::deliveries::latency_table(&latency, names)));
        tables.extend(self.facts.deliveries.take().map(flows::deliveries::delivery_table));
        tables.extend(self.counters.take().map(|counters| counters.table(names)));
        tables.extend(self.output_queues.take().map(|queues| queues.table(names)));
        tables.extend(self.pauses.take().into_iter().flat_map(|pauses| pauses.tables(names)));
        tables.extend(self.buffers.take().map(|buffers| buffers.table(names)));
        tables.extend(self.facts.transfers.take().map(|transfers| transfers.table(names)));
        tables.extend(self.facts.completions.take().map(|completions| completions.table(names)));
        tables.extend(self.transport.take().map(|states| flows::transport::state_table(&states)));
        tables.extend(self.facts.messages.take().map(|messages| flows::messages::message_table(&messages, names)));
        tables.extend(self.isolation.take().map(IsolationSeries::table));
        tables.extend(self.regions.take().into_iter().flat_map(|regions| regions.tables(names)));
        tables.extend(self.facts.detections.take().map(|rows| detections::table(rows, names)));
        tables.extend(self.listed.iter_mut().flat_map(|listed| listed.tables(names)));
        tables.extend(self.looks.take().into_iter().flat_map(|looks| looks.tables(names)));
        tables
    }
}
