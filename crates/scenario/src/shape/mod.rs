//! The validator of the shape of a scenario: whether a tree of values fits the schema.
//!
//! It checks the tree against the JSON Schema that is generated from the types, reports everything that does not fit
//! (unknown and missing keys, wrong types, numbers without units, unknown choices, values out of range), and returns
//! the tree in the form that serde reads. It knows nothing of networks; [`resolve`](crate::resolve) does.

mod choice;
mod describe;
mod leaf;
pub(crate) mod nearest;
pub(crate) mod schema;

use std::ops::Range;

use serde_json::{Map, Value as Json};

use crate::diagnostic::{RawDiagnostic, listed, name as name_of};
use crate::tree::{TreeEntry, TreeNode, Value};
use describe::{described, example};
use schema::Alternatives;

/// Checks `tree` against `schema`: returns the tree in the form that serde reads, and everything that does not fit.
pub(crate) fn check(schema: &Json, tree: &TreeNode) -> (Json, Vec<RawDiagnostic>) {
    let mut walk = Walk { schema, diagnostics: Vec::new() };
    let value = walk.value(schema, tree, "");
    (value, walk.diagnostics)
}

/// `schema` itself, or the definition in `root` that it refers to.
pub(crate) fn resolve<'a>(root: &'a Json, schema: &'a Json) -> &'a Json {
    let target = schema.get("$ref").and_then(Json::as_str).and_then(|name| root.pointer(name.strip_prefix('#')?));
    target.unwrap_or(schema)
}

struct Walk<'a> {
    schema: &'a Json,
    diagnostics: Vec<RawDiagnostic>,
}

impl<'a> Walk<'a> {
    /// Adds a diagnostic; returns null, in place of a value that does not fit.
    fn report(&mut self, path: &str, place: &Option<Range<usize>>, fact: String, remedy: String) -> Json {
        self.diagnostics.push(RawDiagnostic { path: path.to_owned(), place: place.clone(), fact, remedy });
        Json::Null
    }

    fn value(&mut self, schema: &'a Json, node: &TreeNode, path: &str) -> Json {
        let schema = resolve(self.schema, schema);
        if schema.get("oneOf").or(schema.get("anyOf")).is_some() {
            return self.choice(schema, node, path);
        }
        match (schema.get("type").and_then(Json::as_str), &node.value) {
            (Some("object"), Value::Table(entries)) => self.table(schema, node, entries, path),
            (Some("array"), Value::List(items)) => self.list(schema, node, items, path),
            (Some("string"), Value::Text(text)) => self.text(schema, node, text, path),
            (Some("integer"), Value::Integer(number)) => self.integer(schema, node, *number, path),
            (Some("number"), Value::Integer(number)) => self.number(schema, node, *number as f64, path),
            (Some("number"), Value::Float(number)) => self.number(schema, node, *number, path),
            (Some("boolean"), Value::Bool(value)) => Json::Bool(*value),
            (None, _) => self.anything(node, path),
            _ => self.wrong_type(schema, node, path),
        }
    }

    fn table(&mut self, schema: &'a Json, node: &TreeNode, entries: &[TreeEntry], path: &str) -> Json {
        let properties = schema.get("properties").and_then(Json::as_object);
        let others =
            schema.get("additionalProperties").filter(|others| others.is_object() || **others == Json::Bool(true));
        let mut table = Map::new();
        for entry in entries.iter().filter(|entry| !matches!(entry.node.value, Value::Null)) {
            let inner = joined(path, &entry.key);
            match properties.and_then(|properties| properties.get(&entry.key)).or(others) {
                Some(schema) => {
                    let value = self.value(schema, &entry.node, &inner);
                    table.insert(entry.key.clone(), value);
                }
                None => self.unknown_key(schema, entry, path),
            }
        }
        for key in required(schema) {
            if table.contains_key(key) || near_miss(entries, properties, key) {
                continue;
            }
            let wanted = properties.and_then(|properties| properties.get(key)).unwrap_or(&Json::Null);
            let (what, example) = (described(self.schema, wanted), example(self.schema, wanted, key, path));
            let fact = format!("the key {} is missing; it holds {what}", name_of(key));
            self.report(&joined(path, key), &node.place, fact, example);
        }
        Json::Object(table)
    }

    fn unknown_key(&mut self, schema: &'a Json, entry: &TreeEntry, path: &str) {
        let keys: Vec<&str> = keys(schema).collect();
        let remedy = match nearest::nearest(&entry.key, keys.iter().copied()) {
            Some(near) => format!("did you mean {}?", name_of(near)),
            None => match self.home_of(&entry.key, path).or_else(|| self.deeper_home_of(&entry.key, schema)) {
                Some(home) => format!("{} belongs to {home}", name_of(&entry.key)),
                None if keys.is_empty() => "take it out; there are no keys here".into(),
                None => format!("keys here are {}", keys.join(", ")),
            },
        };
        let fact = format!("there is no key {} here", name_of(&entry.key));
        self.report(&joined(path, &entry.key), &entry.place, fact, remedy);
    }

    /// The section to which this key belongs, if it is in a wrong one.
    fn home_of(&self, key: &str, path: &str) -> Option<String> {
        let sections = self.schema.get("properties")?.as_object()?;
        let (mut homes, here) = (Vec::new(), path.split('.').next());
        for (name, section) in sections.iter().filter(|(name, _)| here != Some(name.as_str())) {
            let section = resolve(self.schema, section);
            let (section, name) = match section.get("items") {
                Some(items) => (resolve(self.schema, items), format!("[[{name}]]")),
                None => (section, format!("[{name}]")),
            };
            if keys(section).any(|other| other == key) {
                homes.push(name);
            }
        }
        (!homes.is_empty()).then(|| homes.join(" or "))
    }

    /// The part of this table that has this key: one of its own tables, or tables of its choices, as `load` belongs to
    /// arrivals.poisson.
    fn deeper_home_of(&self, key: &str, table: &'a Json) -> Option<String> {
        let mut homes = Vec::new();
        for (name, inner) in table.get("properties").and_then(Json::as_object).into_iter().flatten() {
            let inner = resolve(self.schema, inner);
            if keys(inner).any(|other| other == key) {
                homes.push(name.clone());
            }
            for (choice, inner) in Alternatives::of(inner).tables {
                if keys(resolve(self.schema, inner)).any(|other| other == key) {
                    homes.push(format!("{name}.{choice}"));
                }
            }
        }
        (!homes.is_empty()).then(|| listed(homes))
    }

    fn list(&mut self, schema: &'a Json, node: &TreeNode, items: &[TreeNode], path: &str) -> Json {
        let least = schema.get("minItems").and_then(Json::as_u64).unwrap_or(0);
        if (items.len() as u64) < least {
            let what = if least == 1 { "one entry".into() } else { format!("{least} entries") };
            let fact = if items.is_empty() { "the list is empty" } else { "the list is too short" };
            return self.report(path, &node.place, fact.into(), format!("write at least {what}"));
        }
        let inner = schema.get("items").filter(|inner| inner.is_object()).unwrap_or(&Json::Null);
        if let Some(numbers) = leaf::whole_numbers(resolve(self.schema, inner), items) {
            return numbers;
        }
        items.iter().enumerate().map(|(i, item)| self.value(inner, item, &joined(path, &i.to_string()))).collect()
    }

    fn anything(&mut self, node: &TreeNode, path: &str) -> Json {
        match &node.value {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Integer(number) => self.integer(&Json::Null, node, *number, path),
            Value::Float(number) => self.number(&Json::Null, node, *number, path),
            Value::Text(text) => Json::String(text.clone()),
            Value::Date(_) => self.wrong_type(&Json::Null, node, path),
            Value::List(items) => self.list(&Json::Null, node, items, path),
            Value::Table(entries) => {
                let inner = |walk: &mut Self, entry: &TreeEntry| {
                    (entry.key.clone(), walk.anything(&entry.node, &joined(path, &entry.key)))
                };
                Json::Object(entries.iter().map(|entry| inner(self, entry)).collect())
            }
        }
    }
}

/// `path.key`.
pub(crate) fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// The keys that a table of this schema may have.
pub(crate) fn keys(schema: &Json) -> impl Iterator<Item = &str> {
    schema.get("properties").and_then(Json::as_object).into_iter().flatten().map(|(key, _)| key.as_str())
}

/// The keys that a table of this schema must have.
pub(crate) fn required(schema: &Json) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str)
}

/// Whether a missing key is present but misspelt, so that one diagnostic is enough.
fn near_miss(entries: &[TreeEntry], properties: Option<&Map<String, Json>>, missing: &str) -> bool {
    let unknown = |key: &str| properties.is_none_or(|properties| !properties.contains_key(key));
    let all = || properties.into_iter().flatten().map(|(key, _)| key.as_str());
    entries.iter().any(|entry| unknown(&entry.key) && nearest::nearest(&entry.key, all()) == Some(missing))
}
