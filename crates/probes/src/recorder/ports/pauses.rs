//! Pauses (PFC): every frame that was received and every pause whose time ran out, totals by port and lane, and what
//! the buffers hold over time.

use std::collections::BTreeSet;

use congestree_units::{Span, Time};

use crate::bins::Bins;
use crate::built_in::{BuiltIn, NetworkSize, RecorderNeeds};
use crate::recorder::long::{OrderedRows, full};
use crate::recorder::series::take_changed;
use crate::{Column, MeasurementWindow, Names, Probe, Table};

/// A kind of event about a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PauseChange {
    Pause,
    Resume,
    Expired,
    Storm,
    Restored,
}

impl PauseChange {
    fn word(self) -> &'static str {
        match self {
            PauseChange::Pause => "pause",
            PauseChange::Resume => "resume",
            PauseChange::Expired => "expired",
            PauseChange::Storm => "storm",
            PauseChange::Restored => "restored",
        }
    }
}

/// Time, port, lane and kind of an event about a pause.
type PauseRow = (Time, u32, u8, PauseChange);

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    sent: [u64; 2],
    heard: [u64; 2],
    storms: u64,
    paused: Span,
}

/// All records about pauses.
#[derive(Debug)]
pub(crate) struct PauseLog {
    window: MeasurementWindow,
    lanes: usize,
    /// The log: when, where, and what.
    log: OrderedRows<PauseRow>,
    /// By port and lane.
    counts: Vec<Counts>,
    /// Since when it has been paused; never if it is not.
    since: Vec<Time>,
}

impl BuiltIn for PauseLog {
    const NEEDS: RecorderNeeds = RecorderNeeds { many_rows: true, ..RecorderNeeds::NONE };

    fn new(window: MeasurementWindow, size: NetworkSize) -> Self {
        let count = size.ports * size.lanes;
        Self {
            window,
            lanes: size.lanes,
            log: OrderedRows::default(),
            counts: vec![Counts::default(); count],
            since: vec![Time::NEVER; count],
        }
    }

    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.log.take_in(part.log, |&(at, ..)| at);
        for (sum, counts) in self.counts.iter_mut().zip(part.counts) {
            (0..2).for_each(|kind| sum.sent[kind] += counts.sent[kind]);
            (0..2).for_each(|kind| sum.heard[kind] += counts.heard[kind]);
            sum.storms += counts.storms;
            sum.paused = sum.paused + counts.paused;
        }
        take_changed(&mut self.since, &part.since, &Time::NEVER);
    }
}

impl PauseLog {
    fn place(&self, port: u32, lane: u8) -> usize {
        port as usize * self.lanes + usize::from(lane)
    }
}

impl Probe for PauseLog {
    fn happens(&mut self, place: u32) {
        self.log.happens(place);
    }

    fn pause_sent(&mut self, now: Time, port: u32, lane: u8, pause: bool) {
        let place = self.place(port, lane);
        self.counts[place].sent[usize::from(pause)] += u64::from(now >= self.window.warm_up);
    }

    fn pause_heard(&mut self, now: Time, port: u32, lane: u8, pause: bool) {
        let place = self.place(port, lane);
        self.counts[place].heard[usize::from(pause)] += u64::from(now >= self.window.warm_up);
        self.log.push((now, port, lane, if pause { PauseChange::Pause } else { PauseChange::Resume }));
    }

    fn pause_expired(&mut self, now: Time, port: u32, lane: u8) {
        self.log.push((now, port, lane, PauseChange::Expired));
    }

    fn paused(&mut self, now: Time, port: u32, lane: u8, paused: bool) {
        let place = self.place(port, lane);
        if paused {
            self.since[place] = now;
            return;
        }
        let since = std::mem::replace(&mut self.since[place], Time::NEVER);
        if since != Time::NEVER {
            let counts = &mut self.counts[place];
            counts.paused = counts.paused + now.since(since.max(self.window.warm_up));
        }
    }

    fn storm(&mut self, now: Time, port: u32, lane: u8, begins: bool) {
        let place = self.place(port, lane);
        self.counts[place].storms += u64::from(begins && now >= self.window.warm_up);
        self.log.push((now, port, lane, if begins { PauseChange::Storm } else { PauseChange::Restored }));
    }

    fn finish(&mut self, end: Time) {
        for place in 0..self.since.len() {
            self.paused(end, (place / self.lanes) as u32, (place % self.lanes) as u8, false);
        }
    }

    fn batch(&mut self, names: &Names) -> Option<Table> {
        full(&mut self.log.rows).map(|rows| event_table(&rows, names))
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        let rows: Vec<usize> = (0..self.counts.len()).collect();
        let count = |pick: fn(&Counts) -> u64| self.counts.iter().map(pick).collect::<Vec<u64>>();
        let port = |row: &usize| (row / self.lanes) as u32;
        let totals = Table {
            name: "pause_counters",
            columns: vec![
                Column::new("port", "", "port id", rows.iter().map(port).collect::<Vec<u32>>()),
                Column::new(
                    "name",
                    "",
                    "node of the port->node at the other end; parallel links share it: port tells them apart",
                    rows.iter().map(|row| names.ports[port(row) as usize].clone()).collect::<Vec<String>>(),
                ),
                Column::new(
                    "lane",
                    "",
                    "lane (priority)",
                    rows.iter().map(|row| (row % self.lanes) as u32).collect::<Vec<u32>>(),
                ),
                Column::new(
                    "tx_pause",
                    "",
                    "pause frames sent after the warm-up, without those that end a pause",
                    count(|c| c.sent[1]),
                ),
                Column::new("tx_resume", "", "frames that end a pause, sent after the warm-up", count(|c| c.sent[0])),
                Column::new("rx_pause", "", "pause frames received after the warm-up", count(|c| c.heard[1])),
                Column::new(
                    "rx_resume",
                    "",
                    "frames that end a pause, received after the warm-up",
                    count(|c| c.heard[0]),
                ),
                Column::new(
                    "rx_pause_duration",
                    "s",
                    "time after the warm-up in which the port was paused",
                    self.counts.iter().map(|c| c.paused.as_secs()).collect::<Vec<f64>>(),
                ),
                Column::new("storms", "", "times that the watchdog intervened, after the warm-up", count(|c| c.storms)),
            ],
        };
        vec![event_table(&self.log.rows, names), totals]
    }
}

/// The table with one row for each event about a pause.
fn event_table(log: &[PauseRow], names: &Names) -> Table {
    Table {
        name: "pauses",
        columns: vec![
            Column::each("time_ps", "ps", "when the event took effect at the port", log, |row| row.0.0),
            Column::each("port", "", "port that is paused or resumed", log, |row| row.1),
            Column::each(
                "name",
                "",
                "from->to of its link; parallel links share it: port tells them apart",
                log,
                |row| names.ports[row.1 as usize].clone(),
            ),
            Column::each("node", "", "node of the port", log, |row| names.nodes[row.1 as usize].clone()),
            Column::each("lane", "", "lane", log, |row| u32::from(row.2)),
            Column::each(
                "event",
                "",
                "pause or resume: such a frame was received, which has no effect while the watchdog intervenes; expired: the time of the pause ran out; storm: the watchdog intervened; restored: the watchdog ended its intervention",
                log,
                |row| row.3.word().to_owned(),
            ),
        ],
    }
}

#[derive(Clone, Debug, Default)]
struct Cell {
    /// Bytes times seconds.
    held: f64,
    /// Most bytes at any instant.
    most: u64,
}

/// What the buffers behind the links hold over time, lane by lane.
#[derive(Debug)]
pub(crate) struct BufferSeries {
    bins: Bins<Cell>,
    lanes: usize,
    /// By port and lane: since when this many bytes have been held.
    now: Vec<(Time, u64)>,
    used: BTreeSet<u32>,
    end: Time,
}

impl BuiltIn for BufferSeries {
    fn new(window: MeasurementWindow, size: NetworkSize) -> Self {
        let count = size.ports * size.lanes;
        let now = vec![(Time::START, 0); count];
        Self { bins: Bins::new(window, count), lanes: size.lanes, now, used: BTreeSet::new(), end: window.end }
    }

    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.bins.take_in(&part.bins, |sum, cell| {
            sum.held += cell.held;
            sum.most = sum.most.max(cell.most);
        });
        take_changed(&mut self.now, &part.now, &(Time::START, 0));
        self.used.extend(&part.used);
    }
}

impl BufferSeries {
    fn change(&mut self, now: Time, item: u32, bytes: u64) {
        let (since, before) = std::mem::replace(&mut self.now[item as usize], (now, bytes));
        self.used.insert(item);
        if now > since && before > 0 {
            self.bins.over(since, now, item, |cell, part| {
                cell.held += before as f64 * part.as_secs();
                cell.most = cell.most.max(before);
            });
        }
        let cell = self.bins.at(now, item);
        cell.most = cell.most.max(bytes);
    }
}

impl Probe for BufferSeries {
    fn wants_buffered(&self) -> bool {
        true
    }

    fn buffered(&mut self, now: Time, port: u32, lane: u8, bytes: u64) {
        self.change(now, port * self.lanes as u32 + u32::from(lane), bytes);
    }

    fn finish(&mut self, end: Time) {
        self.end = end;
        for item in self.used.clone() {
            let bytes = self.now[item as usize].1;
            self.change(end, item, bytes);
        }
        self.bins.cut(end);
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        let (time, item) = self.bins.rows();
        let cells = self.bins.column(|cell| cell.clone());
        let rows: Vec<usize> = (0..item.len()).filter(|&row| self.used.contains(&item[row])).collect();
        let lanes = self.lanes as u32;
        let mean = |row: usize| {
            let length = self.bins.length(row, self.end);
            if length > 0.0 { cells[row].held / length } else { 0.0 }
        };
        vec![Table {
            name: "buffer_series",
            columns: vec![
                Column::new("time", "s", "start of the bin", rows.iter().map(|&r| time[r]).collect::<Vec<f64>>()),
                Column::new(
                    "port",
                    "",
                    "port that sends into the buffer",
                    rows.iter().map(|&r| item[r] / lanes).collect::<Vec<u32>>(),
                ),
                Column::new(
                    "name",
                    "",
                    "from->to of its link; parallel links share it: port tells them apart",
                    rows.iter().map(|&r| names.ports[(item[r] / lanes) as usize].clone()).collect::<Vec<String>>(),
                ),
                Column::new("lane", "", "lane", rows.iter().map(|&r| item[r] % lanes).collect::<Vec<u32>>()),
                Column::new(
                    "mean",
                    "B",
                    "mean occupancy in the bin",
                    rows.iter().map(|&r| mean(r)).collect::<Vec<f64>>(),
                ),
                Column::new(
                    "most",
                    "B",
                    "greatest occupancy at any instant of the bin",
                    rows.iter().map(|&r| cells[r].most).collect::<Vec<u64>>(),
                ),
            ],
        }]
    }
}
