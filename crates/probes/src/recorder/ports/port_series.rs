//! Time series of links: what they carry, when flow control blocks them, and what the buffer behind them holds.

use congestree_units::Time;

use crate::bins::Bins;
use crate::built_in::{BuiltIn, NetworkSize, RecorderNeeds};
use crate::recorder::series::take_changed;
use crate::{Column, MeasurementWindow, Names, Probe, Sending, Table};

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
    const NEEDS: RecorderNeeds = RecorderNeeds { buffers: true, ..RecorderNeeds::NONE };

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
