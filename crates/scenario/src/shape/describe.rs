//! What a schema wants, in words, and what one could write.

use serde_json::Value as Json;

use super::choice::Alternatives;
use super::leaf::whole_range;
use super::{keys, required, resolve};
use crate::complaint::{listed, quoted};

/// What a schema wants: `a length of time such as "150 us"`.
pub(super) fn described(root: &Json, schema: &Json) -> String {
    let schema = resolve(root, schema);
    let choices = Alternatives::of(schema);
    if !choices.names().is_empty() || !choices.others.is_empty() {
        let mut kinds: Vec<String> = Vec::new();
        if !choices.names().is_empty() {
            kinds.push(format!("one of {}", listed(choices.names())));
        }
        kinds.extend(choices.others.iter().map(|other| described(root, other)));
        return kinds.join(" or ");
    }
    let text = |key| schema.get(key).and_then(Json::as_str).unwrap_or_default();
    match (text("type"), text("format")) {
        ("string", "duration") => "a length of time such as \"150 us\"".into(),
        ("string", "size") => "a size such as \"64 KiB\"".into(),
        ("string", "rate") => "a rate such as \"20 Gbit/s\"".into(),
        ("string", "room") => "the size of a buffer such as \"4 packets\" or \"64 KiB\"".into(),
        ("string", _) => "a text in quotation marks".into(),
        ("integer", _) => {
            let (least, most) = whole_range(schema);
            match (least, most) {
                (i128::MIN..0, _) => "a whole number".into(),
                (_, most) if most >= i128::from(u32::MAX) => format!("a whole number of at least {least}"),
                _ => format!("a whole number from {least} to {most}"),
            }
        }
        ("number", _) => number(schema),
        ("boolean", _) => "true or false".into(),
        ("array", _) => format!("a list of {}", plural(root, schema)),
        ("object", _) => "a table".into(),
        _ => "a number, a text, true or false, a list or a table".into(),
    }
}

fn number(schema: &Json) -> String {
    let bound = |key| schema.get(key).and_then(Json::as_f64);
    let low = bound("minimum").map(|low| format!("at least {low}"));
    let low = low.or(bound("exclusiveMinimum").map(|low| format!("above {low}")));
    let high = bound("maximum").map(|high| format!("at most {high}"));
    let high = high.or(bound("exclusiveMaximum").map(|high| format!("below {high}")));
    match (low, high) {
        (Some(low), Some(high)) => format!("a number {low} and {high}"),
        (Some(one), None) | (None, Some(one)) => format!("a number {one}"),
        (None, None) => "a number".into(),
    }
}

fn plural(root: &Json, schema: &Json) -> String {
    let items = schema.get("items").map(|items| resolve(root, items));
    match items.and_then(|items| items.get("type")).and_then(Json::as_str) {
        Some("string") => "texts".into(),
        Some("integer" | "number") => "numbers".into(),
        Some("object") => "tables".into(),
        _ => "values".into(),
    }
}

/// What one could write for `key` in the table at `path`.
pub(super) fn example(root: &Json, schema: &Json, key: &str, path: &str) -> String {
    let schema = resolve(root, schema);
    let full = super::joined(path, key);
    let choices = Alternatives::of(schema);
    if let Some(word) = choices.words.first() {
        return format!("write for example {key} = {}", quoted(word));
    }
    if let Some((name, inner)) = choices.tables.first() {
        let needed = listed(required(resolve(root, inner)));
        return format!("write for example [{full}.{name}] with {needed}");
    }
    let default =
        schema.get("default").filter(|default| default.is_number() || default.is_boolean() || default.is_string());
    if let Some(default) = default {
        return format!("write for example {key} = {default}");
    }
    let text = |key| schema.get(key).and_then(Json::as_str).unwrap_or_default();
    let value = match (text("type"), text("format")) {
        ("string", "duration") => "\"10 ms\"",
        ("string", "size") => "\"2 KiB\"",
        ("string", "rate") => "\"20 Gbit/s\"",
        ("string", "room") => "\"64 KiB\"",
        ("string", _) => "\"...\"",
        ("integer", _) => "1",
        ("number", _) => "0.5",
        ("boolean", _) => "true",
        ("array", _) if key == "traffic" => return "write a table [[traffic]] with from, and to or pattern".into(),
        ("array", _) => "[...]",
        ("object", _) => {
            let (needed, all) = (listed(required(schema)), listed(keys(schema)));
            let inside = if needed.is_empty() { all } else { needed };
            return format!("write a table [{full}] with {inside}");
        }
        _ if !choices.others.is_empty() => "\"...\"",
        _ => return format!("give {key} a value"),
    };
    format!("write for example {key} = {value}")
}
