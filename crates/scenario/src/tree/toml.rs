//! TOML to tree.

use ::toml::de::{DeTable, DeValue};
use toml_parser::{Source, lexer::TokenKind};

use super::{DEEPEST, TreeEntry, TreeNode, Value, line_and_column, too_deep};
use crate::diagnostic::Diagnostic;

/// Reads a TOML file.
pub(super) fn parse(text: &str) -> Result<TreeNode, Diagnostic> {
    if let Some(byte) = many_dots(text) {
        return Err(too_deep(Some(line_and_column(text, byte))));
    }
    let table = DeTable::parse(text).map_err(|error| {
        let place = error.span().map(|span| line_and_column(text, span.start));
        Diagnostic {
            file: None,
            path: String::new(),
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            fact: format!("this is not TOML: {}", error.message()),
            remedy: "strings need quotation marks, lists commas, and each [table] and key may be written once".into(),
        }
    })?;
    convert_table(table.get_ref(), 0)
        .map(|value| TreeNode { value, place: Some(0..0) })
        .ok_or_else(|| too_deep(Some((1, 1))))
}

/// The position of a key with more dots than any key needs. (The parser's own limit on depth does not count dotted
/// keys.)
fn many_dots(text: &str) -> Option<usize> {
    let mut dots = 0;
    for token in Source::new(text).lex() {
        match token.kind() {
            TokenKind::Dot => dots += 1,
            TokenKind::Atom | TokenKind::BasicString | TokenKind::LiteralString | TokenKind::Whitespace => {}
            _ => dots = 0,
        }
        if dots > DEEPEST {
            return Some(token.span().start());
        }
    }
    None
}

fn convert_table(table: &DeTable<'_>, depth: usize) -> Option<Value> {
    let mut entries = Vec::new();
    for (key, value) in table.iter() {
        let node = TreeNode { value: convert(value.get_ref(), depth + 1)?, place: Some(value.span()) };
        entries.push(TreeEntry { key: key.get_ref().to_string(), place: Some(key.span()), node });
    }
    entries.sort_by_key(|entry| entry.place.as_ref().map(|place| place.start));
    Some(Value::Table(entries))
}

/// `None` if it is nested too deeply.
fn convert(value: &DeValue<'_>, depth: usize) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    Some(match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => match i128::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Integer(number),
            Err(_) => Value::Integer(i128::MAX), // out of every range
        },
        DeValue::Float(number) => Value::Float(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Array(items) => Value::List(
            items
                .iter()
                .map(|item| Some(TreeNode { value: convert(item.get_ref(), depth + 1)?, place: Some(item.span()) }))
                .collect::<Option<_>>()?,
        ),
        DeValue::Table(table) => convert_table(table, depth)?,
    })
}
