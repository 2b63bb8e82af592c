//! Columns of the tables of a run, and deliveries as records.

use congestree_fabric::{Outcome, Table, Values};

/// A delivered data packet; times in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delivered {
    pub flow: u64,
    pub sequence: u64,
    pub time: u64,
    pub injected: u64,
    pub created: u64,
    pub bytes: u64,
    pub marked: u64,
}

/// The table of this name.
pub(crate) fn named<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
    outcome.tables.iter().find(|table| table.name == name).unwrap_or_else(|| panic!("there is no table {name}"))
}

fn values<'a>(outcome: &'a Outcome, table: &str, column: &str) -> &'a Values {
    let found = named(outcome, table).columns.iter().find(|one| one.name == column);
    &found.unwrap_or_else(|| panic!("{table} has no column {column}")).values
}

/// Whether tables are indistinguishable: the same names, columns and units, and the same bits in all rows. A value that
/// is no number must be so in both.
pub(crate) fn same_tables(some: &[Table], others: &[Table]) -> bool {
    let same = |one: f64, other: f64| one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan();
    let same_values = |some: &Values, others: &Values| match (some, others) {
        (Values::F64(some), Values::F64(others)) => {
            some.len() == others.len() && some.iter().zip(others).all(|(&one, &other)| same(one, other))
        }
        (some, others) => some == others,
    };
    let same_columns = |some: &Table, others: &Table| {
        some.columns.len() == others.columns.len()
            && some.columns.iter().zip(&others.columns).all(|(one, other)| {
                (one.name, one.unit, one.meaning) == (other.name, other.unit, other.meaning)
                    && same_values(&one.values, &other.values)
            })
    };
    some.len() == others.len()
        && some.iter().zip(others).all(|(one, other)| one.name == other.name && same_columns(one, other))
}

/// A column of whole numbers (or of yes and no).
pub(crate) fn numbers(outcome: &Outcome, table: &str, column: &str) -> Vec<u64> {
    match values(outcome, table, column) {
        Values::U64(values) => values.clone(),
        Values::U32(values) => values.iter().map(|&value| u64::from(value)).collect(),
        Values::Bool(values) => values.iter().map(|&value| u64::from(value)).collect(),
        other => panic!("{table}.{column} are no whole numbers: {other:?}"),
    }
}

/// A column of real numbers.
pub(crate) fn reals(outcome: &Outcome, table: &str, column: &str) -> Vec<f64> {
    match values(outcome, table, column) {
        Values::F64(values) => values.clone(),
        other => panic!("{table}.{column} are no real numbers: {other:?}"),
    }
}

/// A column of times, in picoseconds; they must not be nan.
pub(crate) fn picoseconds(outcome: &Outcome, table: &str, column: &str) -> Vec<u64> {
    let rounded = |seconds: f64| {
        assert!(seconds.is_finite(), "{table}.{column}");
        (seconds * 1e12).round() as u64
    };
    reals(outcome, table, column).into_iter().map(rounded).collect()
}

/// A column of names.
pub(crate) fn texts(outcome: &Outcome, table: &str, column: &str) -> Vec<String> {
    match values(outcome, table, column) {
        Values::Text(values) => values.clone(),
        Values::Named(named) => named.names(),
        other => panic!("{table}.{column} are no names: {other:?}"),
    }
}

/// All deliveries, in order.
pub(crate) fn deliveries(outcome: &Outcome) -> Vec<Delivered> {
    let column = |name| numbers(outcome, "deliveries", name);
    let (flow, sequence, time) = (column("flow"), column("sequence"), column("time_ps"));
    let (injected, created) = (column("injected_ps"), column("created_ps"));
    let (bytes, marked) = (column("bytes"), column("marked"));
    let each = (0..flow.len()).map(|i| Delivered {
        flow: flow[i],
        sequence: sequence[i],
        time: time[i],
        injected: injected[i],
        created: created[i],
        bytes: bytes[i],
        marked: marked[i],
    });
    each.collect()
}

/// Rows of a table.
pub(crate) fn rows(outcome: &Outcome, table: &str) -> usize {
    match &named(outcome, table).columns[0].values {
        Values::F64(values) => values.len(),
        Values::U64(values) => values.len(),
        Values::U32(values) => values.len(),
        Values::Bool(values) => values.len(),
        Values::Text(values) => values.len(),
        Values::Named(named) => named.rows(),
    }
}

/// A number of the summary.
pub(crate) fn summary(outcome: &Outcome, name: &str) -> f64 {
    let at = texts(outcome, "summary", "name").iter().position(|one| one == name).expect("the summary has it");
    reals(outcome, "summary", "value")[at]
}
