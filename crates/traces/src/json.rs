//! Traces in JSON: an object with a list of nodes (`workload_graph`, or `nodes`), or the list alone. Keys are those of the
//! traces of the Chakra project (`Id`, `Name`, `NodeType`, `ctrlDeps`, `data_deps`, `runtime`) or those that protobuf's own
//! JSON has (`id`, `name`, `type`, `ctrlDeps`, `dataDeps`, `durationMicros`, `attr`). All keys of a node count as attributes.
//!
//! Nodes are taken one by one while the text is read; the list is never in memory as a whole.

use std::fmt;
use std::io::Read;

use serde::de::{self, DeserializeSeed, Deserializer as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value as Json};

use crate::TraceError;
use crate::header::TraceHeader;
use crate::limits::{Allowance, LONGEST_NODE, LONGEST_REST, too_long};
use crate::node::{Attribute, NodeKind, TraceNode, once_each};

/// Keys of the list of nodes.
const LISTS: [&str; 3] = ["workload_graph", "nodes", "node"];

pub(crate) fn read(
    input: &mut impl Read,
    allowance: &Allowance,
    name: &str,
    header: &mut TraceHeader,
    take: &mut dyn FnMut(TraceNode) -> Result<(), TraceError>,
) -> Result<(), TraceError> {
    allowance.grant(LONGEST_REST);
    let mut taker = Taker { name, header, allowance, take, nodes: 0, lists: 0, error: None };
    let mut deserializer = serde_json::Deserializer::from_reader(input);
    let result = deserializer.deserialize_any(Document(&mut taker)).and_then(|()| deserializer.end());
    if let Some(error) = taker.error {
        return Err(error);
    }
    let (nodes, lists) = (taker.nodes, taker.lists);
    result.map_err(|error| {
        let place = format!("{name}:{}:{}, after {nodes} nodes", error.line(), error.column());
        match error.classify() {
            serde_json::error::Category::Eof => TraceError::new(
                place,
                "the trace is cut in the middle",
                "copy or record it again; what stands before is used",
            ),
            serde_json::error::Category::Io if allowance.is_used_up() => too_long(place),
            _ => TraceError::new(place, format!("this is not JSON: {error}"), "correct it there"),
        }
    })?;
    match lists {
        0 => Err(TraceError::new(
            name,
            "there is no list of nodes in it",
            "name a Chakra trace: an object with workload_graph or nodes",
        )),
        _ => Ok(()),
    }
}

struct Taker<'a> {
    name: &'a str,
    header: &'a mut TraceHeader,
    allowance: &'a Allowance,
    take: &'a mut dyn FnMut(TraceNode) -> Result<(), TraceError>,
    nodes: u64,
    lists: u32,
    error: Option<TraceError>,
}

struct Document<'a, 'b>(&'a mut Taker<'b>);

impl<'de> Visitor<'de> for Document<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a list of nodes")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if LISTS.contains(&key.as_str()) {
                map.next_value_seed(List(self.0))?;
            } else if key == "version" {
                if let Json::String(version) = map.next_value()? {
                    self.0.header.version = version;
                }
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        List(self.0).visit_seq(seq)
    }
}

struct List<'a, 'b>(&'a mut Taker<'b>);

impl<'de> DeserializeSeed<'de> for List<'_, '_> {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.0.lists += 1;
        self.0.allowance.grant(LONGEST_NODE);
        while let Some(object) = seq.next_element::<Map<String, Json>>()? {
            let place = || format!("{}: node number {} of the list", self.0.name, self.0.nodes + 1);
            let result = node(object, &place).and_then(|node| (self.0.take)(node));
            if let Err(error) = result {
                self.0.error = Some(error);
                return Err(de::Error::custom("stopped"));
            }
            self.0.nodes += 1;
            self.0.allowance.grant(LONGEST_NODE);
        }
        self.0.allowance.grant(LONGEST_REST);
        Ok(())
    }
}

/// A node from its object.
fn node(object: Map<String, Json>, place: &dyn Fn() -> String) -> Result<TraceNode, TraceError> {
    let mut node = TraceNode {
        id: 0,
        name: String::new(),
        kind: NodeKind::Invalid,
        ctrl_deps: Vec::new(),
        data_deps: Vec::new(),
        duration_us: 0,
        attributes: Vec::new(),
    };
    let mut has_id = false;
    for (key, value) in object {
        let wrong = |what: &str| {
            let remedy = "correct it: ids and times are whole numbers, dependencies lists of ids";
            TraceError::new(place(), format!("{key} is {value}, not {what}"), remedy)
        };
        match key.as_str() {
            "Id" | "id" => {
                node.id = whole(&value).ok_or_else(|| wrong("an id"))?;
                has_id = true;
            }
            "Name" | "name" => node.name = value.as_str().unwrap_or_default().to_owned(),
            "NodeType" | "type" => {
                node.kind = match &value {
                    Json::String(name) => NodeKind::named(name),
                    other => NodeKind::of(other.as_i64().ok_or_else(|| wrong("a type of nodes"))?),
                }
            }
            "ctrlDeps" | "ctrl_deps" => {
                node.ctrl_deps = ids(&value).map(once_each).ok_or_else(|| wrong("a list of ids"))?
            }
            "dataDeps" | "data_deps" => {
                node.data_deps = ids(&value).map(once_each).ok_or_else(|| wrong("a list of ids"))?
            }
            "runtime" | "durationMicros" | "duration_micros" => {
                node.duration_us = whole(&value).ok_or_else(|| wrong("a time in microseconds"))?;
            }
            "attr" => {
                for one in value.as_array().into_iter().flatten().filter_map(Json::as_object) {
                    let name = one.get("name").and_then(Json::as_str).unwrap_or_default().to_owned();
                    let value =
                        one.iter().find(|(key, _)| !matches!(key.as_str(), "name" | "docString" | "doc_string"));
                    node.attributes.push((name, value.map_or(Attribute::Other, |(_, value)| attribute(value))));
                }
                continue;
            }
            _ => {}
        }
        // Writers use null for what does not apply to a node.
        if !value.is_null() {
            node.attributes.push((key, attribute(&value)));
        }
    }
    if has_id { Ok(node) } else { Err(TraceError::new(place(), "this node has no id", "give it an Id")) }
}

/// A whole number that is not negative; protobuf's JSON writes large ones as text.
fn whole(value: &Json) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

fn ids(value: &Json) -> Option<Vec<u64>> {
    match value {
        Json::Null => Some(Vec::new()),
        _ => value.as_array()?.iter().map(whole).collect(),
    }
}

fn attribute(value: &Json) -> Attribute {
    match value {
        Json::Bool(flag) => Attribute::Flag(*flag),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(whole), ..) => Attribute::Integer(whole.into()),
            (_, Some(whole), _) => Attribute::Integer(whole.into()),
            (.., Some(real)) => Attribute::Real(real),
            _ => Attribute::Other,
        },
        Json::String(text) => Attribute::Text(text.clone()),
        Json::Array(list) => match list.iter().map(Json::as_bool).collect() {
            Some(flags) => Attribute::Flags(flags),
            None => Attribute::Other,
        },
        Json::Object(_) | Json::Null => Attribute::Other,
    }
}
