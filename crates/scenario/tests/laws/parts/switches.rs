//! Switches and credits of every kind in parts: crossbars, queues with room of their own, matchings, markers that react
//! to full buffers, credits that return in messages.

use std::cell::Cell;

use congestree_fabric::AgendaKind;
use congestree_scenario::{Format, read};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::{check_cut, cut_and_whole, seen, wide};
use crate::at_least;
use crate::draw::{Ends, scenarios};
use crate::table::{named, numbers};

/// A feature of a switch, and whether a scenario has it.
type Kind = (&'static str, fn(&Value) -> bool);

/// What is not plain.
const KINDS: [Kind; 6] = [
    ("crossbar", |scenario| scenario["switches"]["crossbar"].is_string()),
    ("equal shares", |scenario| scenario["switches"]["memory"] == "reserved"),
    ("dynamic shares", |scenario| scenario["switches"]["memory"]["damq"].is_object()),
    ("a queue for each destination", |scenario| scenario["switches"]["queues"]["voqnet"].is_object()),
    ("matchings", |scenario| scenario["switches"]["arbiter"].to_string().contains("islip")),
    ("full buffers", |scenario| {
        ["naive", "input-triggered"].iter().any(|mark| scenario["scheme"]["mark"][mark].is_object())
    }),
];

#[test]
fn parts_with_switches_of_any_kind_are_the_whole() {
    let compared = KINDS.map(|_| Cell::new(0u32));
    let drawn = (
        scenarios(Ends::Open),
        select(vec!["5 ns", "37 ns", "1.001 us"]),
        (select(vec![2u16, 3, 7]), select(vec![AgendaKind::Wheel, AgendaKind::Heap])),
        (prop::collection::vec(0..64u16, 12), any::<bool>()),
    );
    let told = TestRunner::new(at_least(192)).run(&drawn, |(scenario, delay, (parts, agenda), (lots, own))| {
        let drawn = scenario["traffic"].clone();
        let mut scenario = wide(scenario, 6, delay);
        if own {
            // The hosts of a tree have other names than those of the network that was drawn.
            scenario["traffic"] = json!([
                {"from": "all", "pattern": {"shift": {"by": 7}}, "message": drawn[0]["message"]},
                {"from": ["h1", "h2", "h6"], "to": "h0", "message": "900 B", "arrivals": {"poisson": {"load": 0.4}}},
            ]);
        }
        let kinds: Vec<usize> = (0..KINDS.len()).filter(|&kind| KINDS[kind].1(&scenario)).collect();
        if kinds.is_empty() || read(&scenario.to_string(), Format::Json, "").is_err() {
            return Ok(());
        }
        let Some((cut, whole)) = cut_and_whole(&scenario, agenda, parts) else { return Ok(()) };
        prop_assert_eq!(seen(&cut), seen(&whole));
        check_cut(&scenario, &lots, parts, &whole)?;
        kinds.into_iter().for_each(|kind| compared[kind].set(compared[kind].get() + 1));
        Ok(())
    });
    told.unwrap_or_else(|found| panic!("{found}"));
    let counts: Vec<(&str, u32)> = KINDS.iter().zip(&compared).map(|((name, _), count)| (*name, count.get())).collect();
    assert!(counts.iter().all(|&(_, count)| count >= 3), "compared: {counts:?}");
}

/// Whether a packet is late depends on what its flow has delivered to other hosts: the same in parts, and with probes
/// or without.
#[test]
fn parts_count_late_packets_of_flows_to_many_hosts_as_the_whole_does() {
    let (compared, late) = (Cell::new(0u32), Cell::new(0u64));
    let drawn = (
        (0..1_000u64, select(vec!["5 ns", "37 ns", "1.001 us"]), select(vec!["8 Gbit/s", "10 Gbit/s"])),
        (select(vec!["spray", "flowlet", "least-queue"]), select(vec!["500 B", "3000 B", "7001 B"]), 0.2..0.9f64),
        (select(vec![2u16, 3, 7]), select(vec![AgendaKind::Wheel, AgendaKind::Heap])),
        prop::collection::vec(0..64u16, 12),
    );
    let told = TestRunner::new(at_least(24)).run(
        &drawn,
        |((seed, delay, rate), (route, message, load), (parts, agenda), lots)| {
            let mut scenario = json!({
                "seed": seed,
                "topology": {"fat-tree": {"radix": 6, "layers": 2}},
                "links": {"rate": rate, "delay": delay},
                "switches": {"buffer": "16 KiB", "forwarding_delay": "100 ns"},
                "adapters": {"mtu": "1000 B"},
                "scheme": {"route": {route: {}}},
                "traffic": [{"from": "all", "pattern": "uniform", "message": message, "arrivals": {"poisson": {"load": load}}}],
                "measure": {"duration": "150 us", "audit": true},
            });
            let (cut, whole) = cut_and_whole(&scenario, agenda, parts).expect("it can be cut");
            prop_assert_eq!(seen(&cut), seen(&whole));
            check_cut(&scenario, &lots, parts, &whole)?;
            scenario["measure"]["probes"] = json!(["latency"]);
            let (probed, probed_whole) = cut_and_whole(&scenario, agenda, parts).expect("it can be cut");
            prop_assert_eq!(seen(&probed), seen(&probed_whole));
            prop_assert_eq!(named(&probed, "flows"), named(&whole, "flows"));
            compared.set(compared.get() + 1);
            late.set(late.get() + numbers(&whole, "flows", "reordered").iter().sum::<u64>());
            Ok(())
        },
    );
    told.unwrap_or_else(|found| panic!("{found}"));
    let counts = (compared.get(), late.get());
    assert!(counts.0 >= 24 && counts.1 >= 100, "networks, late packets: {counts:?}");
}

/// Fat trees whose credits return in messages, on links that may lose packets and messages.
pub(crate) fn credited_trees() -> impl Strategy<Value = Value> {
    let spacing = select(vec!["0 B", "600 B", "3 kB"]);
    let repeat = select(vec!["2 kB", "9 kB"]);
    let heal = select(vec!["3 us", "11.3 us"]);
    let errors = select(vec![(0.0, 0.0), (0.0, 0.3), (0.1, 0.0), (0.1, 0.3)]);
    let tree = (scenarios(Ends::Open), select(vec!["5 ns", "37 ns", "1.001 us"]), any::<bool>());
    ((spacing, repeat, heal, errors), tree).prop_map(
        |((spacing, repeat, heal, (packets, words)), (scenario, delay, plain))| {
            let mut scenario = wide(scenario, 6, delay);
            let messages = json!({"spacing": spacing, "repeat": repeat, "heal": heal});
            scenario["links"]["flow_control"] = json!({"byte-credits": {"block": "100 B", "messages": messages}});
            scenario["switches"] = json!({"buffer": "9 kB", "forwarding_delay": "40 ns"});
            if packets + words > 0.0 {
                scenario["links"]["errors"] = json!({"packets": packets, "words": words});
            }
            if plain {
                scenario["adapters"] = json!({"mtu": "900 B"});
                scenario["scheme"] = json!({});
            }
            scenario["measure"]["probes"] = json!(["ports"]);
            scenario
        },
    )
}

#[test]
fn parts_whose_credits_come_back_in_messages_are_the_whole() {
    let (compared, lossy, damaged) = (Cell::new(0u32), Cell::new(0u32), Cell::new(0u64));
    let drawn = (
        credited_trees(),
        (select(vec![2u16, 3, 7]), select(vec![AgendaKind::Wheel, AgendaKind::Heap])),
        prop::collection::vec(0..64u16, 12),
    );
    let told = TestRunner::new(at_least(192)).run(&drawn, |(scenario, (parts, agenda), lots)| {
        let Some((cut, whole)) = cut_and_whole(&scenario, agenda, parts) else { return Ok(()) };
        prop_assert_eq!(seen(&cut), seen(&whole));
        check_cut(&scenario, &lots, parts, &whole)?;
        compared.set(compared.get() + 1);
        if !scenario["links"]["errors"].is_null() {
            lossy.set(lossy.get() + 1);
            damaged.set(damaged.get() + numbers(&whole, "ports", "damaged").iter().sum::<u64>());
        }
        Ok(())
    });
    told.unwrap_or_else(|found| panic!("{found}"));
    let counts = (compared.get(), lossy.get(), damaged.get());
    assert!(counts.0 >= 24 && counts.1 >= 12 && counts.2 >= 100, "networks, lossy ones, packets damaged: {counts:?}");
}
