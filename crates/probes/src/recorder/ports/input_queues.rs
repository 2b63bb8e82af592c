//! What waits at every input for every output of its switch, at regular looks: with virtual output queues, this is the
//! memory that each queue takes; with any other queues, what such a queue would take. It shows which output hogs a
//! memory that queues share.

use std::collections::BTreeMap;

use congestree_units::Time;

use crate::trees::look::{Look, SOURCE};
use crate::{Column, Table};

/// Bytes that wait at an input for an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    at: Time,
    /// The channel that feeds the input, and the port that the bytes wait for, in whichever lanes they leave.
    input: u32,
    output: u32,
    bytes: u64,
}

/// What was seen so far.
#[derive(Debug)]
pub(in crate::recorder) struct InputQueues {
    lanes: u32,
    rows: Vec<Row>,
}

impl InputQueues {
    pub(in crate::recorder) fn new(lanes: usize) -> Self {
        Self { lanes: lanes as u32, rows: Vec::new() }
    }

    pub(in crate::recorder) fn seen(&mut self, look: &Look) {
        let mut held: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        for waiting in look.waiting.iter().filter(|waiting| waiting.buffer != SOURCE && !waiting.over) {
            *held.entry((waiting.buffer, waiting.output / self.lanes)).or_default() += waiting.bytes;
        }
        self.rows.extend(held.into_iter().map(|((input, output), bytes)| Row { at: look.at, input, output, bytes }));
    }

    pub(in crate::recorder) fn table(self) -> Table {
        let (rows, lanes) = (&self.rows, self.lanes);
        Table {
            name: "input_queue_series",
            columns: vec![
                Column::each("time", "s", "time of the sample", rows, |row| row.at.as_secs()),
                Column::each("input", "", "port that sends on the link into the input", rows, |row| row.input / lanes),
                Column::each("output", "", "port that sends on the link that the packets wait for", rows, |row| {
                    row.output
                }),
                Column::each("lane", "", "lane in which the packets came in", rows, |row| row.input % lanes),
                Column::each(
                    "bytes",
                    "B",
                    "bytes of data packets that wait at the input for the output, in set-aside queues too; packets being sent do not count",
                    rows,
                    |row| row.bytes,
                ),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;
    use crate::trees::look::Backlog;

    #[test]
    fn what_waits_at_an_input_is_told_by_output_in_all_its_lanes_and_what_has_not_left_its_host_is_not() {
        let waits = |buffer, output, flow, bytes| Backlog {
            buffer,
            output,
            flow,
            destination: flow,
            label: 0,
            bytes,
            front: output,
            over: false,
            stopped: false,
            fits: true,
        };
        let look = Look {
            at: Time(5_000_000),
            waiting: vec![waits(4, 8, 1, 100), waits(4, 10, 2, 7), waits(4, 9, 3, 50), waits(SOURCE, 0, 1, 900)],
            ..Look::default()
        };
        let mut queues = InputQueues::new(2);
        queues.seen(&look);
        let table = queues.table();
        assert_eq!(table.columns[0].values, Values::F64(vec![5e-6; 2]));
        assert_eq!(table.columns[1].values, Values::U32(vec![2, 2]));
        assert_eq!(table.columns[2].values, Values::U32(vec![4, 5]));
        assert_eq!(table.columns[4].values, Values::U64(vec![150, 7]));
    }
}
