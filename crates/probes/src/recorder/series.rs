//! Time series of classes and flows, and the time that buffers spent at each occupancy.

use congestree_units::Time;

use crate::bins::Bins;
use crate::built_in::{BuiltIn, NetworkSize, RecorderNeeds};
use crate::{Column, Delivery, MeasurementWindow, Names, Probe, Table};

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
    const NEEDS: RecorderNeeds = RecorderNeeds { buffers: true, ..RecorderNeeds::NONE };

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
