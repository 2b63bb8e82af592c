//! The laws of a lossless network, on random fabrics, checked from outside.
//!
//! The engine audits itself (`measure.audit`): room promised exactly once, everything sent delivered or in flight,
//! order within flows. Here random scenarios without credit loops run under that audit, and what can be derived from
//! the tables alone is checked again. `CONGESTREE_CASES=1000 cargo test -p congestree-scenario --test laws` runs more
//! cases than the default, and `CONGESTREE_SEED=7` other ones.

mod deadlock;
mod draw;
mod finite;
mod jobs;
mod links;
mod parts;
mod programs;
mod routes;
mod schemes;
mod table;
mod work;

use std::collections::BTreeMap;

use congestree_fabric::{AgendaKind, Outcome, run};
use congestree_scenario::{Format, read};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed};
use serde_json::{Value, json};

use draw::{Ends, PACKET_NS, scenarios};
use table::{Delivered, deliveries, numbers, texts};

/// This number of cases unless the environment sets another, and always the same ones unless it sets another seed.
fn cases(count: u32) -> Config {
    let wanted = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    Config {
        cases: wanted("CONGESTREE_CASES").map_or(count, |cases| cases as u32),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(wanted("CONGESTREE_SEED").unwrap_or(1987)),
        ..Config::default()
    }
}

/// At least this number of cases, for a law that also asserts what its cases contained.
fn at_least(count: u32) -> Config {
    let wanted = cases(count);
    Config { cases: wanted.cases.max(count), ..wanted }
}

/// Runs a scenario, which must be valid.
fn outcome(scenario: &Value, agenda: AgendaKind) -> Outcome {
    let text = scenario.to_string();
    let checked = read(&text, Format::Json, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}\n{text}"));
    run(&checked.plan, agenda, &mut |_| true)
}

/// Runs a scenario with every delivery recorded; nothing may stop it.
fn peaceful(scenario: &Value) -> Outcome {
    let mut scenario = scenario.clone();
    scenario["measure"]["probes"] = json!(["deliveries"]);
    let outcome = outcome(&scenario, AgendaKind::Wheel);
    assert_eq!(outcome.stop, None);
    outcome
}

/// Fingerprints of what happened and of what was delivered.
fn fingerprints(outcome: &Outcome) -> (u64, u64, u64) {
    (outcome.trajectory, outcome.results, outcome.packet_hops)
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn nothing_is_lost_and_order_is_kept(scenario in scenarios(Ends::Open)) {
        let outcome = peaceful(&scenario);
        let mut by_flow: BTreeMap<u64, Vec<Delivered>> = BTreeMap::new();
        for packet in deliveries(&outcome) {
            prop_assert!(packet.created <= packet.injected && packet.injected < packet.time, "{packet:?}");
            by_flow.entry(packet.flow).or_default().push(packet);
        }
        let (sent, arrived) = (numbers(&outcome, "flows", "sent"), numbers(&outcome, "flows", "packets"));
        let (bytes, to) = (numbers(&outcome, "flows", "bytes"), texts(&outcome, "flows", "destination"));
        for (row, flow) in numbers(&outcome, "flows", "flow").into_iter().enumerate() {
            let packets = by_flow.remove(&flow).unwrap_or_default();
            prop_assert!(arrived[row] <= sent[row]);
            prop_assert_eq!(packets.len() as u64, arrived[row]);
            prop_assert_eq!(packets.iter().map(|packet| packet.bytes).sum::<u64>(), bytes[row]);
            if to[row] != "*" {
                prop_assert!(packets.iter().map(|packet| packet.sequence).eq(0..packets.len() as u64), "flow {}", flow);
                prop_assert!(packets.windows(2).all(|two| two[0].time < two[1].time), "flow {}", flow);
            }
        }
        prop_assert!(by_flow.is_empty(), "flows without a row: {:?}", by_flow.keys());
    }

    #[test]
    fn when_traffic_stops_everything_arrives(scenario in scenarios(Ends::AllStops)) {
        let outcome = peaceful(&scenario);
        let (sent, arrived) = (numbers(&outcome, "flows", "sent"), numbers(&outcome, "flows", "packets"));
        prop_assert_eq!(&sent, &arrived);
        let classes = texts(&outcome, "flows", "class");
        for (number, entry) in scenario["traffic"].as_array().expect("traffic is a list").iter().enumerate() {
            let packets: u64 = (0..sent.len()).filter(|&f| classes[f] == format!("class {number}")).map(|f| sent[f]).sum();
            let mtu = draw::bytes(&scenario["adapters"]["mtu"]);
            let pieces = draw::bytes(&entry["message"]).div_ceil(mtu);
            if let Some(count) = entry["arrivals"]["messages"]["count"].as_u64() {
                let sources = entry["from"].as_array().map_or(0, Vec::len) as u64;
                prop_assert_eq!(packets, count * sources * pieces, "class {}", number);
            } else if entry["arrivals"]["poisson"].is_object() {
                prop_assert_eq!(packets % pieces, 0, "class {} has lost a part of a message", number);
            }
        }
    }

    #[test]
    fn a_run_depends_on_its_scenario_only(scenario in scenarios(Ends::Open)) {
        let first = outcome(&scenario, AgendaKind::Wheel);
        prop_assert_eq!(&first.stop, &None);
        let again = outcome(&scenario, AgendaKind::Wheel);
        prop_assert_eq!(fingerprints(&first), fingerprints(&again));
        prop_assert_eq!(&first.tables, &again.tables);
        let heap = outcome(&scenario, AgendaKind::Heap);
        prop_assert_eq!(fingerprints(&first), fingerprints(&heap), "wheel and heap");
        prop_assert_eq!(&first.tables, &heap.tables);

        let mut watched = scenario.clone();
        watched["measure"]["probes"] = json!(["flows", "ports", "queues", "events", "latency", "deliveries", "trees"]);
        let seen = outcome(&watched, AgendaKind::Wheel);
        prop_assert_eq!(fingerprints(&first), fingerprints(&seen), "silent and watched");
        for name in ["flows", "ports", "summary"] {
            prop_assert_eq!(table::named(&first, name), table::named(&seen, name));
        }
        let mut unaudited = scenario.clone();
        unaudited["measure"]["audit"] = json!(false);
        prop_assert_eq!(fingerprints(&first), fingerprints(&outcome(&unaudited, AgendaKind::Wheel)), "audited or not");
    }

    #[test]
    fn the_past_does_not_depend_on_the_future(scenario in scenarios(Ends::Open), part in 1..100u64) {
        let whole = peaceful(&scenario);
        let mut shorter = scenario.clone();
        // An ACK must be turned around within a run.
        let least = scenario["adapters"].get("ack_turnaround").map_or(0, |turnaround| draw::picoseconds(turnaround) + 1);
        let end = (draw::picoseconds(&scenario["measure"]["duration"]) * part / 100).max(least);
        shorter["measure"]["duration"] = json!(format!("{end} ps"));
        shorter["measure"]["warm_up"] = json!("0 ns");
        let begun: Vec<Delivered> = deliveries(&whole).into_iter().filter(|packet| packet.time <= end).collect();
        prop_assert_eq!(begun, deliveries(&peaceful(&shorter)));
    }

    #[test]
    fn the_clock_may_start_anywhere(scenario in scenarios(Ends::Open), by in 1..1_000_000_000u64) {
        let mut scenario = scenario;
        if let Some(matching) = scenario["switches"]["arbiter"].pointer_mut("/islip/matching") {
            *matching = json!("asynchronous"); // slots are tied to the clock
        }
        let mut later = scenario.clone();
        let by = draw::period(&scenario).map_or(by, |period| period * (by % 7 + 1));
        let shift = |value: &mut Value| *value = json!(format!("{} ps", draw::picoseconds(value) + by));
        shift(&mut later["measure"]["duration"]);
        for entry in later["traffic"].as_array_mut().expect("traffic is a list") {
            shift(&mut entry["start"]);
            if entry.get("stop").is_some() {
                shift(&mut entry["stop"]);
            }
        }
        let moved = deliveries(&peaceful(&scenario)).into_iter().map(|packet| Delivered {
            time: packet.time + by,
            injected: packet.injected + by,
            created: packet.created + by,
            ..packet
        });
        prop_assert_eq!(moved.collect::<Vec<_>>(), deliveries(&peaceful(&later)));
    }
}

#[test]
fn the_draw_has_marks_and_blocked_links_and_all_that_laws_are_about() {
    let mut runner = proptest::test_runner::TestRunner::new(cases(60));
    let strategy = scenarios(Ends::Open);
    let (mut marked, mut blocked, mut delivered, mut drawn, mut congested) = (0, 0, 0, 0, 0);
    for _ in 0..60 {
        let scenario = strategy.new_tree(&mut runner).expect("a scenario can be drawn").current();
        let outcome = outcome(&scenario, AgendaKind::Wheel);
        let marks = numbers(&outcome, "flows", "marked").iter().any(|&count| count > 0);
        marked += u32::from(marks);
        congested += u32::from(marks && scenario["scheme"]["mark"]["fecn"].is_object());
        blocked += u32::from(table::reals(&outcome, "ports", "blocked").iter().any(|&time| time > 0.0));
        delivered += numbers(&outcome, "flows", "packets").iter().sum::<u64>();
        drawn += 1;
    }
    assert!(marked >= 10, "{marked} of {drawn} runs mark packets");
    assert!(congested >= 5, "{congested} of {drawn} runs mark as InfiniBand does");
    assert!(blocked >= 30, "{blocked} of {drawn} runs hold links");
    assert!(delivered >= 60 * 100, "{delivered} packets in {drawn} runs of about {PACKET_NS} ns a packet");
}
