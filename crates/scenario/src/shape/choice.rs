//! Choices: a bare name, a table with the name as its key, or a value of one of several types.

use serde_json::{Value as Json, json};

use super::describe::{described, example_value};
use super::nearest::{nearest, question, with_part};
use super::schema::{Alternatives, is_bare};
use super::{Walk, joined, keys, resolve};
use crate::diagnostic::{listed, name as name_of};
use crate::tree::{TreeEntry, TreeNode, Value};

impl<'a> Walk<'a> {
    pub(super) fn choice(&mut self, schema: &'a Json, node: &TreeNode, path: &str) -> Json {
        let choices = Alternatives::of(schema);
        match &node.value {
            Value::Text(text) if !choices.names().is_empty() => self.named(&choices, node, text, path),
            Value::Table(entries) if !choices.tables.is_empty() => self.tagged(&choices, node, entries, path),
            _ => match choices.others.iter().find(|other| accepts(self.schema, other, &node.value)) {
                Some(other) => self.value(other, node, path),
                None => self.wrong_type(schema, node, path),
            },
        }
    }

    /// A bare name.
    fn named(&mut self, choices: &Alternatives<'a>, node: &TreeNode, name: &str, path: &str) -> Json {
        if choices.words.contains(&name) {
            return match choices.table(name) {
                Some(inner) if !is_bare(inner) => json!({ name: {} }),
                _ => json!(name),
            };
        }
        if let Some(inner) = choices.table(name) {
            let fact = format!("{} cannot stand alone, it needs parameters", name_of(name));
            let key = path.rsplit('.').next().unwrap_or_default();
            let remedy = format!("write for example {key}.{name} = {}", example_value(self.schema, inner));
            return self.report(path, &node.place, fact, remedy);
        }
        self.unknown_name(choices, &node.place, name, path)
    }

    /// A table with the name as its key.
    fn tagged(&mut self, choices: &Alternatives<'a>, node: &TreeNode, entries: &[TreeEntry], path: &str) -> Json {
        let written: Vec<_> = entries.iter().filter(|entry| !matches!(entry.node.value, Value::Null)).collect();
        match written.as_slice() {
            [entry] => {
                let inner_path = joined(path, &entry.key);
                let Some(inner) = choices.table(&entry.key) else {
                    if choices.words.contains(&entry.key.as_str()) {
                        return json!(entry.key);
                    }
                    return self.unknown_name(choices, &entry.place, &entry.key, path);
                };
                let value = self.value(inner, &entry.node, &inner_path);
                if is_bare(inner) { json!(entry.key) } else { json!({ &entry.key: value }) }
            }
            [] => {
                let remedy = format!("choose one of {}", listed(choices.names()));
                self.report(path, &node.place, "nothing is chosen here".into(), remedy)
            }
            [_, second, ..] => {
                let known: Vec<_> =
                    written.iter().filter(|entry| choices.names().contains(&entry.key.as_str())).collect();
                if known.len() == 1 || known.is_empty() {
                    for entry in written.iter().filter(|entry| !choices.names().contains(&entry.key.as_str())) {
                        self.unknown_name(choices, &entry.place, &entry.key, path);
                    }
                    return Json::Null;
                }
                let both = listed(known.iter().map(|entry| name_of(&entry.key)));
                let fact = format!("there can be only one choice here, found {both}");
                self.report(path, &second.place, fact, "keep one of them".into())
            }
        }
    }

    fn unknown_name(
        &mut self,
        choices: &Alternatives<'a>,
        place: &Option<std::ops::Range<usize>>,
        name: &str,
        path: &str,
    ) -> Json {
        let names = choices.names();
        let has_key = |inner: &Json| keys(resolve(self.schema, inner)).any(|key| key == name);
        let owners: Vec<_> =
            choices.tables.iter().filter(|(_, inner)| has_key(inner)).map(|&(owner, _)| owner).collect();
        let mut remedy = match (nearest(name, names.iter().copied()), owners.first()) {
            (Some(near), _) => question(&[near]),
            (None, Some(owner)) => format!("it is a parameter of {}, as in {path}.{owner}.{name}", listed(&owners)),
            (None, None) => match with_part(name, names.iter().copied()) {
                near if near.is_empty() => format!("choose one of {}", listed(names)),
                near => question(&near),
            },
        };
        for other in &choices.others {
            remedy.push_str(&format!(" (or write {})", described(self.schema, other)));
        }
        self.report(path, place, format!("{} is not a choice here", name_of(name)), remedy)
    }
}

/// Whether a value of this kind may be intended for this schema.
fn accepts(root: &Json, schema: &Json, value: &Value) -> bool {
    let kind = resolve(root, schema).get("type").and_then(Json::as_str);
    match value {
        Value::Bool(_) => kind == Some("boolean"),
        Value::Integer(_) => matches!(kind, Some("integer" | "number")),
        Value::Float(_) => kind == Some("number"),
        Value::Text(_) => kind == Some("string"),
        Value::List(_) => kind == Some("array"),
        Value::Table(_) => kind == Some("object"),
        Value::Null | Value::Date(_) => false,
    }
}
