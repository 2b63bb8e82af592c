//! How lanes share a link: by priority, or by bytes (deficit round robin).

use congestree_fabric::AgendaKind;
use serde_json::{Value, json};

use crate::outcome;
use crate::table::{numbers, texts};

/// Bytes that arrived in each lane: 0 with full packets, 1 with packets of 300 bytes, 2 with full packets for half of
/// the time. Each lane's sender shares the link of the receiver with the others, and each alone could fill it.
fn shares(arbiter: Value, flow_control: &str) -> [f64; 3] {
    let traffic = [("H1", 0, 1000), ("H2", 1, 300), ("H3", 2, 1000)].map(|(from, lane, message)| {
        json!({"from": from, "to": "H4", "lane": lane, "message": format!("{message} B"), "name": format!("lane {lane}")})
    });
    let mut scenario = json!({
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "8 Gbit/s", "delay": "50 ns", "lanes": 3, "flow_control": flow_control, "lane_arbiter": arbiter},
        "switches": {"buffer": "8 kB"},
        "adapters": {"mtu": "1000 B", "header": "0 B"},
        "traffic": traffic,
        "measure": {"duration": "2 ms", "audit": true},
    });
    scenario["traffic"][2]["stop"] = json!("1 ms");
    let outcome = outcome(&scenario, AgendaKind::Wheel);
    assert_eq!(outcome.stop, None);
    let (bytes, class) = (numbers(&outcome, "flows", "bytes"), texts(&outcome, "flows", "class"));
    [0, 1, 2].map(|lane| {
        let of = class.iter().position(|class| *class == format!("lane {lane}")).expect("a flow in every lane");
        bytes[of] as f64 / 1e6
    })
}

fn close(got: [f64; 3], wanted: [f64; 3]) {
    for (got, wanted) in got.iter().zip(wanted) {
        assert!((got - wanted).abs() < 0.02, "{got} MB where {wanted} were due");
    }
}

#[test]
fn the_highest_lane_goes_first_unless_another_order_is_given() {
    for flow_control in ["byte-credits", "pfc"] {
        close(shares(json!("strict"), flow_control), [0.0, 1.0, 1.0]);
        close(shares(json!({"strict": {"order": [0, 1, 2]}}), flow_control), [2.0, 0.0, 0.0]);
    }
}

#[test]
fn quanta_share_bytes_whatever_the_sizes_of_packets() {
    let share = |lane: u8, quantum: &str| json!({"lane": lane, "quantum": quantum});
    let equal = json!({"drr": {"shares": [share(0, "1 kB"), share(1, "1 kB"), share(2, "1 kB")]}});
    let uneven = json!({"drr": {"shares": [share(0, "4 kB"), share(1, "1 kB"), share(2, "5 kB")]}});
    let after = json!({"drr": {"first": [2], "shares": [share(0, "3 kB"), share(1, "1 kB")]}});
    for flow_control in ["byte-credits", "pfc"] {
        close(shares(equal.clone(), flow_control), [1.0 / 3.0 + 0.5, 1.0 / 3.0 + 0.5, 1.0 / 3.0]);
        close(shares(uneven.clone(), flow_control), [0.4 + 0.8, 0.1 + 0.2, 0.5]);
        close(shares(after.clone(), flow_control), [0.75, 0.25, 1.0]);
    }
}
