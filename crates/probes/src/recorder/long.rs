//! Tables that grow with the run, with a row for every event of a kind: their rows are handed over during the run.

use super::Recorder;
use super::flows::{deliveries, messages, transfers, transport};
use super::ports::pauses;
use crate::{Names, Table};

/// At least this many rows are handed over at a time: a few megabytes.
pub(super) const BATCH: usize = 1 << 15;

/// The first of these tables that has enough rows; they are removed from the recorder.
pub(super) fn batch(recorder: &mut Recorder, names: &Names) -> Option<Table> {
    let r = recorder;
    let completions = r.facts.completions.as_mut();
    completions
        .and_then(|completions| completions.batch(names))
        .or_else(|| full(r.pauses.as_mut().map(|pauses| &mut pauses.log)).map(|rows| pauses::event_table(&rows, names)))
        .or_else(|| full(r.facts.messages.as_mut()).map(|rows| messages::message_table(&rows, names)))
        .or_else(|| {
            full(r.facts.transfers.as_mut().map(|transfers| &mut transfers.rows))
                .map(|rows| transfers::table(&rows, names))
        })
        .or_else(|| {
            r.transport
                .as_mut()
                .and_then(|rows| transport::older(rows, BATCH))
                .map(|rows| transport::state_table(&rows))
        })
        .or_else(|| full(r.facts.deliveries.as_mut()).map(deliveries::delivery_table))
        .or_else(|| r.listed.iter_mut().find_map(|listed| listed.batch(names)))
}

/// The rows, if there are enough of them.
fn full<T>(rows: Option<&mut Vec<T>>) -> Option<Vec<T>> {
    rows.filter(|rows| rows.len() >= BATCH).map(std::mem::take)
}
