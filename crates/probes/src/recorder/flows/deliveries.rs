//! Delivered packets: one by one, and the distribution of their latencies by traffic class.

use crate::histogram::Histogram;
use crate::{Column, Delivery, Names, Table};

/// Latencies of one traffic class.
#[derive(Clone, Debug, Default)]
pub(in crate::recorder) struct Latency {
    network: Histogram,
    total: Histogram,
}

impl Latency {
    pub(in crate::recorder) fn add(&mut self, delivery: Delivery) {
        self.network.add(delivery.at.since(delivery.injected));
        self.total.add(delivery.at.since(delivery.created));
    }

    pub(in crate::recorder) fn take_in(&mut self, part: &Self) {
        self.network.take_in(&part.network);
        self.total.take_in(&part.total);
    }
}

/// The table of percentiles by class and kind.
pub(in crate::recorder) fn latency_table(latency: &[Latency], names: &Names) -> Table {
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
                "network: from the first bit sent to the last bit delivered; total: from the creation of the message to the last bit delivered",
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

/// The table of delivered packets, one by one.
pub(in crate::recorder) fn delivery_table(deliveries: Vec<Delivery>) -> Table {
    fn column<T>(deliveries: &[Delivery], pick: impl Fn(&Delivery) -> T) -> Vec<T> {
        deliveries.iter().map(pick).collect()
    }
    let d = &deliveries;
    Table {
        name: "deliveries",
        columns: vec![
            Column::new("flow", "", "flow id", column(d, |x| x.flow)),
            Column::new("sequence", "", "number of the packet in its flow", column(d, |x| x.sequence)),
            Column::new("time_ps", "ps", "when the last byte of the packet arrived", column(d, |x| x.at.0)),
            Column::new("injected_ps", "ps", "when the first bit left the source", column(d, |x| x.injected.0)),
            Column::new("created_ps", "ps", "when the message was created", column(d, |x| x.created.0)),
            Column::new("bytes", "B", "size on the wire", column(d, |x| x.size)),
            Column::new("marked", "", "whether the packet was marked", column(d, |x| x.marked)),
        ],
    }
}
