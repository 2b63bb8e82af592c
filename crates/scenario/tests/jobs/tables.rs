//! Columns of the tables of a run.

use congestree_fabric::{Outcome, Values};

fn values<'a>(outcome: &'a Outcome, table: &str, column: &str) -> &'a Values {
    let found = outcome.tables.iter().find(|one| one.name == table).unwrap_or_else(|| panic!("no table {table}"));
    let found = found.columns.iter().find(|one| one.name == column);
    &found.unwrap_or_else(|| panic!("{table} has no column {column}")).values
}

/// A column of whole numbers.
pub fn numbers(outcome: &Outcome, table: &str, column: &str) -> Vec<u64> {
    match values(outcome, table, column) {
        Values::U64(values) => values.clone(),
        Values::U32(values) => values.iter().map(|&value| u64::from(value)).collect(),
        other => panic!("{table}.{column} are no whole numbers: {other:?}"),
    }
}

/// A column of times, in picoseconds; they must not be nan.
pub fn picoseconds(outcome: &Outcome, table: &str, column: &str) -> Vec<u64> {
    match values(outcome, table, column) {
        Values::F64(values) => values
            .iter()
            .map(|&seconds| {
                assert!(seconds.is_finite(), "{table}.{column}");
                (seconds * 1e12).round() as u64
            })
            .collect(),
        other => panic!("{table}.{column} are no times: {other:?}"),
    }
}

/// Rows of a table.
pub fn rows(outcome: &Outcome, table: &str) -> usize {
    match &outcome.tables.iter().find(|one| one.name == table).unwrap_or_else(|| panic!("no table {table}")).columns[0]
        .values
    {
        Values::F64(values) => values.len(),
        Values::U64(values) => values.len(),
        Values::U32(values) => values.len(),
        Values::Bool(values) => values.len(),
        Values::Text(values) => values.len(),
        Values::Named(named) => named.rows(),
    }
}
