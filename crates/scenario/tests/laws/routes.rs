//! Switches that choose among next hops work with queues, crossbars, matchings and markers of any kind.

use std::cell::Cell;

use congestree_fabric::AgendaKind;
use congestree_scenario::{Format, read};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::parts::check_parts;
use crate::table::numbers;
use crate::{at_least, fingerprints, outcome};

/// A fat tree whose hosts all send to others, most to a few: under audit, with both event lists.
fn crowded(route: Value, switches: Value, scheme: Value) -> usize {
    let mut scenario = json!({
        "topology": {"fat-tree": {"radix": 4}},
        "links": {"rate": "8 Gbit/s", "delay": "50 ns"},
        "switches": switches,
        "adapters": {"mtu": "1000 B", "header": "0 B"},
        "scheme": scheme,
        "traffic": [
            {"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.5}}, "stop": "60 us"},
            {"from": ["h1", "h2", "h5"], "to": "h7", "arrivals": {"steady": {"load": 0.7}}, "stop": "60 us"},
        ],
        "measure": {"duration": "2 ms", "audit": true},
    });
    scenario["switches"]["buffer"] = json!("8 KiB");
    scenario["scheme"]["route"] = route;
    let wheel = outcome(&scenario, AgendaKind::Wheel);
    assert_eq!(wheel.stop, None, "{scenario}");
    assert_eq!(fingerprints(&wheel), fingerprints(&outcome(&scenario, AgendaKind::Heap)), "{scenario}");
    // The traffic has stopped long ago, and nothing is lost here.
    let (sent, delivered) = (numbers(&wheel, "flows", "sent"), numbers(&wheel, "flows", "packets"));
    assert_eq!(sent, delivered, "{scenario}");
    sent.iter().sum::<u64>() as usize
}

#[test]
fn whoever_chooses_a_way_arrives_by_it_in_switches_of_any_kind() {
    for switches in [
        json!({"queues": "voq"}),
        json!({"queues": "single", "read_ports": "one"}),
        json!({"queues": {"dbbm": {"queues": 3}}}),
        json!({"queues": {"obqa": {"queues": 2}}}),
        json!({"arbiter": "islip"}),
        json!({"crossbar": "16 Gbit/s"}),
    ] {
        for route in [json!("ecmp"), json!("spray"), json!("least-queue")] {
            assert!(crowded(route, switches.clone(), json!({})) > 100);
        }
    }
}

#[test]
fn markers_that_count_packets_go_with_chosen_ways() {
    for mark in [json!({"input-triggered": {"trigger": 4}}), json!({"output-triggered": {"output_threshold": 4}})] {
        let scheme = json!({"mark": mark, "react": "lipd", "notify": "ack"});
        assert!(crowded(json!("ecmp"), json!({"queues": "voq"}), scheme) > 100);
    }
}

/// Under audit, what was sent has arrived, is in flight, or was dropped.
#[test]
fn bounded_queues_go_with_switches_of_any_kind() {
    for switches in [
        json!({"queues": {"dbbm": {"queues": 3}}}),
        json!({"queues": {"obqa": {"queues": 2}}}),
        json!({"arbiter": "islip"}),
    ] {
        let mut scenario = json!({
            "topology": {"fat-tree": {"radix": 4}},
            "links": {"rate": "8 Gbit/s", "delay": "50 ns", "flow_control": "none"},
            "switches": switches,
            "adapters": {"mtu": "1000 B", "header": "0 B"},
            "traffic": [{"from": ["h1", "h2", "h5"], "to": "h7", "stop": "60 us"}],
            "measure": {"duration": "2 ms", "audit": true},
        });
        scenario["switches"]["output_queue"] = json!("5 kB");
        let wheel = outcome(&scenario, AgendaKind::Wheel);
        assert_eq!(wheel.stop, None, "{scenario}");
        assert_eq!(fingerprints(&wheel), fingerprints(&outcome(&scenario, AgendaKind::Heap)), "{scenario}");
        let total = |column: &str| numbers(&wheel, "flows", column).iter().sum::<u64>();
        let (sent, delivered) = (total("sent"), total("packets"));
        // The link of the receiver carries one packet a microsecond, and five wait for it at most.
        assert!(sent > 150 && (60..=70).contains(&delivered), "{sent} sent, {delivered} delivered: {scenario}");
    }
}

/// Packets on a detour over another switch, or that may still be sent on one, carry their destination across a cut.
pub(crate) fn detours() -> impl Strategy<Value = Value> {
    let networks = select(vec![
        (json!({"dragonfly": {"p": 2, "a": 2, "h": 2, "groups": 3}}), 2),
        (json!({"dragonfly": {"p": 1, "a": 3, "h": 1, "arrangement": "palmtree"}}), 2),
        (json!({"hyper-x": {"dimensions": [3, 3]}}), 1),
        (json!({"clos": {"down": [2, 3], "up": [2]}}), 1),
    ]);
    let ways = select(vec![
        json!("valiant"),
        json!({"ugal": {"threshold": "0 B"}}),
        json!({"ugal": {"candidates": 3, "threshold": "4000 B"}}),
        json!({"par": {"threshold": "0 B"}}),
    ]);
    let delays = select(vec!["5 ns", "50 ns", "1 us"]);
    (networks, ways, delays, select(vec![0.3, 0.9]), any::<u32>()).prop_map(|((topology, lanes), route, delay, load, seed)| {
        json!({
            "seed": seed,
            "topology": topology,
            "links": {"rate": "8 Gbit/s", "delay": delay, "lanes": 3 * lanes, "hop_lanes": "by-route"},
            "switches": {"buffer": "8 KiB", "forwarding_delay": "100 ns"},
            "scheme": {"route": route},
            "traffic": [{"from": "all", "pattern": {"shift": {"by": 3}}, "message": "2000 B", "arrivals": {"poisson": {"load": load}}}],
            "measure": {"duration": "60 us", "audit": true, "probes": []},
        })
    })
}

/// Networks with detours in parts equal the whole.
#[test]
fn detours_across_a_cut_are_those_of_one_part() {
    let compared = Cell::new(0u32);
    let told = TestRunner::new(at_least(64)).run(&(detours(), select(vec![2u16, 3, 7])), |(scenario, parts)| {
        if read(&scenario.to_string(), Format::Json, "").is_ok() {
            prop_assert!(check_parts(&scenario, parts)?);
            compared.set(compared.get() + 1);
        }
        Ok(())
    });
    told.unwrap_or_else(|found| panic!("{found}"));
    assert!(compared.get() >= 40, "{} networks", compared.get());
}
