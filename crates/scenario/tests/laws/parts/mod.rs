//! A run in several parts equals the run in one: the same fingerprints, tables and stop, whatever the cut and the
//! number of threads.

mod cuts;
mod faults;
mod jobs;
mod probes;
mod size;
mod switches;

use std::cell::Cell;
use std::fmt::{Debug, Formatter};

use congestree_fabric::{AgendaKind, Cores, Observer, Outcome, run_in_parts, run_in_these_parts};
use congestree_scenario::{Checked, Format, read};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::draw::{Ends, scenarios};
use crate::table::{same_tables, summary};
use crate::{cases, fingerprints};

/// The run in this many parts, or none if the network cannot be cut.
///
/// Mostly on one thread: windows of these small networks are short, and two threads wait for each other most of the
/// time. Now and then on two, by lot.
fn in_parts(scenario: &Value, agenda: AgendaKind, parts: u16) -> Option<Outcome> {
    by_lot(&checked(scenario), agenda, parts)
}

/// The same of a scenario that was read.
fn by_lot(checked: &Checked, agenda: AgendaKind, parts: u16) -> Option<Outcome> {
    let two = parts == 2 && checked.plan.seed.is_multiple_of(4);
    on_threads(checked, agenda, parts, if two { 2 } else { 1 })
}

/// A scenario, which must be valid, as it is read.
fn checked(scenario: &Value) -> Checked {
    let text = scenario.to_string();
    read(&text, Format::Json, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}\n{text}"))
}

/// The run in this many parts and the same in one, or none if the scenario is not valid or cannot be cut.
fn cut_and_whole(scenario: &Value, agenda: AgendaKind, parts: u16) -> Option<(Outcome, Outcome)> {
    let checked = read(&scenario.to_string(), Format::Json, "").ok()?;
    let cut = by_lot(&checked, agenda, parts)?;
    let whole = by_lot(&checked, agenda, 1).expect("one part is no cut");
    Some((cut, whole))
}

/// The run in this many parts on this many threads, or none if the network cannot be cut.
fn on_threads(checked: &Checked, agenda: AgendaKind, parts: u16, threads: usize) -> Option<Outcome> {
    if parts > 1 && checked.plan.obstacle_to_parts().is_some() {
        return None;
    }
    let cores = Cores { threads, parts: Some(parts) };
    let outcome = run_in_parts(&checked.plan, agenda, cores, &mut Observer { report: &mut |_| true, take: None });
    // A run that stops by itself is run once more in one part.
    let expected = parts.min(checked.plan.graph.switches.len() as u16);
    assert!(outcome.parts == expected || outcome.stop.is_some(), "{} parts of {expected}", outcome.parts);
    Some(outcome)
}

/// Everything that a user sees of a run.
fn seen(outcome: &Outcome) -> Seen<'_> {
    Seen(outcome)
}

/// What a user sees of a run; equal to that of another run if there is no difference, not even in the last bit of a
/// number.
struct Seen<'a>(&'a Outcome);

impl PartialEq for Seen<'_> {
    fn eq(&self, other: &Self) -> bool {
        let (Seen(one), Seen(other)) = (self, other);
        fingerprints(one) == fingerprints(other)
            && one.end == other.end
            && format!("{:?}", one.stop) == format!("{:?}", other.stop)
            && same_tables(&one.tables, &other.tables)
    }
}

impl Debug for Seen<'_> {
    fn fmt(&self, told: &mut Formatter<'_>) -> std::fmt::Result {
        let Seen(outcome) = self;
        write!(told, "{:?} {:?} {:?} {:?}", fingerprints(outcome), outcome.end, outcome.stop, outcome.tables)
    }
}

/// Checks that a scenario without its probes is the same run in several parts, if it can be cut; returns whether it
/// can.
pub(crate) fn check_parts(scenario: &Value, parts: u16) -> Result<bool, TestCaseError> {
    let mut scenario = scenario.clone();
    scenario["measure"]["probes"] = json!([]);
    let checked = checked(&scenario);
    let Some(cut) = by_lot(&checked, AgendaKind::Wheel, parts) else { return Ok(false) };
    let whole = by_lot(&checked, AgendaKind::Wheel, 1).expect("one part is no cut");
    prop_assert_eq!(seen(&cut), seen(&whole));
    Ok(true)
}

/// Checks that the run with its switches assigned to parts at random equals `whole`, the run in one part; returns
/// whether it can be cut.
pub(crate) fn check_cut(scenario: &Value, lots: &[u16], parts: u16, whole: &Outcome) -> Result<bool, TestCaseError> {
    let plan = checked(scenario).plan;
    let part_of: Vec<u16> = lots.iter().cycle().map(|lot| lot % parts).take(plan.graph.switches.len()).collect();
    let mut on = |_| true;
    let mut observer = Observer { report: &mut on, take: None };
    let Some(cut) = run_in_these_parts(&plan, AgendaKind::Wheel, 1, &part_of, &mut observer) else { return Ok(false) };
    prop_assert_eq!(seen(&cut), seen(whole), "cut into {:?}", part_of);
    Ok(true)
}

/// The scenario on a fat tree whose links have a delay, so that it can be cut.
fn wide(mut scenario: Value, radix: u64, delay: &str) -> Value {
    scenario["topology"] = json!({"fat-tree": {"radix": radix, "layers": 2}});
    scenario["links"]["delay"] = json!(delay);
    scenario["traffic"] = json!([
        {"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.7}}},
        {"from": ["h1", "h2", "h3", "h6"], "to": "h0"},
    ]);
    scenario
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn parts_are_the_whole(scenario in scenarios(Ends::Open), parts in prop::sample::select(vec![2u16, 3, 7])) {
        let checked = checked(&scenario);
        for agenda in [AgendaKind::Wheel, AgendaKind::Heap] {
            let Some(cut) = by_lot(&checked, agenda, parts) else { continue };
            let whole = by_lot(&checked, agenda, 1).expect("one part is no cut");
            prop_assert_eq!(seen(&cut), seen(&whole));
        }
    }

    #[test]
    fn parts_of_a_tree_are_the_whole(
        scenario in scenarios(Ends::Open),
        parts in prop::sample::select(vec![2u16, 3, 7]),
        radix in prop::sample::select(vec![4u64, 6, 8]),
        delay in prop::sample::select(vec!["5 ns", "37 ns", "1.001 us"]),
        until_jobs_end in any::<bool>(),
    ) {
        let mut scenario = wide(scenario, radix, delay);
        // No job runs, and none ends.
        scenario["measure"]["until_jobs_end"] = json!(until_jobs_end);
        if read(&scenario.to_string(), Format::Json, "").is_err() { return Ok(()); }
        let Some(cut) = in_parts(&scenario, AgendaKind::Wheel, parts) else { return Ok(()) };
        let whole = in_parts(&scenario, AgendaKind::Wheel, 1).expect("one part is no cut");
        prop_assert_eq!(seen(&cut), seen(&whole));
    }
}

/// Flows of one message all over a network as `wide` makes it, and in bursts to one host.
fn by_message(bytes: u64, load: f64) -> Value {
    json!([
        {"from": "all", "pattern": "uniform", "flows": "by-message", "message": format!("{bytes} B"),
         "arrivals": {"poisson": {"load": load}}},
        {"name": "bursts", "from": ["h1", "h2", "h3", "h6"], "to": "h0", "flows": "by-message", "message": "900 B", "window": 2,
         "arrivals": {"messages": {"count": 9, "burst": 3, "every": "2 us"}}},
    ])
}

/// With pauses instead of credits, and with path choice, if requested.
fn vary(scenario: &mut Value, pauses: bool, route: &str) {
    if pauses {
        scenario["links"]["flow_control"] = json!("pfc");
        scenario["switches"] = json!({"buffer": "128 KiB"});
    }
    if !route.is_empty() {
        scenario["scheme"]["route"] = json!({route: {}});
    }
}

/// Packets that wait for their ACK wait at the receiving host.
#[test]
fn parts_that_answer_several_packets_at_once_are_the_whole() {
    let compared = Cell::new(0u32);
    let acks = (2u64..9, prop::sample::select(vec!["100 ns", "900 ns", "20 us"]), 4u64..40);
    let drawn = (scenarios(Ends::Open), acks, prop::sample::select(vec![2u16, 3, 7]));
    let told = TestRunner::new(cases(128)).run(&drawn, |(scenario, (every, after, window), parts)| {
        let mut scenario = wide(scenario, 6, "37 ns");
        scenario["adapters"]["window"] = json!(window);
        scenario["adapters"]["acks"] = json!({"every": every, "flush": after});
        if read(&scenario.to_string(), Format::Json, "").is_ok() {
            compared.set(compared.get() + u32::from(check_parts(&scenario, parts)?));
        }
        Ok(())
    });
    told.unwrap_or_else(|found| panic!("{found}"));
    assert!(compared.get() >= 10, "{} networks", compared.get());
}

/// Flows of one message are created by all parts alike, and the state that one leaves passes to the next at the same
/// time in all.
#[test]
fn parts_whose_flows_come_and_go_are_the_whole() {
    let (compared, reused) = (Cell::new(0u32), Cell::new(0u32));
    let drawn = (
        scenarios(Ends::Open),
        prop::sample::select(vec!["5 ns", "37 ns", "1.001 us"]),
        (100..30_000u64, prop::sample::select(vec![0.2, 0.5, 0.9]), any::<bool>()),
        prop::sample::select(vec!["", "ecmp", "spray", "flowlet"]),
        (prop::sample::select(vec![2u16, 3, 7]), prop::sample::select(vec![AgendaKind::Wheel, AgendaKind::Heap])),
    );
    let told =
        TestRunner::new(cases(256)).run(&drawn, |(scenario, delay, (bytes, load, pauses), route, (parts, agenda))| {
            let mut scenario = wide(scenario, 6, delay);
            scenario["traffic"] = by_message(bytes, load);
            vary(&mut scenario, pauses, route);
            scenario["measure"]["warm_up"] = json!("1 us");
            scenario["measure"]["probes"] = json!(["completions", "flows"]);
            let Some((cut, whole)) = cut_and_whole(&scenario, agenda, parts) else { return Ok(()) };
            prop_assert_eq!(seen(&cut), seen(&whole));
            compared.set(compared.get() + 1);
            reused.set(reused.get() + u32::from(summary(&whole, "flows_started") > whole.peak_flows as f64));
            Ok(())
        });
    told.unwrap_or_else(|found| panic!("{found}"));
    assert!(
        compared.get() >= 5 && reused.get() >= 1,
        "{} networks, {} with records used again",
        compared.get(),
        reused.get()
    );
}

/// Packets of a flow that has finished may wait for their ACK when another flow, to a host of another part, has its
/// record.
#[test]
fn parts_in_which_finished_flows_wait_for_their_acks_are_the_whole() {
    for seed in 0..4 {
        let mut scenario = json!({
            "seed": seed,
            "topology": {"fat-tree": {"radix": 6, "layers": 2}},
            "links": {"rate": "8 Gbit/s", "delay": "37 ns"},
            "adapters": {"mtu": "1000 B", "window": 8, "acks": {"every": 5, "flush": "9 us"}},
            "scheme": {},
            "traffic": by_message(3_000, 0.6),
            "measure": {"duration": "200 us", "audit": true},
        });
        vary(&mut scenario, true, "spray");
        for parts in [2, 3, 7] {
            let (cut, whole) = cut_and_whole(&scenario, AgendaKind::Wheel, parts).expect("it can be cut");
            assert_eq!(seen(&cut), seen(&whole), "{parts} parts");
        }
    }
}

/// The properties above test something: many of the scenarios that they draw can be cut.
#[test]
fn many_random_networks_can_be_cut() {
    let mut runner = TestRunner::new(cases(1));
    let drawn = (0..200).filter_map(|_| scenarios(Ends::Open).new_tree(&mut runner).ok()).map(|tree| tree.current());
    let cut = drawn.map(|scenario| wide(scenario, 6, "37 ns")).filter(|scenario| {
        read(&scenario.to_string(), Format::Json, "").is_ok_and(|checked| checked.plan.obstacle_to_parts().is_none())
    });
    let count = cut.count();
    assert!(count >= 50, "{count} of 200");
}

/// Every shipped scenario, without probes, some of which keep a run in one part.
#[test]
fn parts_of_a_shipped_scenario_are_the_whole() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut cut = 0;
    let files = std::fs::read_dir(&folder).expect("scenarios are shipped");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    for (number, path) in paths.iter().enumerate() {
        let text = std::fs::read_to_string(path).expect("a scenario");
        let Ok(checked) = read(&text, Format::Toml, &path.to_string_lossy()) else { continue };
        let mut scenario = serde_json::to_value(&checked.scenario).expect("plain values");
        scenario["measure"]["probes"] = json!([]);
        let checked = self::checked(&scenario);
        if checked.plan.obstacle_to_parts().is_some() {
            continue;
        }
        let whole = on_threads(&checked, AgendaKind::Wheel, 1, 1).expect("one part is no cut");
        for parts in [2, 3, 7] {
            let threads = if parts == 2 && number.is_multiple_of(8) { 2 } else { 1 };
            let outcome = on_threads(&checked, AgendaKind::Wheel, parts, threads).expect("it can be cut");
            assert_eq!(seen(&outcome), seen(&whole), "{} in {parts} parts", path.display());
            cut += 1;
        }
    }
    assert!(cut >= 12, "{cut} runs in parts");
}
