//! What waits at every input for every output of its switch, at regular samples: with virtual output queues, this is the
//! memory that each queue takes; with any other queues, what such a queue would take. It shows which output hogs a
//! memory that queues share.

use std::collections::BTreeMap;

use congestree_units::Time;

use crate::built_in::{BuiltIn, NetworkSize, RecorderNeeds};
use crate::trees::sample::{FabricSample, NextChannels, SOURCE};
use crate::{Column, MeasurementWindow, Names, Probe, Table};

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
pub(crate) struct InputQueues {
    lanes: u32,
    rows: Vec<Row>,
}

impl BuiltIn for InputQueues {
    const NEEDS: RecorderNeeds = RecorderNeeds { samples: true, ..RecorderNeeds::NONE };

    fn new(_window: MeasurementWindow, size: NetworkSize) -> Self {
        Self { lanes: size.lanes as u32, rows: Vec::new() }
    }

    /// Samples are of the whole network.
    fn take_in(&mut self, _part: Self, _sends: &dyn Fn(u32) -> bool) {}
}

impl Probe for InputQueues {
    fn sampled(&mut self, sample: &FabricSample, _routes: &dyn NextChannels) {
        let mut held: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        for waiting in sample.waiting.iter().filter(|waiting| waiting.buffer != SOURCE && !waiting.over) {
            *held.entry((waiting.buffer, waiting.output / self.lanes)).or_default() += waiting.bytes;
        }
        self.rows.extend(held.into_iter().map(|((input, output), bytes)| Row { at: sample.at, input, output, bytes }));
    }

    fn tables(&mut self, _names: &Names) -> Vec<Table> {
        let (rows, lanes) = (&self.rows, self.lanes);
        vec![Table {
            name: "input_queue_series",
            columns: vec![
                Column::each("time", "s", "time of the sample", rows, |row| row.at.as_secs()),
                Column::each("input_port", "", "port that sends on the link into the input", rows, |row| {
                    row.input / lanes
                }),
                Column::each("output_port", "", "port that sends on the link that the packets wait for", rows, |row| {
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
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;
    use crate::built_in::shown;
    use crate::trees::sample::Backlog;

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
        let sample = FabricSample {
            at: Time(5_000_000),
            waiting: vec![waits(4, 8, 1, 100), waits(4, 10, 2, 7), waits(4, 9, 3, 50), waits(SOURCE, 0, 1, 900)],
            ..FabricSample::default()
        };
        let [table] = &shown::<InputQueues>(2, &sample)[..] else { panic!("one table") };
        assert_eq!(table.columns[0].values, Values::F64(vec![5e-6; 2]));
        assert_eq!(table.columns[1].values, Values::U32(vec![2, 2]));
        assert_eq!(table.columns[2].values, Values::U32(vec![4, 5]));
        assert_eq!(table.columns[4].values, Values::U64(vec![150, 7]));
    }
}
