//! Laws of schemes that switches take part in.

mod flow_queues;
mod isolation;
mod recovery;
mod regions;
mod telemetry;
mod trimming;

use congestree_fabric::AgendaKind;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::table::numbers;
use crate::{fingerprints, outcome};

/// Traffic of all hosts with `roots` hot spots from 10 to 40 us; it ends at 60 us.
fn hot_roots(hosts: u32, roots: usize) -> Value {
    let hot: Vec<String> = (0..roots as u32).map(|root| format!("h{}", (root * 3 + 1) % hosts)).collect();
    json!([
        {"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.5}}, "stop": "60 us"},
        {"from": "all", "pattern": {"hot-spot": {"to": hot, "fraction": 1.0}},
         "arrivals": {"poisson": {"load": 0.4}}, "start": "10 us", "stop": "40 us"},
    ])
}

/// All that is sent comes in, whatever the event list, and watched by these probes or not. Answers what they saw.
fn nothing_is_left(scenario: &Value, probes: &Value) -> Result<congestree_fabric::Outcome, TestCaseError> {
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
