//! Puts a value into a scenario at a dotted path, creating tables on the way and changing choices.

use std::ops::Range;

use serde_json::Value as Json;

use crate::diagnostic::{RawDiagnostic, listed, name as name_of};
use crate::shape::nearest::nearest;
use crate::shape::schema::Alternatives;
use crate::shape::{joined, keys, resolve};
use crate::tree::{self, TreeEntry, TreeNode, Value};

/// A path that does not exist.
pub(super) struct Unknown {
    path: String,
    fact: String,
    remedy: String,
}

impl Unknown {
    /// As a diagnostic about the key in the sweep.
    pub(crate) fn placed_at(self, place: Option<Range<usize>>) -> RawDiagnostic {
        RawDiagnostic { path: format!("sweep.{}", self.path), place, fact: self.fact, remedy: self.remedy }
    }
}

/// Puts `value` at `path` in `tree`, if `schema` has such a path.
pub(super) fn put(schema: &Json, tree: &mut TreeNode, path: &str, value: TreeNode) -> Result<(), Unknown> {
    let mut way = Way { root: schema, path, done: String::new() };
    way.put(schema, tree, path, value)
}

struct Way<'a> {
    root: &'a Json,
    path: &'a str,
    /// The part of the path that was found.
    done: String,
}

impl Way<'_> {
    fn put(&mut self, schema: &Json, node: &mut TreeNode, rest: &str, value: TreeNode) -> Result<(), Unknown> {
        if rest.is_empty() {
            *node = value;
            return Ok(());
        }
        let schema = resolve(self.root, schema);
        let (key, rest) = rest.split_once('.').unwrap_or((rest, ""));
        let choices = Alternatives::of(schema);
        if !choices.names().is_empty() {
            let Some(inner) = choices.table(key) else { return self.unknown(key, choices.names()) };
            keep_only(node, key);
            return self.enter(inner, node, key, rest, value);
        }
        match (schema.get("type").and_then(Json::as_str), &mut node.value) {
            (Some("array"), Value::List(items)) => {
                let count = items.len();
                let inner = schema.get("items").unwrap_or(&Json::Null);
                match tree::entry(items, key).and_then(|i| items.get_mut(i)) {
                    Some(item) => {
                        self.done = joined(&self.done, key);
                        self.put(inner, item, rest, value)
                    }
                    None => {
                        let entries = if count == 1 { "is 1 entry".into() } else { format!("are {count} entries") };
                        let fact = format!("there is no {} in {}: there {entries}", name_of(key), name_of(&self.done));
                        self.fail(fact, "count entries from 0, or write their names".into())
                    }
                }
            }
            (Some("object"), _) => {
                let others = schema.get("additionalProperties").filter(|others| others.is_object());
                let known = schema.get("properties").and_then(|properties| properties.get(key)).or(others);
                let Some(inner) = known else { return self.unknown(key, keys(schema).collect()) };
                self.enter(inner, node, key, rest, value)
            }
            _ => {
                let fact = format!("{} has no keys within it", name_of(&self.done));
                self.fail(fact, "end the path there".into())
            }
        }
    }

    /// Continues below `key` of a table, which is created if it does not exist.
    fn enter(
        &mut self,
        schema: &Json,
        node: &mut TreeNode,
        key: &str,
        rest: &str,
        value: TreeNode,
    ) -> Result<(), Unknown> {
        self.done = joined(&self.done, key);
        if !matches!(node.value, Value::Table(_)) {
            node.value = Value::Table(Vec::new());
        }
        let Value::Table(entries) = &mut node.value else { return Ok(()) };
        let place = value.place.clone();
        let i = entries.iter().position(|entry| entry.key == key).unwrap_or_else(|| {
            let node = TreeNode { value: Value::Table(Vec::new()), place: place.clone() };
            entries.push(TreeEntry { key: key.to_owned(), place, node });
            entries.len() - 1
        });
        self.put(schema, &mut entries[i].node, rest, value)
    }

    fn unknown(&self, key: &str, names: Vec<&str>) -> Result<(), Unknown> {
        let place = if self.done.is_empty() { "a scenario".to_owned() } else { name_of(&self.done) };
        let remedy = match nearest(key, names.iter().copied()) {
            Some(near) => format!("did you mean {}?", name_of(&joined(&self.done, near))),
            None => format!("there are {}", listed(names)),
        };
        self.fail(format!("there is no {} in {place}", name_of(key)), remedy)
    }

    fn fail(&self, fact: String, remedy: String) -> Result<(), Unknown> {
        Err(Unknown { path: self.path.to_owned(), fact, remedy })
    }
}

/// Removes all other choices from a table.
fn keep_only(node: &mut TreeNode, key: &str) {
    match &mut node.value {
        Value::Table(entries) => entries.retain(|entry| entry.key == key),
        other => *other = Value::Table(Vec::new()),
    }
}
