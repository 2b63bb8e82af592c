//! Jobs in parts: ranks, steps and messages are those of one part, and a run that ends with its jobs ends at the same
//! time.

use std::cell::Cell;

use congestree_fabric::{AgendaKind, Stop};
use congestree_kernel::Rng;
use congestree_scenario::{Format, read};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::{check_cut, cut_and_whole, in_parts, seen, wide};
use crate::at_least;
use crate::draw::{Ends, scenarios};
use crate::programs::random_program;
use crate::table::{numbers, reals};

/// Random programs of ranks: some have named steps, in some all ranks wait for each other.
pub(crate) fn program(seed: u64) -> Value {
    let mut rng = Rng::stream(seed, "program", 0);
    let bytes = format!("{} B", [0, 8, 900, 5_000, 40_000][rng.below(5) as usize]);
    match rng.below(8) {
        0 => json!({"all-to-all": {"bytes": bytes, "order": "at-once"}}),
        1 => json!({"all-reduce-ring": {"bytes": bytes}}),
        2 => json!({"barrier": {}}),
        3 => json!({"mpifft": {"bytes": bytes, "compute": "700 ns", "transposes": 2}}),
        _ => {
            let ranks = 2 + rng.below(14) as u32;
            json!({"text": random_program(&mut rng, ranks).0})
        }
    }
}

/// How they do it.
pub(crate) fn job(seed: u64) -> Value {
    let mut rng = Rng::stream(seed, "job", 0);
    let placement = ["linear", "random", "round-robin"][rng.below(3) as usize];
    let mut job = json!({"placement": placement, "repeat": 1 + rng.below(3)});
    let mut maybe = |key: &str, value: Value| {
        if rng.below(2) == 0 {
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

/// Other hosts send, too, besides the jobs.
fn send_beside(scenario: &mut Value, others: &Value) {
    let (all, others) = (scenario["traffic"].as_array_mut(), others.as_array());
    all.expect("jobs are a list").extend(others.expect("others are a list").iter().cloned());
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
    let told = TestRunner::new(at_least(160)).run(
        &drawn,
        |(scenario, (delay, route, pauses), (seeds, until, crowd, finite), (parts, agenda))| {
            let mut scenario = wide(scenario, 6, delay);
            let others = if finite { super::by_message(3_000, 0.4) } else { scenario["traffic"].clone() };
            scenario["traffic"] =
                seeds.iter().map(|&seed| json!({"from": "all", "program": program(seed), "job": job(seed)})).collect();
            if crowd {
                send_beside(&mut scenario, &others);
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
            let Some((cut, whole)) = cut_and_whole(&scenario, agenda, parts) else { return Ok(()) };
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

/// Two jobs whose ranks are in the first and in the last leaves, so that some parts have none, with other traffic that
/// continues.
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

/// What still keeps jobs in one part is reported: if it is not certain that a message will arrive, its sender cannot be
/// told of it in time.
#[test]
fn jobs_whose_deliveries_are_not_certain_stay_in_one_part() {
    let obstacle = |job: Value, change: Value| {
        let mut scenario = json!({
            "topology": {"fat-tree": {"radix": 4, "layers": 2}},
            "links": {"rate": "8 Gbit/s", "delay": "37 ns", "flow_control": "pfc"},
            "switches": {"buffer": "1 MiB", "forwarding_delay": "100 ns"},
            "adapters": {},
            "scheme": {},
            "traffic": [{"from": "all", "program": {"all-reduce-ring": {"bytes": "20 kB"}}, "job": job}],
            "measure": {"duration": "1 ms"},
        });
        for (table, keys) in change.as_object().expect("tables") {
            let own = scenario[table].as_object_mut().expect("a table");
            own.extend(keys.as_object().expect("keys").clone());
        }
        let text = scenario.to_string();
        let checked = read(&text, Format::Json, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}\n{text}"));
        checked.plan.obstacle_to_parts()
    };
    let nodes = |hosts: u32| json!({"adapters": {"node": {"hosts": hosts, "rate": "100 Gbit/s"}}});
    let repairs = || json!({"scheme": {"transport": {"go-back-n": {}}}});
    let acknowledged = || json!({"send_end": "acknowledged"});
    let delivered = || json!({"send_end": "delivered"});
    for job in [json!({}), delivered()] {
        assert_eq!(obstacle(job.clone(), json!({})), None);
        assert_eq!(obstacle(job.clone(), nodes(2)), None, "two hosts of a leaf");
        assert_eq!(obstacle(job.clone(), nodes(4)), None, "two leaves");
    }
    for job in [json!({}), acknowledged()] {
        assert_eq!(obstacle(job, repairs()), None);
    }
    assert_eq!(obstacle(acknowledged(), json!({"adapters": {"window": 3}})), None);
    assert_eq!(obstacle(delivered(), json!({"scheme": {"route": {"spray": {}}}})), None, "every packet is counted");
    for (change, why) in [
        (repairs(), "transport"),
        (json!({"links": {"errors": {"packets": 0.001}, "retry": {}}}), "may not come in"),
        (json!({"adapters": {"drain_rate": "7 Gbit/s", "receive_buffer": "256 KiB"}}), "overflow"),
    ] {
        let told = obstacle(delivered(), change).expect("senders hear too late");
        assert!(told.contains("delivered") && told.contains(why), "{told}");
    }
}

/// Sends that end when their messages are delivered elsewhere, which their senders know beforehand.
#[test]
fn jobs_whose_sends_end_when_delivered_in_parts_are_the_whole() {
    let (compared, ended) = (Cell::new(0u32), Cell::new(0u32));
    let (in_nodes, overtaken) = (Cell::new(0u32), Cell::new(0u32));
    let drawn = (
        (scenarios(Ends::Open), prop::collection::vec(any::<u64>(), 1..=2), any::<bool>(), any::<bool>()),
        (select(vec!["5 ns", "37 ns", "1.001 us"]), select(vec!["", "ecmp", "spray", "least-queue"]), any::<bool>()),
        prop::option::of((select(vec![2u32, 4, 6]), select(vec!["7 ns", "41 ns", "900 ns"]))),
        (select(vec![2u16, 3, 7]), select(vec![AgendaKind::Wheel, AgendaKind::Heap])),
        prop::option::of(prop::collection::vec(0..64u16, 9)),
    );
    let told = TestRunner::new(at_least(64)).run(
        &drawn,
        |((scenario, seeds, crowd, until), (delay, route, pauses), node, (parts, agenda), lots)| {
            let mut scenario = wide(scenario, 6, delay);
            let others = scenario["traffic"].clone();
            let app = |(number, &seed): (usize, &u64)| {
                let mut how = job(seed);
                how["send_end"] = json!("delivered");
                json!({"name": format!("app {number}"), "from": "all", "program": program(seed), "job": how})
            };
            scenario["traffic"] = seeds.iter().enumerate().map(app).collect();
            if crowd {
                send_beside(&mut scenario, &others);
            }
            super::vary(&mut scenario, pauses, route);
            if let Some((hosts, ahead)) = node {
                scenario["adapters"]["node"] = json!({"hosts": hosts, "rate": "100 Gbit/s", "delay": ahead});
            }
            scenario["measure"]["until_jobs_end"] = json!(until);
            scenario["measure"]["duration"] = json!("600 us");
            scenario["measure"]["probes"] = json!(["messages"]);
            let Some((cut, whole)) = cut_and_whole(&scenario, agenda, parts) else { return Ok(()) };
            prop_assert_eq!(seen(&cut), seen(&whole));
            if let Some(lots) = lots {
                check_cut(&scenario, &lots, parts, &whole)?;
            }
            compared.set(compared.get() + 1);
            ended.set(ended.get() + u32::from(reals(&whole, "jobs", "finished").iter().all(|at| at.is_finite())));
            in_nodes.set(in_nodes.get() + u32::from(node.is_some()));
            overtaken.set(overtaken.get() + u32::from(["spray", "least-queue"].contains(&route)));
            Ok(())
        },
    );
    told.unwrap_or_else(|found| panic!("{found}"));
    let counts = (compared.get(), ended.get(), in_nodes.get(), overtaken.get());
    let enough = counts.0 >= 16 && counts.1 >= 8 && counts.2 >= 8 && counts.3 >= 8;
    assert!(enough, "compared, finished, in nodes, with packets that overtake: {counts:?}");
}

/// Transports of messages over links that may lose packets.
pub(crate) fn transports() -> impl Strategy<Value = Value> {
    let timeout = "60 us";
    select(vec![
        json!({"go-back-n": {"timeout": timeout}}),
        json!({"go-back-n": {"timeout": timeout, "selective": true, "window": 9, "ack_every": 3, "ack_flush": "2 us"}}),
        json!({"new-reno": {"least_timeout": timeout, "initial_window": 10}}),
        json!({"new-reno": {"least_timeout": timeout, "ack_every": 2, "ack_flush": "5 us"}}),
        json!({"irn": {"window": 4, "timeout_low": "40 us", "timeout_high": timeout}}),
        json!({"efl": {"timeout": timeout, "floor": "400 Mbit/s"}}),
        json!({"uet": {"timeout": timeout}}),
        json!({"uet": {"timeout": timeout, "delivery": "ordered", "paths": {"reps": {}}}}),
        json!({"uet": {"timeout": timeout, "congestion_control": "rccc", "paths": {"bitmap": {"paths": 8}}}}),
    ])
}

/// A network with a transport, whose links may lose packets: jobs on it, with other traffic besides.
pub(crate) fn repaired(seed: u64, transport: &Value, route: &str, delay: &str, queue: Option<u64>) -> Value {
    let mut how = job(seed);
    how["send_end"] = json!("acknowledged");
    let mut scenario = json!({
        "seed": seed % 1000,
        "topology": {"fat-tree": {"radix": 6, "layers": 2}},
        "links": {"rate": "8 Gbit/s", "delay": delay, "flow_control": "pfc"},
        "switches": {"buffer": "1 MiB", "forwarding_delay": "100 ns"},
        "adapters": {"mtu": "500 B", "header": "20 B", "ack": "64 B"},
        "scheme": {"transport": transport},
        "traffic": [
            {"name": "app", "from": "all", "program": program(seed), "job": how},
            {"name": "ring", "from": ["h1", "h7", "h13"], "program": {"all-reduce-ring": {"bytes": "9 kB"}},
             "job": {"send_end": "acknowledged"}},
            {"name": "crowd", "from": ["h2", "h3", "h8"], "to": "h0", "message": "3 kB",
             "arrivals": {"messages": {"count": 9, "every": "4 us"}}},
        ],
        "measure": {"duration": "5 ms", "until_jobs_end": true, "audit": true, "probes": ["messages", "classes", "flows"]},
    });
    if let Some(bytes) = queue {
        scenario["links"]["flow_control"] = json!("none");
        scenario["switches"] = json!({"output_queue": format!("{bytes} B"), "random_loss": 0.01,
            "switching": "store-and-forward", "arbiter": {"fifo": {}}, "forwarding_delay": "100 ns"});
    }
    if !route.is_empty() {
        scenario["scheme"]["route"] = json!({route: {}});
    }
    scenario
}

#[test]
fn jobs_over_transports_in_parts_are_the_whole() {
    let (compared, ended, lost) = (Cell::new(0u32), Cell::new(0u32), Cell::new(0u32));
    let drawn = (
        (transports(), any::<u64>(), select(vec!["5 ns", "37 ns", "1.001 us"]), select(vec!["", "ecmp"])),
        prop::option::of(1_500..30_000u64),
        (select(vec![2u16, 3, 7]), select(vec![AgendaKind::Wheel, AgendaKind::Heap])),
        prop::option::of(prop::collection::vec(0..64u16, 9)),
    );
    let told =
        TestRunner::new(at_least(48)).run(&drawn, |((transport, seed, delay, route), queue, (parts, agenda), lots)| {
            let scenario = repaired(seed, &transport, route, delay, queue);
            if read(&scenario.to_string(), Format::Json, "").is_err() {
                return Ok(());
            }
            let cut = in_parts(&scenario, agenda, parts).expect("it can be cut");
            let whole = in_parts(&scenario, agenda, 1).expect("one part is no cut");
            prop_assert_eq!(seen(&cut), seen(&whole));
            if let Some(lots) = lots {
                check_cut(&scenario, &lots, parts, &whole)?;
            }
            compared.set(compared.get() + 1);
            ended.set(ended.get() + u32::from(whole.stop.is_none() && whole.end.0 < 5_000_000_000));
            let drops = || numbers(&whole, "flows", "dropped").iter().sum::<u64>();
            lost.set(lost.get() + u32::from(queue.is_some() && drops() > 0));
            Ok(())
        });
    told.unwrap_or_else(|found| panic!("{found}"));
    let counts = (compared.get(), ended.get(), lost.get());
    assert!(counts.0 >= 20 && counts.1 >= 10 && counts.2 >= 5, "compared, ended by their jobs, lossy: {counts:?}");
}

/// Sends that end with their ACKs if nothing is lost.
#[test]
fn jobs_whose_sends_are_acknowledged_in_parts_are_the_whole() {
    let compared = Cell::new(0u32);
    let drawn = (
        (scenarios(Ends::Open), any::<u64>(), 1..9u64, any::<bool>()),
        (select(vec!["5 ns", "37 ns", "1.001 us"]), select(vec!["", "ecmp"]), any::<bool>()),
        (select(vec![2u16, 3, 7]), select(vec![AgendaKind::Wheel, AgendaKind::Heap])),
    );
    let told = TestRunner::new(at_least(48)).run(
        &drawn,
        |((scenario, seed, window, coalesced), (delay, route, pauses), (parts, agenda))| {
            let mut scenario = wide(scenario, 6, delay);
            let mut how = job(seed);
            how["send_end"] = json!("acknowledged");
            let app = json!({"name": "app", "from": "all", "program": program(seed), "job": how, "window": window});
            scenario["traffic"].as_array_mut().expect("a list").push(app);
            super::vary(&mut scenario, pauses, route);
            if coalesced {
                scenario["adapters"]["acks"] = json!({"every": 3, "flush": "2 us"});
            }
            scenario["measure"]["until_jobs_end"] = json!(true);
            scenario["measure"]["duration"] = json!("600 us");
            scenario["measure"]["probes"] = json!(["messages"]);
            let Some((cut, whole)) = cut_and_whole(&scenario, agenda, parts) else { return Ok(()) };
            prop_assert_eq!(seen(&cut), seen(&whole));
            compared.set(compared.get() + 1);
            Ok(())
        },
    );
    told.unwrap_or_else(|found| panic!("{found}"));
    assert!(compared.get() >= 8, "{} networks", compared.get());
}

/// Hosts of a node at different leaves: messages inside nodes cross cuts, too.
#[test]
fn jobs_whose_nodes_are_apart_in_parts_are_the_whole() {
    let (compared, told) = (Cell::new(0u32), Cell::new(0u32));
    let drawn = (
        (scenarios(Ends::Open), prop::collection::vec(any::<u64>(), 1..=2), any::<bool>()),
        (select(vec![2u32, 4, 6]), select(vec!["8 Gbit/s", "100 Gbit/s"]), select(vec!["7 ns", "41 ns", "900 ns"])),
        (select(vec!["5 ns", "37 ns", "1.001 us"]), select(vec!["", "ecmp"]), any::<bool>(), any::<bool>()),
        (select(vec![2u16, 3, 7]), select(vec![AgendaKind::Wheel, AgendaKind::Heap])),
        prop::option::of(prop::collection::vec(0..64u16, 9)),
    );
    let found = TestRunner::new(at_least(64)).run(
        &drawn,
        |((scenario, seeds, crowd), (hosts, rate, ahead), (delay, route, pauses, heard), (parts, agenda), lots)| {
            let mut scenario = wide(scenario, 6, delay);
            let others = scenario["traffic"].clone();
            let app = |(number, &seed): (usize, &u64)| {
                let mut how = job(seed);
                how["placement"] = json!(["linear", "random", "round-robin"][seed as usize % 3]);
                let mut app = json!({"name": format!("app {number}"), "from": "all", "program": program(seed)});
                if heard {
                    how["send_end"] = json!("acknowledged");
                    app["window"] = json!(1 + seed % 7);
                }
                app["job"] = how;
                app
            };
            scenario["traffic"] = seeds.iter().enumerate().map(app).collect();
            if crowd {
                send_beside(&mut scenario, &others);
            }
            super::vary(&mut scenario, pauses, route);
            scenario["adapters"]["node"] = json!({"hosts": hosts, "rate": rate, "delay": ahead});
            scenario["measure"]["until_jobs_end"] = json!(true);
            scenario["measure"]["duration"] = json!("600 us");
            scenario["measure"]["probes"] = json!(["messages"]);
            let Some((cut, whole)) = cut_and_whole(&scenario, agenda, parts) else { return Ok(()) };
            prop_assert_eq!(seen(&cut), seen(&whole));
            if let Some(lots) = lots {
                check_cut(&scenario, &lots, parts, &whole)?;
            }
            compared.set(compared.get() + 1);
            told.set(told.get() + u32::from(heard));
            Ok(())
        },
    );
    found.unwrap_or_else(|found| panic!("{found}"));
    let counts = (compared.get(), told.get());
    assert!(counts.0 >= 16 && counts.1 >= 8, "compared, of which with sends that are acknowledged: {counts:?}");
}
