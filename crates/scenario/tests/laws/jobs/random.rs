//! Random applications on fabrics with small buffers, with other traffic: they finish, send every message once, and
//! repeat exactly.

use congestree_fabric::AgendaKind;
use congestree_kernel::Rng;
use congestree_scenario::{Format, read};
use serde_json::{Value, json};

use super::{BYTE, alone, outcome};
use crate::programs::random_program;
use crate::table::{numbers, picoseconds, rows};

/// Combinations of links, switches and schemes: flow control, switches, scheme.
fn fabrics() -> Vec<Value> {
    let slots = |more: Value| {
        let mut switches = json!({"buffer": "4 packets", "forwarding_delay": "100 ns"});
        switches.as_object_mut().expect("a table").extend(more.as_object().expect("a table").clone());
        switches
    };
    let room = json!({"buffer": "8 KiB", "forwarding_delay": "100 ns"});
    vec![
        json!(["packet-slots", slots(json!({})), {"preset": "none"}]),
        json!(["packet-slots", slots(json!({"queues": "single", "read_ports": "one"})), {"preset": "none"}]),
        json!(["packet-slots", slots(json!({})), {"preset": "input-triggered"}]),
        json!(["packet-slots", slots(json!({"switching": "store-and-forward"})), {"preset": "naive"}]),
        json!(["packet-slots", slots(json!({"queues": {"dbbm": {"queues": 3}}, "arbiter": {"islip": {}}})), {}]),
        json!(["packet-slots", {"queues": {"voqnet": {"buffer": "2 packets"}}, "forwarding_delay": "100 ns"}, {}]),
        json!(["byte-credits", room, {"preset": "ib-cc"}]),
        json!(["byte-credits", room, {"preset": "ib-cc", "react": {"cct": {"per": "sl"}}}]),
    ]
}

/// Random applications on a fat tree with small buffers, with flows that congest two of its hosts.
fn crowded(seed: u64) -> (Value, u64) {
    let mut rng = Rng::stream(seed, "crowded", 0);
    let ranks = 2 + rng.below(14) as u32;
    let (text, messages) = random_program(&mut rng, ranks);
    let repeat = 1 + rng.below(3);
    let placement = ["linear", "random", "round-robin"][rng.below(3) as usize];
    let mut job = json!({"placement": placement, "repeat": repeat, "per_host": 1 + rng.below(4)});
    if rng.below(2) == 0 {
        job["rendezvous"] = json!("1 kB");
    }
    if rng.below(2) == 0 {
        job["overhead"] = json!("250 ns");
    }
    if rng.below(2) == 0 {
        job["send_end"] = json!("delivered");
    }
    if rng.below(2) == 0 {
        job["memory_delay"] = json!("300 ns");
    }
    let acknowledged = rng.below(3) == 0;
    if acknowledged {
        job["send_end"] = json!("acknowledged");
    }
    let fabrics = fabrics();
    let fabric = fabrics[rng.below(fabrics.len() as u64) as usize].clone();
    let mut scenario = json!({
        "seed": seed + 1,
        "topology": {"k-ary-n-tree": {"k": 4, "n": 2}},
        "links": {"rate": "8 Gbit/s", "delay": "50 ns", "flow_control": fabric[0]},
        "switches": fabric[1],
        "adapters": {"mtu": "1000 B", "header": "20 B"},
        "scheme": fabric[2],
        "traffic": [
            {"name": "app", "from": "all", "program": {"text": text}, "job": job},
            {"name": "hot", "from": ["h1", "h2", "h3", "h5"], "to": "h8", "stop": "40 us"},
        ],
        "measure": {"duration": "1 s", "audit": true, "until_jobs_end": true, "probes": ["messages"]},
    });
    if acknowledged {
        scenario["adapters"]["window"] = json!(3);
    }
    if rng.below(3) == 0 {
        scenario["adapters"]["node"] = json!({"hosts": 4, "rate": "80 Gbit/s", "delay": "40 ns"});
    }
    (scenario, messages * repeat)
}

#[test]
fn random_applications_finish_among_other_traffic() {
    for seed in 0..120 {
        let (scenario, messages) = crowded(seed);
        let outcome = outcome(&scenario);
        assert_eq!(outcome.stop, None, "{scenario}");
        assert_eq!(numbers(&outcome, "jobs", "messages"), [messages], "{scenario}");
        assert_eq!(rows(&outcome, "messages") as u64, messages, "each is delivered once: {scenario}");
        let (sent, delivered) =
            (picoseconds(&outcome, "messages", "sent"), picoseconds(&outcome, "messages", "delivered"));
        assert!(sent.iter().zip(&delivered).all(|(sent, delivered)| sent <= delivered));
        let last = picoseconds(&outcome, "ranks", "finished").into_iter().max();
        assert_eq!(last, Some(picoseconds(&outcome, "jobs", "finished")[0]));
    }
}

#[test]
fn the_same_happens_again_with_either_agenda_and_without_probes() {
    for seed in 0..24 {
        let (mut scenario, _) = crowded(seed);
        let with_probes = outcome(&scenario);
        scenario["measure"]["probes"] = json!([]);
        let text = scenario.to_string();
        let checked = read(&text, Format::Json, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        for agenda in [AgendaKind::Heap, AgendaKind::Wheel] {
            let again = congestree_fabric::run(&checked.plan, agenda, &mut |_| true);
            let print = |one: &congestree_fabric::Outcome| (one.trajectory, one.results, one.events, one.end);
            assert_eq!(print(&again), print(&with_probes), "{text}");
            assert_eq!(
                again.tables.iter().find(|t| t.name == "ranks"),
                with_probes.tables.iter().find(|t| t.name == "ranks")
            );
        }
    }
}

#[test]
fn a_neighbour_does_not_move_an_application_only_slow_it_down() {
    let mut scenario =
        alone(16, json!({"all-reduce-ring": {"bytes": "160 kB"}}), json!({"ranks": 8, "placement": "random"}));
    let hosts = |outcome: &congestree_fabric::Outcome| {
        let ranks = outcome.tables.iter().find(|table| table.name == "ranks").expect("there is a job");
        ranks.columns.iter().find(|column| column.name == "host").expect("it is said where").values.clone()
    };
    let idle = outcome(&scenario);
    let job = scenario["traffic"][0].clone();
    let crowd = json!({"name": "crowd", "from": "all", "pattern": "uniform", "flows": "by-message", "arrivals": {"poisson": {"load": 0.7}}});
    scenario["traffic"] = json!([crowd, job]);
    let busy = outcome(&scenario);
    assert_eq!(hosts(&idle), hosts(&busy));
    assert!(picoseconds(&busy, "jobs", "completion")[0] > picoseconds(&idle, "jobs", "completion")[0]);
}

#[test]
fn losses_delay_an_application_with_a_transport_and_lose_nothing_of_it() {
    let scenario = |queue: &str| {
        json!({
            "topology": {"single-switch": {"hosts": 8}},
            "links": {"rate": "8 Gbit/s", "delay": "50 ns", "flow_control": "none"},
            "switches": {"output_queue": queue, "switching": "store-and-forward", "arbiter": {"fifo": {}}, "forwarding_delay": "100 ns"},
            "adapters": {"mtu": "1000 B", "header": "20 B", "ack": "64 B"},
            "scheme": {"transport": {"new-reno": {"least_timeout": "200 us"}}},
            "traffic": [{"name": "app", "from": "all", "program": {"all-to-all": {"bytes": "30 kB", "order": "at-once"}}}],
            "measure": {"duration": "100 s", "audit": true, "until_jobs_end": true, "probes": ["messages"]},
        })
    };
    let (tight, wide) = (outcome(&scenario("3 kB")), outcome(&scenario("8 MB")));
    for each in [&tight, &wide] {
        assert_eq!((each.stop.clone(), rows(each, "messages")), (None, 56));
    }
    assert!(numbers(&tight, "flows", "dropped").iter().sum::<u64>() > 0);
    assert!(picoseconds(&tight, "jobs", "completion")[0] > picoseconds(&wide, "jobs", "completion")[0]);
}

/// Several messages of a pair of ranks, some of many packets: none may be reported before its own last packet has
/// arrived.
#[test]
fn a_transport_tells_each_message_once_and_never_too_early() {
    for transport in [json!({"new-reno": {"least_timeout": "20 us"}}), json!({"go-back-n": {}})] {
        let scenario = json!({
            "topology": {"single-switch": {"hosts": 3}},
            "links": {"rate": "8 Gbit/s", "delay": "50 ns", "flow_control": "none"},
            "switches": {"output_queue": "30 kB", "random_loss": 0.02, "switching": "store-and-forward",
                "arbiter": {"fifo": {}}, "forwarding_delay": "100 ns"},
            "adapters": {"mtu": "1000 B", "header": "20 B", "ack": "64 B"},
            "scheme": {"transport": transport},
            "traffic": [{"name": "app", "from": "all", "job": {"repeat": 30, "send_end": "left"},
                "program": {"text": "num_ranks 3\nrank 0 { send 9000b to 1 tag 1\n send 10b to 1 tag 2\n send 5000b to 2 }\n\
                    rank 1 { recv 10b from 0 tag 2\n recv 9000b from 0 tag 1 }\nrank 2 { recv 5000b from 0 }"}}],
            "measure": {"duration": "100 s", "audit": true, "until_jobs_end": true, "probes": ["messages"]},
        });
        let outcome = outcome(&scenario);
        assert_eq!((outcome.stop.clone(), rows(&outcome, "messages")), (None, 90), "{scenario}");
        assert!(numbers(&outcome, "flows", "resent").iter().sum::<u64>() > 0);
        let column = |name: &str| numbers(&outcome, "messages", name);
        let (to, bytes, delivered) = (column("to"), column("bytes"), picoseconds(&outcome, "messages", "delivered"));
        for rank in [1, 2] {
            let mut sum = 0;
            for row in (0..90).filter(|&row| to[row] == rank) {
                sum += bytes[row];
                assert!(delivered[row] >= sum * BYTE, "the link of the sender has not carried so much yet");
            }
        }
    }
}

#[test]
fn two_jobs_and_their_ranks_are_told_apart() {
    let mut scenario = alone(4, json!({"ping-pong": {"bytes": "1 kB"}}), json!({}));
    let second = json!({"name": "late", "from": "all", "start": "1 ms", "program": {"broadcast": {"bytes": "1 kB"}}});
    scenario["traffic"].as_array_mut().expect("a list").push(second);
    let outcome = outcome(&scenario);
    assert_eq!(rows(&outcome, "ranks"), 8);
    assert_eq!(numbers(&outcome, "jobs", "messages"), [4, 3]);
    let completion = picoseconds(&outcome, "jobs", "completion");
    let finished = picoseconds(&outcome, "jobs", "finished");
    assert_eq!(finished, [completion[0], completion[1] + 1_000_000_000]);
}
