//! What a schema allows: the alternatives of a choice, the range of a number.

use serde_json::Value as Json;

/// The alternatives of a choice, by the way they are written.
#[derive(Debug, Default)]
pub(crate) struct Alternatives<'a> {
    /// Names that may stand alone.
    pub words: Vec<&'a str>,
    /// Names that may be the key of a table, and what is in that table.
    pub tables: Vec<(&'a str, &'a Json)>,
    /// Values that are not names.
    pub others: Vec<&'a Json>,
    /// All names, each once, in the order of the schema.
    names: Vec<&'a str>,
}

impl<'a> Alternatives<'a> {
    /// The alternatives of a schema that has `oneOf` or `anyOf`; none for others.
    pub(crate) fn of(schema: &'a Json) -> Self {
        let mut found = Self::default();
        let list = schema.get("oneOf").or(schema.get("anyOf")).and_then(Json::as_array);
        for alternative in list.into_iter().flatten() {
            let mut properties = alternative.get("properties").and_then(Json::as_object).into_iter().flatten();
            if let Some(word) = alternative.get("const").and_then(Json::as_str) {
                found.words.push(word);
                found.note(word);
            } else if let (Some((key, inner)), None) = (properties.next(), properties.next()) {
                found.tables.push((key, inner));
                found.note(key);
            } else {
                found.others.push(alternative);
            }
        }
        found
    }

    fn note(&mut self, name: &'a str) {
        if !self.names.contains(&name) {
            self.names.push(name);
        }
    }

    /// All names, each once, in the order of the schema.
    pub(crate) fn names(&self) -> Vec<&'a str> {
        self.names.clone()
    }

    /// The content of the table of this name.
    pub(crate) fn table(&self, name: &str) -> Option<&'a Json> {
        self.tables.iter().find(|(key, _)| *key == name).map(|&(_, inner)| inner)
    }
}

/// A name without parameters: its table is always empty, and serde knows it by the bare name.
pub(crate) fn is_bare(inner: &Json) -> bool {
    inner.get("maxProperties").and_then(Json::as_u64) == Some(0)
}

/// Smallest and largest whole number that a schema allows.
pub(super) fn whole_range(schema: &Json) -> (i128, i128) {
    let format = schema.get("format").and_then(Json::as_str).unwrap_or_default();
    let (least, most) = match format {
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint64" | "uint" => (0, u64::MAX.into()),
        _ => (i64::MIN.into(), u64::MAX.into()),
    };
    let bound = |key| schema.get(key).and_then(Json::as_i64).map(i128::from);
    (bound("minimum").map_or(least, |bound| bound.max(least)), bound("maximum").map_or(most, |bound| bound.min(most)))
}
