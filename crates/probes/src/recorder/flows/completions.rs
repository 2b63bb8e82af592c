//! Finite flows that have finished, one row for each flow.

use congestree_units::Time;

use crate::built_in::{BuiltIn, NetworkSize};
use crate::recorder::long::BATCH;
use crate::{Column, Completion, MeasurementWindow, Names, Probe, Table};

/// Flows that have finished, and what has been acknowledged of each. The two ends of a flow report these facts: the
/// flow has finished at the receiver before the last ACK reaches the source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Completions {
    /// In the order in which they finished.
    rows: Vec<Completion>,
    /// For flows of which not all is known to be acknowledged: what their sources have heard, by the id under which
    /// they ran. Few flows at a time share an id: one begins when the last ACK of another may still be under way.
    acked: Vec<Vec<Acked>>,
    /// This many rows from the first on will not change any more.
    settled: usize,
}

/// What a source has heard of a flow.
#[derive(Clone, Copy, Debug)]
struct Acked {
    /// When the flow began.
    created: Time,
    packets: u64,
    last: Time,
}

impl BuiltIn for Completions {
    fn new(_window: MeasurementWindow, _size: NetworkSize) -> Self {
        Self::default()
    }

    /// A host belongs to one part and has one link, so no two flows
    /// finish there in the same instant.
    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.rows.extend(part.rows);
        self.rows.sort_by_key(|flow| (flow.finished, flow.destination));
        for (record, flows) in (0..).zip(part.acked).filter(|(_, flows)| !flows.is_empty()) {
            self.flows_with(record).extend(flows);
        }
    }
}

impl Probe for Completions {
    fn completed(&mut self, row: Completion) {
        self.rows.push(row);
    }

    fn acknowledged(&mut self, at: Time, record: u32, created: Time, packets: u32) {
        let flows = self.flows_with(record);
        let place = flows.iter().rposition(|flow| flow.created == created).unwrap_or_else(|| {
            flows.push(Acked { created, packets: 0, last: at });
            flows.len() - 1
        });
        flows[place].packets += u64::from(packets);
        flows[place].last = at;
    }

    /// A table of the first rows, if enough of them will not change any more.
    fn batch(&mut self, names: &Names) -> Option<Table> {
        while self.rows.get(self.settled).is_some_and(|row| !row.acked || self.done(row).is_some()) {
            self.settled += 1;
        }
        (self.settled >= BATCH).then(|| self.first(self.settled, names))
    }

    /// A table of the remaining rows.
    fn tables(&mut self, names: &Names) -> Vec<Table> {
        vec![self.first(self.rows.len(), names)]
    }
}

impl Completions {
    /// What has been heard of the flows that ran under an id.
    fn flows_with(&mut self, record: u32) -> &mut Vec<Acked> {
        let place = record as usize;
        if self.acked.len() <= place {
            self.acked.resize_with(place + 1, Vec::new);
        }
        &mut self.acked[place]
    }

    /// When the last packet of a flow was acknowledged, if all packets are.
    fn done(&self, row: &Completion) -> Option<Time> {
        let acked = self.acked.get(row.record as usize)?.iter().find(|flow| flow.created == row.created)?;
        (acked.packets >= row.packets).then_some(acked.last)
    }

    /// Removes the first rows and returns them as a table.
    fn first(&mut self, count: usize, names: &Names) -> Table {
        let rows: Vec<Completion> = self.rows.drain(..count).collect();
        self.settled = 0;
        let acked: Vec<f64> = rows.iter().map(|row| self.done(row).map_or(f64::NAN, Time::as_secs)).collect();
        for row in &rows {
            if let Some(flows) = self.acked.get_mut(row.record as usize) {
                flows.retain(|flow| flow.created != row.created);
            }
        }
        let mut table = table(&rows, names);
        let meaning = "when the last of its packets was acknowledged at its source; nan if packets are not acknowledged, or not before the end of the run";
        table.columns.push(Column::new("acknowledged", "s", meaning, acked));
        table
    }
}

/// One row for each flow, without what its source has heard.
fn table(completions: &[Completion], names: &Names) -> Table {
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
                "number of the flow, in the order in which flows were created",
                column(c, |x| x.number),
            ),
            Column::new("flow", "", "id of the row of its source in the table flows", column(c, |x| x.flow)),
            Column::new("class", "", "traffic entry", column(c, |x| names.classes[usize::from(x.class)].clone())),
            Column::new("source", "", "sending host", column(c, |x| host(x.source))),
            Column::new("destination", "", "receiving host", column(c, |x| host(x.destination))),
            Column::new("size", "B", "payload", column(c, |x| x.bytes)),
            Column::new("created", "s", "when its message was created", column(c, |x| x.created.as_secs())),
            Column::new("finished", "s", "when its last byte arrived", column(c, |x| x.finished.as_secs())),
            Column::new("fct", "s", "flow completion time: finished - created", column(c, |x| fct(x).as_secs())),
            Column::new("ideal", "s", "flow completion time on the idle fabric", column(c, |x| x.ideal.as_secs())),
            Column::new("slowdown", "", "fct divided by ideal", column(c, slowdown)),
            Column::new("packets", "", "data packets", column(c, |x| x.packets)),
            Column::new("marked", "", "data packets that arrived marked", column(c, |x| x.marked)),
        ],
    }
}
