//! Result tables: columns with a name, a unit and a meaning.

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
