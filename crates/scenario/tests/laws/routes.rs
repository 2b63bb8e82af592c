//! Switches that choose among next hops go with queues, crossbars, matchings and markers of any kind.

use congestree_fabric::AgendaKind;
use serde_json::{Value, json};

use crate::table::numbers;
use crate::{fingerprints, outcome};

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

/// Under audit what was sent has come in, is on its way, or was dropped.
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
