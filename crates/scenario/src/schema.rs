//! The JSON Schema of scenario files, generated from the types.

use std::sync::OnceLock;

use serde_json::{Value as Json, json};

use crate::types::Scenario;

/// The JSON Schema (draft 2020-12) of a scenario file, defaults and doc comments included.
pub fn schema() -> &'static Json {
    static SCHEMA: OnceLock<Json> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let mut schema = schemars::schema_for!(Scenario).to_value();
        without_null(&mut schema);
        let root = schema.clone();
        both_forms(&root, &mut schema);
        join_lines(&mut schema);
        schema
    })
}

/// An absent key is absent, not null: removes null, which schemars adds for optional keys.
fn without_null(schema: &mut Json) {
    if let Some(table) = schema.as_object_mut() {
        if let Some(kinds) = table.get_mut("type").and_then(Json::as_array_mut) {
            kinds.retain(|kind| kind != "null");
            if let [kind] = kinds.as_slice() {
                let kind = kind.clone();
                table.insert("type".into(), kind);
            }
        }
        if let Some(kinds) = table.get_mut("anyOf").and_then(Json::as_array_mut) {
            let before = kinds.len();
            kinds.retain(|kind| kind.get("type").is_none_or(|kind| kind != "null"));
            if let (true, [Json::Object(only)]) = (kinds.len() < before, kinds.as_slice()) {
                let only = only.clone();
                table.remove("anyOf");
                for (key, value) in only {
                    table.entry(key).or_insert(value);
                }
            }
        }
        if table.get("default").is_some_and(Json::is_null) {
            table.remove("default");
        }
    }
    for_each_inner(schema, &mut without_null);
}

/// A choice may be a bare name if its parameters all have defaults, and a name without parameters may be written as
/// an empty table.
fn both_forms(root: &Json, schema: &mut Json) {
    if let Some(alternatives) = schema.get_mut("oneOf").and_then(Json::as_array_mut) {
        let mut both = Vec::new();
        let tagged = |alternative: &Json| alternative.get("properties").is_some();
        let only_words = !alternatives.iter().any(tagged);
        for alternative in alternatives.iter() {
            both.push(alternative.clone());
            let meaning = alternative.get("description").cloned().unwrap_or(json!(""));
            if let (Some(name), false) = (alternative.get("const").and_then(Json::as_str), only_words) {
                both.push(json!({
                    "description": meaning, "type": "object", "required": [name], "additionalProperties": false,
                    "properties": { name: { "type": "object", "maxProperties": 0 } },
                }));
            }
            let mut properties = alternative.get("properties").and_then(Json::as_object).into_iter().flatten();
            if let (Some((name, inner)), None) = (properties.next(), properties.next()) {
                let inner = crate::shape::resolve(root, inner);
                if inner.get("properties").is_some() && inner.get("required").is_none() || is_empty_table(inner) {
                    both.push(json!({ "description": meaning, "type": "string", "const": name }));
                }
            }
        }
        *alternatives = both;
    }
    for_each_inner(schema, &mut |inner| both_forms(root, inner));
}

/// A struct without fields.
fn is_empty_table(schema: &Json) -> bool {
    schema.get("properties").is_none() && schema.get("additionalProperties") == Some(&json!(false))
}

/// Doc comments are wrapped to the width of the source; their lines are joined.
fn join_lines(schema: &mut Json) {
    if let Some(Json::String(text)) = schema.get_mut("description") {
        let paragraphs: Vec<_> = text.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect();
        *text = paragraphs.join("\n\n");
    }
    for_each_inner(schema, &mut join_lines);
}

/// Calls `change` on every schema directly within this one.
fn for_each_inner(schema: &mut Json, change: &mut dyn FnMut(&mut Json)) {
    for key in ["properties", "$defs"] {
        if let Some(table) = schema.get_mut(key).and_then(Json::as_object_mut) {
            table.values_mut().for_each(&mut *change);
        }
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = schema.get_mut(key).filter(|inner| inner.is_object()) {
            change(inner);
        }
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(list) = schema.get_mut(key).and_then(Json::as_array_mut) {
            list.iter_mut().for_each(&mut *change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_knows_no_null() {
        let text = schema().to_string();
        assert!(!text.contains("null"), "{text}");
    }

    #[test]
    fn every_key_says_what_it_means() {
        fn check(schema: &Json, place: &str) {
            for (key, inner) in schema.get("properties").and_then(Json::as_object).into_iter().flatten() {
                let choice = schema.get("required").is_some_and(|required| *required == json!([key]));
                assert!(choice || inner.get("description").is_some(), "{place}.{key} has no description");
            }
        }
        check(schema(), "");
        for (name, definition) in schema()["$defs"].as_object().unwrap() {
            check(definition, name);
        }
    }
}
