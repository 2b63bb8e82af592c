//! The laws of links with pauses (PFC): with the required headroom nothing is lost, with a byte less something is;
//! storms, watchdogs and deadlocks are reported correctly.

use std::cell::Cell;

use congestree_fabric::{AgendaKind, Outcome, Stop};
use congestree_scenario::{Format, read};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::checked::repaired;
use crate::draw::{Ends, scenarios};
use crate::table::{numbers, reals, texts};
use crate::{cases, outcome};

/// The sum of a column over the rows whose name is this.
fn of(outcome: &Outcome, table: &str, column: &str, name: &str) -> u64 {
    let names = texts(outcome, table, "name");
    numbers(outcome, table, column).iter().zip(&names).filter(|(_, of)| *of == name).map(|(value, _)| value).sum()
}

/// H1 fills its buffer at the switch, because H3 is paused for ever. The packet that crosses XOFF counts a picosecond
/// after a packet has started in the opposite direction, and the sender obeys a picosecond after it has started another
/// one. Links carry a byte in 1 ns.
fn worst_case(switching: &str, buffer: u64, losses: &str) -> Value {
    let crossing = if switching == "cut-through" { 11_000 } else { 10_000 };
    json!({
        "topology": {"single-switch": {"hosts": 3}},
        "links": {"rate": "8 Gbit/s", "delay": "500 ns", "flow_control": {"pfc": {
            "threshold": {"static": {"xoff": "10 kB"}},
            "response": "836.002 ns",
            "losses": losses,
            "storms": [{"host": "H3"}],
        }}},
        "switches": {"buffer": format!("{buffer} B"), "switching": switching, "forwarding_delay": "100 ns"},
        "adapters": {"mtu": "1000 B", "header": "0 B", "ack": "64 B"},
        "traffic": [
            {"from": "H1", "to": "H3"},
            {"from": "H2", "to": "H1", "message": "1000 B", "arrivals": {"messages": {"count": 1}},
             "start": format!("{}.999 ns", crossing - 1)},
        ],
        "measure": {"duration": "60 us", "audit": true, "probes": ["pauses", "buffers"]},
    })
}

/// A packet of a flow that began after the start of the run is lost: the loss is reported at the flow of its source.
#[test]
fn losses_of_flows_that_come_and_go_are_told_at_their_sources() {
    let mut scenario = worst_case("cut-through", 13_000, "count");
    scenario["traffic"][0] = json!({"name": "messages", "from": "H1", "to": "H3", "flows": "by-message",
        "message": "5 kB", "arrivals": {"messages": {"count": 10}}});
    let outcome = outcome(&scenario, AgendaKind::Wheel);
    let by_port: u64 = numbers(&outcome, "ports", "dropped").iter().sum();
    assert!(by_port > 0, "nothing was lost");
    assert_eq!(numbers(&outcome, "flows", "dropped")[0], by_port);
}

#[test]
fn headroom_is_exact_one_byte_less_loses_a_packet() {
    // Three packet times from the crossing packet on (or from its tail) until the sender obeys.
    for (switching, headroom) in [("cut-through", 4_000), ("store-and-forward", 5_000)] {
        let buffer = 10_000 + headroom;
        let enough = outcome(&worst_case(switching, buffer, "refuse"), AgendaKind::Wheel);
        assert_eq!(enough.stop, None, "{switching}");
        assert_eq!(numbers(&enough, "buffer_series", "most").into_iter().max(), Some(buffer), "all of it is needed");
        assert_eq!(numbers(&enough, "ports", "dropped").iter().sum::<u64>(), 0);
        assert_eq!(of(&enough, "pause_counters", "rx_pause", "H1->S"), 1);

        let short = worst_case(switching, buffer - 1, "refuse").to_string();
        let diagnostics = read(&short, Format::Json, "").expect_err("a byte is missing").to_string();
        assert!(diagnostics.contains(&format!("make it at least {} kB", buffer / 1000)), "{diagnostics}");

        let stopped = outcome(&worst_case(switching, buffer - 1, "stop"), AgendaKind::Wheel);
        let Some(Stop::Loss(text)) = &stopped.stop else { panic!("{:?}", stopped.stop) };
        assert!(text.contains("came in by H1->S lane 0"), "{text}");

        let counted = outcome(&worst_case(switching, buffer - 1, "count"), AgendaKind::Wheel);
        assert_eq!(counted.stop, None);
        assert_eq!(numbers(&counted, "ports", "dropped").iter().sum::<u64>(), 1);
    }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn with_headroom_nothing_is_lost(scenario in scenarios(Ends::AllStops), xoff in 0u64..6, queue in any::<bool>(), shared in 0u8..3) {
        let mut scenario = scenario;
        let voq = scenario["switches"]["queues"] != "single";
        let mut pfc = json!({"threshold": {"static": {"xoff": format!("{} B", xoff * 700)}}});
        if queue && voq && shared == 0 {
            pfc["counts"] = json!("queue");
        }
        scenario["links"]["flow_control"] = json!({"pfc": pfc});
        scenario["switches"]["buffer"] = json!("4 MB");
        let switches = scenario["switches"].as_object_mut().expect("a table");
        switches.remove("lane_buffers");
        // A pause is for a whole lane: switches are plain.
        for key in ["memory", "crossbar", "output_packets"] {
            switches.remove(key);
        }
        if !switches["queues"].is_string() || switches["queues"] == "voqnet" {
            switches["queues"] = json!("voq");
        }
        if switches["arbiter"] == "islip" || switches["arbiter"]["islip"].is_object() {
            switches["arbiter"] = json!("round-robin");
        }
        if shared > 0 {
            switches.remove("buffer");
            switches.insert("shared_memory".into(), json!({"size": "200 MB", "reserved": "100 B"}));
            if let Some(marker) = scenario.pointer_mut("/scheme/mark/input-triggered").and_then(Value::as_object_mut) {
                marker.entry("trigger").or_insert(json!(2));
            }
        }
        if shared > 1 {
            let dynamic = json!({"dynamic": {"alpha": 0.00001 * xoff as f64 + 0.000001, "offset": "100 B"}});
            scenario["links"]["flow_control"]["pfc"]["threshold"] = dynamic;
        }
        if scenario["adapters"]["receive_buffer"].is_string() {
            scenario["adapters"]["receive_buffer"] = json!("1 MB");
        }
        scenario["measure"]["audit"] = json!(true);
        scenario["measure"]["duration"] = json!("1 s");
        let outcome = outcome(&scenario, AgendaKind::Wheel);
        prop_assert_eq!(&outcome.stop, &None);
        prop_assert_eq!(numbers(&outcome, "flows", "sent"), numbers(&outcome, "flows", "packets"));
        prop_assert_eq!(numbers(&outcome, "ports", "dropped").iter().sum::<u64>(), 0);
    }
}

/// Hosts of two switches fill one of them, with a buffer that has no room for a pause. Links may have errors, and other
/// frames take the same links as pauses: words of retry, notices of regions and of flow queues.
fn incast_in_company() -> impl Strategy<Value = Value> {
    let switching = (select(vec!["cut-through", "store-and-forward"]), select(vec![0u64, 300]));
    let packets = (select(vec![300u64, 1_000, 2_000]), select(vec![0u64, 64]));
    let links = (select(vec!["1 ns", "50 ns", "1 us"]), select(vec!["0 ns", "700 ns"]), 1u8..3, any::<bool>());
    let checks = (repaired(), select(vec!["retry", "lose", "none"]));
    let company = select(vec!["regions", "queues", "weak links", "none"]);
    (switching, packets, links, checks, company).prop_map(
        |(
            (switching, forwarding),
            (mtu, header),
            (delay, response, lanes, slow),
            ((errors, retry), checks),
            company,
        )| {
            let mut scenario = json!({
                "topology": {"fat-tree": {"radix": 4, "layers": 2}},
                "links": {"rate": "8 Gbit/s", "delay": delay, "lanes": lanes,
                    "flow_control": {"pfc": {"response": response}}},
                "switches": {"buffer": format!("{} B", mtu + header), "queues": "voq", "switching": switching,
                    "forwarding_delay": format!("{forwarding} ns")},
                "adapters": {"mtu": format!("{mtu} B"), "header": format!("{header} B"), "ack": "64 B"},
                "traffic": [
                    {"from": ["h1", "h2", "h3", "h4", "h5", "h6"], "to": "h0", "message": "700 B",
                        "arrivals": {"messages": {"count": 60}}},
                    {"from": "all", "pattern": "uniform", "lane": lanes - 1, "message": "3 kB",
                        "arrivals": {"messages": {"count": 20, "every": "2 us"}}},
                ],
                "measure": {"duration": "1 s", "audit": true},
            });
            match checks {
                "retry" => (scenario["links"]["errors"], scenario["links"]["retry"]) = (errors, retry),
                "lose" => scenario["links"]["errors"] = json!({"packets": errors["packets"]}),
                _ => {}
            }
            if company == "weak links" {
                scenario["links"]["faults"] = json!({"failures": [
                    {"link": ["h1", "leaf0"], "at": "20 us", "keeps": 0.3},
                    {"link": ["leaf0", "spine0"], "at": "40 us", "until": "90 us", "rate": "3 Gbit/s"},
                    {"link": ["leaf1", "spine1"], "at": "70 us", "rate": "7 Gbit/s"},
                ]});
            }
            if lanes == 1 {
                scenario["scheme"] = match company {
                    "regions" => json!({"schedule": {"rcm": {
                        "equilibrium": "3 kB", "sample_every": 2, "notice": "900 B"}}}),
                    "queues" => json!({"preset": "bfc", "isolate": {"bfc": {
                        "queues": 4, "notices": {"in-band": {"size": "900 B"}}}}}),
                    _ => json!({}),
                };
            }
            if slow {
                scenario["adapters"]["receive_buffer"] = json!("1 MB");
                scenario["adapters"]["drain_rate"] = json!("5 Gbit/s");
            }
            scenario
        },
    )
}

/// The buffer size that is reported for a scenario with too little.
fn needed(scenario: &Value) -> String {
    let refused = read(&scenario.to_string(), Format::Json, "").expect_err("it has too little").to_string();
    let Some((_, needed)) = refused.split_once("make it at least ") else { panic!("{refused}") };
    needed.split([',', '\n']).next().expect("a size").to_owned()
}

proptest! {
    #![proptest_config(cases(96))]

    /// H1 fills its buffer at the switch, because H3 is paused for ever, while its link is slower, or has just
    /// recovered.
    #[test]
    fn headroom_is_enough_on_links_that_are_slow_for_a_time(
        (switching, xoff, other) in (select(vec!["cut-through", "store-and-forward"]), 1u64..4_000, 0u64..4_000_000),
        (keeps, until, response) in (0.1f64..1.0, prop::option::of(0u64..30_000_000), 0u64..2_000),
    ) {
        let mut scenario = worst_case(switching, 1_000, "refuse");
        scenario["links"]["delay"] = json!("1 ns");
        let pfc = &mut scenario["links"]["flow_control"]["pfc"];
        pfc["threshold"]["static"]["xoff"] = json!(format!("{xoff} B"));
        pfc["response"] = json!(format!("{response} ns"));
        scenario["traffic"] =
            json!([{"from": "H1", "to": "H3"}, {"from": "H2", "to": "H1", "start": format!("{other} ps")}]);
        let mut failure = json!({"link": ["H1", "S"], "at": "0 ns", "keeps": keeps});
        if let Some(until) = until {
            failure["until"] = json!(format!("{until} ps"));
        }
        scenario["links"]["faults"] = json!({"failures": [failure]});
        scenario["switches"]["buffer"] = json!(needed(&scenario));
        prop_assert_eq!(&outcome(&scenario, AgendaKind::Wheel).stop, &None);
    }

    #[test]
    fn headroom_is_enough_whatever_goes_over_the_link(scenario in incast_in_company()) {
        let mut scenario = scenario;
        scenario["switches"]["buffer"] = json!(needed(&scenario));
        let run = outcome(&scenario, AgendaKind::Wheel);
        prop_assert_eq!(&run.stop, &None);
        if scenario["links"]["retry"].is_object() || scenario["links"]["errors"].is_null() {
            prop_assert_eq!(numbers(&run, "flows", "sent"), numbers(&run, "flows", "packets"));
            prop_assert_eq!(numbers(&run, "ports", "dropped").iter().sum::<u64>(), 0);
        }
    }
}

/// Two hosts send to H4, which storms from 20 us on; H3 sends to H2.
fn storm(watchdog: Value, stop: Option<&str>, lasts: Value) -> Value {
    let mut storm = json!({"host": "H4", "start": "20 us"});
    if let Some(stop) = stop {
        storm["stop"] = json!(stop);
    }
    let mut pfc = json!({"storms": [storm], "pause_duration": lasts});
    if watchdog.is_object() {
        pfc["watchdog"] = watchdog;
    }
    json!({
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "8 Gbit/s", "delay": "50 ns", "flow_control": {"pfc": pfc}},
        "switches": {"buffer": "40 kB"},
        "adapters": {"mtu": "1000 B", "header": "0 B"},
        "traffic": [{"from": ["H1", "H2"], "to": "H4"}, {"from": "H3", "to": "H2", "name": "bystander"}],
        "measure": {"duration": "500 us", "audit": true, "probes": ["pauses"]},
    })
}

#[test]
fn a_storm_reaches_the_senders_and_lasts_until_it_ends() {
    for lasts in [json!("until-xon"), json!({"quanta": {"count": 200}})] {
        let ever = outcome(&storm(Value::Null, None, lasts.clone()), AgendaKind::Wheel);
        assert_eq!(ever.stop, None, "a host that pauses for ever is no deadlock");
        let paused = reals(&ever, "pause_counters", "rx_pause_duration");
        let names = texts(&ever, "pause_counters", "name");
        let of = |name: &str| paused[names.iter().position(|of| of == name).expect("a port")];
        // The storm takes effect after a frame and the delay; nothing ever ends it.
        assert!((of("S->H4") - (480e-6 - 114e-9)).abs() < 2e-6, "{}", of("S->H4"));
        assert!(of("H1->S") > 400e-6 && of("H3->S") == 0.0);
        let over = outcome(&storm(Value::Null, Some("120 us"), lasts), AgendaKind::Wheel);
        let delivered = |outcome: &Outcome| numbers(outcome, "flows", "packets")[0];
        assert!(delivered(&over) > 5 * delivered(&ever), "{} and {}", delivered(&over), delivered(&ever));
    }
}

#[test]
fn a_pause_in_quanta_is_told_again_and_ends_by_itself() {
    let lasting = outcome(&storm(Value::Null, Some("120 us"), json!({"quanta": {"count": 200}})), AgendaKind::Wheel);
    // 200 quanta of 512 bits are 12.8 us: repeated every 6.4 us.
    assert_eq!(of(&lasting, "pause_counters", "rx_pause", "S->H4"), 100_000 / 6_400 + 1);
    assert_eq!(of(&lasting, "pause_counters", "rx_resume", "S->H4"), 1);
}

#[test]
fn the_watchdog_drops_or_forwards_and_steps_back_when_the_pause_has_ended() {
    let watchdog = |action: &str| json!({"detection_time": "50 us", "restoration_time": "30 us", "action": action});
    let dropped = outcome(&storm(watchdog("drop"), Some("200 us"), json!("until-xon")), AgendaKind::Wheel);
    assert_eq!(dropped.stop, None, "what the watchdog drops is no loss");
    let what = texts(&dropped, "pauses", "event");
    assert_eq!(what.iter().filter(|word| *word == "storm").count(), 1, "{what:?}");
    let at = |outcome: &Outcome, word: &str| {
        let place = texts(outcome, "pauses", "event").iter().position(|of| of == word).expect("it happened");
        numbers(outcome, "pauses", "time_ps")[place]
    };
    // In effect at 20.114 us or up to a packet later; checked 50 us later, and every 30 us from then on.
    let storm_at = at(&dropped, "storm");
    assert!((70_114_000..=71_200_000).contains(&storm_at), "{storm_at}");
    assert_eq!((at(&dropped, "restored") - storm_at) % 30_000_000, 0);
    assert!(at(&dropped, "restored") > 200_000_000 && at(&dropped, "restored") <= 230_200_000);
    assert!(numbers(&dropped, "ports", "dropped").iter().sum::<u64>() > 100);
    let mut forwarding = storm(watchdog("forward"), None, json!("until-xon"));
    forwarding["links"]["flow_control"]["pfc"]["losses"] = json!("stop");
    let forwarded = outcome(&forwarding, AgendaKind::Wheel);
    assert_eq!(numbers(&forwarded, "ports", "dropped").iter().sum::<u64>(), 0);
    let packets = numbers(&forwarded, "flows", "packets");
    assert!(packets[0] + packets[1] > 440, "all but the 50 us before it steps in: {packets:?}");
}

/// No headroom is enough for a switch that goes on sending to one that pauses it.
#[test]
fn a_loss_that_the_watchdog_caused_is_told_as_such() {
    let scenario = |action: &str, xoff: &str| {
        json!({
            "topology": {"test-bed": {}},
            "links": {"rate": "100 Gbit/s", "delay": "100 ns", "flow_control": {"pfc": {
                "threshold": {"static": {"xoff": xoff, "xon": "4 KiB"}},
                "losses": "stop",
                "watchdog": {"detection_time": "5 us", "restoration_time": "20 us", "action": action},
            }}},
            "switches": {"buffer": "128 KiB"},
            "adapters": {"header": "26 B"},
            "traffic": [{"from": ["H1", "H2", "H3", "H6", "H7"], "to": "H5"}],
            "measure": {"duration": "200 us"},
        })
    };
    let told = |action, xoff| match outcome(&scenario(action, xoff), AgendaKind::Wheel).stop {
        Some(Stop::Loss(text)) => text,
        other => panic!("{other:?}"),
    };
    assert!(told("forward", "64 KiB").contains("came in by S1->S2") && told("forward", "64 KiB").contains("watchdog"));
    let late = told("drop", "127 KiB");
    assert!(late.contains("Leave more headroom") && !late.contains("watchdog"), "{late}");
    assert_eq!(outcome(&scenario("drop", "64 KiB"), AgendaKind::Wheel).stop, None);
}

/// A watchdog drops from queues of any kind, with any arbiter; nothing else is lost, and in the end nothing is left.
#[test]
fn what_a_watchdog_drops_is_all_that_is_missing() {
    let queues = vec![json!("voq"), json!({"dbbm": {"queues": 3}}), json!({"obqa": {"queues": 2}})];
    let arbiters = vec![json!("round-robin"), json!("islip"), json!({"islip": {"matching": "slotted"}})];
    let reads = vec![json!("one"), json!("all"), json!(2)];
    let of_any_kind =
        (select(queues), select(arbiters), select(reads), 1..3u64, select(vec!["500 ns", "3 us", "20 us"]));
    let struck = Cell::new(0);
    let checked = TestRunner::new(cases(48)).run(&of_any_kind, |(queues, arbiter, reads, lanes, detect)| {
        let all = json!({"messages": {"count": 20, "every": "2 us"}});
        let scenario = json!({
            "topology": {"fat-tree": {"radix": 4, "layers": 2}},
            "links": {"rate": "8 Gbit/s", "delay": "50 ns", "lanes": lanes, "flow_control": {"pfc": {
                "threshold": {"static": {"xoff": "3 kB"}},
                "storms": [{"host": "h0", "start": "5 us", "stop": "90 us"}],
                "watchdog": {"detection_time": detect, "restoration_time": "2 us"},
            }}},
            "switches": {"buffer": "40 kB", "queues": queues, "arbiter": arbiter, "read_ports": reads},
            "adapters": {"mtu": "1000 B", "header": "0 B"},
            "traffic": [
                {"from": ["h1", "h2", "h3", "h6"], "to": "h0", "arrivals": all},
                {"from": "all", "pattern": "uniform", "lane": lanes - 1, "message": "700 B", "arrivals": all},
            ],
            "measure": {"duration": "10 ms", "audit": true},
        });
        let outcome = outcome(&scenario, AgendaKind::Wheel);
        prop_assert_eq!(&outcome.stop, &None);
        let sum = |column| numbers(&outcome, "flows", column).iter().sum::<u64>();
        prop_assert_eq!(sum("sent"), sum("packets") + sum("dropped"));
        struck.set(struck.get() + u32::from(sum("dropped") > 0));
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
    assert!(struck.get() >= 10, "in {} networks something is dropped", struck.get());
}

/// A fast host and four slow lanes of traffic on a switch whose ports share a memory of 100 kB.
fn sharing(alpha: f64, lossless: Value, duration: &str) -> Value {
    json!({
        "topology": {"single-switch": {"hosts": 6}},
        "links": {"rate": "8 Gbit/s", "delay": "50 ns", "lanes": 2, "flow_control": {"pfc": {
            "lossless": lossless,
            "threshold": {"dynamic": {"alpha": alpha, "offset": "2 kB"}},
        }}},
        "switches": {"shared_memory": {"size": "200 kB", "reserved": "1 kB"}, "arbiter": "fifo"},
        "adapters": {"mtu": "1000 B", "header": "0 B"},
        "traffic": [
            {"from": ["H1", "H2", "H3"], "to": "H6", "lane": 0, "name": "lossless"},
            {"from": ["H4", "H5"], "to": "H6", "lane": 1, "name": "lossy"},
        ],
        "measure": {"duration": duration, "audit": true, "probes": ["pauses", "buffers", "output-queues"]},
    })
}

#[test]
fn a_lossy_lane_drops_and_a_lossless_one_pauses_on_the_same_switch() {
    let outcome = outcome(&sharing(0.25, json!([0]), "2 ms"), AgendaKind::Wheel);
    assert_eq!(outcome.stop, None);
    let (dropped, class) = (numbers(&outcome, "flows", "dropped"), texts(&outcome, "flows", "class"));
    for (dropped, class) in dropped.iter().zip(&class) {
        assert_eq!(*dropped > 0, class == "lossy", "{class}: {dropped}");
    }
    for (host, lane) in [("H1->S", 0), ("H4->S", 1)] {
        let names = texts(&outcome, "pause_counters", "name");
        let lanes = numbers(&outcome, "pause_counters", "lane");
        let row = (0..names.len()).find(|&row| names[row] == host && lanes[row] == lane).expect("a row");
        assert_eq!(numbers(&outcome, "pause_counters", "rx_pause")[row] > 0, lane == 0, "{host}");
    }
}

#[test]
fn a_larger_alpha_lets_an_input_hold_more() {
    let most = |alpha: f64| {
        let outcome = outcome(&sharing(alpha, json!([0, 1]), "2 ms"), AgendaKind::Wheel);
        assert_eq!(outcome.stop, None);
        numbers(&outcome, "buffer_series", "most").into_iter().max().unwrap_or(0)
    };
    let (little, much) = (most(1.0 / 64.0), most(2.0));
    assert!(little < 8_000 && much > 20_000, "{little} and {much}");
}

#[test]
fn a_queue_at_the_output_holds_what_it_has_room_for() {
    let scenario = json!({
        "topology": {"single-switch": {"hosts": 4}},
        "links": {"rate": "8 Gbit/s", "delay": "50 ns", "flow_control": {"pfc": {"counts": "queue"}}},
        "switches": {"buffer": "30 kB", "output_buffer": "20500 B"},
        "adapters": {"mtu": "1000 B", "header": "0 B"},
        "traffic": [{"from": ["H1", "H2", "H3"], "to": "H4"}],
        "measure": {"duration": "1 ms", "audit": true, "probes": ["pauses", "buffers", "output-queues"]},
    });
    let outcome = outcome(&scenario, AgendaKind::Wheel);
    assert_eq!(outcome.stop, None);
    // The link is never idle, and senders get equal shares of it.
    let packets = numbers(&outcome, "flows", "packets");
    assert!(packets.iter().sum::<u64>() >= 997, "{packets:?}");
    assert!(
        packets.iter().max().zip(packets.iter().min()).is_some_and(|(most, least)| most - least <= 1),
        "{packets:?}"
    );
    // Inputs fill only when 20 packets wait at the output: the first pause is requested later by as much.
    let first = |outcome: &Outcome| numbers(outcome, "pauses", "time_ps")[0];
    let mut without = scenario.clone();
    without["switches"].as_object_mut().expect("a table").remove("output_buffer");
    let plain = crate::outcome(&without, AgendaKind::Wheel);
    assert!(first(&outcome) >= first(&plain) + 9_000_000, "{} and {}", first(&outcome), first(&plain));
}

#[test]
fn pauses_that_wait_for_each_other_in_a_cycle_are_found_and_named() {
    let switches = ["s0", "s1", "s2", "s3"];
    let (mut links, mut hosts, mut table, mut traffic) = (Vec::new(), Vec::new(), serde_json::Map::new(), Vec::new());
    for i in 0..4 {
        let (next, host) = (switches[(i + 1) % 4], format!("h{i}"));
        links.push(json!({"a": switches[i], "b": next}));
        links.push(json!({"a": host, "b": switches[i]}));
        let ways: serde_json::Map<String, Value> =
            (1..4).map(|ahead| (format!("h{}", (i + ahead) % 4), json!(next))).collect();
        table.insert(switches[i].into(), Value::Object(ways));
        traffic.push(json!({"from": host, "to": format!("h{}", (i + 3) % 4)}));
        hosts.push(host);
    }
    let mut scenario = json!({
        "allow_credit_loops": true,
        "topology": {"graph": {"hosts": hosts, "switches": switches, "links": links}},
        "routing": {"table": table},
        "links": {"rate": "8 Gbit/s", "delay": "5 ns", "flow_control": "pfc"},
        "switches": {"buffer": "8 kB"},
        "adapters": {"mtu": "1000 B", "header": "0 B"},
        "traffic": traffic,
        "measure": {"duration": "2 ms", "deadlock_timeout": "10 us", "audit": true},
    });
    let stuck = outcome(&scenario, AgendaKind::Wheel);
    let Some(Stop::Deadlock(text)) = &stuck.stop else { panic!("{:?}", stuck.stop) };
    for i in 0..4 {
        assert!(text.contains(&format!("{}->{}", switches[i], switches[(i + 1) % 4])), "{text}");
    }
    // A watchdog that drops restarts it, at a price.
    scenario["links"]["flow_control"] =
        json!({"pfc": {"watchdog": {"detection_time": "50 us", "restoration_time": "20 us"}}});
    let freed = outcome(&scenario, AgendaKind::Wheel);
    assert_eq!(freed.stop, None);
    assert!(numbers(&freed, "ports", "dropped").iter().sum::<u64>() > 0);
    let all = |outcome: &Outcome| numbers(outcome, "flows", "packets").iter().sum::<u64>();
    assert!(all(&freed) > 2 * all(&stuck), "{} and {}", all(&freed), all(&stuck));
}
