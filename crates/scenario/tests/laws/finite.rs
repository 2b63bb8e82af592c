//! The laws of flows of one message: each finishes once, with all its bytes; on an idle fabric it takes exactly as long
//! as the formula says, and never less on a busy one; and the offered load is the one that was requested.

use std::collections::BTreeSet;

use std::collections::BTreeMap;

use congestree_fabric::{AgendaKind, Observer, Outcome, Table, Values, run, run_and_hand_over};
use congestree_scenario::{Format, read};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::table::{named, numbers, reals, summary};
use crate::{cases, fingerprints, outcome};

/// A chain, a dumbbell or a tree with links of several rates.
fn networks() -> impl Strategy<Value = (Value, Vec<String>)> {
    let rates = || select(vec!["8 Gbit/s", "25 Gbit/s", "10 Gbit/s", "7 Gbit/s"]);
    let delays = || select(vec!["0 ns", "7 ns", "1.5 us"]);
    let custom = (rates(), rates(), rates(), delays(), delays()).prop_map(|(a, b, c, near, far)| {
        let names: Vec<String> = (0..4).map(|host| format!("h{host}")).collect();
        let link = |a: &str, b: &str, rate: &str, delay: &str| json!({"a": a, "b": b, "rate": rate, "delay": delay});
        let topology = json!({"graph": {
            "hosts": names,
            "switches": ["s0", "s1", "s2"],
            "links": [
                link("h0", "s0", a, near), link("h1", "s0", c, near), link("s0", "s1", b, far), link("s1", "s2", c, far),
                link("h2", "s1", b, near), link("h3", "s2", a, near),
            ],
        }});
        (topology, names)
    });
    let star = (2..6u32).prop_map(|hosts| {
        (json!({"single-switch": {"hosts": hosts}}), (1..=hosts).map(|host| format!("H{host}")).collect::<Vec<_>>())
    });
    prop_oneof![2 => custom, 1 => star]
}

/// Room for everything, so that only links take time.
fn scenario(topology: &Value, switching: &str, bus: Option<&str>, traffic: Value, duration: &str) -> Value {
    let mut adapters = json!({"mtu": "1000 B", "header": "48 B"});
    if let Some(rate) = bus {
        adapters["injection_rate"] = json!(rate);
    }
    json!({
        "topology": topology,
        "routing": "shortest-path",
        "links": {"rate": "10 Gbit/s", "delay": "20 ns", "flow_control": "byte-credits"},
        "switches": {"buffer": "1 MB", "switching": switching, "forwarding_delay": "130 ns"},
        "adapters": adapters,
        "traffic": traffic,
        "measure": {"duration": duration, "probes": ["completions"], "audit": true},
    })
}

fn column(outcome: &Outcome, name: &str) -> Vec<f64> {
    reals(outcome, "completions", name)
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn alone_on_the_fabric_a_flow_takes_exactly_the_ideal_time(
        (topology, hosts) in networks(),
        switching in select(vec!["cut-through", "store-and-forward"]),
        bus in select(vec![None, Some("3 Gbit/s"), Some("9 Gbit/s")]),
        (retry, crossbar) in (any::<bool>(), prop::option::of((select(vec!["7 Gbit/s", "10 Gbit/s", "20 Gbit/s"]), 1..3u8))),
        sizes in prop::collection::vec((1..20_000u64, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..8),
    ) {
        let rows: Vec<Value> = sizes.iter().enumerate().map(|(at, (bytes, from, to))| {
            let from = from.index(hosts.len());
            let to = (from + 1 + to.index(hosts.len() - 1)) % hosts.len();
            json!({"at": format!("{at} ms"), "from": hosts[from], "to": hosts[to], "message": format!("{bytes} B")})
        }).collect();
        let mut scenario = scenario(&topology, switching, bus, json!([{"list": rows}]), "10 ms");
        match crossbar {
            Some((rate, packets)) => {
                scenario["switches"]["crossbar"] = json!(rate);
                scenario["switches"]["output_packets"] = json!(packets);
            }
            None if retry => scenario["links"]["retry"] = json!({}),
            None => {}
        }
        let outcome = outcome(&scenario, AgendaKind::Wheel);
        prop_assert_eq!(&outcome.stop, &None);
        prop_assert_eq!(numbers(&outcome, "completions", "size"), sizes.iter().map(|one| one.0).collect::<Vec<_>>());
        // In seconds, from instants in picoseconds: far below the last digit of either.
        for (fct, ideal) in column(&outcome, "fct").iter().zip(column(&outcome, "ideal")) {
            prop_assert!((fct - ideal).abs() < 1e-15, "{} {}", fct, ideal);
        }
    }

    #[test]
    fn every_flow_finishes_once_and_never_before_its_ideal_time(
        (topology, hosts) in networks(),
        seed in any::<u32>(),
        window in select(vec![None, Some(1u64), Some(7)]),
        scheme in 0..4u8,
        burst in 1..5u64,
        bytes in 1..9_000u64,
    ) {
        let mut entries = vec![
            json!({"name": "incast", "from": hosts[1..], "to": hosts[0], "flows": "by-message", "message": format!("{bytes} B"),
                   "arrivals": {"messages": {"count": 12, "burst": burst, "every": "2 us"}}}),
            json!({"name": "random", "from": "all", "pattern": "uniform", "flows": "by-message", "stop": "100 us",
                   "sizes": {"cdf": [{"size": "0 B", "share": 0.0}, {"size": "3 kB", "share": 0.8}, {"size": "40 kB", "share": 1.0}]},
                   "arrivals": {"poisson": {"load": 0.5}}}),
            json!({"name": "now and then", "from": "all", "pattern": "uniform", "flows": "by-message", "stop": "100 us",
                   "message": format!("{bytes} B"), "arrivals": {"incast": {"senders": 1, "load": 0.1}}}),
        ];
        if let Some(window) = window {
            entries.iter_mut().for_each(|entry| entry["window"] = json!(window));
        }
        let mut scenario = scenario(&topology, "cut-through", None, json!(entries), "50 ms");
        scenario["seed"] = json!(seed);
        scenario["switches"]["buffer"] = json!("3 kB");
        match scheme {
            1 => scenario["scheme"] = json!({"preset": "input-triggered"}),
            2 => scenario["scheme"] = json!({"preset": "dcqcn-paper", "mark": {"red": {"min": "1 kB", "max": "4 kB"}}}),
            3 => {
                let mark = json!({"fecn": {"enter": "1 kB", "marking_rate": 0}});
                let react = json!({"cct": {"per": "sl", "limit": 15, "table": {"linear": {"delay": "2 us", "at": 10}}}});
                scenario["scheme"] = json!({"mark": mark, "react": react, "notify": {"cnp": {}}});
            }
            _ => {}
        }
        let outcome = outcome(&scenario, AgendaKind::Wheel);
        prop_assert_eq!(&outcome.stop, &None);
        let count = named(&outcome, "completions").columns[0].values.clone();
        let Values::U64(numbers_told) = count else { panic!("numbers are counts") };
        prop_assert_eq!(summary(&outcome, "flows_started"), numbers_told.len() as f64);
        prop_assert_eq!(summary(&outcome, "flows_finished"), numbers_told.len() as f64);
        let all: BTreeSet<u64> = numbers_told.iter().copied().collect();
        prop_assert!(all.into_iter().eq(0..numbers_told.len() as u64));
        prop_assert!(column(&outcome, "slowdown").iter().all(|&slowdown| slowdown >= 1.0));
        // The last ACK follows the last byte; without acknowledgements there is none.
        let acked = window.is_some() || scheme == 1;
        for (finish, acknowledged) in column(&outcome, "finished").into_iter().zip(column(&outcome, "acknowledged")) {
            prop_assert!(if acked { acknowledged > finish } else { acknowledged.is_nan() }, "{} {}", finish, acknowledged);
        }
        // The traffic of the flows is counted in the accounts of their sources, packet by packet.
        let (sizes, packets) = (numbers(&outcome, "completions", "size"), numbers(&outcome, "completions", "packets"));
        prop_assert!(sizes.iter().zip(&packets).all(|(size, packets)| size.div_ceil(1000) == *packets));
        let carried: u64 = sizes.iter().sum::<u64>() + 48 * packets.iter().sum::<u64>();
        prop_assert_eq!(numbers(&outcome, "flows", "bytes").iter().sum::<u64>(), carried);
        prop_assert_eq!(numbers(&outcome, "flows", "sent"), numbers(&outcome, "flows", "packets"));
        let marked: u64 = numbers(&outcome, "completions", "marked").iter().sum();
        prop_assert_eq!(numbers(&outcome, "flows", "marked").iter().sum::<u64>(), marked);
        prop_assert_eq!(fingerprints(&outcome), fingerprints(&crate::outcome(&scenario, AgendaKind::Heap)));
    }
}

/// The ACK of the last packet takes its own time on two links, with the switch between them, whichever flow has the
/// record by then.
/// then.
#[test]
fn a_flow_is_acknowledged_when_the_ack_of_its_last_packet_is_in() {
    for every in [1, 2] {
        let traffic = json!([{"from": "H1", "to": "H2", "flows": "by-message", "window": 3, "message": "5 kB",
                              "arrivals": {"messages": {"count": 40, "every": "7 us"}}}]);
        let mut scenario = scenario(&json!({"single-switch": {"hosts": 2}}), "cut-through", None, traffic, "1 ms");
        scenario["adapters"]["ack"] = json!("64 B");
        scenario["adapters"]["acks"] = json!({"every": every, "flush": "1 ms"});
        let outcome = outcome(&scenario, AgendaKind::Wheel);
        let ends: Vec<_> = column(&outcome, "finished").into_iter().zip(column(&outcome, "acknowledged")).collect();
        let way_back = 64.0 * 8.0 / 10e9 + 2.0 * 20e-9 + 130e-9;
        assert_eq!(ends.len(), 40);
        assert!(ends.iter().all(|(finish, acknowledged)| (acknowledged - finish - way_back).abs() < 1e-15), "{ends:?}");
    }
}

/// Sources offer, in wire bytes, the load that was requested: over all tables, with headers, and for small packets.
#[test]
fn the_offered_bytes_are_the_load() {
    for (table, mtu, header, load) in
        [("enterprise", 1000, 48, 0.6), ("web-search", 1500, 78, 0.3), ("data-mining", 256, 48, 0.5)]
    {
        // Large sizes are rare and carry most bytes: drawn sizes are compared with the expected ones, size by size.
        let scenario = json!({
            "topology": {"single-switch": {"hosts": 40}},
            "links": {"rate": "100 Gbit/s", "flow_control": "byte-credits"},
            "adapters": {"mtu": format!("{mtu} B"), "header": format!("{header} B")},
            "traffic": [{"from": "all", "pattern": "uniform", "flows": "by-message", "sizes": {"cdf": table},
                         "arrivals": {"poisson": {"load": load}}}],
            "measure": {"duration": "1 s"},
        });
        let checked =
            read(&scenario.to_string(), Format::Json, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        let (mut bytes, mut messages) = (0.0, 0u64);
        let span = 300.0;
        for (id, plan) in checked.plan.sources.iter().enumerate() {
            let mut source = congestree_traffic::Source::new(plan, 7, id as u64);
            while let Some(at) = source.next_message() {
                if at.as_secs() > span {
                    break;
                }
                let size = source.next_size();
                bytes += (size + header * size.div_ceil(mtu)) as f64;
                messages += 1;
                if messages > 4_000_000 {
                    break;
                }
            }
            if messages > 4_000_000 {
                break;
            }
        }
        let congestree_traffic::Arrivals::Poisson { mean_gap } = checked.plan.sources[0].profile.arrivals else {
            panic!()
        };
        let offered = bytes * 8.0 / (messages as f64 * mean_gap.as_secs());
        assert!((offered / (load * 100e9) - 1.0).abs() < 0.02, "{table}: {} of {load}", offered / 100e9);
    }
}

/// The values of each row of a table.
fn rows(table: &Table) -> Vec<String> {
    let cell = |values: &Values, row: usize| match values {
        Values::F64(values) => values.get(row).map(|value| format!("{value:?}")),
        Values::U64(values) => values.get(row).map(u64::to_string),
        Values::U32(values) => values.get(row).map(u32::to_string),
        Values::Bool(values) => values.get(row).map(bool::to_string),
        Values::Text(values) => values.get(row).cloned(),
        Values::Named(values) => (row < values.rows()).then(|| values.name(row)),
    };
    let each = (0..).map_while(|row| table.columns.iter().map(|column| cell(&column.values, row)).collect());
    each.map(|cells: Vec<String>| cells.join(" ")).collect()
}

#[test]
fn rows_handed_over_are_those_that_would_have_been_kept() {
    hand_over(json!({}));
}

#[test]
fn rows_are_handed_over_when_their_flows_are_acknowledged() {
    hand_over(json!({"window": 2}));
}

/// A long run of flows like this, with its rows kept, and handed over while it goes on.
fn hand_over(how: Value) {
    let mut entry = json!({"from": "all", "pattern": {"groups": {"size": 3}}, "flows": "by-message", "message": "200 B",
                           "arrivals": {"poisson": {"load": 0.9}}});
    entry.as_object_mut().expect("a table").extend(how.as_object().expect("a table").clone());
    let traffic = json!([entry]);
    let mut scenario = scenario(&json!({"single-switch": {"hosts": 6}}), "cut-through", None, traffic, "2 ms");
    scenario["links"]["flow_control"] = json!({"pfc": {"threshold": {"static": {"xoff": "200 B", "xon": "0 B"}}}});
    scenario["switches"]["buffer"] = json!("9 kB");
    scenario["measure"]["probes"] = json!(["completions", "pauses", "deliveries"]);
    let kept = outcome(&scenario, AgendaKind::Wheel);
    let checked = read(&scenario.to_string(), Format::Json, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let mut given: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut longest = 0;
    let mut take = |table: Table| {
        longest = longest.max(rows(&table).len());
        given.entry(table.name).or_default().extend(rows(&table));
        true
    };
    let mut observer = Observer { report: &mut |_| true, take: Some(&mut take) };
    let handed = run_and_hand_over(&checked.plan, AgendaKind::Wheel, &mut observer);
    assert_eq!(given.keys().copied().collect::<Vec<_>>(), ["completions", "deliveries", "pauses"]);
    assert!(longest < 1 << 17, "{longest} rows were kept");
    for table in &handed.tables {
        let all = given.remove(table.name).unwrap_or_default().into_iter().chain(rows(table));
        assert!(all.eq(rows(named(&kept, table.name))), "{}", table.name);
    }
    assert_eq!(fingerprints(&handed), fingerprints(&run(&checked.plan, AgendaKind::Heap, &mut |_| true)));
}
