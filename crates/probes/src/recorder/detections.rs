//! Every root that an isolation scheme declares, beside what was offered to that output: is it really the bottleneck
//! that it is taken for?
//!
//! *Offered* and *capacity* count from the instant since which something has been requesting the output without a
//! break. Packets in a stopped set-aside queue request nothing until they may go again. An output that is offered more
//! than it can carry, from more than one input, is a bottleneck. Any other declared output has a queue for another
//! reason: flow control holds it, or its packets stand behind others.

use crate::built_in::{BuiltIn, NetworkSize};
use crate::{Column, Detection, MeasurementWindow, Names, Probe, Table};

/// One row for each root.
#[derive(Debug)]
pub(crate) struct Detections(Vec<Detection>);

impl BuiltIn for Detections {
    fn new(_window: MeasurementWindow, _size: NetworkSize) -> Self {
        Self(Vec::new())
    }

    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.0.extend(part.0);
    }
}

impl Probe for Detections {
    fn wants_detections(&self) -> bool {
        true
    }

    fn detected(&mut self, detection: Detection) {
        self.0.push(detection);
    }

    /// Rows of the same instant are in the order of inputs.
    fn tables(&mut self, names: &Names) -> Vec<Table> {
        self.0.sort_by_key(|row| (row.at, row.input));
        vec![table(&self.0, names)]
    }
}

fn table(rows: &[Detection], names: &Names) -> Table {
    let port = |id: u32| names.ports[id as usize].clone();
    Table {
        name: "detections",
        columns: vec![
            Column::each("time", "s", "when the root was declared", rows, |row| row.at.as_secs()),
            Column::each("switch", "", "switch of the output", rows, |row| names.nodes[row.output as usize].clone()),
            Column::each(
                "input",
                "",
                "link into the input that declares the root; parallel links share it: input_port tells them apart",
                rows,
                |row| port(row.input),
            ),
            Column::each(
                "output",
                "",
                "outgoing link of the output declared a root; parallel links share it: output_port tells them apart",
                rows,
                |row| port(row.output),
            ),
            Column::each("host", "", "destination that is blamed for it", rows, |row| {
                names.nodes[row.destination as usize].clone()
            }),
            Column::each("held", "packets", "data packets in the queue that has grown too long", rows, |row| row.held),
            Column::each("for_output", "packets", "of these, packets for the declared output", rows, |row| {
                row.for_output
            }),
            Column::each(
                "requesting",
                "packets",
                "data packets in the switch that request that output: all that wait for it, except those in stopped set-aside queues",
                rows,
                |row| row.requesting,
            ),
            Column::each("since", "s", "since when packets have requested that output without a break", rows, |row| {
                row.since.as_secs()
            }),
            Column::each(
                "inputs",
                "",
                "inputs at which packets request that output, or from which packets have crossed to it since then",
                rows,
                |row| row.inputs,
            ),
            Column::each(
                "offered",
                "B",
                "bytes that request that output, or have crossed to it since then",
                rows,
                |row| row.offered,
            ),
            Column::each("capacity", "B", "bytes that its link could have carried since then", rows, |row| {
                row.capacity
            }),
            Column::each("input_port", "", "port that sends into that input", rows, |row| row.input),
            Column::each("output_port", "", "port id of that output", rows, |row| row.output),
        ],
    }
}
