//! Time series of output queues: the average and the maximum that waits, and what is dropped.

use congestree_units::{Span, Time};

use crate::bins::Bins;
use crate::built_in::{BuiltIn, NetworkSize, RecorderNeeds};
use crate::recorder::series::take_changed;
use crate::{Column, LINK_NAME, MeasurementWindow, Named, Names, Probe, Table};

#[derive(Clone, Debug, Default)]
struct Bin {
    /// Bytes times seconds.
    waiting: f64,
    /// Most bytes at any instant.
    most: u64,
    dropped: u64,
}

/// Series of every output at which a packet ever had to wait.
#[derive(Debug)]
pub(crate) struct OutputQueueSeries {
    bins: Bins<Bin>,
    /// By port: since when this many bytes have waited.
    now: Vec<(Time, u64)>,
    /// By port: something has waited there, or was dropped.
    used: Vec<bool>,
    end: Time,
}

impl BuiltIn for OutputQueueSeries {
    const NEEDS: RecorderNeeds = RecorderNeeds { waiting: true, ..RecorderNeeds::NONE };

    fn new(window: MeasurementWindow, size: NetworkSize) -> Self {
        let now = vec![(Time::START, 0); size.ports];
        Self { bins: Bins::new(window, size.ports), now, used: vec![false; size.ports], end: window.end }
    }

    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.bins.take_in(&part.bins, |sum, bin| {
            sum.waiting += bin.waiting;
            sum.most = sum.most.max(bin.most);
            sum.dropped += bin.dropped;
        });
        take_changed(&mut self.now, &part.now, &(Time::START, 0));
        self.used.iter_mut().zip(&part.used).for_each(|(used, there)| *used |= there);
    }
}

impl Probe for OutputQueueSeries {
    fn wants_fill(&self) -> bool {
        true
    }

    fn wants_buffered(&self) -> bool {
        false
    }

    #[inline]
    fn queued(&mut self, now: Time, port: u32, bytes: u64) {
        let (since, before) = std::mem::replace(&mut self.now[port as usize], (now, bytes));
        let waited = now > since && before > 0;
        if waited {
            self.used[port as usize] = true;
        }
        let add = |cell: &mut Bin, part: Span| {
            cell.waiting += before as f64 * part.as_secs();
            cell.most = cell.most.max(before);
        };
        let cell = match self.bins.within(since, now, port) {
            Some(cell) => {
                if waited {
                    add(cell, now.since(since));
                }
                cell
            }
            None => {
                if waited {
                    self.bins.over(since, now, port, add);
                }
                self.bins.at(now, port)
            }
        };
        cell.most = cell.most.max(bytes);
    }

    fn dropped(&mut self, now: Time, port: u32, _flow: u32) {
        self.used[port as usize] = true;
        self.bins.at(now, port).dropped += 1;
    }

    fn finish(&mut self, end: Time) {
        self.end = end;
        for port in 0..self.now.len() as u32 {
            let bytes = self.now[port as usize].1;
            if bytes > 0 || self.used[port as usize] {
                self.queued(end, port, bytes);
            }
        }
        self.bins.cut(end);
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        let (time, port) = self.bins.rows();
        let cells = self.bins.column(|cell| cell.clone());
        let rows: Vec<usize> = (0..port.len()).filter(|&row| self.used[port[row] as usize]).collect();
        let mean = |row: usize| {
            let length = self.bins.length(row, self.end);
            if length > 0.0 { cells[row].waiting / length } else { 0.0 }
        };
        vec![Table {
            name: "output_queue_series",
            columns: vec![
                Column::new("time", "s", "start of the bin", rows.iter().map(|&r| time[r]).collect::<Vec<f64>>()),
                Column::new(
                    "port",
                    "",
                    "port that sends on the link",
                    rows.iter().map(|&r| port[r]).collect::<Vec<u32>>(),
                ),
                Column::new(
                    "name",
                    "",
                    LINK_NAME,
                    Named { list: names.ports.as_slice().into(), parts: vec![rows.iter().map(|&r| port[r]).collect()] },
                ),
                Column::new(
                    "mean",
                    "B",
                    "mean of what waits for the output in its switch, in all queues and lanes, in the bin",
                    rows.iter().map(|&r| mean(r)).collect::<Vec<f64>>(),
                ),
                Column::new(
                    "most",
                    "B",
                    "the most at any instant of the bin, with a packet that starts on the link in the instant in which it comes",
                    rows.iter().map(|&r| cells[r].most).collect::<Vec<u64>>(),
                ),
                Column::new(
                    "dropped",
                    "",
                    "packets dropped in the bin",
                    rows.iter().map(|&r| cells[r].dropped).collect::<Vec<u64>>(),
                ),
            ],
        }]
    }
}
