//! Finite flows that have finished, one row a flow.

use crate::{Column, Completion, Names, Table};

/// One row a flow, in the order in which they finished.
pub(in crate::recorder) fn table(completions: &[Completion], names: &Names) -> Table {
    fn column<T>(completions: &[Completion], pick: impl Fn(&Completion) -> T) -> Vec<T> {
        completions.iter().map(pick).collect()
    }
    let c = completions;
    let fct = |x: &Completion| x.finished.since(x.created);
    let host = |id: u32| names.nodes[id as usize].clone();
    let slowdown = |x: &Completion| fct(x).0 as f64 / x.ideal.0.max(1) as f64;
    Table {
        name: "completions",
        columns: vec![
            Column::new(
                "number",
                "",
                "number of the flow, in the order in which they were made",
                column(c, |x| x.number),
            ),
            Column::new("flow", "", "id of its source's row in the table flows", column(c, |x| x.flow)),
            Column::new("class", "", "traffic entry", column(c, |x| names.classes[usize::from(x.class)].clone())),
            Column::new("source", "", "sending host", column(c, |x| host(x.source))),
            Column::new("destination", "", "receiving host", column(c, |x| host(x.destination))),
            Column::new("size", "B", "payload", column(c, |x| x.bytes)),
            Column::new("start", "s", "when its message was made", column(c, |x| x.created.as_secs())),
            Column::new("finish", "s", "when its last byte was in", column(c, |x| x.finished.as_secs())),
            Column::new("fct", "s", "flow completion time: finish - start", column(c, |x| fct(x).as_secs())),
            Column::new("ideal", "s", "the same on the idle fabric", column(c, |x| x.ideal.as_secs())),
            Column::new("slowdown", "", "fct over ideal", column(c, slowdown)),
            Column::new("packets", "", "data packets", column(c, |x| x.packets)),
            Column::new("marked", "", "data packets that arrived marked", column(c, |x| x.marked)),
        ],
    }
}
