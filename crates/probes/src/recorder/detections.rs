//! Every root that an isolation scheme declares, beside what the output declared was offered: is it the bottleneck that it
//! is taken for?
//!
//! *Offered* and *capacity* count from the instant from which something has been waiting for the output without a break, in
//! normal queues: what is set aside may be stopped, and counts when it crosses.
//! An output that is offered more than it can carry is a bottleneck; one that is not has a queue for another reason: flow
//! control holds it, or its packets stand behind others.

use crate::{Column, Detection, Names, Table};

pub(super) fn table(rows: &[Detection], names: &Names) -> Table {
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
            Column::each("theirs", "packets", "of these, for the output declared", rows, |row| row.theirs),
            Column::each("waiting", "packets", "for that output in all normal queues of the switch", rows, |row| {
                row.waiting
            }),
            Column::each(
                "since",
                "s",
                "from when on something has been waiting for it there without a break",
                rows,
                |row| row.since.as_secs(),
            ),
            Column::each(
                "offered",
                "B",
                "what came for it since then; what is set aside counts when it crosses",
                rows,
                |row| row.offered,
            ),
            Column::each("capacity", "B", "what its link could have carried since then", rows, |row| row.capacity),
        ],
    }
}
