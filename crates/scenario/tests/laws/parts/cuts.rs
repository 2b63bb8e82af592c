//! Networks of every kind, with switches assigned to parts at random, which no rule of ours would choose: neighbours
//! apart, parts without a switch, parts with one; on one to three threads.
//!
//! `tools/stress.py` runs it for minutes and reads what is printed.

use std::cell::Cell;

use congestree_fabric::{AgendaKind, Cores, Observer, run_in_parts, run_in_these_parts};
use congestree_scenario::{Checked, Format, read};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Union};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::{by_message, faults, jobs, seen, switches, wide};
use crate::at_least;
use crate::draw::{Ends, scenarios};
use crate::routes::detours;
use crate::schemes::{flow_queues, isolation, recovery, regions};

/// A kind of networks: its name, and how they are drawn.
pub(crate) type Kind = (&'static str, fn() -> BoxedStrategy<Value>);

pub(crate) const KINDS: [Kind; 14] = [
    ("switches of any kind", || tree().boxed()),
    ("flows that come and go", || tree().prop_map(with_finite_flows).boxed()),
    ("jobs", || (tree(), any::<u64>()).prop_map(|(tree, seed)| with_job(tree, seed)).boxed()),
    ("jobs in nodes", || (tree(), any::<u64>()).prop_map(|(tree, seed)| in_nodes(with_job(tree, seed), seed)).boxed()),
    ("jobs that hear of deliveries", || (tree(), any::<u64>()).prop_map(|(tree, seed)| delivered(tree, seed)).boxed()),
    ("jobs over transports", || repaired_jobs().boxed()),
    ("transports", || recovery::repaired().boxed()),
    ("isolation by tree", || isolation::hot().boxed()),
    ("queues by flow", || flow_queues::hot().boxed()),
    ("regions", || regions::hot().boxed()),
    ("credits in messages", || switches::credited_trees().boxed()),
    ("faults", || faults::failing_trees().boxed()),
    ("links that send again", || faults::retrying_trees().boxed()),
    ("detours", || detours().boxed()),
];

/// A fat tree with links of one of several lengths, and any switches, credits and marks.
fn tree() -> impl Strategy<Value = Value> {
    let tree = (select(vec![4u64, 6, 8]), select(vec!["5 ns", "37 ns", "1.001 us"]));
    (scenarios(Ends::Open), tree).prop_map(|(scenario, (radix, delay))| wide(scenario, radix, delay))
}

fn with_finite_flows(mut scenario: Value) -> Value {
    scenario["traffic"] = by_message(3_000, 0.5);
    scenario
}

fn with_job(mut scenario: Value, seed: u64) -> Value {
    if seed.is_multiple_of(3) {
        scenario = with_finite_flows(scenario);
    }
    let job = json!({"name": "job", "from": "all", "program": jobs::program(seed), "job": jobs::job(seed)});
    scenario["traffic"].as_array_mut().expect("a list").push(job);
    scenario["measure"]["until_jobs_end"] = json!(true);
    scenario
}

/// Hosts of a node at several leaves, with links inside.
fn in_nodes(mut scenario: Value, seed: u64) -> Value {
    scenario["adapters"]["node"] =
        json!({"hosts": 2 * (1 + seed % 3), "rate": "100 Gbit/s", "delay": (["7 ns", "400 ns"][seed as usize % 2])});
    scenario
}

/// Sends sometimes end when delivered, also inside nodes; packets may overtake each other or not.
fn delivered(tree: Value, seed: u64) -> Value {
    let mut scenario = with_job(tree, seed);
    if let Some(job) = scenario["traffic"].as_array_mut().and_then(|all| all.last_mut()) {
        job["job"]["send_end"] = json!("delivered");
    }
    if let Some(route) = [None, Some("spray"), Some("least-queue")][seed as usize / 7 % 3] {
        scenario["scheme"]["route"] = json!({route: {}});
    }
    if seed.is_multiple_of(2) { in_nodes(scenario, seed / 2) } else { scenario }
}

/// Jobs over transports on a fat tree, over links that drop or not.
pub(crate) fn repaired_jobs() -> impl Strategy<Value = Value> {
    let links = (select(vec!["5 ns", "37 ns", "1.001 us"]), select(vec!["", "ecmp"]));
    (jobs::transports(), any::<u64>(), links, prop::option::of(1_500..30_000u64))
        .prop_map(|(transport, seed, (delay, route), queue)| jobs::repaired(seed, &transport, route, delay, queue))
}

/// Those that are valid and need not stay in one part, with probes that observe the whole.
fn can_be_cut(drawn: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    let drawn = drawn.prop_map(|mut scenario| {
        scenario["measure"]["probes"] = json!(["flows", "ports", "trees", "input-queues", "events"]);
        scenario["measure"]["sampling_interval"] = json!("9.7 us");
        scenario
    });
    drawn.prop_filter("it can be cut", |scenario| {
        read(&scenario.to_string(), Format::Json, "").is_ok_and(|checked| checked.plan.obstacle_to_parts().is_none())
    })
}

/// A network of any kind, and which.
pub(crate) fn networks() -> impl Strategy<Value = (usize, Value)> {
    Union::new(KINDS.iter().enumerate().map(|(kind, (_, drawn))| (Just(kind), can_be_cut(drawn())).boxed()))
}

/// Numbers of threads, each as likely as its share. The windows of these small networks are short, and threads wait for
/// each other most of the time; only where seeds are searched for faults (`tools/stress.py`) are all equally likely.
fn numbers_of_threads() -> Vec<usize> {
    if std::env::var_os("CONGESTREE_SEED").is_some() { vec![1, 2, 3] } else { vec![1, 1, 1, 1, 2, 3] }
}

#[test]
fn random_cuts_are_the_whole() {
    let drawn = (
        networks(),
        (prop::collection::vec(0..64u16, 12), 2..=12u16, select(numbers_of_threads())),
        select(vec![AgendaKind::Wheel, AgendaKind::Heap]),
    );
    let compared = KINDS.map(|_| Cell::new((0u64, 0u64)));
    let told = TestRunner::new(at_least(110)).run(&drawn, |((kind, scenario), (lots, parts, threads), agenda)| {
        let text = scenario.to_string();
        let Checked { plan, .. } = read(&text, Format::Json, "").expect("it was read before");
        let part_of: Vec<u16> = lots.iter().cycle().map(|lot| lot % parts).take(plan.graph.switches.len()).collect();
        let mut on = |_| true;
        let mut observer = Observer { report: &mut on, take: None };
        let Some(cut) = run_in_these_parts(&plan, agenda, threads, &part_of, &mut observer) else { return Ok(()) };
        let whole = run_in_parts(&plan, agenda, Cores { threads: 1, parts: Some(1) }, &mut observer);
        prop_assert_eq!(seen(&cut), seen(&whole), "cut into {:?}", part_of);
        let (networks, hops) = compared[kind].get();
        compared[kind].set((networks + 1, hops + cut.packet_hops + whole.packet_hops));
        Ok(())
    });
    told.unwrap_or_else(|found| panic!("{found}"));
    for ((name, _), (networks, hops)) in KINDS.iter().zip(compared.iter().map(Cell::get)) {
        println!("random cuts: {name}: {networks} networks, {hops} packet-hops");
    }
    assert!(compared.iter().all(|kind| kind.get().0 > 0), "of some kind none was compared");
}
