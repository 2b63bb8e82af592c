//! Result tables: columns with a name, a unit and a meaning.

use std::sync::Arc;

/// The meaning of a column `name` beside a column `port`.
pub const LINK_NAME: &str = "from->to; parallel links share it: port tells them apart";

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its columns, all of one length.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// The unit of its values; "" for names and counts without one.
    pub unit: &'static str,
    /// What its values mean.
    pub meaning: &'static str,
    /// One value a row.
    pub values: Values,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Real numbers.
    F64(Vec<f64>),
    /// Large counts and times.
    U64(Vec<u64>),
    /// Ids and counts.
    U32(Vec<u32>),
    /// Yes or no.
    Bool(Vec<bool>),
    /// Names.
    Text(Vec<String>),
    /// Names that repeat many times.
    Named(Named),
}

/// A column of names from a list, or of several such names joined by "->". A large network has a flow for every pair of
/// hosts, so names are only made when they are needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The list.
    pub list: Arc<[String]>,
    /// By part of a name, then by row: the place in the list.
    pub parts: Vec<Vec<u32>>,
}

impl Table {
    /// Keeps the rows that have a value for which `keep` holds in a column of ids; other tables stay as they are.
    pub fn keep(&mut self, column: &str, keep: impl Fn(u32) -> bool) {
        let found = self.columns.iter().find(|one| one.name == column);
        let Some(Values::U32(ids)) = found.map(|one| &one.values) else { return };
        let kept: Vec<bool> = ids.iter().map(|&id| keep(id)).collect();
        if kept.contains(&false) {
            self.columns.iter_mut().for_each(|one| one.values.keep(&kept));
        }
    }
}

impl Values {
    /// Keeps these rows.
    fn keep(&mut self, kept: &[bool]) {
        fn of<T>(values: &mut Vec<T>, kept: &[bool]) {
            let mut row = kept.iter();
            values.retain(|_| *row.next().expect("columns of a table have one length"));
        }
        match self {
            Values::F64(values) => of(values, kept),
            Values::U64(values) => of(values, kept),
            Values::U32(values) => of(values, kept),
            Values::Bool(values) => of(values, kept),
            Values::Text(values) => of(values, kept),
            Values::Named(named) => named.parts.iter_mut().for_each(|part| of(part, kept)),
        }
    }
}

impl Named {
    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.parts.first().map_or(0, Vec::len)
    }

    /// The name in a row.
    pub fn name(&self, row: usize) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|part| self.list[part[row] as usize].as_str()).collect();
        parts.join("->")
    }

    /// All names, row by row.
    pub fn names(&self) -> Vec<String> {
        (0..self.rows()).map(|row| self.name(row)).collect()
    }
}

impl Column {
    /// A column of these values.
    pub fn new(name: &'static str, unit: &'static str, meaning: &'static str, values: impl Into<Values>) -> Self {
        Self { name, unit, meaning, values: values.into() }
    }

    /// A column with a value of each of these rows.
    pub fn each<R, V>(
        name: &'static str,
        unit: &'static str,
        meaning: &'static str,
        rows: &[R],
        value: impl Fn(&R) -> V,
    ) -> Self
    where
        Vec<V>: Into<Values>,
    {
        Self::new(name, unit, meaning, rows.iter().map(value).collect::<Vec<V>>())
    }
}

macro_rules! values_from {
    ($($type:ty => $variant:ident),+) => {
        $(impl From<Vec<$type>> for Values {
            fn from(values: Vec<$type>) -> Self {
                Values::$variant(values)
            }
        })+
    };
}
values_from!(f64 => F64, u64 => U64, u32 => U32, bool => Bool, String => Text);

impl From<Named> for Values {
    fn from(named: Named) -> Self {
        Values::Named(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_of_their_parts() {
        let list: Arc<[String]> = ["a", "b", "*"].map(String::from).into();
        let one = Named { list: list.clone(), parts: vec![vec![2, 0]] };
        let two = Named { list, parts: vec![vec![0, 1], vec![1, 2]] };
        assert_eq!((one.names(), two.names()), (vec!["*".into(), "a".into()], vec!["a->b".into(), "b->*".into()]));
    }

    #[test]
    fn rows_are_kept_by_their_ids_in_every_column() {
        let named = Named { list: ["a", "b", "c"].map(String::from).into(), parts: vec![vec![0, 1, 2], vec![2, 1, 0]] };
        let id = Column::new("id", "", "", vec![5_u32, 6, 7]);
        let mut table = Table { name: "t", columns: vec![id, Column::new("name", "", "", named)] };
        table.keep("other", |_| false);
        table.keep("id", |id| id != 6);
        let [id, name] = &table.columns[..] else { panic!("two columns") };
        assert_eq!(id.values, Values::U32(vec![5, 7]));
        assert!(matches!(&name.values, Values::Named(named) if named.names() == ["a->c", "c->a"]));
    }
}
