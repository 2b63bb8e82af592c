//! Links that fail or damage packets in a network in parts, at the cut and elsewhere: what is lost, dropped and stopped
//! is the same as in one part.

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
use crate::links::checked::{erring, repaired};
use crate::links::faults::{failing, failures};
use crate::table::numbers;

/// A kind of flow control, with plain switches and hosts that fit it, or as it was drawn.
fn control_flow(scenario: &mut Value, control: &str) {
    if control == "drawn" {
        return;
    }
    scenario["links"]["flow_control"] = match control {
        "credit-messages" => json!({"byte-credits": {"messages": {"heal": "7 us"}}}),
        control => json!(control),
    };
    for key in ["receive_buffer", "drain_rate"] {
        scenario["adapters"].as_object_mut().expect("a table").remove(key);
    }
    let buffer = if control == "pfc" { "128 KiB" } else { "8 KiB" };
    scenario["switches"] = json!({"buffer": buffer, "forwarding_delay": "40 ns"});
}

/// Fat trees with links that fail, which switches may or may not avoid, and that may damage packets.
pub(crate) fn failing_trees() -> impl Strategy<Value = Value> {
    let drawn = (
        (scenarios(Ends::Open), failures(), select(vec!["0 ns", "2 us", "1 s"])),
        (select(vec!["5 ns", "37 ns", "1.001 us"]), select(vec!["", "ecmp", "spray"])),
        select(vec!["drawn", "pfc", "byte-credits", "credit-messages"]),
        (select(vec!["none", "local", "0 ns", "3 us"]), select(vec![0.0, 0.0, 0.02, 0.3])),
    );
    drawn.prop_filter_map(
        "it makes sense",
        |((scenario, failures, lifetime), (delay, route), control, (follow, errors))| {
            let mut scenario = wide(scenario, 6, delay);
            if follow != "none" {
                scenario["traffic"][0]["pattern"] = json!("permutation");
            }
            read(&scenario.to_string(), Format::Json, "").ok()?;
            let mut scenario = failing(scenario, &failures, lifetime, false);
            control_flow(&mut scenario, control);
            if !route.is_empty() {
                scenario["scheme"]["route"] = json!({route: {}});
            }
            if errors > 0.0 {
                scenario["links"]["errors"] = json!({"packets": errors});
            }
            if follow != "none" {
                scenario["links"]["faults"]["reroute"] = match follow {
                    "local" => json!("local"),
                    delay => json!({"subnet-manager": {"delay": delay}}),
                };
            }
            scenario["measure"]["warm_up"] = json!("20 us");
            scenario["measure"]["probes"] = json!(["output-queues", "ports", "flows"]);
            Some(scenario)
        },
    )
}

#[test]
fn parts_whose_links_fail_are_the_whole() {
    let (compared, lost, discarded, damaged) = (Cell::new(0u32), Cell::new(0u64), Cell::new(0u64), Cell::new(0u64));
    let drawn = (failing_trees(), select(vec![2u16, 3, 7]), select(vec![AgendaKind::Wheel, AgendaKind::Heap]));
    let told = TestRunner::new(at_least(96)).run(&drawn, |(scenario, parts, agenda)| {
        let Some((cut, whole)) = cut_and_whole(&scenario, agenda, parts) else { return Ok(()) };
        prop_assert_eq!(seen(&cut), seen(&whole));
        let sum = |column| numbers(&whole, "faults", column).iter().sum::<u64>();
        compared.set(compared.get() + 1);
        lost.set(lost.get() + sum("on_the_wire"));
        discarded.set(discarded.get() + sum("discarded"));
        if !scenario["links"]["errors"].is_null() {
            damaged.set(damaged.get() + numbers(&whole, "ports", "damaged").iter().sum::<u64>());
        }
        Ok(())
    });
    told.unwrap_or_else(|found| panic!("{found}"));
    let counts = (compared.get(), lost.get(), discarded.get(), damaged.get());
    let some = counts.0 >= 4 && counts.1 >= 1 && counts.2 >= 1 && counts.3 >= 1;
    assert!(some, "networks, packets lost, dropped, damaged: {counts:?}");
}

/// Fat trees whose links resend what they damage, and may fail.
pub(crate) fn retrying_trees() -> impl Strategy<Value = Value> {
    let drawn = (
        (scenarios(Ends::Open), prop::option::of(failures()), repaired()),
        (select(vec!["5 ns", "37 ns", "1.001 us"]), select(vec!["", "ecmp", "spray"])),
        select(vec!["drawn", "pfc", "byte-credits", "credit-messages"]),
    );
    drawn.prop_map(|((scenario, failures, (errors, retry)), (delay, route), control)| {
        let mut scenario = wide(scenario, 6, delay);
        if let Some(failures) = failures.filter(|_| read(&scenario.to_string(), Format::Json, "").is_ok()) {
            scenario = failing(scenario, &failures, "1 s", true);
        }
        let mut scenario = erring(scenario, errors, Some(retry));
        control_flow(&mut scenario, control);
        if !route.is_empty() {
            scenario["scheme"]["route"] = json!({route: {}});
        }
        scenario["measure"]["warm_up"] = json!("20 us");
        scenario["measure"]["probes"] = json!(["ports", "flows"]);
        scenario
    })
}

#[test]
fn parts_whose_links_send_again_are_the_whole() {
    let (compared, failed, replayed) = (Cell::new(0u32), Cell::new(0u32), Cell::new(0u64));
    let drawn = (
        retrying_trees(),
        (select(vec![2u16, 3, 7]), select(vec![AgendaKind::Wheel, AgendaKind::Heap])),
        prop::collection::vec(0..64u16, 9),
    );
    let told = TestRunner::new(at_least(128)).run(&drawn, |(scenario, (parts, agenda), lots)| {
        let Some((cut, whole)) = cut_and_whole(&scenario, agenda, parts) else { return Ok(()) };
        prop_assert_eq!(seen(&cut), seen(&whole));
        check_cut(&scenario, &lots, parts, &whole)?;
        compared.set(compared.get() + 1);
        if !scenario["links"]["faults"].is_null() {
            let lost = numbers(&whole, "faults", "on_the_wire").iter().sum::<u64>();
            failed.set(failed.get() + u32::from(lost > 0));
        }
        replayed.set(replayed.get() + numbers(&whole, "ports", "replayed").iter().sum::<u64>());
        Ok(())
    });
    told.unwrap_or_else(|found| panic!("{found}"));
    let counts = (compared.get(), failed.get(), replayed.get());
    let some = counts.0 >= 16 && counts.1 >= 2 && counts.2 >= 100;
    assert!(some, "networks, of which links failed with something on them, packets sent again: {counts:?}");
}
