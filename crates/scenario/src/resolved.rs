//! The scenario with all defaults written out.

use congestree_fabric::live::Refusal;
use congestree_schemes::RouteParams;
use congestree_units::Rate;
use serde_json::Value;

use crate::Scenario;
use crate::resolve::{SchemeParts, bin, is_tree, sampling_interval, scheme_parts};
use crate::types::{Arrivals, Routing, Topology};

/// A scenario with all defaults written out, so that reading it gives the same plan even if defaults change.
///
/// Keys that are still absent are those whose absence has a meaning: no window, no stop, no limit, the lane of the
/// destination.
pub fn resolved(scenario: &Scenario) -> Scenario {
    let mut full = scenario.clone();
    if let Topology::TestBed(params) = &mut full.topology {
        params.trunk_rate.get_or_insert(Rate(full.links.rate.0.saturating_mul(2)));
    }
    full.routing.get_or_insert(match full.topology.parameters().and_then(|parameters| parameters.formula()) {
        Some(_) if is_tree(&full.topology) => Routing::DModK,
        Some(_) => Routing::Minimal,
        None => Routing::ShortestPath,
    });
    let SchemeParts { isolate, mark, notify, react, transport } = scheme_parts(&full.scheme);
    full.scheme.isolate = Some(isolate);
    full.scheme.mark = Some(mark);
    full.scheme.notify = Some(notify);
    full.scheme.react = Some(react);
    full.scheme.transport = Some(transport);
    full.scheme.route.get_or_insert(RouteParams::None(Default::default()));
    for (i, entry) in full.traffic.iter_mut().enumerate() {
        entry.name = Some(entry.class_name(i));
        if entry.program.is_some() {
            entry.job.get_or_insert_default();
        } else if entry.sizes.is_none() && entry.list.is_none() && entry.arrivals != Arrivals::Injected {
            entry.message.get_or_insert(full.adapters.mtu);
        }
        if full.links.destination_lanes.is_none() {
            entry.lane.get_or_insert(full.links.service_lanes.get(usize::from(entry.service)).copied().unwrap_or(0));
        }
        entry.window = entry.window.or(full.adapters.window);
    }
    full.measure.sampling_interval = sampling_interval(&full.measure);
    full.measure.bin = Some(bin(&full.measure));
    full.sweep.clear();
    full
}

/// Refuses a resolved scenario to take the place of that of an open simulation, if it differs in more than the marking;
/// names are ignored.
pub fn check_change(open: &Scenario, other: &Scenario) -> Result<(), Refusal> {
    let [open, other] = [open, other].map(|scenario| serde_json::to_value(scenario).unwrap_or_default());
    let Some(key) = first_difference(&open, &other, "", &["name", "description", MARKING]) else { return Ok(()) };
    let fact = format!("{key} differs from that of the open simulation");
    Err(Refusal { fact, remedy: "change nothing but what is below scheme.mark" })
}

/// The section whose values may change while a simulation is open.
const MARKING: &str = "scheme.mark";

fn first_difference(one: &Value, other: &Value, path: &str, may: &[&str]) -> Option<String> {
    if one == other || may.contains(&path) {
        return None;
    }
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (one, other) {
        (Value::Object(a), Value::Object(b)) => {
            let mut keys: Vec<&String> = a.keys().chain(b.keys()).collect();
            keys.sort();
            let none = Value::Null;
            let at = |map: &serde_json::Map<String, Value>, key: &str| map.get(key).unwrap_or(&none).clone();
            keys.into_iter().find_map(|key| first_difference(&at(a, key), &at(b, key), &below(key), may))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(k, (a, b))| first_difference(a, b, &below(&k.to_string()), may))
        }
        _ => Some(path.to_owned()),
    }
}
