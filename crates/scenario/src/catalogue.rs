//! Everything that a scenario can name, for `congestree list` and the reference pages; taken from the schema.

use congestree_fabric::UNPROBED;
use congestree_probes::Recording;
use congestree_schemes::check::Part;
use congestree_schemes::{IsolateParams, ReactParams, TransportParams};
use serde_json::{Value as Json, json};

use crate::schema::schema;
use crate::shape::schema::Alternatives;
use crate::shape::{required, resolve};

/// A list of `{kind, name, summary, parameters}`, where a parameter is `{name, type, unit, required, default,
/// meaning}`. A probe also has its `tables`: `{name, row}`, where `row` describes a row; the section `measure` has those that
/// no probe records: `{name, row, with}`, where `with` is what a scenario must have for them, or null. Parts say what notes on a
/// scenario depend on: a reaction whether it `answers_marks`, a transport whether it `follows_on`, and an isolating
/// scheme its `detection_key`.
///
/// The kind of a part is the last word of its position in a scenario (`topology`, `mark`, `pattern`); the sections of
/// the file themselves have the kind `section`.
pub fn catalogue() -> Json {
    let mut list = Vec::new();
    let sections = schema().get("properties").and_then(Json::as_object).into_iter().flatten();
    for (name, section) in sections {
        let inner = resolve(schema(), section);
        let inner = inner.get("items").map_or(inner, |items| resolve(schema(), items));
        if inner.get("properties").is_some() {
            list.push(entry("section", name, inner));
            list.extend(subsections(name, inner));
        }
        gather(name, section, &mut list);
    }
    add_tables(&mut list);
    add_declarations(&mut list);
    Json::Array(list)
}

/// Adds the tables of every probe to its entry, and those that no probe records to that of `measure`.
fn add_tables(list: &mut [Json]) {
    for recording in Recording::ALL {
        let tables: Vec<Json> =
            recording.tables().iter().map(|(name, row)| json!({ "name": name, "row": row })).collect();
        let named = |entry: &&mut Json| entry["kind"] == "probe" && entry["name"] == json!(recording);
        if let Some(entry) = list.iter_mut().find(named) {
            entry["tables"] = Json::Array(tables);
        }
    }
    let others = UNPROBED.iter().map(|table| json!({ "name": table.name, "row": table.row, "with": table.with }));
    if let Some(measure) = list.iter_mut().find(|entry| entry["kind"] == "section" && entry["name"] == "measure") {
        measure["tables"] = others.collect();
    }
}

/// Says of every reaction whether it answers marks, or uses other signs of congestion alone; of every transport whether
/// messages follow each other without waiting for ACKs; of an isolating scheme which parameter detects congestion.
fn add_declarations(list: &mut [Json]) {
    let mut add = |kind: &str, part: &dyn Part, key: &str, value: Json| {
        let name = json!(part.name());
        if let Some(entry) = list.iter_mut().find(|entry| entry["kind"] == kind && entry["name"] == name) {
            entry[key] = value;
        }
    };
    for part in ReactParams::all_defaults() {
        let needs = part.needs();
        add("react", &part, "answers_marks", json!(needs.marks && !needs.ignores_marks));
    }
    for part in TransportParams::all_defaults() {
        add("transport", &part, "follows_on", json!(part.follows_on()));
    }
    for part in IsolateParams::all_defaults() {
        add("isolate", &part, "detection_key", json!(part.detection_key()));
    }
}

/// Tables within a section that are not choices.
fn subsections<'a>(section: &'a str, schema_here: &'a Json) -> impl Iterator<Item = Json> + 'a {
    let properties = schema_here.get("properties").and_then(Json::as_object).into_iter().flatten();
    properties.filter_map(move |(key, inner)| {
        let inner = resolve(schema(), inner);
        inner.get("properties").map(|_| entry("section", &format!("{section}.{key}"), inner))
    })
}

/// Adds the alternatives of every choice at or below this position.
fn gather(kind: &str, schema_here: &Json, list: &mut Vec<Json>) {
    let here = resolve(schema(), schema_here);
    let choices = Alternatives::of(here);
    for name in choices.names() {
        let summary = summary_of(here, name);
        let mut entry = entry(kind, name, choices.table(name).map_or(&Json::Null, |inner| resolve(schema(), inner)));
        if let Some(summary) = summary {
            entry["summary"] = summary.clone();
        }
        // The same part may be named in several places.
        if !list.contains(&entry) {
            list.push(entry);
        }
        if let Some(inner) = choices.table(name) {
            gather_below(resolve(schema(), inner), list);
        }
    }
    gather_below(here, list);
}

fn gather_below(here: &Json, list: &mut Vec<Json>) {
    for (key, inner) in here.get("properties").and_then(Json::as_object).into_iter().flatten() {
        gather(key, inner, list);
    }
    if let Some(items) = here.get("items") {
        let is_probe = resolve(schema(), items).get("oneOf").is_some();
        gather(if is_probe { "probe" } else { "" }, items, list);
    }
}

/// The description of one alternative.
fn summary_of<'a>(choice: &'a Json, name: &str) -> Option<&'a Json> {
    let alternatives = choice.get("oneOf").or(choice.get("anyOf")).and_then(Json::as_array)?;
    let is_it = |alternative: &&Json| {
        alternative.get("const").is_some_and(|word| word == name) || required(alternative).any(|key| key == name)
    };
    alternatives.iter().find(is_it).and_then(|alternative| alternative.get("description"))
}

fn entry(kind: &str, name: &str, inner: &Json) -> Json {
    let properties = inner.get("properties").and_then(Json::as_object).into_iter().flatten();
    let parameters: Vec<Json> = properties.map(|(key, property)| parameter(inner, key, property)).collect();
    let summary = inner.get("description").cloned().unwrap_or(json!(""));
    json!({ "kind": kind, "name": name, "summary": summary, "parameters": parameters })
}

fn parameter(table: &Json, name: &str, property: &Json) -> Json {
    let resolved = resolve(schema(), property);
    let text = |key| property.get(key).or(resolved.get(key)).and_then(Json::as_str).unwrap_or_default();
    let choices = Alternatives::of(resolved);
    let (kind, unit) = match (text("type"), text("format")) {
        ("string", "duration") => ("length of time".to_owned(), "s"),
        ("string", "size") => ("size".to_owned(), "B"),
        ("string", "rate") => ("rate".to_owned(), "bit/s"),
        ("string", "room") => ("packets or size".to_owned(), "packets or B"),
        ("string", _) => ("text".to_owned(), ""),
        ("integer", _) => ("whole number".to_owned(), "1"),
        ("number", _) => ("number".to_owned(), "1"),
        ("boolean", _) => ("true or false".to_owned(), ""),
        ("array", _) => ("list".to_owned(), ""),
        ("object", _) => ("table".to_owned(), ""),
        _ if choices.names().is_empty() => ("text or list".to_owned(), ""),
        _ if choices.others.is_empty() => (choices.names().join(" | "), ""),
        _ => (format!("{} | whole number", choices.names().join(" | ")), ""),
    };
    let default = property.get("default").or(resolved.get("default")).cloned().unwrap_or(Json::Null);
    json!({
        "name": name,
        "type": kind,
        "unit": unit,
        "required": required(table).any(|key| key == name),
        "default": default,
        "meaning": text("description"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_knows_every_kind_of_part() {
        let catalogue = catalogue();
        let list = catalogue.as_array().unwrap();
        let has = |kind: &str, name: &str| list.iter().any(|entry| entry["kind"] == kind && entry["name"] == name);
        for (kind, name) in [
            ("topology", "two-switch"),
            ("routing", "d-mod-k"),
            ("flow_control", "packet-slots"),
            ("control", "own-room"),
            ("arbiter", "fifo"),
            ("preset", "input-triggered"),
            ("mark", "input-triggered"),
            ("react", "lipd"),
            ("schedule", "rcm"),
            ("pattern", "hot-spot"),
            ("arrivals", "poisson"),
            ("probe", "flows"),
            ("section", "links"),
            ("section", "traffic"),
            ("section", "traffic.job"),
            ("program", "all-reduce-ring"),
            ("placement", "random"),
        ] {
            assert!(has(kind, name), "{kind} {name}");
        }
        for entry in list {
            assert!(!entry["summary"].as_str().unwrap().is_empty(), "{entry}");
            assert!(!entry["kind"].as_str().unwrap().is_empty(), "{entry}");
            let has_tables = entry["tables"].as_array().is_some_and(|tables| !tables.is_empty());
            let measures = entry["kind"] == "probe" || entry["name"] == "measure";
            assert_eq!(measures, has_tables, "{entry}");
        }
    }
}
