//! Laws of schemes that switches take part in.

pub(crate) mod flow_queues;
pub(crate) mod isolation;
mod marking;
pub(crate) mod recovery;
pub(crate) mod regions;
mod telemetry;
mod trimming;

use std::cell::Cell;

use congestree_fabric::{AgendaKind, Outcome};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::parts::{check_cut, check_parts};
use crate::table::numbers;
use crate::{at_least, fingerprints, outcome};

/// Traffic of all hosts with `roots` hot spots from 10 to 40 us; it ends at 60 us.
fn hot_roots(hosts: u32, roots: usize) -> Value {
    let hot: Vec<String> = (0..roots as u32).map(|root| format!("h{}", (root * 3 + 1) % hosts)).collect();
    json!([
        {"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.5}}, "stop": "60 us"},
        {"from": "all", "pattern": {"hot-spot": {"to": hot, "fraction": 1.0}},
         "arrivals": {"poisson": {"load": 0.4}}, "start": "10 us", "stop": "40 us"},
    ])
}

/// Everything sent arrives, whatever the event list, and with these probes or without. Returns their records.
fn nothing_is_left(scenario: &Value, probes: &Value) -> Result<Outcome, TestCaseError> {
    let result = outcome(scenario, AgendaKind::Wheel);
    prop_assert_eq!(&result.stop, &None, "{}", scenario);
    prop_assert_eq!(numbers(&result, "flows", "sent"), numbers(&result, "flows", "packets"));
    let heap = outcome(scenario, AgendaKind::Heap);
    prop_assert_eq!(fingerprints(&result), fingerprints(&heap));
    let mut watched = scenario.clone();
    watched["measure"]["probes"] = probes.clone();
    let seen = outcome(&watched, AgendaKind::Wheel);
    prop_assert_eq!(fingerprints(&result), fingerprints(&seen));
    Ok(seen)
}

/// Runs of 96 such scenarios, most of which can be cut, are the same in parts and in random parts; in at least a
/// quarter of them the scheme acts.
fn parts_are_the_whole(scenarios: impl Strategy<Value = Value>, acts: impl Fn(&Outcome) -> bool) {
    let (compared, acted) = (Cell::new(0u32), Cell::new(0u32));
    let drawn = (scenarios, prop::sample::select(vec![2u16, 3, 7]), prop::collection::vec(0..64u16, 12));
    let told = TestRunner::new(at_least(96)).run(&drawn, |(scenario, parts, lots)| {
        if !check_parts(&scenario, parts)? {
            return Ok(());
        }
        let whole = outcome(&scenario, AgendaKind::Wheel);
        if check_cut(&scenario, &lots, parts, &whole)? {
            compared.set(compared.get() + 1);
            acted.set(acted.get() + u32::from(acts(&whole)));
        }
        Ok(())
    });
    told.unwrap_or_else(|found| panic!("{found}"));
    let counts = (compared.get(), acted.get());
    assert!(counts.0 >= 48 && counts.1 >= 24, "compared, and the scheme acted: {counts:?}");
}
