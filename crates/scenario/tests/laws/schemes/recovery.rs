//! Transports that repair losses at the rate, or inside the window, of a reaction to ACKs: nothing is lost or doubled
//! whatever is dropped, windows are kept, and if nothing is dropped the result is the same as without a transport.

use congestree_fabric::{AgendaKind, Outcome};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::parts::check_parts;
use crate::table::{Delivered, deliveries, numbers};
use crate::{cases, fingerprints, outcome};

/// Transports whose rate is set by the reaction.
fn transports() -> impl Strategy<Value = Value> {
    select(vec![
        json!({"go-back-n": {"timeout": "300 us"}}),
        json!({"go-back-n": {"timeout": "300 us", "ack_every": 4, "ack_flush": "5 us"}}),
        json!({"go-back-n": {"timeout": "300 us", "selective": true, "window": 40}}),
        json!({"irn": {"timeout_low": "200 us", "timeout_high": "300 us"}}),
        json!({"irn": {"window": 12, "timeout_low": "200 us", "timeout_high": "300 us"}}),
    ])
}

/// Reactions that learn from ACKs: marks, delay, telemetry; windows, rates, and both.
fn reactions() -> impl Strategy<Value = Value> {
    select(vec![
        json!({"dctcp": {}}),
        json!({"dctcp": {"slow_start": false, "initial_window": 3, "least_window": 1}}),
        json!({"timely": {"segment": "3000 B", "low": "30 us", "high": "100 us"}}),
        json!({"timely": {"model": "hpcc", "window": "bdp-at-rate"}}),
        json!({"swift": {"base_target": "30 us"}}),
        json!({"swift": {"base_target": "20 us", "initial_window": 2.0, "retx_reset": 1}}),
        json!({"hpcc": {}}),
        json!({"hpcc": {"rate_bound": false, "fast_react": false}}),
        json!({"hpcc": {"round_trip": "40 us", "pint": {}}}),
        json!({"power-tcp": {}}),
        json!({"power-tcp": {"signal": "delay"}}),
        json!({"dcqcn": {"window": "bdp-at-rate"}}),
        json!({"dcqcn": {}}),
        json!({"pcn": {}}),
        json!("aimd"),
        json!("lipd"),
    ])
}

/// Senders to one receiver over a dumbbell; `lossy` links drop packets without room, others pause.
fn dumbbell(pairs: u32, lossy: bool, (transport, react): (Value, Value), entry: Value) -> Value {
    let mut scenario = json!({
        "topology": {"dumbbell": {"pairs": pairs, "trunk_delay": "4 us"}},
        "links": {"rate": "10 Gbit/s", "delay": "1 us", "flow_control": "pfc"},
        "switches": {"shared_memory": {"size": "20 MB"}},
        "adapters": {"mtu": "1000 B", "header": "0 B", "ack": "64 B"},
        "scheme": {
            "transport": transport, "react": react,
            "mark": {"red": {"min": "5 kB", "max": "20 kB", "probability": 0.5}},
        },
        "traffic": [entry],
        "measure": {"duration": "1 s", "deadlock_timeout": "100 ms", "audit": true, "probes": ["deliveries", "flows"]},
    });
    // Then there are notifications in addition to the ACKs of the transport.
    if scenario["scheme"]["react"] == json!({"dcqcn": {}}) {
        scenario["scheme"]["notify"] = json!({"cnp": {}});
    }
    if lossy {
        scenario["links"]["flow_control"] = json!("none");
        scenario["switches"] =
            json!({"output_queue": "30 kB", "switching": "store-and-forward", "arbiter": {"fifo": {}}});
    }
    scenario
}

/// Messages from all hosts to one, over links that drop at full queues and sometimes at random, or that pause.
pub(crate) fn repaired() -> impl Strategy<Value = Value> {
    let schemes = (transports(), reactions());
    let losses = prop_oneof![Just(0.0), 0.0..0.05];
    (schemes, 1u32..6, any::<bool>(), 1u64..150_000, 1u32..4, losses, 0u64..1000).prop_map(
        |(scheme, pairs, lossy, bytes, count, loss, seed)| {
            let entry = json!({
                "from": "senders", "to": "R_1", "message": format!("{bytes} B"),
                "arrivals": {"messages": {"count": count, "every": "20 us"}}, "jitter": "2 us",
            });
            let mut scenario = dumbbell(pairs, lossy, scheme, entry);
            scenario["seed"] = json!(seed);
            scenario["measure"]["probes"] = json!(["deliveries", "flows", "transfers"]);
            if lossy {
                scenario["switches"]["random_loss"] = json!(loss);
            }
            scenario
        },
    )
}

/// Messages whose timers expire before their ACKs can return, if everything takes whole microseconds: packets are sent
/// again exactly when messages arrive.
pub(crate) fn in_step() -> impl Strategy<Value = Value> {
    (1u64..12, 1u64..20).prop_map(|(packets, timeout)| {
        let entry = json!({
            "from": "senders", "to": "R_1", "message": format!("{packets} kB"),
            "arrivals": {"messages": {"count": 3, "every": "20 us"}},
        });
        let transport = json!({"go-back-n": {"timeout": format!("{timeout} us")}});
        let mut scenario = dumbbell(1, false, (transport, json!("none")), entry);
        scenario["links"]["rate"] = json!("8 Gbit/s");
        scenario["switches"]["forwarding_delay"] = json!("0 ps");
        scenario["adapters"]["ack"] = json!("1000 B");
        scenario
    })
}

proptest! {
    #![proptest_config(cases(96))]

    /// Every byte of every message arrives, each packet once.
    #[test]
    fn whatever_is_dropped_every_message_arrives_once(scenario in repaired()) {
        let run = outcome(&scenario, AgendaKind::Wheel);
        prop_assert_eq!(&run.stop, &None);
        let entry = &scenario["traffic"][0];
        let messages = entry["arrivals"]["messages"]["count"].as_u64().expect("a count");
        let bytes: u64 = entry["message"].as_str().and_then(|text| text.strip_suffix(" B")).expect("bytes").parse()?;
        let senders = scenario["topology"]["dumbbell"]["pairs"].as_u64().expect("a number");
        prop_assert_eq!(numbers(&run, "transfers", "bytes"), vec![bytes; (senders * messages) as usize]);
        let mut arrived: Vec<Vec<u64>> = vec![Vec::new(); senders as usize];
        deliveries(&run).iter().for_each(|packet| arrived[packet.flow as usize].push(packet.sequence));
        for mut sequences in arrived {
            sequences.sort_unstable();
            prop_assert!(sequences.into_iter().eq(0..messages * bytes.div_ceil(1_000)));
        }
    }

    /// Probes and agendas change nothing.
    #[test]
    fn a_run_is_the_same_whoever_looks(scenario in repaired()) {
        let mut silent = scenario.clone();
        silent["measure"]["probes"] = json!([]);
        let run = outcome(&scenario, AgendaKind::Heap);
        prop_assert_eq!(fingerprints(&run), fingerprints(&outcome(&silent, AgendaKind::Wheel)));
    }

    /// Nor do parts: the ends of a flow know of each other only through packets.
    #[test]
    fn a_run_in_parts_is_the_same(scenario in repaired()) {
        prop_assert!(check_parts(&scenario, 2)?, "{}", scenario["scheme"]);
    }

    /// If nothing is lost and every packet is acknowledged, a transport changes nothing: each packet arrives when it
    /// would without one, with the same mark.
    #[test]
    fn without_losses_it_is_as_if_there_were_no_transport(
        react in reactions().prop_filter("it goes by ACKs", |react| *react != json!({"dcqcn": {}})), irn in any::<bool>(), pairs in 1u32..6, seed in 0u64..1000,
    ) {
        let transport = match irn {
            true => json!({"irn": {"window": 1_000_000, "timeout_low": "100 ms", "timeout_high": "100 ms"}}),
            false => json!({"go-back-n": {"timeout": "100 ms"}}),
        };
        let runs = [json!("none"), transport].map(|transport| {
            let entry = json!({"from": "senders", "to": "R_1", "stagger": "7 us", "stop": "1 ms"});
            let mut scenario = dumbbell(pairs, false, (transport, react.clone()), entry);
            scenario["seed"] = json!(seed);
            scenario["measure"]["duration"] = json!("2 ms");
            outcome(&scenario, AgendaKind::Wheel)
        });
        let [without, with] = runs.map(|run| deliveries(&run));
        prop_assert!(!with.is_empty());
        prop_assert!(without == with, "{:?}", without.iter().zip(&with).find(|(one, other)| one != other));
    }
}

/// Reactions that run without a transport, and ACKs for several packets.
fn coalesced() -> impl Strategy<Value = Value> {
    (reactions(), 1u32..6, 1u32..20, select(vec!["1 ps", "900 ns", "4 us", "30 us"]), 1u64..60_000, 0u64..1000)
        .prop_map(|(react, pairs, every, after, bytes, seed)| {
            let entry = json!({
                "from": "senders", "to": "R_1", "message": format!("{bytes} B"),
                "arrivals": {"messages": {"count": 3, "every": "15 us"}}, "jitter": "2 us",
            });
            let mut scenario = dumbbell(pairs, false, (json!("none"), react), entry);
            scenario["seed"] = json!(seed);
            scenario["adapters"]["acks"] = json!({"every": every, "flush": after});
            scenario
        })
}

proptest! {
    #![proptest_config(cases(64))]

    /// However many packets one ACK acknowledges, everything sent arrives, no window stays closed, and probes change
    /// nothing.
    #[test]
    fn one_ack_for_several_packets_opens_the_window_for_all(scenario in coalesced()) {
        let run = outcome(&scenario, AgendaKind::Wheel);
        prop_assert_eq!(&run.stop, &None);
        let entry = &scenario["traffic"][0];
        let bytes: u64 = entry["message"].as_str().and_then(|text| text.strip_suffix(" B")).expect("bytes").parse()?;
        let packets = 3 * bytes.div_ceil(1_000);
        prop_assert!(numbers(&run, "flows", "packets").into_iter().all(|count| count == packets));
        let mut silent = scenario.clone();
        silent["measure"]["probes"] = json!([]);
        prop_assert_eq!(fingerprints(&run), fingerprints(&outcome(&silent, AgendaKind::Heap)));
    }

    /// One ACK for each packet equals the behaviour without the key.
    #[test]
    fn an_ack_for_every_packet_is_no_coalescing(scenario in coalesced()) {
        let mut single = scenario.clone();
        single["adapters"]["acks"]["every"] = json!(1);
        let mut absent = scenario.clone();
        absent["adapters"].as_object_mut().expect("a table").remove("acks");
        let [single, absent] = [single, absent].map(|scenario| outcome(&scenario, AgendaKind::Wheel));
        prop_assert_eq!(fingerprints(&single), fingerprints(&absent));
    }
}

/// A window of ten and an ACK for every fourth packet: as many packets as without, and a quarter of the ACKs.
#[test]
fn fewer_acks_are_sent_and_the_link_stays_full() {
    let run = |acks: Value| {
        let entry = json!({"from": "senders", "to": "R_1"});
        let mut scenario = dumbbell(1, false, (json!("none"), json!("none")), entry);
        scenario["adapters"]["window"] = json!(40);
        if acks != json!(null) {
            scenario["adapters"]["acks"] = acks;
        }
        scenario["measure"]["duration"] = json!("2 ms");
        scenario["measure"]["probes"] = json!(["deliveries", "flows", "ports"]);
        outcome(&scenario, AgendaKind::Wheel)
    };
    let (all, some) = (run(json!(null)), run(json!({"every": 4, "flush": "20 us"})));
    let (packets, same) = (deliveries(&all).len(), deliveries(&some).len());
    assert!(packets > 2_400 && packets == same, "{packets} {same}");
    // The port that sends least is the last on the way of the ACKs; those of 16 packets are not through in the end.
    let sent =
        |run: &Outcome| numbers(run, "ports", "bytes").into_iter().filter(|&bytes| bytes > 0).min().unwrap_or(0) / 64;
    assert!(sent(&all).abs_diff(packets as u64) <= 16, "{}", sent(&all));
    assert!(sent(&some).abs_diff(packets as u64 / 4) <= 4, "{}", sent(&some));
}

/// The largest number of packets of a flow in flight at one time, as far as those that arrived show. An ACK takes
/// `back`.
fn most_under_way(packets: &[Delivered], back: u64) -> usize {
    let mut changes: Vec<(u64, i64)> = Vec::new();
    for packet in packets {
        changes.extend([(packet.injected, 1), (packet.time + back, -1)]);
    }
    changes.sort_unstable();
    let mut under_way = 0i64;
    changes
        .iter()
        .map(|(_, change)| {
            under_way += change;
            under_way
        })
        .max()
        .unwrap_or(0) as usize
}

/// With a window of this many packets of a reaction, and another of the transport, the smaller is kept and used.
#[test]
fn no_window_is_ever_exceeded_and_the_smaller_is_filled() {
    for (transport, own) in [
        (json!({"go-back-n": {"timeout": "10 ms"}}), usize::MAX),
        (json!({"go-back-n": {"timeout": "10 ms", "window": 5}}), 5),
        (json!({"irn": {"timeout_low": "5 ms", "timeout_high": "10 ms", "window": 1000}}), usize::MAX),
        (json!({"irn": {"timeout_low": "5 ms", "timeout_high": "10 ms", "window": 4}}), 4),
    ] {
        for packets in [1, 3, 17] {
            let trip = format!("{} ns", 800 * packets);
            let react = json!({"hpcc": {"round_trip": trip, "var_win": false, "rate_bound": false}});
            let entry = json!({"from": "senders", "to": "R_1"});
            let mut scenario = dumbbell(3, false, (transport.clone(), react), entry);
            scenario["measure"]["duration"] = json!("3 ms");
            let run = outcome(&scenario, AgendaKind::Wheel);
            assert_eq!(run.stop, None);
            let all = deliveries(&run);
            for flow in 0..3 {
                let own_packets: Vec<Delivered> = all.iter().copied().filter(|packet| packet.flow == flow).collect();
                assert!(own_packets.len() > 50);
                // The way back takes 6 us at least.
                assert_eq!(most_under_way(&own_packets, 6_000_000), own.min(packets as usize), "{transport} {packets}");
            }
        }
    }
}

/// A window of the adapters applies to a transport, too.
#[test]
fn a_window_of_hosts_or_of_traffic_bounds_a_transport() {
    for transport in
        [json!({"go-back-n": {"timeout": "10 ms"}}), json!({"irn": {"window": 1000, "timeout_high": "10 ms"}})]
    {
        let entry = json!({"from": "senders", "to": "R_1", "window": 6});
        let mut scenario = dumbbell(2, false, (transport, json!("none")), entry);
        scenario["measure"]["duration"] = json!("3 ms");
        let all = deliveries(&outcome(&scenario, AgendaKind::Wheel));
        let first: Vec<Delivered> = all.into_iter().filter(|packet| packet.flow == 0).collect();
        assert_eq!(most_under_way(&first, 6_000_000), 6);
    }
}

fn rates(run: &Outcome) -> f64 {
    deliveries(run).iter().map(|packet| packet.bytes as f64 * 8.0).sum::<f64>()
}

/// The purpose of DCTCP: senders share a link that drops, its queue stays short, and hardly anything is lost, while
/// without a reaction most packets are.
#[test]
fn dctcp_over_go_back_n_keeps_a_link_full_that_drops() {
    let run = |react: Value| {
        let entry = json!({"from": "senders", "to": "R_1", "stagger": "10 us"});
        let mut scenario = dumbbell(4, true, (json!({"go-back-n": {"timeout": "1 ms"}}), react), entry);
        scenario["switches"]["output_queue"] = json!("100 kB");
        scenario["measure"]["duration"] = json!("20 ms");
        outcome(&scenario, AgendaKind::Wheel)
    };
    let dropped = |run: &Outcome| numbers(run, "flows", "dropped").iter().sum::<u64>();
    let (dctcp, none) = (run(json!("dctcp")), run(json!("none")));
    assert!(rates(&dctcp) > 0.9 * 10e9 * 0.02, "{}", rates(&dctcp));
    assert!(dropped(&dctcp) * 100 < dropped(&none), "{} {}", dropped(&dctcp), dropped(&none));
}
