//! Values without parts: numbers, texts, quantities.

use std::ops::RangeInclusive;

use congestree_schemes::cct_table::Code;
use congestree_units::text::{Misread, parse_bytes, parse_rate, parse_span};
use serde_json::{Number, Value as Json, json};

use super::describe::{described, example, example_value};
use super::nearest::{nearest, question, with_part};
use super::schema::whole_range;
use super::{Walk, resolve};
use crate::diagnostic::name;
use crate::tree::{TreeNode, Value};
use crate::types::Room;

/// The error in a text that is not of this `format`, such as a quantity without its unit.
fn misread(format: &str, text: &str) -> Option<Misread> {
    match format {
        "duration" => parse_span(text).err(),
        "size" => parse_bytes(text).err(),
        "rate" => parse_rate(text).err(),
        "room" => Room::parse(text).err(),
        "cct-entry" => text.parse::<Code>().err().map(|_| Misread {
            fact: format!("{text:?} is not an entry of a congestion control table"),
            remedy: "write a shift from 0 to 3 and a multiplier from 0 to 16383, such as \"1:300\"".into(),
        }),
        _ => None,
    }
}

impl Walk<'_> {
    pub(super) fn text(&mut self, schema: &Json, node: &TreeNode, text: &str, path: &str) -> Json {
        let format = schema.get("format").and_then(Json::as_str).unwrap_or_default();
        if let Some(misread) = misread(format, text) {
            return self.report(path, &node.place, misread.fact, misread.remedy);
        }
        let wanted = schema.get("const").and_then(Json::as_str);
        let one_of = schema.get("enum").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
        let words: Vec<&str> = wanted.into_iter().chain(one_of).collect();
        if !words.is_empty() && !words.contains(&text) {
            let near = match nearest(text, words.iter().copied()) {
                Some(near) => vec![near],
                None => with_part(text, words.iter().copied()),
            };
            let remedy = match near.is_empty() {
                true => format!("choose one of {}", words.join(", ")),
                false => question(&near),
            };
            return self.report(path, &node.place, format!("{} is not a choice here", name(text)), remedy);
        }
        json!(text)
    }

    pub(super) fn integer(&mut self, schema: &Json, node: &TreeNode, number: i128, path: &str) -> Json {
        let (least, most) = whole_range(schema);
        match whole(number, least..=most) {
            Some(value) => Json::Number(value),
            None => {
                // More digits than can be counted were reduced to the largest number.
                let said = if number == i128::MAX { "the number".into() } else { number.to_string() };
                self.out_of_range(node, path, &said, (least, most), number < least)
            }
        }
    }

    /// A diagnostic about a whole number below or above the range of its key.
    fn out_of_range(
        &mut self,
        node: &TreeNode,
        path: &str,
        said: &str,
        (least, most): (i128, i128),
        below: bool,
    ) -> Json {
        let remedy = if most < i128::from(u32::MAX) {
            format!("write a whole number from {least} to {most}")
        } else if below {
            format!("write a whole number of at least {least}")
        } else {
            format!("write a whole number of at most {most}")
        };
        self.report(path, &node.place, format!("{said} is out of range"), remedy)
    }

    pub(super) fn number(&mut self, schema: &Json, node: &TreeNode, number: f64, path: &str) -> Json {
        let bound = |key| schema.get(key).and_then(Json::as_f64);
        let fits = bound("minimum").is_none_or(|least| number >= least)
            && bound("maximum").is_none_or(|most| number <= most)
            && bound("exclusiveMinimum").is_none_or(|least| number > least)
            && bound("exclusiveMaximum").is_none_or(|most| number < most);
        match Number::from_f64(number) {
            Some(value) if fits => Json::Number(value),
            _ => {
                let remedy = format!("write {}", described(self.schema, schema));
                self.report(path, &node.place, format!("{number} is out of range"), remedy)
            }
        }
    }

    pub(super) fn wrong_type(&mut self, schema: &Json, node: &TreeNode, path: &str) -> Json {
        let format = schema.get("format").and_then(Json::as_str).unwrap_or_default();
        if let Value::Integer(_) | Value::Float(_) = node.value {
            let digits = node.described().replace("the number ", "");
            if let Some(misread) = misread(format, &digits) {
                return self.report(path, &node.place, misread.fact, misread.remedy);
            }
        }
        let kind = schema.get("type").and_then(Json::as_str).unwrap_or_default();
        if let (Value::Float(number), "integer") = (&node.value, kind)
            && number.is_finite()
            && !(i64::MIN as f64..u64::MAX as f64).contains(number)
        {
            // A whole number of JSON that does not fit into 64 bits, as 2^64, was read as a float.
            return self.out_of_range(node, path, "the number", whole_range(schema), *number < 0.0);
        }
        let key = path.rsplit('.').next().unwrap_or_default();
        let remedy = match (&node.value, kind) {
            (Value::Text(text), "integer" | "number" | "boolean")
                if text.trim().parse::<f64>().is_ok() || is_bool(text) =>
            {
                format!("write {} without quotation marks", text.trim())
            }
            (Value::Integer(_) | Value::Float(_) | Value::Bool(_), "string") if format.is_empty() => {
                "put it in quotation marks".into()
            }
            (Value::Float(_), "integer") => "write a whole number, without a point".into(),
            (Value::Table(_), "array") => self.as_list(schema, key, path),
            (_, "array") => "put it in square brackets".into(),
            _ => example(self.schema, schema, key, path.strip_suffix(key).unwrap_or_default().trim_end_matches('.')),
        };
        let fact = format!("expected {}, found {}", described(self.schema, schema), node.described());
        self.report(path, &node.place, fact, remedy)
    }

    /// How to write the list that a table stands in the place of.
    fn as_list(&self, schema: &Json, key: &str, path: &str) -> String {
        let items = schema.get("items").map_or(&Json::Null, |items| resolve(self.schema, items));
        let holds_tables = items.get("type").is_some_and(|kind| kind == "object");
        match holds_tables && !path.contains(|c: char| c.is_ascii_digit()) {
            true => format!("write it in double brackets, [[{path}]]"),
            false => {
                format!("write a list in square brackets, such as {key} = [{}]", example_value(self.schema, items))
            }
        }
    }
}

/// A whole number in a range, if it has at most 64 bits.
fn whole(number: i128, range: RangeInclusive<i128>) -> Option<Number> {
    let value = u64::try_from(number).map(Number::from).or_else(|_| i64::try_from(number).map(Number::from));
    value.ok().filter(|_| range.contains(&number))
}

/// A list of whole numbers, if that is what it should be and all are in range. The tables of routes of a large fabric
/// have millions, so the schema is read once and no number is given its path.
pub(super) fn whole_numbers(schema: &Json, items: &[TreeNode]) -> Option<Json> {
    if schema.get("type").and_then(Json::as_str) != Some("integer") {
        return None;
    }
    let (least, most) = whole_range(schema);
    let number = |item: &TreeNode| match item.value {
        Value::Integer(number) => whole(number, least..=most).map(Json::Number),
        _ => None,
    };
    items.iter().map(number).collect()
}

fn is_bool(text: &str) -> bool {
    matches!(text.trim(), "true" | "false")
}
