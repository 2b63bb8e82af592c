//! Time series of isolation: lines and set-aside queues in use in the whole network, and ports that have none left.

use congestree_units::Time;

use crate::bins::Bins;
use crate::built_in::{BuiltIn, NetworkSize};
use crate::{Column, InUse, MeasurementWindow, Names, Probe, Table};

/// The two places: inputs of switches, and hosts.
const PLACES: [&str; 2] = ["switches", "hosts"];

/// The total in use over all ports of a place.
#[derive(Clone, Copy, Debug, Default)]
struct Total {
    lines: u64,
    queues: u64,
    full: u64,
    since: Time,
}

/// Integrals over the time of a bin, in seconds.
#[derive(Clone, Debug, Default)]
struct Bin {
    lines: f64,
    queues: f64,
    full: f64,
    taken: u64,
    most_queues: u64,
    most_full: u64,
}

/// By how much the use at an input or a host has changed.
#[derive(Clone, Copy, Debug)]
struct Change {
    at: Time,
    place: u32,
    lines: i16,
    queues: i16,
    full: i16,
}

/// Series of both places.
#[derive(Debug)]
pub(crate) struct IsolationSeries {
    bins: Bins<Bin>,
    /// By port: lines in use, queues in use, and whether none is left.
    ports: Vec<(u8, u8, bool)>,
    totals: [Total; 2],
    /// In a part of a network: its changes, which are later added to those of other parts in the order of time.
    changes: Vec<Change>,
    in_part: bool,
    end: Time,
}

impl BuiltIn for IsolationSeries {
    fn new(window: MeasurementWindow, size: NetworkSize) -> Self {
        Self {
            bins: Bins::new(window, PLACES.len()),
            ports: vec![(0, 0, false); size.ports],
            totals: [Total::default(); 2],
            changes: Vec::new(),
            in_part: false,
            end: window.end,
        }
    }

    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.changes.extend(part.changes);
    }
}

impl Probe for IsolationSeries {
    fn wants_isolation(&self) -> bool {
        true
    }

    fn happens(&mut self, _place: u32) {
        self.in_part = true;
    }

    fn isolated(&mut self, now: Time, InUse { port, host, lines, queues, full }: InUse) {
        let before = std::mem::replace(&mut self.ports[port as usize], (lines, queues, full));
        if before == (lines, queues, full) {
            return;
        }
        let change = Change {
            at: now,
            place: u32::from(host),
            lines: i16::from(lines) - i16::from(before.0),
            queues: i16::from(queues) - i16::from(before.1),
            full: i16::from(full) - i16::from(before.2),
        };
        match self.in_part {
            true => self.changes.push(change),
            false => self.count(change),
        }
    }

    fn finish(&mut self, end: Time) {
        self.end = end;
        let mut changes = std::mem::take(&mut self.changes);
        changes.sort_by_key(|change| change.at);
        changes.into_iter().for_each(|change| self.count(change));
        for place in 0..PLACES.len() as u32 {
            self.advance(end, place);
        }
        self.bins.cut(end);
    }

    fn tables(&mut self, _names: &Names) -> Vec<Table> {
        let (time, place) = self.bins.rows();
        let mean = |pick: fn(&Bin) -> f64| -> Vec<f64> {
            let sums = self.bins.column(pick);
            let length = |row| self.bins.length(row, self.end);
            sums.iter().enumerate().map(|(row, sum)| if length(row) > 0.0 { sum / length(row) } else { 0.0 }).collect()
        };
        let names: Vec<String> = place.iter().map(|&place| PLACES[place as usize].to_owned()).collect();
        vec![Table {
            name: "isolation_series",
            columns: vec![
                Column::new("time", "s", "start of the bin", time),
                Column::new("place", "", "switches: all inputs of switches; hosts: all hosts", names),
                Column::new("lines", "", "CAM lines in use there, mean over the bin", mean(|cell| cell.lines)),
                Column::new("queues", "", "set-aside queues in use there, mean over the bin", mean(|cell| cell.queues)),
                Column::new(
                    "exhausted",
                    "",
                    "ports there without a free queue, mean over the bin",
                    mean(|cell| cell.full),
                ),
                Column::new(
                    "allocated",
                    "",
                    "set-aside queues allocated there in the bin",
                    self.bins.column(|cell| cell.taken),
                ),
                Column::new(
                    "most_queues",
                    "",
                    "most set-aside queues in use at any instant of the bin",
                    self.bins.column(|cell| cell.most_queues),
                ),
                Column::new(
                    "most_exhausted",
                    "",
                    "most ports without a free queue at any instant of the bin",
                    self.bins.column(|cell| cell.most_full),
                ),
            ],
        }]
    }
}

impl IsolationSeries {
    fn count(&mut self, Change { at, place, lines, queues, full }: Change) {
        self.advance(at, place);
        let total = &mut self.totals[place as usize];
        total.lines = total.lines.saturating_add_signed(lines.into());
        total.queues = total.queues.saturating_add_signed(queues.into());
        total.full = total.full.saturating_add_signed(full.into());
        self.bins.at(at, place).taken += queues.max(0) as u64;
    }

    /// Integrates what has been in use until now.
    fn advance(&mut self, now: Time, place: u32) {
        let total = self.totals[place as usize];
        self.totals[place as usize].since = now;
        self.bins.over(total.since, now, place, |cell, part| {
            let time = part.as_secs();
            cell.lines += total.lines as f64 * time;
            cell.queues += total.queues as f64 * time;
            cell.full += total.full as f64 * time;
            cell.most_queues = cell.most_queues.max(total.queues);
            cell.most_full = cell.most_full.max(total.full);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in::FEW;
    use congestree_units::Span;

    #[test]
    fn a_port_without_a_free_queue_counts_while_it_has_none() {
        let window =
            MeasurementWindow { warm_up: Time::START, end: Time(100), bin: Span(50), sampling_interval: Span(50) };
        let mut series = IsolationSeries::new(window, FEW);
        let mut uses = |at, port, queues| {
            series.isolated(Time(at), InUse { port, host: false, lines: queues, queues, full: queues == 2 });
        };
        uses(10, 1, 1);
        uses(20, 1, 2);
        uses(40, 2, 2);
        uses(70, 1, 0);
        series.finish(Time(100));
        let cells = series.bins.column(|cell| (cell.full * 1e12).round() as u64);
        assert_eq!(cells, [40, 0, 70, 0]);
        assert_eq!(series.bins.column(|cell| cell.most_queues), [4, 0, 4, 0]);
        assert_eq!(series.bins.column(|cell| cell.taken), [4, 0, 0, 0]);
    }
}
