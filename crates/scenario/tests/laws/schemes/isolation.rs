//! The laws of isolation: packets that are set aside leave again, in order, and when traffic has ended nothing is left
//! of any tree: no line, no queue in use, no queue stopped. The engine itself audits the latter (`measure.audit`).

use congestree_fabric::AgendaKind;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{hot_roots, nothing_is_left, parts_are_the_whole};
use crate::table::{numbers, reals, summary};
use crate::{cases, fingerprints, outcome};

/// A scheme that isolates, with the queues it needs.
fn schemes() -> impl Strategy<Value = (Value, Value)> {
    let notices = prop_oneof![
        Just(json!({"out-of-band": {}})),
        Just(json!({"out-of-band": {"delay": "200 ns"}})),
        Just(json!({"in-band": {}})),
        Just(json!({"in-band": {"size": "300 B"}})),
    ];
    let stop_at = prop::sample::select(vec!["allocation", "next-packet", "next-crossing"]);
    let part =
        (prop::sample::select(vec!["fbicm", "ccfit", "hfdi", "ecocc"]), 0..4u8, 1..6u16, 0..3u32, any::<[bool; 4]>());
    (part, notices, stop_at).prop_map(|((name, queues, destinations, low, flags), notices, stop_at)| {
        let [skip, local, root_stops, single] = flags;
        let mut isolate = json!({
            "queues": queues, "destinations": destinations, "notices": notices, "stop_at": stop_at, "hosts_skip_stopped": skip,
        });
        if name == "fbicm" || name == "ccfit" {
            isolate["detect"] = json!(low + 1);
            isolate["detect_above"] = json!(local);
            isolate["suspect"] = json!(if root_stops { "head" } else { "most-frequent" });
            (isolate["stop"], isolate["go"]) = (json!(low + 2), json!(low));
            if name == "ccfit" {
                (isolate["high"], isolate["low"]) = (json!(low + 2), json!(low));
            }
        } else {
            (isolate["high"], isolate["low"], isolate["root_stops"]) = (json!(low + 2), json!(low), json!(root_stops));
            isolate["root_release"] = json!(if skip { "low" } else { "empty" });
            isolate["needs_credit"] = json!(!local);
            isolate["lines"] = json!(queues + 3);
            if name == "hfdi" {
                isolate["local"] = json!(local);
            }
        }
        let one_queue = single && (name == "fbicm" || name == "ccfit" || (name == "hfdi" && local));
        let switches = match one_queue {
            true => json!({"queues": "single", "read_ports": "one"}),
            false => json!({"queues": "voq"}),
        };
        (json!({"preset": name, "isolate": {name: isolate}}), switches)
    })
}

/// Links that promise room, by packet or by byte, or that pause.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Links {
    Slots,
    Credits,
    Pauses,
}

impl Links {
    fn flow_control(self) -> Value {
        match self {
            Links::Slots => json!("packet-slots"),
            Links::Credits => json!("byte-credits"),
            Links::Pauses => json!("pfc"),
        }
    }

    /// A buffer for this many packets; if senders are paused, in addition to the headroom.
    fn buffer(self, room: u32) -> Value {
        match self {
            Links::Slots => json!(format!("{room} packets")),
            Links::Credits => json!(format!("{} B", room * 1100)),
            Links::Pauses => json!(format!("{} B", room * 1100 + 2400)),
        }
    }
}

/// The most packets above which a queue of this scheme counts as congested.
fn highest_threshold(scheme: &Value) -> u32 {
    let part = scheme["isolate"].as_object().and_then(|parts| parts.values().next()).expect("it isolates");
    ["detect", "high"].iter().filter_map(|key| part[key].as_u64()).max().expect("it has a threshold") as u32
}

/// Hot spots in a tree, until 60 us; then everything has time to drain.
pub(crate) fn hot() -> impl Strategy<Value = Value> {
    let links = prop::sample::select(vec![Links::Slots, Links::Credits, Links::Pauses]);
    let tree = prop::sample::select(vec![(2, 3), (3, 2), (4, 2)]);
    (schemes(), tree, links, 3..9u32, prop::option::of(1..9u32), 1..4usize, 1..1000u64, any::<bool>()).prop_map(
        |((scheme, mut switches), (k, n), links, room, injection, roots, seed, islip)| {
            let hosts = u32::pow(k, n);
            // Where packets are counted, a threshold that no queue exceeds is refused.
            let least = if links == Links::Slots { highest_threshold(&scheme) + 1 } else { 0 };
            switches["buffer"] = links.buffer(room.max(least));
            switches["forwarding_delay"] = json!("50 ns");
            if islip {
                switches["arbiter"] = json!("islip");
            }
            let mut adapters = json!({"mtu": "1000 B"});
            if let Some(injection) = injection {
                adapters["injection_buffer"] = json!(injection);
            }
            json!({
                "seed": seed,
                "topology": {"k-ary-n-tree": {"k": k, "n": n}},
                "links": {
                    "rate": "8 Gbit/s", "delay": "10 ns",
                    "flow_control": links.flow_control(),
                },
                "switches": switches,
                "adapters": adapters,
                "scheme": scheme,
                "traffic": hot_roots(hosts, roots),
                "measure": {"duration": "20 ms", "audit": true},
            })
        },
    )
}

/// Each port has its own state of lines, and notices between ports take link time.
#[test]
fn parts_that_set_aside_are_the_whole() {
    parts_are_the_whole(hot(), |whole| summary(whole, "set_aside") > 0.0);
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn what_is_set_aside_comes_out_and_nothing_is_left(scenario in hot()) {
        let seen = nothing_is_left(&scenario, &json!(["isolation", "events", "ports"]))?;
        let queues = reals(&seen, "isolation_series", "queues");
        prop_assert_eq!(queues.last(), Some(&0.0), "queues are in use at the end");
        let told = ["allocate", "stop", "go", "release"].iter().map(|kind| summary(&seen, &format!("notices_{kind}")));
        prop_assert_eq!(told.sum::<f64>(), summary(&seen, "notices_heard"), "not every notice was heard");
    }

    /// What a watchdog drops from queues, set aside or not, is removed from lines as if it had left.
    #[test]
    fn what_a_watchdog_drops_leaves_no_line_behind(scenario in hot(), detect in prop::sample::select(vec!["1 us", "5 us"])) {
        let mut scenario = scenario;
        scenario["links"]["flow_control"] = json!({"pfc": {
            "storms": [{"host": "h1", "start": "10 us", "stop": "45 us"}],
            "watchdog": {"detection_time": detect, "restoration_time": "2 us"},
        }});
        scenario["switches"]["buffer"] = json!(Links::Pauses.buffer(8));
        scenario["measure"]["probes"] = json!(["isolation"]);
        let seen = outcome(&scenario, AgendaKind::Wheel);
        prop_assert_eq!(&seen.stop, &None);
        let sum = |column| numbers(&seen, "flows", column).iter().sum::<u64>();
        prop_assert_eq!(sum("sent"), sum("packets") + sum("dropped"));
        let queues = reals(&seen, "isolation_series", "queues");
        prop_assert_eq!(queues.last(), Some(&0.0), "queues are in use at the end");
    }

    /// The probes of isolation change nothing, and their records agree with the rules.
    #[test]
    fn what_closer_looks_see_is_as_the_rules_say(scenario in hot()) {
        let plain = outcome(&scenario, AgendaKind::Wheel);
        let mut watched = scenario.clone();
        watched["measure"]["probes"] = json!(["input-queues", "detections", "hol-blocking", "injection-audit"]);
        watched["measure"]["sampling_interval"] = json!("2 us");
        let seen = outcome(&watched, AgendaKind::Wheel);
        prop_assert_eq!(fingerprints(&plain), fingerprints(&seen));

        let column = |name| numbers(&seen, "detections", name);
        let (held, theirs, asking, offered) = (column("held"), column("for_output"), column("requesting"), column("offered"));
        let inputs = column("inputs");
        let voq = scenario["switches"]["queues"] == "voq";
        for row in 0..held.len() {
            prop_assert!((1..=held[row]).contains(&theirs[row]) && theirs[row] <= asking[row]);
            prop_assert!(asking[row] <= offered[row], "more packets than bytes");
            prop_assert!(inputs[row] >= 1, "nothing came by any input");
            prop_assert!(!voq || theirs[row] == held[row], "a queue for one output held packets for another");
        }
        if voq {
            prop_assert!(numbers(&seen, "hol_blocking", "packets").is_empty(), "packets for one output stood behind others");
        }
        prop_assert_eq!(numbers(&seen, "injection_audit", "early"), vec![0; numbers(&seen, "injection_audit", "early").len()]);
        let sent: u64 = numbers(&seen, "flows", "sent").iter().sum();
        prop_assert_eq!(numbers(&seen, "injection_audit", "packets").iter().sum::<u64>(), sent);
        let skips = scenario["scheme"]["isolate"].as_object().is_some_and(|part| part.values().any(|p| p["hosts_skip_stopped"] == true));
        if skips || scenario["adapters"]["injection_buffer"].is_null() {
            prop_assert_eq!(numbers(&seen, "injection_audit", "stopped").iter().sum::<u64>(), 0, "hosts let stopped packets past");
        }
        // At most what an input has room for waits there: limited by the memory that its queues share.
        let room = match scenario["switches"]["buffer"].as_str().map(|text| text.split_once(' ')) {
            Some(Some((count, "packets"))) => 1100 * count.parse::<u64>().unwrap_or(0),
            Some(Some((bytes, _))) => bytes.parse::<u64>().unwrap_or(0),
            _ => 0,
        };
        let mut inputs = std::collections::BTreeMap::<(u64, u64), u64>::new();
        let looks = reals(&seen, "input_queue_series", "time");
        let series = |name| numbers(&seen, "input_queue_series", name);
        for ((time, input), bytes) in looks.iter().zip(series("input_port")).zip(series("bytes")) {
            *inputs.entry((time.to_bits(), input)).or_default() += bytes;
        }
        prop_assert!(inputs.values().all(|bytes| *bytes <= room), "more waits at an input than it has room for");
    }
}
