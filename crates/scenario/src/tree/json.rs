//! JSON to tree. Values have no positions; a syntax error has one.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{DEEPEST, TreeEntry, TreeNode, Value, too_deep};
use crate::diagnostic::{Diagnostic, name};

/// Reads a JSON file.
pub(super) fn parse(text: &str) -> Result<TreeNode, Diagnostic> {
    let node: TreeNode = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Diagnostic {
            file: None,
            path: String::new(),
            line: u32::try_from(error.line()).ok(),
            column: u32::try_from(error.column().max(1)).ok(),
            fact: format!("this is not JSON: {message}"),
            remedy: "look for a comma, a bracket or a quotation mark too many or too few just before".into(),
        }
    })?;
    if depth(&node) > DEEPEST {
        return Err(too_deep(None));
    }
    Ok(node)
}

fn depth(node: &TreeNode) -> usize {
    let inner = match &node.value {
        Value::List(items) => items.iter().map(depth).max(),
        Value::Table(entries) => entries.iter().map(|entry| depth(&entry.node)).max(),
        _ => None,
    };
    1 + inner.unwrap_or(0)
}

impl<'de> Deserialize<'de> for TreeNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(TreeNode::new)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value.into()))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Integer(value.into()))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }
    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::<TreeEntry>::new();
        let mut seen = std::collections::HashSet::new();
        while let Some((key, node)) = map.next_entry::<String, TreeNode>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format_args!("the key {} stands here twice", name(&key))));
            }
            entries.push(TreeEntry { key, place: None, node });
        }
        Ok(Value::Table(entries))
    }
}
