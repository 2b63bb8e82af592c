//! What a schema requires, in words, and an example of it.

use serde_json::Value as Json;

use super::schema::{Alternatives, whole_range};
use super::{keys, required, resolve};
use crate::diagnostic::listed;

/// What a schema requires: `a length of time such as "150 us"`.
pub(super) fn described(root: &Json, schema: &Json) -> String {
    let schema = resolve(root, schema);
    let choices = Alternatives::of(schema);
    if !choices.names().is_empty() || !choices.others.is_empty() {
        let mut kinds: Vec<String> = Vec::new();
        if !choices.names().is_empty() {
            let quoted = |name: &str| if choices.others.is_empty() { name.to_owned() } else { format!("\"{name}\"") };
            kinds.push(format!("one of {}", listed(choices.names().into_iter().map(quoted))));
        }
        kinds.extend(choices.others.iter().map(|other| described(root, other)));
        return kinds.join(" or ");
    }
    let text = |key| schema.get(key).and_then(Json::as_str).unwrap_or_default();
    match (text("type"), text("format")) {
        ("string", "cct-entry") => "an entry such as \"1:300\"".into(),
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
        (Some(low), Some(high)) => match (bound("minimum"), bound("maximum")) {
            (Some(low), Some(high)) => format!("a number from {low} to {high}"),
            _ => format!("a number {low} and {high}"),
        },
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

/// An example for `key` in the table at `path`.
pub(super) fn example(root: &Json, schema: &Json, key: &str, path: &str) -> String {
    let schema = resolve(root, schema);
    let full = super::joined(path, key);
    let choices = Alternatives::of(schema);
    let is_table = schema.get("type").is_some_and(|kind| kind == "object");
    if is_table && path.is_empty() && key.is_empty() {
        return format!("write the keys {}", listed(required(schema)));
    }
    if is_table && !full.contains(|c: char| c.is_ascii_digit()) {
        let (needed, all) = (listed(required(schema)), listed(keys(schema)));
        if let (true, Some(each)) = (all.is_empty(), schema.get("additionalProperties").filter(|each| each.is_object()))
        {
            return format!("write a table [{full}] of names and values, such as name = {}", example_value(root, each));
        }
        return format!("write a table [{full}] with {}", if needed.is_empty() { all } else { needed });
    }
    if key == "traffic" && path.is_empty() {
        return "write a table [[traffic]] with from, and to or pattern".into();
    }
    if let Some(name) = choices.names().first().filter(|name| !choices.words.contains(name) && path.is_empty()) {
        let needed = choices.table(name).map(|inner| listed(required(resolve(root, inner)))).unwrap_or_default();
        return format!("write for example a table [{full}.{name}] with {needed}");
    }
    let value = example_value(root, schema);
    match key.parse::<usize>() {
        // An entry of a list has no name.
        Ok(_) => format!("write for example {value}"),
        Err(_) => format!("write for example {key} = {value}"),
    }
}

/// A value that fits a schema, as TOML.
pub(super) fn example_value(root: &Json, schema: &Json) -> String {
    let schema = resolve(root, schema);
    let default =
        schema.get("default").filter(|default| default.is_number() || default.is_boolean() || default.is_string());
    if let Some(default) = default {
        return default.to_string();
    }
    let choices = Alternatives::of(schema);
    if let Some(name) = choices.names().first() {
        return match choices.table(name) {
            Some(inner) if !choices.words.contains(name) => format!("{{ {name} = {} }}", example_value(root, inner)),
            _ => format!("\"{name}\""),
        };
    }
    if let Some(other) = choices.others.first() {
        return example_value(root, other);
    }
    let text = |key| schema.get(key).and_then(Json::as_str).unwrap_or_default();
    match (text("type"), text("format")) {
        ("string", "cct-entry") => "\"1:300\"".into(),
        ("string", "duration") => "\"10 ms\"".into(),
        ("string", "size") => "\"2 KiB\"".into(),
        ("string", "rate") => "\"20 Gbit/s\"".into(),
        ("string", "room") => "\"64 KiB\"".into(),
        ("integer", _) => whole_range(schema).0.max(1).to_string(),
        ("number", _) => format!("{:?}", number_within(schema)),
        ("boolean", _) => "true".into(),
        ("array", _) => "[...]".into(),
        ("object", _) => {
            let properties = schema.get("properties");
            let one = |key: &str| {
                let inner = properties.and_then(|properties| properties.get(key)).unwrap_or(&Json::Null);
                format!("{key} = {}", example_value(root, inner))
            };
            format!("{{ {} }}", required(schema).map(one).collect::<Vec<_>>().join(", "))
        }
        _ => "\"...\"".into(),
    }
}

/// A number that a schema allows: 0.5 if it is one, else one between the bounds.
fn number_within(schema: &Json) -> f64 {
    let bound = |key, or_key| schema.get(key).or(schema.get(or_key)).and_then(Json::as_f64);
    let low = bound("minimum", "exclusiveMinimum").unwrap_or(0.0);
    let high = bound("maximum", "exclusiveMaximum").unwrap_or(f64::INFINITY);
    if low < 0.5 && 0.5 < high { 0.5 } else { low + ((high - low) / 2.0).min(0.5) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_example_of_a_number_is_in_its_range() {
        let example = |range: Json| {
            let mut schema = json!({ "type": "number" });
            schema.as_object_mut().unwrap().extend(range.as_object().unwrap().clone());
            example_value(&Json::Null, &schema)
        };
        assert_eq!(example(json!({})), "0.5");
        assert_eq!(example(json!({ "minimum": 0.0, "maximum": 1.0 })), "0.5");
        assert_eq!(example(json!({ "exclusiveMinimum": 1.0, "maximum": 100.0 })), "1.5", "the shape of a Pareto size");
        assert_eq!(example(json!({ "minimum": 1.0, "maximum": 1000.0 })), "1.5");
        assert_eq!(example(json!({ "exclusiveMinimum": 0.0, "exclusiveMaximum": 0.25 })), "0.125");
    }
}
