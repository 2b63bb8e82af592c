//! The laws of links that damage frames: with retry nothing is lost and order is kept, whatever the rate of errors;
//! without, what is sent arrives, is reported as dropped, or is in flight.

use std::collections::BTreeMap;

use congestree_fabric::AgendaKind;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::draw::{Ends, scenarios};
use crate::table::{deliveries, numbers};
use crate::{cases, fingerprints, outcome, peaceful};

/// Any retry, with errors of any rate.
pub(crate) fn repaired() -> impl Strategy<Value = (Value, Value)> {
    let rate = prop_oneof![4 => 0.0..0.4, 1 => Just(0.8)];
    let spacing = select(vec![0u32, 64, 2_048, 9_000]);
    (rate, 0.0..1.0, 0.0..0.5, 1u32..20, spacing, 1u64..4).prop_map(
        |(packets, unseen, words, frames, spacing, size)| {
            let bytes = format!("{} B", 2_100 * size);
            (
                json!({"packets": packets, "unseen": unseen, "words": words}),
                json!({"frames": frames, "bytes": bytes, "spacing": format!("{spacing} B")}),
            )
        },
    )
}

/// A scenario on links with errors.
pub(crate) fn erring(mut scenario: Value, errors: Value, retry: Option<Value>) -> Value {
    scenario["links"]["errors"] = errors;
    if let Some(retry) = retry {
        scenario["links"]["retry"] = retry;
    }
    if let Some(switches) = scenario["switches"].as_object_mut() {
        switches.remove("crossbar");
        switches.remove("output_packets");
    }
    scenario
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn with_retry_everything_arrives_in_order(scenario in scenarios(Ends::AllStops), (errors, retry) in repaired()) {
        let scenario = erring(scenario, errors, Some(retry));
        let run = peaceful(&scenario);
        prop_assert_eq!(numbers(&run, "flows", "sent"), numbers(&run, "flows", "packets"));
        let to = crate::table::texts(&run, "flows", "destination");
        let to: BTreeMap<u64, String> = numbers(&run, "flows", "flow").into_iter().zip(to).collect();
        let mut by_flow: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        deliveries(&run).into_iter().for_each(|p| by_flow.entry(p.flow).or_default().push(p.sequence));
        for (flow, sequences) in by_flow {
            prop_assert!(to[&flow] == "*" || sequences.iter().copied().eq(0..sequences.len() as u64), "flow {}", flow);
        }
        let mut other = scenario.clone();
        other["measure"]["audit"] = json!(false);
        other["measure"]["probes"] = json!(["flows", "ports", "queues"]);
        prop_assert_eq!(fingerprints(&run), fingerprints(&outcome(&other, AgendaKind::Heap)));
    }

    #[test]
    fn without_retry_what_is_damaged_is_told(scenario in scenarios(Ends::AllStops), packets in 0.0..0.6f64) {
        let mut scenario = erring(scenario, json!({"packets": packets}), None);
        // Nothing may wait for lost packets, and room is that of a lane.
        scenario["adapters"].as_object_mut().expect("a table").remove("window");
        scenario["scheme"] = json!({});
        scenario["switches"]["memory"] = json!("shared");
        if let Some(voqnet) = scenario["switches"]["queues"]["voqnet"].as_object() {
            scenario["switches"]["buffer"] = voqnet["buffer"].clone();
            scenario["switches"]["queues"] = json!("voq");
        }
        for entry in scenario["traffic"].as_array_mut().expect("a list") {
            entry.as_object_mut().expect("a table").remove("window");
        }
        let run = peaceful(&scenario);
        let (sent, dropped) = (numbers(&run, "flows", "sent"), numbers(&run, "flows", "dropped"));
        let told: Vec<u64> =
            numbers(&run, "flows", "packets").iter().zip(&dropped).map(|(arrived, lost)| arrived + lost).collect();
        prop_assert_eq!(sent, told);
        prop_assert!(numbers(&run, "ports", "dropped").iter().sum::<u64>() >= dropped.iter().sum::<u64>());
        prop_assert_eq!(numbers(&run, "ports", "replayed").iter().sum::<u64>(), 0);
    }
}

#[test]
fn the_draw_has_errors_and_replays() {
    let mut runner = proptest::test_runner::TestRunner::new(cases(20));
    let strategy = (scenarios(Ends::AllStops), repaired());
    let (mut damaged, mut replayed) = (0, 0);
    for _ in 0..20 {
        let (scenario, (errors, retry)) =
            proptest::strategy::ValueTree::current(&strategy.new_tree(&mut runner).expect("a scenario can be drawn"));
        let run = peaceful(&erring(scenario, errors, Some(retry)));
        damaged += numbers(&run, "ports", "damaged").iter().sum::<u64>();
        replayed += numbers(&run, "ports", "replayed").iter().sum::<u64>();
    }
    assert!(damaged > 200 && replayed > damaged, "{damaged} damaged, {replayed} sent again");
}
