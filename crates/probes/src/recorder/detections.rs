//! Every root that an isolation scheme declares, beside what was offered to that output: is it really the bottleneck
//! that it is taken for?
//!
//! *Offered* and *capacity* count from the instant since which something has been requesting the output without a
//! break. Packets in a stopped set-aside queue request nothing until they may go again. An output that is offered more
//! than it can carry, from more than one input, is a bottleneck. Any other declared output has a queue for another
//! reason: flow control holds it, or its packets stand behind others.

use crate::{Column, Detection, Names, Table};

/// One row for each root; rows of the same instant are in the order of inputs.
pub(super) fn table(mut rows: Vec<Detection>, names: &Names) -> Table {
    rows.sort_by_key(|row| (row.at, row.input));
    let rows = &rows[..];
    let port = |id: u32| names.ports[id as usize].clone();
    Table {
        name: "detections",
        columns: vec![
            Column::each("time", "s", "when", rows, |row| row.at.as_secs()),
            Column::each("switch", "", "where", rows, |row| names.nodes[row.output as usize].clone()),
            Column::each("input", "", "link into the input that declares", rows, |row| port(row.input)),
            Column::each("output", "", "link out of the output declared a root", rows, |row| port(row.output)),
            Column::each("host", "", "the destination that it is blamed on", rows, |row| {
                names.nodes[row.destination as usize].clone()
            }),
            Column::each("held", "packets", "in the queue that has grown too long", rows, |row| row.held),
            Column::each("for_output", "packets", "of these, for the output declared", rows, |row| row.for_output),
            Column::each(
                "requesting",
                "packets",
                "that request that output at the switch: all that wait, but for queues that are stopped",
                rows,
                |row| row.requesting,
            ),
            Column::each("since", "s", "from when on something has been asking for it without a break", rows, |row| {
                row.since.as_secs()
            }),
            Column::each(
                "inputs",
                "",
                "at which something asks for it, or has crossed to it since then",
                rows,
                |row| row.inputs,
            ),
            Column::each("offered", "B", "what asks for it, or has crossed to it since then", rows, |row| row.offered),
            Column::each("capacity", "B", "what its link could have carried since then", rows, |row| row.capacity),
            Column::each("input_port", "", "port that sends into that input", rows, |row| row.input),
            Column::each("output_port", "", "port id of that output", rows, |row| row.output),
        ],
    }
}
