//! The counts of a simulation, by the name of a column: `flows.rate`, `ports.waiting`.

use congestree_fabric::{Table, Values};

use crate::failure::{Answer, FailureKind};

/// A column by table and name.
fn column<'a>(tables: &'a [Table], name: &str) -> Answer<&'a Values> {
    let (table, column) = name.split_once('.').unwrap_or((name, ""));
    let found = tables.iter().find(|one| one.name == table).map(|one| &one.columns);
    let found = found.and_then(|columns| columns.iter().find(|one| one.name == column)).map(|one| &one.values);
    found.ok_or_else(|| {
        let known =
            tables.iter().flat_map(|table| table.columns.iter().map(|one| format!("{}.{}", table.name, one.name)));
        let known = known.collect::<Vec<_>>().join(", ");
        FailureKind::Argument.because(format!("there is no column {name:?}: name one of {known}"))
    })
}

/// The numbers of a column, row by row; true is 1.
pub(crate) fn numbers(tables: &[Table], name: &str) -> Answer<Vec<f64>> {
    match column(tables, name)? {
        Values::F64(all) => Ok(all.clone()),
        Values::U64(all) => Ok(all.iter().map(|&one| one as f64).collect()),
        Values::U32(all) => Ok(all.iter().map(|&one| f64::from(one)).collect()),
        Values::Bool(all) => Ok(all.iter().map(|&one| f64::from(u8::from(one))).collect()),
        Values::Text(_) | Values::Named(_) => {
            Err(FailureKind::Argument
                .because(format!("{name} has names, not numbers: ask with congestree_observe_name")))
        }
    }
}

/// The name in a row of a column.
pub(crate) fn name_in(tables: &[Table], name: &str, row: usize) -> Answer<String> {
    let found = match column(tables, name)? {
        Values::Text(all) => all.get(row).cloned(),
        Values::Named(all) => (row < all.rows()).then(|| all.name(row)),
        _ => {
            return Err(
                FailureKind::Argument.because(format!("{name} has numbers, not names: ask with congestree_observe"))
            );
        }
    };
    found.ok_or_else(|| FailureKind::Argument.because(format!("{name} has no row {row}: rows count from 0")))
}
