//! The laws of links that may lose packets: what is sent arrives, is dropped, or is in flight; what a transport carries
//! arrives whatever is dropped.

use std::collections::BTreeSet;

use congestree_fabric::{AgendaKind, Outcome};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::table::{deliveries, named, numbers, reals};
use crate::{cases, fingerprints, outcome};

/// Lossy links, on a dumbbell whose trunk is the bottleneck.
fn dumbbell(pairs: u32, queue: &str, transport: Value, traffic: Value) -> Value {
    json!({
        "topology": {"dumbbell": {"pairs": pairs, "trunk_delay": "8 us"}},
        "links": {"rate": "10 Gbit/s", "delay": "1 us", "flow_control": "none"},
        "switches": {"output_queue": queue, "switching": "store-and-forward", "arbiter": {"fifo": {}}},
        "adapters": {"mtu": "192 B", "header": "0 B", "ack": "64 B"},
        "scheme": {"transport": transport},
        "traffic": traffic,
        "measure": {"duration": "40 ms", "audit": true},
    })
}

fn transports() -> impl Strategy<Value = Value> {
    let efl = |more: Value| {
        // Ten packets of 192 bytes at the floor take less than the timer waits.
        let mut params = json!({"timeout": "200 us", "floor": "100 Mbit/s"});
        params.as_object_mut().expect("a table").extend(more.as_object().expect("a table").clone());
        json!({"efl": params})
    };
    prop_oneof![
        Just(efl(json!({}))),
        Just(efl(json!({"probe_packets": 0, "prediction": "none"}))),
        Just(efl(json!({"delay_probing": false, "ack_every": 3, "ack_flush": "5 us"}))),
        Just(efl(json!({"selective": true}))),
        Just(json!({"new-reno": {"least_timeout": "200 us"}})),
        Just(
            json!({"new-reno": {"least_timeout": "200 us", "ack_every": 2, "ack_flush": "20 us", "initial_window": 10}})
        ),
        Just(json!({"new-reno": {"least_timeout": "200 us", "slow_start": false}})),
        Just(json!({"go-back-n": {"timeout": "200 us"}})),
        Just(json!({"go-back-n": {"timeout": "200 us", "selective": true, "window": 30}})),
        Just(json!({"irn": {}})),
        Just(json!({"irn": {"window": 4, "timeout_low": "150 us", "timeout_high": "200 us"}})),
        Just(json!({"uet": {}})),
        Just(json!({"uet": {"delivery": "ordered", "ack_after": "192 B", "paths": {"reps": {}}}})),
        Just(json!({"uet": {"congestion_control": "rccc", "paths": {"bitmap": {"paths": 8}}}})),
        Just(json!({"uet": {"congestion_control": "both", "paths": {"oblivious": {"paths": 1}}}})),
    ]
}

/// Messages of several sizes from every sender, all to one place, each to its own receiver, or anywhere; packets
/// without room are lost, and in half of the cases also up to a tenth of the packets in each of the two switches,
/// including ACKs.
fn lossy() -> impl Strategy<Value = Value> {
    let losses = prop_oneof![Just(0.0), 0.0..0.1];
    (transports(), 1u32..6, 2u32..30, 1u64..20_000, 1u32..6, 0u8..3, losses, 0u64..1000).prop_map(
        |(transport, pairs, queue, bytes, count, kind, loss, seed)| {
            let mut entry = json!({
                "from": "senders",
                "message": format!("{bytes} B"),
                "arrivals": {"messages": {"count": count, "every": "3 us"}},
                "jitter": "2 us",
            });
            match kind {
                0 => entry["to"] = json!("R_1"),
                1 => entry["pattern"] = json!({"shift": {"by": pairs}}),
                // A flow for each destination, and messages that wait in it.
                _ => entry["pattern"] = json!("uniform"),
            }
            let mut scenario = dumbbell(pairs, &format!("{} B", 192 * queue), transport, json!([entry]));
            scenario["seed"] = json!(seed);
            scenario["switches"]["random_loss"] = json!(loss);
            // Before its first measurement the timer of TCP takes a second, and it doubles with each loss in a row.
            scenario["measure"]["duration"] = json!("1000 s");
            scenario["measure"]["deadlock_timeout"] = json!("100 ms");
            scenario
        },
    )
}

fn watched(scenario: &Value) -> Outcome {
    let mut scenario = scenario.clone();
    let mut probes = json!(["deliveries", "output-queues", "flows", "ports"]);
    if scenario["scheme"]["transport"] != json!("none") {
        probes.as_array_mut().expect("a list").extend([json!("transfers"), json!("transport")]);
    }
    scenario["measure"]["probes"] = probes;
    outcome(&scenario, AgendaKind::Wheel)
}

proptest! {
    #![proptest_config(cases(96))]

    /// Every message arrives completely, every packet once, in order unless the receiver may keep early packets.
    #[test]
    fn whatever_is_dropped_every_message_arrives(scenario in lossy()) {
        let run = watched(&scenario);
        prop_assert_eq!(&run.stop, &None);
        let entry = &scenario["traffic"][0];
        let messages = entry["arrivals"]["messages"]["count"].as_u64().expect("a count");
        let bytes: u64 = entry["message"].as_str().and_then(|text| text.strip_suffix(" B")).expect("bytes").parse()?;
        let flows = numbers(&run, "flows", "flow").iter().max().map_or(0, |&last| last as usize + 1);
        let senders = scenario["topology"]["dumbbell"]["pairs"].as_u64().expect("a number");
        prop_assert_eq!(numbers(&run, "transfers", "bytes"), vec![bytes; (senders * messages) as usize]);
        let of_flow = numbers(&run, "transfers", "flow");
        let seen: BTreeSet<(u64, u64)> =
            of_flow.iter().copied().zip(numbers(&run, "transfers", "number")).collect();
        prop_assert_eq!(seen.len() as u64, senders * messages);
        let (made, started) = (reals(&run, "transfers", "created"), reals(&run, "transfers", "started"));
        let finished = reals(&run, "transfers", "finished");
        prop_assert!((0..made.len()).all(|k| made[k] <= started[k] && started[k] < finished[k]));

        let transport = &scenario["scheme"]["transport"];
        let selective = ["efl", "go-back-n"].iter().any(|name| transport[name]["selective"] == json!(true));
        let keeps = transport["new-reno"].is_object() || transport["uet"].is_object() || transport["irn"].is_object() || selective;
        let mut arrived: Vec<Vec<u64>> = vec![Vec::new(); flows];
        for packet in deliveries(&run) {
            arrived[packet.flow as usize].push(packet.sequence);
        }
        for (flow, mut sequences) in arrived.into_iter().enumerate() {
            let packets = of_flow.iter().filter(|&&one| one == flow as u64).count() as u64 * bytes.div_ceil(192);
            if keeps {
                sequences.sort_unstable();
            }
            prop_assert!(sequences.into_iter().eq(0..packets));
        }
    }

    #[test]
    fn a_lossy_run_depends_on_its_scenario_only(scenario in lossy()) {
        let run = outcome(&scenario, AgendaKind::Wheel);
        let heap = outcome(&scenario, AgendaKind::Heap);
        prop_assert_eq!(fingerprints(&run), fingerprints(&heap), "wheel and heap");
        prop_assert_eq!(&run.tables, &heap.tables);
        let seen = watched(&scenario);
        prop_assert_eq!(fingerprints(&run), fingerprints(&seen), "silent and watched");
        for name in ["flows", "ports", "summary"] {
            prop_assert_eq!(named(&run, name), named(&seen, name));
        }
    }
}

/// If links lose nothing, a transport has nothing to repair, and its packets obey the credits like all others.
#[test]
fn a_transport_works_on_lossless_links_too() {
    for transport in [
        json!({"efl": {}}),
        json!({"new-reno": {"initial_window": 64}}),
        json!({"irn": {"window": 64, "timeout_high": "10 ms"}}),
    ] {
        let traffic = json!([{
            "from": "senders", "to": "R_1", "message": "300 kB", "arrivals": {"messages": {"count": 3}},
        }]);
        let mut scenario = dumbbell(4, "", transport, traffic);
        scenario["links"]["flow_control"] = json!("byte-credits");
        scenario["links"]["delay"] = json!("100 ns");
        scenario["topology"]["dumbbell"]["trunk_delay"] = json!("100 ns");
        scenario["switches"] = json!({"buffer": "8 KiB"});
        let mut watched = scenario.clone();
        watched["measure"]["probes"] = json!(["transfers", "ports"]);
        let run = outcome(&watched, AgendaKind::Wheel);
        assert_eq!(run.stop, None);
        assert_eq!(numbers(&run, "transfers", "bytes"), [300_000; 12]);
        assert_eq!(numbers(&run, "flows", "resent"), [0; 4]);
        assert_eq!(fingerprints(&run), fingerprints(&outcome(&scenario, AgendaKind::Heap)));
    }
}

/// Two senders at line rate, one link: half of what is sent is dropped at the queue in front of it, and nowhere else.
#[test]
fn without_a_transport_half_of_twice_the_load_is_dropped() {
    let traffic = json!([{"from": "senders", "to": "R_1", "stop": "5 ms"}]);
    let run = watched(&dumbbell(2, "20 kB", json!("none"), traffic));
    assert_eq!(run.stop, None);
    let (sent, packets) = (numbers(&run, "flows", "sent"), numbers(&run, "flows", "packets"));
    let dropped = numbers(&run, "flows", "dropped");
    for flow in 0..2 {
        assert_eq!(sent[flow], packets[flow] + dropped[flow]);
    }
    let share = dropped.iter().sum::<u64>() as f64 / sent.iter().sum::<u64>() as f64;
    assert!((share - 0.5).abs() < 0.01, "{share}");
    let at: Vec<u64> = numbers(&run, "ports", "dropped").into_iter().filter(|&count| count > 0).collect();
    assert_eq!(at, [dropped.iter().sum::<u64>()]);
    let most = numbers(&run, "output_queue_series", "most").into_iter().max();
    assert_eq!(most, Some(20_000 / 192 * 192));
}

/// Everything sent by greedy sources that stop is acknowledged, and the network becomes idle.
#[test]
fn a_source_that_stops_leaves_nothing_behind() {
    for transport in [json!({"efl": {}}), json!({"new-reno": {"least_timeout": "1 ms"}})] {
        let traffic = json!([{"from": "senders", "pattern": {"shift": {"by": 3}}, "stop": "5 ms"}]);
        let mut scenario = dumbbell(3, "30 kB", transport, traffic);
        scenario["measure"]["duration"] = json!("100 ms");
        let run = watched(&scenario);
        assert_eq!(run.stop, None);
        let times = reals(&run, "transport", "time");
        assert!(times.last().is_some_and(|&last| last > 0.004 && last < 0.05), "{:?}", times.last());
        let bytes: u64 = numbers(&run, "flows", "bytes").iter().sum();
        assert!(bytes as f64 * 8.0 > 0.5 * 10e9 * 0.005, "{bytes}");
    }
}
