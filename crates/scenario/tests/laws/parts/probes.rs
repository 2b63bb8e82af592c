//! What probes record of a network in parts: the tables equal those of one part, alone and together.

use std::cell::Cell;

use congestree_fabric::AgendaKind;
use congestree_scenario::{Format, read};
use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::cuts::{KINDS, networks, repaired_jobs};
use super::{check_cut, cut_and_whole, in_parts, seen, vary, wide};
use crate::at_least;
use crate::draw::{Ends, scenarios};
use crate::schemes::{isolation, recovery, regions};
use crate::table::{numbers, rows};

/// Recordings by the part that owns the flow, the class or the port. (Completions are of flows of one message.)
const OWNED: [&str; 11] = [
    "flows",
    "classes",
    "ports",
    "queues",
    "latency",
    "counters",
    "output-queues",
    "buffers",
    "trees",
    "input-queues",
    "credits",
];

/// Tables of probes equal those of one part, alone and together.
#[test]
fn parts_record_what_the_whole_does() {
    let compared: Vec<Cell<u32>> = OWNED.map(|_| Cell::new(0)).into();
    let drawn = (
        scenarios(Ends::Open),
        prop::sample::subsequence((0..OWNED.len()).collect::<Vec<usize>>(), 1..=OWNED.len()),
        prop::sample::select(vec![2u16, 3, 7]),
        prop::sample::select(vec!["700 ns", "3 us"]),
        any::<bool>(),
    );
    let told = TestRunner::new(at_least(256)).run(&drawn, |(scenario, probes, parts, bin, pauses)| {
        let mut scenario = wide(scenario, 6, "37 ns");
        vary(&mut scenario, pauses, "");
        scenario["measure"]["bin"] = json!(bin);
        scenario["measure"]["warm_up"] = json!("1 us");
        scenario["measure"]["probes"] = probes.iter().map(|&probe| OWNED[probe]).collect();
        if read(&scenario.to_string(), Format::Json, "").is_err() {
            return Ok(());
        }
        let Some(cut) = in_parts(&scenario, AgendaKind::Wheel, parts) else { return Ok(()) };
        let whole = in_parts(&scenario, AgendaKind::Wheel, 1).expect("one part is no cut");
        prop_assert_eq!(seen(&cut), seen(&whole), "{}", scenario["measure"]["probes"]);
        probes.iter().for_each(|&probe| compared[probe].set(compared[probe].get() + 1));
        Ok(())
    });
    told.unwrap_or_else(|found| panic!("{found}"));
    let least = compared.iter().map(Cell::get).min();
    assert!(least >= Some(1), "of {OWNED:?} so many were compared: {compared:?}");
}

/// A sample is combined from what each part has seen of its own ports at that time, whatever the parts have done since.
#[test]
fn looks_at_parts_are_looks_at_the_whole() {
    let (compared, waiting) = (KINDS.map(|_| Cell::new(0u32)), Cell::new((0u64, 0u64)));
    let drawn = (
        networks(),
        (prop::sample::select(vec![2u16, 3, 7]), prop::sample::select(vec![AgendaKind::Wheel, AgendaKind::Heap])),
        prop::collection::vec(0..64u16, 12),
        prop::sample::select(vec!["100 ns", "700 ns", "3.3 us"]),
    );
    let told = TestRunner::new(at_least(56)).run(&drawn, |((kind, scenario), (parts, agenda), lots, every)| {
        let mut scenario = scenario;
        scenario["measure"]["sampling_interval"] = json!(every);
        scenario["measure"]["duration"] = json!("150 us");
        scenario["measure"]["probes"] = json!(["trees", "input-queues", "credits", "classes"]);
        if read(&scenario.to_string(), Format::Json, "").is_err() {
            // There are no credits.
            scenario["measure"]["probes"] = json!(["trees", "input-queues"]);
        }
        let Some((cut, whole)) = cut_and_whole(&scenario, agenda, parts) else { return Ok(()) };
        prop_assert_eq!(seen(&cut), seen(&whole));
        check_cut(&scenario, &lots, parts, &whole)?;
        compared[kind].set(compared[kind].get() + 1);
        let (queues, trees) = waiting.get();
        waiting.set((queues + rows(&whole, "input_queue_series") as u64, trees + rows(&whole, "trees") as u64));
        Ok(())
    });
    told.unwrap_or_else(|found| panic!("{found}"));
    let counts: Vec<(&str, u32)> = KINDS.iter().zip(&compared).map(|((name, _), count)| (*name, count.get())).collect();
    assert!(counts.iter().all(|&(_, count)| count > 0), "compared: {counts:?}");
    let (queues, trees) = waiting.get();
    assert!(queues >= 1_000 && trees >= 100, "queues in which something waited, trees: {queues}, {trees}");
}

/// Networks, a probe with a row for every event at a port, an output or a flow, and the table that must have some.
type Told = (fn() -> BoxedStrategy<Value>, &'static str, &'static str);

const TOLD: [Told; 17] = [
    (|| isolation::hot().prop_map(stormy).boxed(), "pauses", "pauses"),
    (|| isolation::hot().boxed(), "isolation", "isolation_series"),
    (|| isolation::hot().boxed(), "detections", "detections"),
    (|| isolation::hot().boxed(), "hol-blocking", "hol_blocking"),
    (|| isolation::hot().boxed(), "injection-audit", "injection_audit"),
    (|| regions::hot().boxed(), "regions", "regions"),
    (|| recovery::repaired().boxed(), "transport", "transport"),
    (|| networks().prop_map(|(_, scenario)| scenario).boxed(), "deliveries", "deliveries"),
    (|| recovery::repaired().boxed(), "transfers", "transfers"),
    (|| recovery::in_step().boxed(), "transfers", "transfers"),
    (|| repaired_jobs().boxed(), "transfers", "transfers"),
    (|| networks().prop_map(|(_, scenario)| scenario).boxed(), "events", "marks"),
    (KINDS[0].1, "events", "events"),
    (KINDS[0].1, "events", "congestion"),
    (KINDS[1].1, "events", "marks"),
    (|| recovery::repaired().boxed(), "events", "marks"),
    (|| marked_in_step().boxed(), "events", "marks"),
];

/// Everything takes whole microseconds: packets are marked exactly when their sources send others, receive marks and
/// change their rates.
fn marked_in_step() -> impl Strategy<Value = Value> {
    let bytes = prop::sample::select(vec!["1 kB", "2 kB", "10 MB"]);
    let reactions = prop_oneof![
        bytes.prop_map(
            |bytes| json!({"dcqcn": {"byte_counter": bytes, "increase_timer": "5 us", "alpha_period": "3 us",
            "cut_period": "4 us", "additive": "100 Mbit/s"}})
        ),
        prop::sample::select(vec![json!("lipd"), json!("fimd"), json!({"cct": {"timer": "7 us"}})]),
    ];
    (reactions, 1u64..4, 0u64..1000).prop_map(|(react, delay, seed)| {
        json!({
            "seed": seed,
            "topology": {"fat-tree": {"radix": 4}},
            "links": {"rate": "8 Gbit/s", "delay": format!("{delay} us"), "flow_control": {"byte-credits": {"block": "1 B"}}},
            "switches": {"buffer": "20 kB", "forwarding_delay": "0 ps", "switching": "store-and-forward"},
            "adapters": {"mtu": "1000 B", "header": "0 B", "ack": "1000 B"},
            "scheme": {
                "mark": {"red": {"min": "1 kB", "max": "4 kB", "probability": 0.5}},
                "notify": "ack",
                "react": react,
            },
            "traffic": [{"from": ["h1", "h2", "h5", "h6"], "to": "h0"}, {"from": "h3", "to": "h4"}],
            "measure": {"duration": "500 us", "audit": true},
        })
    })
}

/// Links that pause, a host that pauses without reason, and a watchdog.
fn stormy(mut scenario: Value) -> Value {
    scenario["links"]["flow_control"] = json!({"pfc": {
        "storms": [{"host": "h1", "start": "10 us", "stop": "45 us"}],
        "watchdog": {"detection_time": "5 us", "restoration_time": "2 us"},
    }});
    scenario["switches"]["buffer"] = json!("12 kB");
    scenario
}

/// Rows of events are in the order of one part, in which events at other ports or flows within the same instant are
/// between them.
#[test]
fn parts_tell_in_the_order_of_the_whole() {
    for (networks, probe, table) in TOLD {
        let (compared, told_rows, repeated) = (Cell::new(0u32), Cell::new(0usize), Cell::new(0u64));
        let drawn = (networks(), prop::sample::select(vec![2u16, 3, 7]), prop::collection::vec(0..64u16, 12));
        let told = TestRunner::new(at_least(28)).run(&drawn, |(scenario, parts, lots)| {
            let mut scenario = scenario;
            scenario["measure"].as_object_mut().expect("a table").remove("sampling_interval");
            scenario["measure"]["probes"] = json!([probe]);
            let Some((cut, whole)) = cut_and_whole(&scenario, AgendaKind::Wheel, parts) else { return Ok(()) };
            prop_assert_eq!(seen(&cut), seen(&whole), "{}", probe);
            check_cut(&scenario, &lots, parts, &whole)?;
            compared.set(compared.get() + 1);
            told_rows.set(told_rows.get() + rows(&whole, table));
            if table == "transfers" {
                repeated.set(repeated.get() + numbers(&whole, table, "resent").iter().sum::<u64>());
            }
            Ok(())
        });
        told.unwrap_or_else(|found| panic!("{found}"));
        let counts = (compared.get(), told_rows.get());
        assert!(counts.0 >= 16 && counts.1 >= 16, "{probe}: networks, rows: {counts:?}");
        assert!(table != "transfers" || repeated.get() >= 20, "{} packets sent again", repeated.get());
    }
}
