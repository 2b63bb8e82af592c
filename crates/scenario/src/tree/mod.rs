//! A file as a tree of values with their positions, whether it was TOML or JSON.

mod json;
mod toml;

use std::ops::Range;

use crate::Format;
use crate::diagnostic::Diagnostic;

/// A value and its place.
#[derive(Clone, Debug)]
pub(crate) struct TreeNode {
    /// The value itself.
    pub value: Value,
    /// Bytes of the text that it came from; `None` in JSON.
    pub place: Option<Range<usize>>,
}

/// A value that can be written in a file.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    /// A date or time, which no key accepts.
    Date(String),
    List(Vec<TreeNode>),
    /// Entries in the order of the file.
    Table(Vec<TreeEntry>),
}

/// A key with its value.
#[derive(Clone, Debug)]
pub(crate) struct TreeEntry {
    pub key: String,
    /// Bytes of the text at which the key stands.
    pub place: Option<Range<usize>>,
    pub node: TreeNode,
}

/// Reads a whole file. The diagnostic is about its syntax.
pub(crate) fn parse(text: &str, format: Format) -> Result<TreeNode, Diagnostic> {
    match format {
        Format::Toml => toml::parse(text),
        Format::Json => json::parse(text),
    }
}

/// The largest nesting of tables and lists; the format needs eight levels.
const DEEPEST: usize = 40;

fn too_deep(place: Option<(u32, u32)>) -> Diagnostic {
    Diagnostic {
        file: None,
        path: String::new(),
        line: place.map(|(line, _)| line),
        column: place.map(|(_, column)| column),
        fact: format!("tables and lists are nested more than {DEEPEST} levels deep"),
        remedy: "no scenario needs that; look for a bracket or a dot too many".into(),
    }
}

/// The index of an entry of a list, which goes by its number (from 0) or, if it has one, by its `name`.
pub(crate) fn entry(items: &[TreeNode], key: &str) -> Option<usize> {
    let named = |item: &TreeNode| {
        let Value::Table(entries) = &item.value else { return false };
        entries.iter().any(|entry| entry.key == "name" && matches!(&entry.node.value, Value::Text(name) if name == key))
    };
    key.parse::<usize>().ok().filter(|&i| i < items.len()).or_else(|| items.iter().position(named))
}

impl TreeNode {
    /// A value without a position.
    pub(crate) fn new(value: Value) -> Self {
        TreeNode { value, place: None }
    }

    /// The value below this table or list at a key, index, or name of an entry.
    pub(crate) fn get(&self, key: &str) -> Option<&TreeNode> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node),
            Value::List(items) => items.get(entry(items, key)?),
            _ => None,
        }
    }

    /// The position of the value at this path or, if it is not in the file, of the innermost table around it that is.
    pub(crate) fn nearest(&self, path: &str) -> Option<Range<usize>> {
        let mut node = self;
        let mut place = self.place.clone();
        for key in path.split('.').filter(|key| !key.is_empty()) {
            match node.get(key) {
                Some(inner) => node = inner,
                None => break,
            }
            place = node.place.clone().or(place);
        }
        place
    }

    /// Whether there is a value at this path.
    pub(crate) fn has(&self, path: &str) -> bool {
        let way = path.split('.').try_fold(self, |node, key| node.get(key));
        way.is_some()
    }

    /// The value in words, for messages: `the number 4`, `a table`.
    pub(crate) fn described(&self) -> String {
        match &self.value {
            Value::Null => "null".into(),
            Value::Bool(value) => value.to_string(),
            Value::Integer(value) => format!("the number {value}"),
            Value::Float(value) => format!("the number {value:?}"),
            Value::Text(text) => crate::diagnostic::quoted(text),
            Value::Date(text) => format!("the date {text}"),
            Value::List(_) => "a list".into(),
            Value::Table(_) => "a table".into(),
        }
    }
}

/// Line and column of a byte of a text, both from 1, columns in characters.
pub(crate) fn line_and_column(text: &str, byte: usize) -> (u32, u32) {
    let byte = (0..=byte.min(text.len())).rev().find(|&b| text.is_char_boundary(b)).unwrap_or(0);
    let before = &text[..byte];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() as u32 + 1, before[start..].chars().count() as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_give_the_same_tree() {
        let toml = parse("b = 1\na.c = [1.5, \"x\", true]\n", Format::Toml).unwrap();
        let json = parse(r#"{"b": 1, "a": {"c": [1.5, "x", true]}}"#, Format::Json).unwrap();
        for tree in [&toml, &json] {
            assert!(matches!(tree.get("b").unwrap().value, Value::Integer(1)));
            assert!(
                matches!(tree.get("a").unwrap().get("c").unwrap().get("0").unwrap().value, Value::Float(x) if x == 1.5)
            );
        }
        assert_eq!(toml.nearest("a.c.1"), Some(18..21));
        assert_eq!(toml.nearest("a.d.e"), Some(6..7));
    }

    #[test]
    fn columns_are_counted_in_characters() {
        assert_eq!(line_and_column("é = 1\nµs = 2", 11), (2, 4));
        assert_eq!(line_and_column("", 7), (1, 1));
    }

    #[test]
    fn a_key_twice_is_a_diagnostic_in_both_formats() {
        let diagnostic = parse("a = 1\na = 2\n", Format::Toml).unwrap_err();
        assert_eq!((diagnostic.line, diagnostic.column), (Some(2), Some(1)));
        assert!(parse("{\"a\": 1,\n\"a\": 2}", Format::Json).unwrap_err().fact.contains("twice"));
    }

    #[test]
    fn deep_nesting_is_refused_politely() {
        for text in [
            "a.".repeat(50_000) + "a = 1",
            "a = ".to_owned() + &"[".repeat(50_000),
            "[a".to_owned() + &".a".repeat(50_000) + "]",
            "'.' . ".repeat(50_000) + "a = 1",
            "a={".repeat(50_000),
        ] {
            assert!(parse(&text, Format::Toml).is_err());
        }
        assert!(parse(&"[".repeat(50_000), Format::Json).is_err());
        assert!(parse(&("[".repeat(100) + &"]".repeat(100)), Format::Json).is_err());
    }
}
