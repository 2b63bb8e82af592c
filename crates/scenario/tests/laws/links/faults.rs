//! The laws of links that fail: what is sent arrives, is reported as dropped, or is in flight; with retry on every link
//! nothing is lost; and a run is the same with other probes and another agenda.

use congestree_fabric::AgendaKind;
use congestree_scenario::{Format, read};
use congestree_topology::Graph;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::draw::{Ends, scenarios};
use crate::table::{numbers, texts};
use crate::{cases, fingerprints, outcome, peaceful};

/// Picoseconds: sources are busy for some tens of microseconds.
const STEP: u64 = 100_000;

/// Which of the links fails, from when and for how long in steps, and the share of its rate that it keeps.
pub(crate) type Failure = (Index, u64, u64, Option<f64>);

pub(crate) fn failures() -> impl Strategy<Value = Vec<Failure>> {
    let keeps = prop_oneof![3 => Just(None), 1 => Just(Some(0.25))];
    prop::collection::vec((any::<Index>(), 1..400u64, 1..400u64, keeps), 1..4)
}

/// A scenario with links that fail and recover, and switches that have ports which are down.
pub(crate) fn failing(mut scenario: Value, failures: &[Failure], lifetime: &str, retry: bool) -> Value {
    let switches = scenario["switches"].as_object_mut().expect("a table");
    for key in ["crossbar", "output_packets", "memory"] {
        switches.remove(key);
    }
    if let Some(voqnet) = switches["queues"]["voqnet"].as_object() {
        let buffer = voqnet["buffer"].clone();
        switches.insert("buffer".into(), buffer);
    }
    if switches["queues"].is_object() {
        switches["queues"] = json!("voq");
    }
    if switches["arbiter"]["islip"].is_object() || switches["arbiter"] == "islip" {
        switches["arbiter"] = json!("round-robin");
    }
    scenario["scheme"] = json!({});
    if !retry {
        // Nothing may wait for lost packets.
        scenario["adapters"].as_object_mut().expect("a table").remove("window");
        for entry in scenario["traffic"].as_array_mut().expect("a list") {
            entry.as_object_mut().expect("a table").remove("window");
        }
    }
    let text = scenario.to_string();
    let plan = read(&text, Format::Json, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}\n{text}")).plan;
    let listed = failures.iter().map(|(link, at, lasts, keeps)| {
        let (at, until) = (STEP * at, STEP * (at + lasts));
        let mut failure =
            json!({"link": ends(&plan.graph, link), "at": format!("{at} ps"), "until": format!("{until} ps")});
        if let Some(keeps) = keeps {
            failure["keeps"] = json!(keeps);
        }
        failure
    });
    // A link that is drawn twice would fail twice at the same time.
    let mut listed: Vec<Value> = listed.collect();
    listed.sort_by_key(|failure| failure["link"].to_string());
    listed.dedup_by_key(|failure| failure["link"].to_string());
    scenario["links"]["faults"] = json!({"failures": listed, "head_of_queue_lifetime": lifetime});
    if retry {
        scenario["links"]["retry"] = json!({});
    }
    scenario
}

/// The names of the ends of a link, the lower one first.
fn ends(graph: &Graph, link: &Index) -> [String; 2] {
    let link = link.get(&graph.links);
    let mut ends = [link.a, link.b].map(|node| graph.name(node).to_owned());
    ends.sort();
    ends
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn what_a_failure_costs_is_told(
        scenario in scenarios(Ends::AllStops), failures in failures(), lifetime in select(vec!["0 ns", "2 us", "1 s"])
    ) {
        let scenario = failing(scenario, &failures, lifetime, false);
        let run = peaceful(&scenario);
        let told: Vec<u64> = numbers(&run, "flows", "packets")
            .iter()
            .zip(numbers(&run, "flows", "dropped"))
            .map(|(arrived, lost)| arrived + lost)
            .collect();
        prop_assert_eq!(numbers(&run, "flows", "sent"), told);
        let costs = |column| numbers(&run, "faults", column).iter().sum::<u64>();
        let dropped = numbers(&run, "ports", "dropped").iter().sum::<u64>();
        prop_assert_eq!(costs("on_the_wire") + costs("discarded"), dropped);
        let mut other = scenario.clone();
        other["measure"]["audit"] = json!(false);
        other["measure"]["probes"] = json!(["flows", "ports", "queues"]);
        prop_assert_eq!(fingerprints(&run), fingerprints(&outcome(&other, AgendaKind::Heap)));
    }

    #[test]
    fn with_retry_a_failure_costs_nothing_but_time(scenario in scenarios(Ends::AllStops), failures in failures()) {
        let run = peaceful(&failing(scenario, &failures, "1 s", true));
        prop_assert_eq!(numbers(&run, "flows", "sent"), numbers(&run, "flows", "packets"));
        prop_assert_eq!(numbers(&run, "ports", "dropped").iter().sum::<u64>(), 0);
    }

    /// Routes that change lead later packets past those that wait for their link to recover, also in flows of one
    /// message.
    #[test]
    fn flows_that_come_and_go_end_where_routes_follow(
        seed in 0u64..1000, until in 20u64..200, delay in 0u64..10, acked in any::<bool>()
    ) {
        let mut scenario = json!({
            "seed": seed,
            "topology": {"fat-tree": {"radix": 4}},
            "links": {"rate": "100 Gbit/s", "delay": "1 us", "retry": {"bytes": "20 kB"}, "faults": {
                "failures": [{"link": ["leaf0", "spine0"], "at": "5 us", "until": format!("{until} us")}],
                "reroute": {"subnet-manager": {"delay": format!("{delay} us")}},
            }},
            "switches": {"buffer": "400 KiB"},
            "traffic": [{"from": "all", "pattern": "permutation", "message": "20 KiB", "flows": "by-message",
                "arrivals": {"messages": {"count": 4, "every": "2 us"}}}],
            "measure": {"duration": "2 ms", "audit": true},
        });
        if acked {
            scenario["scheme"]["preset"] = json!("timely");
        }
        let run = peaceful(&scenario);
        prop_assert_eq!(numbers(&run, "flows", "sent"), numbers(&run, "flows", "packets"));
    }
}

/// A ring on which packets from a to b go the long way round, by S4 and S3.
fn the_long_way_round(failed: [&str; 2]) -> Value {
    let link = |[a, b]: [&str; 2]| json!({"a": a, "b": b});
    let links =
        [["a", "S1"], ["b", "S2"], ["c", "S3"], ["d", "S4"], ["S1", "S2"], ["S2", "S3"], ["S3", "S4"], ["S4", "S1"]];
    json!({
        "topology": {"graph": {
            "hosts": ["a", "b", "c", "d"],
            "switches": ["S1", "S2", "S3", "S4"],
            "links": links.map(link),
        }},
        "routing": {"table": {"S1": {"b": "S4"}, "S4": {"b": "S3"}}},
        "links": {"rate": "8 Gbit/s", "delay": "100 ns", "faults": {
            "failures": [{"link": failed, "at": "200 us"}],
            "reroute": {"subnet-manager": {"delay": "10 us"}},
        }},
        "traffic": [{"from": "a", "to": "b", "rate": "4 Gbit/s"}],
        "measure": {"duration": "1 ms", "audit": true},
    })
}

/// No other way leads to a host whose link is down, so routes stay as they are written.
#[test]
fn tables_of_a_subnet_manager_leave_routes_alone_if_the_link_of_a_host_fails() {
    let packets = |failed| {
        let outcome = outcome(&the_long_way_round(failed), AgendaKind::Wheel);
        let (names, packets) = (texts(&outcome, "ports", "name"), numbers(&outcome, "ports", "packets"));
        ["S1->S4", "S1->S2"].map(|port| packets[names.iter().position(|name| name == port).expect("a port")])
    };
    let [round, straight] = packets(["d", "S4"]);
    assert!(round > 200 && straight == 0, "{round} and {straight} packets");
    let [round, straight] = packets(["S3", "S4"]);
    assert!(round < 100 && straight > 100, "{round} and {straight} packets");
}

/// The routes of these networks need their lanes, and shortest paths would have a cycle in them.
#[test]
fn the_link_of_a_host_may_fail_in_any_network() {
    for (topology, link) in [
        (json!({"dragonfly": {"p": 2, "a": 4, "h": 2}}), ["h0", "r0_0"]),
        (json!({"torus": {"dimensions": [5, 5]}}), ["h0", "s0_0"]),
    ] {
        let scenario = json!({
            "topology": topology,
            "links": {"rate": "100 Gbit/s", "delay": "50 ns", "lanes": 2, "hop_lanes": "by-route", "faults": {
                "failures": [{"link": link, "at": "10 us"}],
                "reroute": {"subnet-manager": {"delay": "1 us"}},
            }},
            "traffic": [{"from": "all", "pattern": {"shift": {"by": 8}}}],
            "measure": {"duration": "50 us"},
        });
        let plan = read(&scenario.to_string(), Format::Json, "").unwrap_or_else(|found| panic!("{found}")).plan;
        assert_eq!(plan.faults.tables.iter().map(|tables| tables.routes == plan.routes).collect::<Vec<_>>(), [true]);
    }
}
