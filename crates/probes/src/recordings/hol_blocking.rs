//! Head-of-line blocking inside a switch ("low order"): how many packets stand behind packets for another output and
//! for how long, by the class of the waiting packet and the class of those in front of it.

use std::any::Any;
use std::collections::BTreeMap;

use congestree_units::{Span, Time};

use crate::{BlockedBehind, Column, MeasurementWindow, Names, Probe, Table};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell {
    packets: u64,
    time: Span,
}

/// Records by bin, class, and class in front.
#[derive(Debug)]
pub(super) struct HolBlocking {
    bin: Span,
    cells: BTreeMap<(u64, u16, u16), Cell>,
}

impl HolBlocking {
    pub(super) fn new(window: MeasurementWindow) -> Self {
        Self { bin: Span(window.bin.0.max(1)), cells: BTreeMap::new() }
    }
}

impl Probe for HolBlocking {
    fn wants_hol_blocking(&self) -> bool {
        true
    }

    fn blocked_behind(&mut self, stood: BlockedBehind) {
        let cell = self.cells.entry((stood.at.0 / self.bin.0, stood.class, stood.front)).or_default();
        cell.packets += 1;
        cell.time = cell.time + stood.time;
    }

    fn adds_up(&self) -> bool {
        true
    }

    fn take_in_part(&mut self, part: &dyn Any) {
        let Some(part) = part.downcast_ref::<Self>() else { return };
        for (key, cell) in &part.cells {
            let sum = self.cells.entry(*key).or_default();
            sum.packets += cell.packets;
            sum.time = sum.time + cell.time;
        }
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        let rows: Vec<((u64, u16, u16), Cell)> = std::mem::take(&mut self.cells).into_iter().collect();
        let (rows, bin) = (&rows[..], self.bin.0);
        let class = |id: u16| names.classes[usize::from(id)].clone();
        vec![Table {
            name: "hol_blocking",
            columns: vec![
                Column::each("time", "s", "start of the bin in which the packets left their queue", rows, |row| {
                    Time(row.0.0 * bin).as_secs()
                }),
                Column::each("class", "", "traffic class of the packets that waited behind others", rows, |row| {
                    class(row.0.1)
                }),
                Column::each(
                    "blocked_by",
                    "",
                    "traffic class of the packets at the head of the queue, which were for another output",
                    rows,
                    |row| class(row.0.2),
                ),
                Column::each(
                    "packets",
                    "packets",
                    "number of packets that waited; a packet counts once in each queue",
                    rows,
                    |row| row.1.packets,
                ),
                Column::each("waited", "s", "total time that these packets waited behind the others", rows, |row| {
                    row.1.time.as_secs()
                }),
            ],
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;

    #[test]
    fn packets_count_by_bin_class_and_whom_they_stood_behind() {
        let window =
            MeasurementWindow { warm_up: Time::START, end: Time(100), bin: Span(50), sampling_interval: Span(50) };
        let mut blocking = HolBlocking::new(window);
        for (at, front, time) in [(10, 1, 4), (20, 1, 6), (30, 0, 1), (60, 1, 2)] {
            blocking.blocked_behind(BlockedBehind { at: Time(at), class: 0, front, time: Span(time) });
        }
        let names = Names { classes: vec!["cold".into(), "hot".into()], ..Names::default() };
        let table = blocking.tables(&names).remove(0);
        assert_eq!(table.columns[2].values, Values::Text(vec!["cold".into(), "hot".into(), "hot".into()]));
        assert_eq!(table.columns[3].values, Values::U64(vec![1, 2, 1]));
        assert_eq!(table.columns[4].values, Values::F64(vec![1e-12, 10e-12, 2e-12]));
    }
}
