//! The recorder: takes the facts down and makes tables of them.

mod completions;
mod counters;
mod events;
mod isolation;
mod messages;
mod output_queues;
mod pauses;
mod regions;
mod series;
mod transport;

use congestree_units::Time;

use crate::histogram::Histogram;
use crate::trees::Trees;
use crate::trees::look::{Look, Ways};
use crate::{
    Column, Completion, Delivery, InUse, MessageFact, Names, Probe, ProbeSet, RegionFlow, RegionState, RegionWindow,
    Sending, Table, Transfer, TransportState, Trigger, Window,
};
use counters::Counters;
use events::EventLog;
use isolation::IsolationSeries;
use output_queues::OutputQueueSeries;
use pauses::{BufferSeries, PauseLog};
use regions::Regions;
use series::{ClassSeries, FlowSeries, PortSeries, QueueTimes};

/// Records what a [`ProbeSet`] asks for.
#[derive(Debug)]
pub struct Recorder {
    window: Window,
    flows: Option<FlowSeries>,
    classes: Option<ClassSeries>,
    ports: Option<PortSeries>,
    queues: Option<QueueTimes>,
    events: Option<EventLog>,
    latency: Option<Vec<Latency>>,
    deliveries: Option<Vec<Delivery>>,
    counters: Option<Counters>,
    output_queues: Option<OutputQueueSeries>,
    pauses: Option<PauseLog>,
    buffers: Option<BufferSeries>,
    transfers: Option<Vec<Transfer>>,
    transport: Option<Vec<TransportState>>,
    messages: Option<Vec<MessageFact>>,
    isolation: Option<IsolationSeries>,
    completions: Option<Vec<Completion>>,
    trees: Option<Trees>,
    regions: Option<Regions>,
}

/// Latencies of one traffic class.
#[derive(Clone, Debug, Default)]
struct Latency {
    network: Histogram,
    total: Histogram,
}

impl Recorder {
    /// A recorder for a fabric of this size.
    pub fn new(set: ProbeSet, window: Window, flows: usize, ports: usize, lanes: usize, classes: usize) -> Self {
        Self {
            window,
            flows: set.flows.then(|| FlowSeries::new(window, flows)),
            classes: set.classes.then(|| ClassSeries::new(window, classes)),
            ports: set.ports.then(|| PortSeries::new(window, ports)),
            queues: set.queues.then(|| QueueTimes::new(window, ports)),
            events: set.events.then(EventLog::default),
            latency: set.latency.then(|| vec![Latency::default(); classes]),
            deliveries: set.deliveries.then(Vec::new),
            counters: set.counters.then(|| Counters::new(window, ports, lanes)),
            output_queues: set.output_queues.then(|| OutputQueueSeries::new(window, ports)),
            pauses: set.pauses.then(|| PauseLog::new(window, ports, lanes)),
            buffers: set.buffers.then(|| BufferSeries::new(window, ports, lanes)),
            transfers: set.transfers.then(Vec::new),
            transport: set.transport.then(Vec::new),
            messages: set.messages.then(Vec::new),
            isolation: set.isolation.then(|| IsolationSeries::new(window, ports)),
            completions: set.completions.then(Vec::new),
            trees: set.trees.then(|| Trees::new(window.look_every, lanes)),
            regions: set.regions.then(|| Regions::new(window, ports)),
        }
    }
}

impl Probe for Recorder {
    fn sent(&mut self, sending: Sending) {
        if let Some(ports) = &mut self.ports {
            ports.sent(sending.at, sending.until, sending.port, sending.size);
        }
        if let Some(counters) = &mut self.counters {
            counters.sent(sending);
        }
    }

    fn waits(&mut self, now: Time, port: u32, lane: u8) {
        if let Some(counters) = &mut self.counters {
            counters.waits(now, port, lane);
        }
    }

    fn delivered(&mut self, delivery: Delivery) {
        if let Some(flows) = &mut self.flows {
            flows.delivered(delivery);
        }
        if let Some(classes) = &mut self.classes {
            classes.delivered(delivery);
        }
        if let Some(latency) = &mut self.latency
            && delivery.at >= self.window.warm_up
        {
            let class = &mut latency[usize::from(delivery.class)];
            class.network.add(delivery.at.since(delivery.injected));
            class.total.add(delivery.at.since(delivery.created));
        }
        if let Some(deliveries) = &mut self.deliveries {
            deliveries.push(delivery);
        }
    }

    fn blocked(&mut self, port: u32, from: Time, to: Time) {
        if let Some(ports) = &mut self.ports {
            ports.blocked(port, from, to);
        }
        if let Some(counters) = &mut self.counters {
            counters.blocked(port, from, to);
        }
    }

    fn held(&mut self, now: Time, port: u32, packets: u32) {
        if let Some(ports) = &mut self.ports {
            ports.held(now, port, packets);
        }
        if let Some(queues) = &mut self.queues {
            queues.held(now, port, packets);
        }
    }

    fn wants_limits(&self) -> bool {
        self.flows.is_some()
    }

    fn limit(&mut self, now: Time, flow: u32, times: f64) {
        if let Some(flows) = &mut self.flows {
            flows.limit(now, flow, times);
        }
    }

    fn full(&mut self, now: Time, input: u32, buffered: &mut dyn Iterator<Item = u32>) {
        if let Some(events) = &mut self.events {
            events.full(now, input, buffered);
        }
    }

    fn triggered(&mut self, trigger: Trigger) {
        if let Some(events) = &mut self.events {
            events.triggered(trigger);
        }
    }

    fn marked(&mut self, now: Time, output: u32, flow: u32, sequence: u32, limit: f64) {
        if let Some(events) = &mut self.events {
            events.marked(now, output, flow, sequence, limit);
        }
    }

    fn congestion(&mut self, now: Time, output: u32, lane: u8, entered: bool) {
        if let Some(events) = &mut self.events {
            events.congestion(now, output, lane, entered);
        }
        if let Some(counters) = &mut self.counters {
            counters.congestion(now, output, lane, entered);
        }
    }

    fn echoed(&mut self, now: Time, flow: u32, sequence: u32) {
        if let Some(events) = &mut self.events {
            events.echoed(now, flow, sequence);
        }
    }

    fn queued(&mut self, now: Time, output: u32, bytes: u64) {
        if let Some(queues) = &mut self.output_queues {
            queues.queued(now, output, bytes);
        }
    }

    fn dropped(&mut self, now: Time, output: u32, _flow: u32) {
        if let Some(queues) = &mut self.output_queues {
            queues.dropped(now, output);
        }
    }

    fn buffered(&mut self, now: Time, port: u32, lane: u8, bytes: u64) {
        if let Some(buffers) = &mut self.buffers {
            buffers.held(now, port, lane, bytes);
        }
    }

    fn pause_sent(&mut self, now: Time, port: u32, lane: u8, pause: bool) {
        if let Some(pauses) = &mut self.pauses {
            pauses.sent(now, port, lane, pause);
        }
    }

    fn pause_heard(&mut self, now: Time, port: u32, lane: u8, pause: bool) {
        if let Some(pauses) = &mut self.pauses {
            pauses.heard(now, port, lane, pause);
        }
    }

    fn paused(&mut self, now: Time, port: u32, lane: u8, paused: bool) {
        if let Some(pauses) = &mut self.pauses {
            pauses.paused(now, port, lane, paused);
        }
    }

    fn storm(&mut self, now: Time, port: u32, lane: u8, begins: bool) {
        if let Some(pauses) = &mut self.pauses {
            pauses.storm(now, port, lane, begins);
        }
    }

    fn transferred(&mut self, transfer: Transfer) {
        if let Some(transfers) = &mut self.transfers {
            transfers.push(transfer);
        }
    }

    fn message(&mut self, message: MessageFact) {
        if let Some(messages) = &mut self.messages {
            messages.push(message);
        }
    }

    fn completed(&mut self, completion: Completion) {
        if let Some(completions) = &mut self.completions {
            completions.push(completion);
        }
    }

    fn batch(&mut self, names: &Names) -> Option<Table> {
        let completions = self.completions.as_mut().filter(|rows| rows.len() >= completions::BATCH)?;
        let table = completions::table(completions, names);
        completions.clear();
        Some(table)
    }

    fn transport(&mut self, state: TransportState) {
        if let Some(states) = &mut self.transport {
            states.push(state);
        }
    }

    fn isolated(&mut self, now: Time, in_use: InUse) {
        if let Some(isolation) = &mut self.isolation {
            isolation.in_use(now, in_use);
        }
    }

    fn wants_isolation(&self) -> bool {
        self.isolation.is_some()
    }

    fn region(&mut self, now: Time, output: u32, state: RegionState) {
        if let Some(regions) = &mut self.regions {
            regions.state(now, output, state);
        }
    }

    fn region_window(&mut self, now: Time, output: u32, window: RegionWindow) {
        if let Some(regions) = &mut self.regions {
            regions.window(now, output, window);
        }
    }

    fn region_flow(&mut self, now: Time, output: u32, flow: u32, what: RegionFlow) {
        if let Some(regions) = &mut self.regions {
            regions.flow(now, output, flow, what);
        }
    }

    fn wants_regions(&self) -> bool {
        self.regions.is_some()
    }

    fn wants_transport(&self) -> bool {
        self.transport.is_some()
    }

    fn wants_events(&self) -> bool {
        self.events.is_some()
    }

    fn look_due(&self) -> Time {
        self.trees.as_ref().map_or(Time::NEVER, |trees| trees.due)
    }

    fn blank_look(&mut self) -> Look {
        self.trees.as_mut().map(|trees| std::mem::take(&mut trees.blank)).unwrap_or_default()
    }

    fn look(&mut self, look: Look, ways: &dyn Ways) {
        if let Some(trees) = &mut self.trees {
            trees.seen(look, ways);
        }
    }

    fn finish(&mut self, end: Time) {
        self.window.end = end;
        if let Some(trees) = &mut self.trees {
            trees.finish(end);
        }
        if let Some(flows) = &mut self.flows {
            flows.finish(end);
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
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        let mut tables = Vec::new();
        tables.extend(self.flows.take().map(FlowSeries::table));
        tables.extend(self.classes.take().map(|classes| classes.table(names)));
        tables.extend(self.ports.take().map(PortSeries::table));
        tables.extend(self.queues.take().map(QueueTimes::table));
        tables.extend(self.events.take().into_iter().flat_map(|events| events.tables(names)));
        tables.extend(self.latency.take().map(|latency| latency_table(&latency, names)));
        tables.extend(self.deliveries.take().map(delivery_table));
        tables.extend(self.counters.take().map(|counters| counters.table(names)));
        tables.extend(self.output_queues.take().map(|queues| queues.table(names)));
        tables.extend(self.pauses.take().into_iter().flat_map(|pauses| pauses.tables(names)));
        tables.extend(self.buffers.take().map(|buffers| buffers.table(names)));
        tables.extend(self.transfers.take().map(|transfers| transport::transfer_table(&transfers, names)));
        tables.extend(self.completions.take().map(|rows| completions::table(&rows, names)));
        tables.extend(self.transport.take().map(|states| transport::state_table(&states)));
        tables.extend(self.messages.take().map(|messages| messages::message_table(&messages, names)));
        tables.extend(self.isolation.take().map(IsolationSeries::table));
        tables.extend(self.regions.take().into_iter().flat_map(|regions| regions.tables(names)));
        tables.extend(self.trees.take().into_iter().flat_map(|trees| trees.tables(names)));
        tables
    }
}

fn latency_table(latency: &[Latency], names: &Names) -> Table {
    let kinds: Vec<(&str, &str, &Histogram)> = latency
        .iter()
        .zip(&names.classes)
        .flat_map(|(class, name)| [(name.as_str(), "network", &class.network), (name.as_str(), "total", &class.total)])
        .filter(|(_, _, histogram)| histogram.count() > 0)
        .collect();
    let text = |pick: fn(&(&str, &str, &Histogram)) -> String| kinds.iter().map(pick).collect::<Vec<String>>();
    let seconds = |pick: &dyn Fn(&Histogram) -> f64| kinds.iter().map(|row| pick(row.2)).collect::<Vec<f64>>();
    Table {
        name: "latency",
        columns: vec![
            Column::new("class", "", "traffic class", text(|row| row.0.to_owned())),
            Column::new(
                "kind",
                "",
                "network: from the first bit sent to the last bit delivered; total: from the making of the message",
                text(|row| row.1.to_owned()),
            ),
            Column::new(
                "packets",
                "",
                "data packets delivered after the warm-up",
                kinds.iter().map(|row| row.2.count()).collect::<Vec<u64>>(),
            ),
            Column::new("mean", "s", "mean latency", seconds(&Histogram::mean)),
            Column::new("p50", "s", "median latency", seconds(&|h| h.quantile(0.5))),
            Column::new("p90", "s", "latency that 90 % of the packets do not exceed", seconds(&|h| h.quantile(0.9))),
            Column::new("p99", "s", "latency that 99 % of the packets do not exceed", seconds(&|h| h.quantile(0.99))),
            Column::new(
                "p999",
                "s",
                "latency that 99.9 % of the packets do not exceed",
                seconds(&|h| h.quantile(0.999)),
            ),
            Column::new("max", "s", "largest latency", seconds(&Histogram::max)),
        ],
    }
}

fn delivery_table(deliveries: Vec<Delivery>) -> Table {
    fn column<T>(deliveries: &[Delivery], pick: impl Fn(&Delivery) -> T) -> Vec<T> {
        deliveries.iter().map(pick).collect()
    }
    let d = &deliveries;
    Table {
        name: "deliveries",
        columns: vec![
            Column::new("flow", "", "flow id", column(d, |x| x.flow)),
            Column::new("sequence", "", "number of the packet in its flow", column(d, |x| x.sequence)),
            Column::new("time_ps", "ps", "when the last byte was in", column(d, |x| x.at.0)),
            Column::new("injected_ps", "ps", "when the first bit left the source", column(d, |x| x.injected.0)),
            Column::new("created_ps", "ps", "when the message was made", column(d, |x| x.created.0)),
            Column::new("bytes", "B", "size on the wire", column(d, |x| x.size)),
            Column::new("marked", "", "met congestion", column(d, |x| x.marked)),
        ],
    }
}
