//! Jobs in parts: ranks, steps and messages are those of one part, and a run that ends with its jobs ends in the same instant.

use std::cell::Cell;

use congestree_fabric::{AgendaKind, Stop};
use congestree_kernel::Dice;
use congestree_scenario::{Format, read};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::{in_parts, seen, wide};
use crate::at_least;
use crate::draw::{Ends, scenarios};
use crate::programs::random_program;

/// What ranks may do: some have steps with names, in some they all wait for each other.
pub fn program(seed: u64) -> Value {
    let mut dice = Dice::stream(seed, "program", 0);
    let bytes = format!("{} B", [0, 8, 900, 5_000, 40_000][dice.below(5) as usize]);
    match dice.below(8) {
        0 => json!({"all-to-all": {"bytes": bytes, "order": "at-once"}}),
        1 => json!({"all-reduce-ring": {"bytes": bytes}}),
        2 => json!({"barrier": {}}),
        3 => json!({"mpifft": {"bytes": bytes, "compute": "700 ns", "transposes": 2}}),
        _ => {
            let ranks = 2 + dice.below(14) as u32;
            json!({"text": random_program(&mut dice, ranks).0})
        }
    }
}

/// How they do it.
pub fn job(seed: u64) -> Value {
    let mut dice = Dice::stream(seed, "job", 0);
    let placement = ["linear", "random", "round-robin"][dice.below(3) as usize];
    let mut job = json!({"placement": placement, "repeat": 1 + dice.below(3)});
    let mut maybe = |key: &str, value: Value| {
        if dice.below(2) == 0 {
            job[key] = value;
        }
    };
    maybe("per_host", json!(3));
    maybe("rendezvous", json!("1 kB"));
    maybe("overhead", json!("250 ns"));
    maybe("memory_delay", json!("300 ns"));
    maybe("memory_rate", json!("8 Gbit/s"));
    job
}

#[test]
fn jobs_in_parts_are_the_whole() {
    let (compared, ended, open) = (Cell::new(0u32), Cell::new(0u32), Cell::new(0u32));
    let drawn = (
        scenarios(Ends::Open),
        (select(vec!["5 ns", "37 ns", "1.001 us"]), select(vec!["", "ecmp", "spray"]), any::<bool>()),
        (prop::collection::vec(any::<u64>(), 1..=2), any::<bool>(), any::<bool>(), any::<bool>()),
        (select(vec![2u16, 3, 7]), select(vec![AgendaKind::Wheel, AgendaKind::Heap])),
    );
    let told = TestRunner::new(at_least(256)).run(
        &drawn,
        |(scenario, (delay, route, pauses), (seeds, until, crowd, finite), (parts, agenda))| {
            let mut scenario = wide(scenario, 6, delay);
            let others = if finite { super::by_message(3_000, 0.4) } else { scenario["traffic"].clone() };
            scenario["traffic"] =
                seeds.iter().map(|&seed| json!({"from": "all", "program": program(seed), "job": job(seed)})).collect();
            if let (true, Some(all), Some(others)) = (crowd, scenario["traffic"].as_array_mut(), others.as_array()) {
                all.extend(others.iter().cloned());
            }
            for (number, entry) in scenario["traffic"].as_array_mut().expect("a list").iter_mut().enumerate() {
                entry["name"] = json!(format!("entry {number}"));
            }
            super::vary(&mut scenario, pauses, route);
            scenario["measure"]["until_jobs_end"] = json!(until);
            if until {
                scenario["measure"]["duration"] = json!("600 us");
            }
            scenario["measure"]["warm_up"] = json!("1 us");
            scenario["measure"]["probes"] = json!(["messages", "classes"]);
            if read(&scenario.to_string(), Format::Json, "").is_err() {
                return Ok(());
            }
            let Some(cut) = in_parts(&scenario, agenda, parts) else { return Ok(()) };
            let whole = in_parts(&scenario, agenda, 1).expect("one part is no cut");
            prop_assert_eq!(seen(&cut), seen(&whole));
            compared.set(compared.get() + 1);
            let duration = read(&scenario.to_string(), Format::Json, "").expect("read before").plan.measure.duration;
            let by_jobs = whole.stop.is_none() && whole.end < duration;
            ended.set(ended.get() + u32::from(by_jobs));
            open.set(open.get() + u32::from(until && !by_jobs));
            Ok(())
        },
    );
    told.unwrap_or_else(|found| panic!("{found}"));
    let counts = (compared.get(), ended.get(), open.get());
    assert!(counts.0 >= 4 && counts.1 >= 1, "compared, ended by their jobs, not ended: {counts:?}");
}

/// Two jobs whose ranks stand in the first and in the last leaves, so that some parts have none, beside others that send on.
#[test]
fn a_run_ends_with_its_last_job_wherever_that_is() {
    for (first, last, delay) in [(1, 9, "5 ns"), (7, 2, "37 ns"), (3, 3, "1.001 us")] {
        let ring = |hosts: [&str; 3], repeat: u32| json!({"from": hosts, "program": {"all-reduce-ring": {"bytes": "20 kB"}}, "job": {"repeat": repeat}});
        let scenario = json!({
            "topology": {"fat-tree": {"radix": 6, "layers": 2}},
            "links": {"rate": "8 Gbit/s", "delay": delay},
            "switches": {"buffer": "16 KiB", "forwarding_delay": "100 ns"},
            "traffic": [
                ring(["h0", "h1", "h2"], first),
                ring(["h13", "h15", "h17"], last),
                {"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.4}}},
            ],
            "measure": {"duration": "1 s", "until_jobs_end": true, "audit": true, "deadlock_timeout": "7 us"},
        });
        let whole = in_parts(&scenario, AgendaKind::Wheel, 1).expect("one part is no cut");
        for parts in [2, 3, 7] {
            let cut = in_parts(&scenario, AgendaKind::Wheel, parts).expect("it can be cut");
            assert_eq!(seen(&cut), seen(&whole), "{parts} parts");
        }
    }
}

/// A rank that waits for ever stops a run in parts as it stops one in one part.
#[test]
fn a_job_that_cannot_go_on_stops_its_run() {
    let scenario = json!({
        "topology": {"fat-tree": {"radix": 4, "layers": 2}},
        "links": {"rate": "8 Gbit/s", "delay": "37 ns"},
        "switches": {"buffer": "16 KiB", "forwarding_delay": "100 ns"},
        "traffic": [
            {"name": "app", "from": "all", "program": {
                "text": "num_ranks 8\nrank 0 { send 9000b to 7 tag 1 }\nrank 7 { recv 9000b from -1 tag 1\n recv 1b from -1 tag 2 }"}},
            {"name": "others", "from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.4}}},
        ],
        "measure": {"duration": "1 ms"},
    });
    let whole = in_parts(&scenario, AgendaKind::Wheel, 1).expect("one part is no cut");
    assert!(matches!(whole.stop, Some(Stop::Stuck(_))), "{:?}", whole.stop);
    let cut = in_parts(&scenario, AgendaKind::Wheel, 3).expect("it can be cut");
    assert_eq!(seen(&cut), seen(&whole));
}

/// What still keeps jobs in one part is told.
#[test]
fn jobs_whose_senders_hear_of_deliveries_stay_in_one_part() {
    let scenario = |job: Value, adapters: Value, scheme: Value| {
        let text = json!({
            "topology": {"fat-tree": {"radix": 4, "layers": 2}},
            "links": {"rate": "8 Gbit/s", "delay": "37 ns", "flow_control": "pfc"},
            "switches": {"buffer": "1 MiB", "forwarding_delay": "100 ns"},
            "adapters": adapters,
            "scheme": scheme,
            "traffic": [{"from": "all", "program": {"all-reduce-ring": {"bytes": "20 kB"}}, "job": job}],
            "measure": {"duration": "1 ms"},
        })
        .to_string();
        let checked = read(&text, Format::Json, "").unwrap_or_else(|complaints| panic!("{complaints}\n{text}"));
        checked.plan.obstacle_to_parts()
    };
    let nothing = || json!({});
    let nodes = |hosts: u32| json!({"node": {"hosts": hosts, "rate": "100 Gbit/s"}});
    assert_eq!(scenario(nothing(), nothing(), nothing()), None);
    assert_eq!(scenario(nothing(), nodes(2), nothing()), None, "two hosts of a leaf");
    assert!(scenario(nothing(), nodes(4), nothing()).expect("two leaves").contains("nodes"));
    assert!(scenario(json!({"send_end": "delivered"}), nothing(), nothing()).expect("zero time").contains("delivered"));
    let repairs = json!({"transport": {"go-back-n": {}}});
    assert!(scenario(nothing(), nothing(), repairs).expect("zero time").contains("delivered"));
}
