//! Delivered packets: one by one, and the distribution of their latencies by traffic class.

use crate::built_in::{BuiltIn, NetworkSize, RecorderNeeds};
use crate::histogram::Histogram;
use crate::recorder::long::{OrderedRows, full};
use crate::{Column, Delivery, MeasurementWindow, Names, Probe, Table};
use congestree_units::Time;

/// Latencies of one traffic class.
#[derive(Clone, Debug, Default)]
struct Latency {
    network: Histogram,
    total: Histogram,
}

impl Latency {
    fn add(&mut self, delivery: Delivery) {
        self.network.add(delivery.at.since(delivery.injected));
        self.total.add(delivery.at.since(delivery.created));
    }

    fn take_in(&mut self, part: &Self) {
        self.network.take_in(&part.network);
        self.total.take_in(&part.total);
    }
}

/// Latencies of every traffic class.
#[derive(Debug)]
pub(crate) struct Latencies {
    classes: Vec<Latency>,
    /// The warm-up is over.
    warm: bool,
}

impl BuiltIn for Latencies {
    fn new(window: MeasurementWindow, size: NetworkSize) -> Self {
        Self { classes: vec![Latency::default(); size.classes], warm: window.warm_up == Time::START }
    }

    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.classes.iter_mut().zip(&part.classes).for_each(|(all, part)| all.take_in(part));
    }
}

impl Probe for Latencies {
    fn wants_classes(&self) -> bool {
        true
    }

    fn warmed_up(&mut self) {
        self.warm = true;
    }

    #[inline]
    fn delivered(&mut self, delivery: Delivery) {
        if self.warm {
            self.classes[usize::from(delivery.class)].add(delivery);
        }
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        vec![latency_table(&self.classes, names)]
    }
}

/// The table of percentiles by class and kind.
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
                "network: from the first bit sent (the last time, if the packet was sent again) to the last bit delivered; total: from the creation of the message to the last bit delivered; a greedy source creates a packet when it first sends it",
                text(|row| row.1.to_owned()),
            ),
            Column::new(
                "packets",
                "",
                "data packets delivered after the warm-up",
                kinds.iter().map(|row| row.2.count()).collect::<Vec<u64>>(),
            ),
            Column::new("mean", "s", "mean latency", seconds(&Histogram::mean)),
            Column::new("p50", "s", "median latency, within 0.8 %", seconds(&|h| h.quantile(0.5))),
            Column::new(
                "p90",
                "s",
                "latency that 90 % of the packets do not exceed, within 0.8 %",
                seconds(&|h| h.quantile(0.9)),
            ),
            Column::new(
                "p99",
                "s",
                "latency that 99 % of the packets do not exceed, within 0.8 %",
                seconds(&|h| h.quantile(0.99)),
            ),
            Column::new(
                "p999",
                "s",
                "latency that 99.9 % of the packets do not exceed, within 0.8 %",
                seconds(&|h| h.quantile(0.999)),
            ),
            Column::new("max", "s", "largest latency", seconds(&Histogram::max)),
        ],
    }
}

/// Every delivered packet.
#[derive(Debug)]
pub(crate) struct Deliveries(OrderedRows<Delivery>);

impl BuiltIn for Deliveries {
    const NEEDS: RecorderNeeds = RecorderNeeds { many_rows: true, ..RecorderNeeds::NONE };

    fn new(_window: MeasurementWindow, _size: NetworkSize) -> Self {
        Self(OrderedRows::default())
    }

    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.0.take_in(part.0, |delivery| delivery.at);
    }
}

impl Probe for Deliveries {
    fn happens(&mut self, place: u32) {
        self.0.happens(place);
    }

    #[inline]
    fn delivered(&mut self, delivery: Delivery) {
        self.0.push(delivery);
    }

    fn batch(&mut self, _names: &Names) -> Option<Table> {
        full(&mut self.0.rows).map(|rows| delivery_table(&rows))
    }

    fn tables(&mut self, _names: &Names) -> Vec<Table> {
        vec![delivery_table(&self.0.rows)]
    }
}

/// The table of delivered packets, one by one.
fn delivery_table(deliveries: &[Delivery]) -> Table {
    fn column<T>(deliveries: &[Delivery], pick: impl Fn(&Delivery) -> T) -> Vec<T> {
        deliveries.iter().map(pick).collect()
    }
    let d = deliveries;
    Table {
        name: "deliveries",
        columns: vec![
            Column::new("flow", "", "flow id", column(d, |x| x.flow)),
            Column::new("sequence", "", "number of the packet in its flow", column(d, |x| x.sequence)),
            Column::new("time_ps", "ps", "when the last byte of the packet arrived", column(d, |x| x.at.0)),
            Column::new(
                "injected_ps",
                "ps",
                "when the first bit left the source; the last time, if it was sent again",
                column(d, |x| x.injected.0),
            ),
            Column::new(
                "created_ps",
                "ps",
                "when the message was created; from a greedy source, when the packet was first sent",
                column(d, |x| x.created.0),
            ),
            Column::new("bytes", "B", "size on the wire", column(d, |x| x.size)),
            Column::new("marked", "", "whether the packet was marked", column(d, |x| x.marked)),
        ],
    }
}
