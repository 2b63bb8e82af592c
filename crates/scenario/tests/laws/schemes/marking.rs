//! When a buffer counts as full, and when a queue is long: by the room of the very lane and input.

use congestree_fabric::AgendaKind;
use congestree_scenario::{Format, read};
use congestree_schemes::MarkParams;
use congestree_schemes::check::Part;
use congestree_schemes::mark::{HoldView, PortView};
use congestree_units::{Bytes, Rate};
use serde_json::{Value, json};

use crate::outcome;
use crate::table::numbers;

/// Three local and three remote hosts send to one, and change nothing when they are marked.
fn incast(links: Value, switches: Value, mark: Value) -> Value {
    let mut scenario = json!({
        "topology": {"two-switch": {"local": 3, "remote": 3}},
        "links": {"rate": "8 Gbit/s"},
        "switches": {"forwarding_delay": "40 ns"},
        "adapters": {"mtu": "2048 B", "header": "20 B", "window": 4},
        "scheme": {"mark": mark},
        "traffic": [{"from": ["B_1", "B_2", "B_3", "A_1", "A_2", "A_3"], "to": "B_C"}],
        "measure": {"duration": "2 ms", "audit": true},
    });
    for (section, keys) in [("links", links), ("switches", switches)] {
        for (key, value) in keys.as_object().expect("sections are tables") {
            scenario[section][key] = value.clone();
        }
    }
    scenario
}

fn marks(scenario: &Value) -> u64 {
    let outcome = outcome(scenario, AgendaKind::Wheel);
    assert_eq!(outcome.stop, None);
    numbers(&outcome, "ports", "marked").iter().sum()
}

#[test]
fn a_small_buffer_of_a_lane_without_packets_changes_no_marks() {
    let marked = |first: &str, second: &str, mark: Value| {
        let links = json!({"lanes": 2, "flow_control": "packet-slots"});
        marks(&incast(links, json!({"lane_buffers": [first, second]}), mark))
    };
    for marker in ["naive", "input-triggered", "input-output-triggered"] {
        // Lane 0 never holds more than twelve packets.
        let mut of = json!({marker: {}});
        if marker == "input-output-triggered" {
            of[marker] = json!({"output_threshold": 1000});
        }
        assert_eq!(marked("16 packets", "16 packets", of.clone()), 0);
        assert_eq!(marked("16 packets", "2 packets", of.clone()), 0);
        assert!(marked("8 packets", "2 packets", of.clone()) > 0);
        of[marker]["trigger"] = json!(12);
        assert!(marked("16 packets", "2 packets", of) > 0);
    }
}

#[test]
fn a_trigger_counts_packets_whatever_the_unit_of_the_buffer() {
    for flow_control in [json!("byte-credits"), json!("pfc")] {
        let of = |mark: Value| {
            let mut scenario = incast(json!({"flow_control": flow_control}), json!({"buffer": "32 KiB"}), mark);
            scenario["adapters"]["window"] = Value::Null;
            scenario
        };
        assert!(marks(&of(json!({"input-triggered": {"trigger": 10}}))) > 0);
        // 15 packets of 2,068 B fit. Where senders are paused the last of them would be in the headroom.
        assert!(marks(&of(json!({"input-triggered": {}}))) > 0, "{flow_control}");
    }
}

#[test]
fn fecn_compares_with_the_buffers_that_lanes_have() {
    let of = |switches: Value, mark: Value| {
        let mut scenario = incast(json!({}), switches, mark);
        scenario["adapters"]["window"] = Value::Null;
        marks(&scenario)
    };
    assert!(of(json!({"lane_buffers": ["256 KiB"]}), json!({"fecn": {"enter": "128 KiB"}})) > 0);
    // Four queues of an input share 64 KiB: 16 KiB for each.
    assert!(of(json!({"memory": "reserved"}), json!({"fecn": {"threshold": 15, "victim_mask": "all"}})) > 0);
    assert!(
        of(json!({"memory": "reserved"}), json!({"fecn": {"threshold": 8, "fill": "sum", "victim_mask": "all"}})) > 0
    );
}

/// The parameter that sets the level up to which a marker marks nothing, if that is no weight.
fn key_of_level(params: &MarkParams) -> Option<&'static str> {
    let (buffer, rate) = (Bytes(65_536), Rate::from_gbps(8));
    let port = PortView { number: 1, to_host: true, buffer, lane: 0, rate, hold: HoldView::NONE };
    Some(params.marks_above(port).filter(|above| !above.weight)?.key)
}

#[test]
fn whoever_marks_above_a_level_that_nothing_reaches_is_told_of_its_key_and_marks_nothing() {
    let mut told = 0;
    for params in MarkParams::all_defaults() {
        let Some(key) = key_of_level(&params) else { continue };
        let mut mark = json!(params);
        let name = params.name();
        mark[&name][key] = if mark[&name][key].is_string() { json!("1 GB") } else { json!(1_000_000) };
        if !mark[&name]["max"].is_null() {
            mark[&name]["max"] = json!("1 GB");
        }
        let mut scenario = incast(json!({}), json!({}), mark);
        scenario["adapters"]["window"] = Value::Null;
        let checked = read(&scenario.to_string(), Format::Json, "").unwrap_or_else(|found| panic!("{found}"));
        let begins = format!("scheme.mark.{name} never marks: ");
        let note = checked.notes.iter().find(|note| note.starts_with(&begins)).expect(&name);
        assert!(note.contains(&format!("Make scheme.mark.{name}.{key} smaller, or switches.buffer larger.")), "{note}");
        assert_eq!(marks(&scenario), 0, "{name}");
        told += 1;
    }
    assert!(told >= 3);
}
