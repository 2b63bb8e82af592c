//! Time series of flows and links, and the time that buffers spent at each occupancy.

use congestree_units::Time;

use crate::bins::Bins;
use crate::built_in::{BuiltIn, NetworkSize};
use crate::{Column, Delivery, MeasurementWindow, Names, Probe, Sending, Table};

/// What was delivered in a bin.
#[derive(Clone, Debug, Default)]
struct Delivered {
    packets: u64,
    bytes: u64,
    marked: u64,
}

impl Delivered {
    fn add(&mut self, delivery: Delivery) {
        self.packets += 1;
        self.bytes += u64::from(delivery.size);
        self.marked += u64::from(delivery.marked);
    }

    fn take_in(&mut self, part: &Self) {
        self.packets += part.packets;
        self.bytes += part.bytes;
        self.marked += part.marked;
    }
}

/// Series of every traffic class: there are only a handful, however many flows there are.
#[derive(Debug)]
pub(crate) struct ClassSeries {
    bins: Bins<Delivered>,
}

impl BuiltIn for ClassSeries {
    fn new(window: MeasurementWindow, size: NetworkSize) -> Self {
        Self { bins: Bins::new(window, size.classes) }
    }

    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.bins.take_in(&part.bins, Delivered::take_in);
    }
}

impl Probe for ClassSeries {
    fn wants_classes(&self) -> bool {
        true
    }

    #[inline]
    fn delivered(&mut self, delivery: Delivery) {
        self.bins.at(delivery.at, u32::from(delivery.class)).add(delivery);
    }

    fn finish(&mut self, end: Time) {
        self.bins.cut(end);
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        let (time, class) = self.bins.rows();
        let class: Vec<String> = class.into_iter().map(|class| names.classes[class as usize].clone()).collect();
        vec![Table {
            name: "class_series",
            columns: vec![
                Column::new("time", "s", "start of the bin", time),
                Column::new("class", "", "traffic entry", class),
                Column::new("packets", "", "data packets delivered in the bin", self.bins.column(|c| c.packets)),
                Column::new("bytes", "B", "wire bytes delivered in the bin", self.bins.column(|c| c.bytes)),
                Column::new("marked", "", "marked data packets delivered in the bin", self.bins.column(|c| c.marked)),
            ],
        }]
    }
}

/// What a flow did in a bin.
#[derive(Clone, Debug, Default)]
struct FlowBin {
    delivered: Delivered,
    /// R_max/r at the end of the bin; zero until known.
    limit: f64,
}

/// Series of every flow.
#[derive(Debug)]
pub(crate) struct FlowSeries {
    bins: Bins<FlowBin>,
    /// The limit of each flow and the bin up to which it has been written.
    limits: Vec<(f64, usize)>,
}

impl BuiltIn for FlowSeries {
    fn new(window: MeasurementWindow, size: NetworkSize) -> Self {
        Self { bins: Bins::new(window, size.flows), limits: vec![(1.0, 0); size.flows] }
    }

    /// The limits are those of the part in which a flow has its source.
    fn take_in(&mut self, part: Self, sends: &dyn Fn(u32) -> bool) {
        self.bins.take_in(&part.bins, |sum, bin| {
            sum.delivered.take_in(&bin.delivered);
            sum.limit += bin.limit;
        });
        for (flow, limit) in part.limits.iter().enumerate().filter(|&(flow, _)| sends(flow as u32)) {
            self.limits[flow] = *limit;
        }
    }
}

impl FlowSeries {
    /// Writes the present limit into all bins before `bin`, through which it did not change.
    fn write_limit(&mut self, bin: usize, flow: u32) {
        let items = self.bins.items();
        let (times, written) = &mut self.limits[flow as usize];
        for b in *written..bin {
            self.bins.cells_mut()[b * items + flow as usize].limit = *times;
        }
        *written = bin.max(*written);
    }
}

impl Probe for FlowSeries {
    #[inline]
    fn delivered(&mut self, delivery: Delivery) {
        self.bins.at(delivery.at, delivery.flow).delivered.add(delivery);
    }

    fn wants_limits(&self) -> bool {
        true
    }

    fn limit(&mut self, now: Time, flow: u32, times: f64) {
        self.write_limit(self.bins.bin_of(now), flow);
        self.limits[flow as usize].0 = times;
    }

    fn finish(&mut self, end: Time) {
        let last = self.bins.bin_of(end) + 1;
        for flow in 0..self.limits.len() as u32 {
            self.write_limit(last, flow);
        }
        self.bins.cut(end);
    }

    fn tables(&mut self, _names: &Names) -> Vec<Table> {
        let (time, flow) = self.bins.rows();
        vec![Table {
            name: "flow_series",
            columns: vec![
                Column::new("time", "s", "start of the bin", time),
                Column::new("flow", "", "flow id", flow),
                Column::new(
                    "packets",
                    "",
                    "data packets delivered in the bin",
                    self.bins.column(|c| c.delivered.packets),
                ),
                Column::new("bytes", "B", "wire bytes delivered in the bin", self.bins.column(|c| c.delivered.bytes)),
                Column::new(
                    "marked",
                    "",
                    "marked data packets delivered in the bin",
                    self.bins.column(|c| c.delivered.marked),
                ),
                Column::new("limit", "", "rate limit at the end of the bin, as R_max/r", self.bins.column(|c| c.limit)),
            ],
        }]
    }
}

/// What a link did in a bin.
#[derive(Clone, Debug, Default)]
struct PortBin {
    packets: u64,
    bytes: f64,
    blocked: f64,
    /// Packets times seconds in the buffer at the far end.
    held: f64,
}

/// Series of every link, indexed by the port that sends on it.
#[derive(Debug)]
pub(crate) struct PortSeries {
    bins: Bins<PortBin>,
    held: Vec<(Time, u32)>,
    /// Of the last packet of each port: its last bit, and bytes per picosecond.
    sending: Vec<(Time, f64)>,
    end: Time,
}

impl BuiltIn for PortSeries {
    fn new(window: MeasurementWindow, size: NetworkSize) -> Self {
        let (held, sending) = (vec![(Time::START, 0); size.ports], vec![(Time::START, 0.0); size.ports]);
        Self { bins: Bins::new(window, size.ports), held, sending, end: window.end }
    }

    /// The sender of a link and the receiver that holds its packets may be in two parts; each part has filled in its
    /// own columns.
    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.bins.take_in(&part.bins, |sum, bin| {
            sum.packets += bin.packets;
            sum.bytes += bin.bytes;
            sum.blocked += bin.blocked;
            sum.held += bin.held;
        });
        take_changed(&mut self.held, &part.held, &(Time::START, 0));
        take_changed(&mut self.sending, &part.sending, &(Time::START, 0.0));
    }
}

impl PortSeries {
    /// Spreads bytes over the time they take, so that no bin exceeds the rate of the link.
    #[inline]
    fn spread(&mut self, at: Time, until: Time, port: u32, bytes: u32) {
        let per_ps = f64::from(bytes) / until.since(at).0 as f64;
        let until = until.min(self.end);
        self.bins.over(at, until, port, |cell, part| cell.bytes += part.0 as f64 * per_ps);
        self.sending[port as usize] = (until, per_ps);
    }
}

impl Probe for PortSeries {
    #[inline]
    fn sent(&mut self, Sending { at, until, port, size, .. }: Sending) {
        self.bins.at(at, port).packets += 1;
        self.spread(at, until, port, size);
    }

    fn sent_again(&mut self, at: Time, until: Time, port: u32, bytes: u32) {
        self.spread(at, until, port, bytes);
    }

    #[inline]
    fn blocked(&mut self, port: u32, from: Time, to: Time) {
        self.bins.over(from, to, port, |cell, part| cell.blocked += part.as_secs());
    }

    #[inline]
    fn held(&mut self, now: Time, port: u32, packets: u32) {
        let (since, before) = std::mem::replace(&mut self.held[port as usize], (now, packets));
        self.bins.over(since, now, port, |cell, part| cell.held += f64::from(before) * part.as_secs());
    }

    /// A run that ends early ends in the middle of packets, whose rest was counted when they started.
    fn finish(&mut self, end: Time) {
        self.end = end;
        for port in 0..self.held.len() as u32 {
            self.held(end, port, 0);
            let (until, per_ps) = self.sending[port as usize];
            self.bins.over(end, until, port, |cell, part| cell.bytes -= part.0 as f64 * per_ps);
        }
        self.bins.cut(end);
    }

    fn tables(&mut self, _names: &Names) -> Vec<Table> {
        let (time, port) = self.bins.rows();
        let mut row = 0;
        let held = self.bins.column(|c| c.held);
        let mean_held = held
            .into_iter()
            .map(|packet_seconds| {
                let length = self.bins.length(row, self.end);
                row += 1;
                if length > 0.0 { packet_seconds / length } else { 0.0 }
            })
            .collect::<Vec<f64>>();
        vec![Table {
            name: "port_series",
            columns: vec![
                Column::new("time", "s", "start of the bin", time),
                Column::new("port", "", "port that sends on the link", port),
                Column::new("packets", "", "packets started in the bin", self.bins.column(|c| c.packets)),
                Column::new(
                    "bytes",
                    "B",
                    "bytes sent in the bin, those sent again by links.retry included",
                    self.bins.column(|c| c.bytes),
                ),
                Column::new(
                    "blocked",
                    "s",
                    "time in the bin in which flow control blocked the link while a packet waited",
                    self.bins.column(|c| c.blocked),
                ),
                Column::new(
                    "held",
                    "packets",
                    "mean number of data packets in the input buffer at the far end",
                    mean_held,
                ),
            ],
        }]
    }
}

/// Takes over those entries of a part that differ from the initial value: these ports belong to the part.
pub(super) fn take_changed<T: Clone + PartialEq>(all: &mut [T], part: &[T], at_first: &T) {
    for (entry, changed) in all.iter_mut().zip(part).filter(|(_, entry)| *entry != at_first) {
        *entry = changed.clone();
    }
}

/// Time that each input buffer spent at each occupancy.
#[derive(Debug)]
pub(crate) struct QueueTimes {
    warm_up: Time,
    /// By port: since when it has held how many packets, and the total time at each number so far.
    ports: Vec<(Time, u32, Vec<f64>)>,
}

impl BuiltIn for QueueTimes {
    fn new(window: MeasurementWindow, size: NetworkSize) -> Self {
        Self { warm_up: window.warm_up, ports: vec![(Time::START, 0, Vec::new()); size.ports] }
    }

    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        take_changed(&mut self.ports, &part.ports, &(Time::START, 0, Vec::new()));
    }
}

impl Probe for QueueTimes {
    #[inline]
    fn held(&mut self, now: Time, port: u32, packets: u32) {
        let (since, before, times) = &mut self.ports[port as usize];
        let from = (*since).max(self.warm_up);
        if now > from {
            let before = *before as usize;
            if times.len() <= before {
                times.resize(before + 1, 0.0);
            }
            times[before] += now.since(from).as_secs();
        }
        (*since, *before) = (now, packets);
    }

    fn finish(&mut self, end: Time) {
        for port in 0..self.ports.len() as u32 {
            self.held(end, port, 0);
        }
    }

    fn tables(&mut self, _names: &Names) -> Vec<Table> {
        let (mut ports, mut held, mut time) = (Vec::new(), Vec::new(), Vec::new());
        for (port, (_, _, times)) in self.ports.iter().enumerate() {
            for (packets, &seconds) in times.iter().enumerate().filter(|(_, seconds)| **seconds > 0.0) {
                ports.push(port as u32);
                held.push(packets as u32);
                time.push(seconds);
            }
        }
        vec![Table {
            name: "queues",
            columns: vec![
                Column::new("port", "", "port that sends on the link into the buffer", ports),
                Column::new("held", "packets", "data packets in the buffer", held),
                Column::new("time", "s", "time after the warm-up in which the buffer held exactly this many", time),
            ],
        }]
    }
}
