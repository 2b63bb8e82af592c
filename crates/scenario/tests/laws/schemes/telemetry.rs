//! The laws of sources that react to telemetry or delay: nothing is lost, windows are kept, and a run is the same with
//! any probes.

use congestree_fabric::AgendaKind;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::draw::{Ends, scenarios};
use crate::table::{deliveries, numbers};
use crate::{cases, fingerprints, outcome};

/// A reaction to telemetry or delay, with parameters from one extreme to the other.
fn reactions() -> impl Strategy<Value = Value> {
    let (trips, rates) = (select(vec!["100 ns", "3 us", "50 us"]), select(vec!["1 Mbit/s", "50 Mbit/s", "2 Gbit/s"]));
    let hpcc = (trips.clone(), rates.clone(), 0..4u32, any::<[bool; 6]>()).prop_map(
        |(trip, rate, thresh, [fast, window, pace, multi, sample, pint])| {
            let mut hpcc = json!({"round_trip": trip, "rate_ai": rate, "mi_thresh": thresh, "fast_react": fast,
                "var_win": window, "rate_bound": pace});
            match pint {
                true => hpcc["pint"] = json!({"pint_prob": if sample { 0.4 } else { 1.0 }}),
                false => (hpcc["multi_rate"], hpcc["sample_feedback"]) = (json!(multi), json!(sample)),
            }
            json!({"hpcc": hpcc})
        },
    );
    let power = (trips, rates, any::<[bool; 2]>()).prop_map(|(trip, rate, [delay, gradient])| {
        let signal = if delay { "delay" } else { "telemetry" };
        json!({"power-tcp": {"round_trip": trip, "additive": rate, "signal": signal, "gradient": gradient && !delay}})
    });
    let swift = (select(vec!["1 us", "25 us"]), select(vec![0.01, 1.0, 20.0]))
        .prop_map(|(target, first)| json!({"swift": {"base_target": target, "initial_window": first}}));
    prop_oneof![3 => hpcc, 2 => power, 1 => swift]
}

/// With such a reaction over credits, or over pauses with the full headroom.
fn reacting(ends: Ends) -> impl Strategy<Value = Value> {
    (scenarios(ends), reactions(), any::<bool>())
        .prop_filter("flows have one destination", |(scenario, _, _)| {
            let entries = scenario["traffic"].as_array().expect("a list");
            entries.iter().all(|entry| entry.get("to").is_some())
        })
        .prop_map(|(mut scenario, react, pauses)| {
            scenario["scheme"] = json!({"react": react});
            scenario["adapters"].as_object_mut().expect("a table").remove("window");
            for entry in scenario["traffic"].as_array_mut().expect("a list") {
                entry.as_object_mut().expect("a table").remove("window");
            }
            if pauses {
                scenario["links"]["flow_control"] = json!("pfc");
                scenario["switches"] = json!({"shared_memory": {"size": "200 MB"}});
                scenario["adapters"].as_object_mut().expect("a table").remove("receive_buffer");
                scenario["adapters"].as_object_mut().expect("a table").remove("drain_rate");
            }
            scenario
        })
}

proptest! {
    #![proptest_config(cases(64))]

    /// After sending stops everything arrives: no source starves for ever, however slow its reaction makes it.
    #[test]
    fn all_that_is_sent_arrives(scenario in reacting(Ends::AllStops)) {
        let run = outcome(&scenario, AgendaKind::Wheel);
        prop_assert_eq!(&run.stop, &None);
        prop_assert_eq!(numbers(&run, "flows", "sent"), numbers(&run, "flows", "packets"));
    }

    /// Probes and agendas change nothing.
    #[test]
    fn a_run_is_the_same_whoever_looks(scenario in reacting(Ends::Open)) {
        let mut seen = scenario.clone();
        seen["measure"]["probes"] = json!(["deliveries", "flows"]);
        let run = outcome(&seen, AgendaKind::Heap);
        prop_assert_eq!(fingerprints(&run), fingerprints(&outcome(&scenario, AgendaKind::Wheel)));
    }
}

/// Four send to one over one switch, with a window of this many packets of 1,000 B for each.
fn bounded(packets: u64) -> Value {
    let trip = format!("{packets} us");
    json!({
        "topology": {"single-switch": {"hosts": 5}},
        "links": {"rate": "8 Gbit/s", "delay": "50 us"},
        "switches": {"buffer": "1 MB", "forwarding_delay": "0 s"},
        "adapters": {"mtu": "1000 B", "header": "0 B", "ack": "1 B"},
        "scheme": {"react": {"hpcc": {"round_trip": trip, "var_win": false, "rate_bound": false}}},
        "traffic": [{"from": ["H1", "H2", "H3", "H4"], "to": "H5"}],
        "measure": {"duration": "5 ms", "audit": true, "probes": ["deliveries", "flows"]},
    })
}

#[test]
fn the_window_is_never_exceeded() {
    for packets in [1, 3, 17] {
        let run = outcome(&bounded(packets), AgendaKind::Wheel);
        let mut arrived: Vec<Vec<u64>> = vec![Vec::new(); 4];
        deliveries(&run).iter().for_each(|packet| arrived[packet.flow as usize].push(packet.injected));
        for starts in arrived {
            assert!(starts.len() > packets as usize);
            // The packet a window later cannot have started before the first was acknowledged: twice the path of 100
            // us.
            let late = starts.windows(packets as usize + 1).all(|pair| pair[packets as usize] - pair[0] >= 200_000_000);
            assert!(late, "{packets}");
        }
    }
}
