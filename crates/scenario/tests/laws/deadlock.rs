//! Deadlock: detected and named if it exists, never reported otherwise.
//!
//! Switches in a ring, all packets clockwise, buffers between them that fill with packets which must continue: the
//! textbook case of a cycle in the channel dependency graph (Dally, Seitz 1987). With traffic that ends, the truth is
//! known independently of the report: either everything arrives, or the ring is deadlocked.

use std::cell::Cell;

use congestree_fabric::{AgendaKind, Outcome, Stop};
use congestree_scenario::{Format, read};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use crate::table::{deliveries, numbers, texts};
use crate::{at_least, cases, outcome};

/// A ring of switches with hosts on each.
#[derive(Clone, Debug)]
struct Ring {
    switches: usize,
    hosts: usize,
    slots: bool,
    room: u64,
    single: bool,
    fifo: bool,
    cut_through: bool,
    credit_delay: u64,
}

fn rings() -> impl Strategy<Value = Ring> {
    (3..=6usize, 1..=2usize, any::<[bool; 4]>(), 1..=4u64, select(vec![0u64, 30, 700, 5000])).prop_map(
        |(switches, hosts, [slots, single, fifo, cut_through], room, credit_delay)| Ring {
            switches,
            hosts,
            slots,
            room,
            single,
            fifo,
            cut_through,
            credit_delay,
        },
    )
}

impl Ring {
    fn host(&self, switch: usize, number: usize) -> String {
        format!("h{}_{number}", switch % self.switches)
    }

    /// The names of the links of the ring, clockwise.
    fn links(&self) -> Vec<String> {
        (0..self.switches).map(|switch| format!("s{switch}->s{}", (switch + 1) % self.switches)).collect()
    }

    /// The network, with packets of 1000 bytes and a microsecond.
    fn scenario(&self, traffic: Vec<Value>, watchdog: &str) -> Value {
        let (mut hosts, mut links, mut table) = (Vec::new(), Vec::new(), Map::new());
        for switch in 0..self.switches {
            let (here, next) = (format!("s{switch}"), format!("s{}", (switch + 1) % self.switches));
            links.push(json!({"a": here, "b": next}));
            for number in 0..self.hosts {
                hosts.push(self.host(switch, number));
                links.push(json!({"a": self.host(switch, number), "b": here}));
            }
            let elsewhere = (1..self.switches).flat_map(|ahead| (0..self.hosts).map(move |number| (ahead, number)));
            let ways: Map<String, Value> =
                elsewhere.map(|(ahead, number)| (self.host(switch + ahead, number), json!(next))).collect();
            table.insert(here, Value::Object(ways));
        }
        let switches: Vec<String> = (0..self.switches).map(|switch| format!("s{switch}")).collect();
        let credit_delay = format!("{} ns", self.credit_delay);
        let (flow_control, room) = match self.slots {
            true => (json!({"packet-slots": {"credit_delay": credit_delay}}), format!("{} packets", self.room)),
            false => (json!({"byte-credits": {"credit_delay": credit_delay}}), format!("{} B", self.room * 1024)),
        };
        json!({
            "allow_credit_loops": true,
            "topology": {"graph": {"hosts": hosts, "switches": switches, "links": links}},
            "routing": {"table": table},
            "links": {"rate": "8 Gbit/s", "delay": "5 ns", "flow_control": flow_control},
            "switches": {
                "buffer": room,
                "queues": if self.single { "single" } else { "voq" },
                "read_ports": if self.single { "one" } else { "all" },
                "arbiter": if self.fifo { "fifo" } else { "round-robin" },
                "switching": if self.cut_through { "cut-through" } else { "store-and-forward" },
            },
            "adapters": {"mtu": "980 B", "header": "20 B"},
            "traffic": traffic,
            "measure": {"duration": "20 ms", "deadlock_timeout": watchdog, "probes": ["deliveries"], "audit": true},
        })
    }

    /// Every host sends to the host `ahead` switches further on.
    fn everybody(&self, ahead: usize, arrivals: &Value) -> Vec<Value> {
        let places = (0..self.switches).flat_map(|switch| (0..self.hosts).map(move |number| (switch, number)));
        let entry = |(switch, number)| {
            json!({
                "from": self.host(switch, number),
                "to": self.host(switch + ahead, number),
                "arrivals": arrivals,
            })
        };
        places.map(entry).collect()
    }
}

/// The links of the reported cycle, in order; none if there is no report.
fn cycle(outcome: &Outcome) -> Option<Vec<String>> {
    match &outcome.stop {
        None => None,
        Some(Stop::Deadlock(text)) => {
            let (_, list) = text.split_once(": ").expect("a list of links");
            Some(list.split(", ").map(|link| link.replace(" lane 0", "")).collect())
        }
        Some(other) => panic!("{other}"),
    }
}

/// The cycle rotated so that it begins with the first link of the ring.
fn turned(mut links: Vec<String>) -> Vec<String> {
    let first = links.iter().position(|link| link.starts_with("s0->")).unwrap_or(0);
    links.rotate_left(first);
    links
}

proptest! {
    #![proptest_config(cases(48))]

    /// Greedy hosts fill the ring if it gives them more than their share: of what a link carries, (ahead - 1) / ahead
    /// must be through traffic to keep the balance, and taking turns with h hosts leaves it 1 / (h + 1). Only with one
    /// host per switch and packets that pass one switch do the two agree.
    #[test]
    fn a_ring_that_fills_is_found_and_named(ring in rings(), ahead in 2..6usize) {
        let ahead = 2 + ahead % (ring.switches - 2);
        let ring = Ring { hosts: if ahead == 2 { 2 } else { ring.hosts }, ..ring };
        let outcome = outcome(&ring.scenario(ring.everybody(ahead, &json!("greedy")), "10 us"), AgendaKind::Wheel);
        let found = cycle(&outcome);
        prop_assert!(found.is_some(), "{} of 20 ms and no deadlock", outcome.end.as_secs());
        prop_assert_eq!(turned(found.unwrap_or_default()), ring.links());
        let last = deliveries(&outcome).last().map_or(0, |packet| packet.time);
        prop_assert!(last < outcome.end.0, "packets arrive until the very end");
        prop_assert!(outcome.end.0 - last <= 60_000_000, "it took from {} to {} ps", last, outcome.end.0);
    }

    /// A ring with routes along it, on which no packet continues from one ring link to another.
    #[test]
    fn a_ring_without_through_traffic_is_left_alone(ring in rings()) {
        let outcome = outcome(&ring.scenario(ring.everybody(1, &json!("greedy")), "1 us"), AgendaKind::Wheel);
        prop_assert_eq!(&outcome.stop, &None);
        let most = 19_900 / ring.hosts as u64;
        let loop_of_one = 3 + ring.credit_delay / 1000;
        for packets in numbers(&outcome, "flows", "packets") {
            prop_assert!(packets >= most / loop_of_one, "{packets} packets of a flow in 20 ms");
        }
    }

    /// One sender at a time cannot wait for itself, however slowly its receiver drains.
    #[test]
    fn a_slow_receiver_is_no_deadlock(ring in rings(), ahead in 1..6usize) {
        let ahead = 1 + ahead % (ring.switches - 1);
        let arrivals = json!("greedy");
        let traffic = ring.everybody(ahead, &arrivals).into_iter().take(ring.hosts).collect();
        let mut scenario = ring.scenario(traffic, "1 us");
        scenario["adapters"]["drain_rate"] = json!("20 Mbit/s");
        scenario["adapters"]["receive_buffer"] = scenario["switches"]["buffer"].clone();
        let outcome = outcome(&scenario, AgendaKind::Wheel);
        prop_assert_eq!(&outcome.stop, &None);
        prop_assert!(numbers(&outcome, "flows", "packets").iter().sum::<u64>() >= 40);
    }
}

/// Traffic that ends: a deadlock is reported if and only if something never arrives; a watchdog with a long timeout
/// agrees with one with a short timeout, and after the deadlock nothing moves in the cycle.
#[test]
fn the_report_is_the_truth() {
    let traffic = (1..12u64, select(vec![0u64, 1, 3, 10]), prop::option::of(1..3u64));
    let (stuck, arrived) = (Cell::new(0), Cell::new(0));
    let checked = TestRunner::new(cases(64)).run(&(rings(), 2..6usize, traffic), |(ring, ahead, traffic)| {
        let ahead = 2 + ahead % (ring.switches - 2);
        let count = if is_stuck(&ring, ahead, traffic)? { &stuck } else { &arrived };
        count.set(count.get() + 1);
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
    assert!(stuck.get() >= 10 && arrived.get() >= 10, "{} rings are stuck, {} are not", stuck.get(), arrived.get());
}

fn is_stuck(ring: &Ring, ahead: usize, (count, every, window): (u64, u64, Option<u64>)) -> Result<bool, TestCaseError> {
    let arrivals = match every {
        0 => json!({"messages": {"count": count}}),
        every => json!({"messages": {"count": count, "every": format!("{every} us")}}),
    };
    let mut traffic = ring.everybody(ahead, &arrivals);
    if let Some(window) = window {
        traffic.iter_mut().for_each(|entry| entry["window"] = json!(window));
    }
    let offered = count * traffic.len() as u64;
    let impatient = outcome(&ring.scenario(traffic.clone(), "1 us"), AgendaKind::Wheel);
    let patient = outcome(&ring.scenario(traffic, "1 s"), AgendaKind::Wheel);
    let arrived: u64 = numbers(&patient, "flows", "packets").iter().sum();
    prop_assert_eq!(cycle(&patient).is_some(), arrived < offered, "{} of {} packets arrived", arrived, offered);
    prop_assert_eq!(cycle(&impatient).map(turned), cycle(&patient).map(turned));
    let Some(links) = cycle(&impatient) else { return Ok(false) };
    let (early, late) = (numbers(&impatient, "ports", "packets"), numbers(&patient, "ports", "packets"));
    let names = texts(&patient, "ports", "name");
    for link in links {
        let port = names.iter().position(|name| *name == link).expect("a link of the network");
        prop_assert_eq!(early[port], late[port], "{} was named, and moved after that", link);
    }
    Ok(true)
}

/// A deadlock in one lane is named with its lane, and the other lane goes on.
#[test]
fn the_lane_is_named() {
    let ring = Ring {
        switches: 4,
        hosts: 2,
        slots: true,
        room: 2,
        single: false,
        fifo: false,
        cut_through: true,
        credit_delay: 0,
    };
    let mut traffic = ring.everybody(2, &json!("greedy"));
    traffic.iter_mut().for_each(|entry| entry["lane"] = json!(1));
    traffic.extend(ring.everybody(1, &json!({"messages": {"count": 5}})));
    let mut scenario = ring.scenario(traffic, "10 us");
    scenario["links"]["lanes"] = json!(2);
    let outcome = outcome(&scenario, AgendaKind::Wheel);
    let Some(Stop::Deadlock(text)) = &outcome.stop else { panic!("{:?}", outcome.stop) };
    for link in ring.links() {
        assert!(text.contains(&format!("{link} lane 1")), "{text}");
    }
    assert!(!text.contains("lane 0"), "{text}");
    assert_eq!(numbers(&outcome, "flows", "packets")[8..], [5; 8]);
}

/// Detours in lanes of service levels: which lane, is drawn for every switch that packets come from.
fn detours(hops: &[[u8; 2]], services: &[u8], seed: u64) -> Value {
    let rules: Vec<Value> = (0..hops.len())
        .map(|switch| match switch {
            0 => json!({"lanes": hops[0]}),
            _ => json!({"from": format!("s{}", switch - 1), "lanes": hops[switch]}),
        })
        .collect();
    let entry = |service: &u8| json!({"from": "all", "pattern": "uniform", "service": service, "message": "2000 B"});
    json!({
        "seed": seed,
        "topology": {"hyper-x": {"dimensions": [hops.len() - 1], "hosts_per_switch": 4}},
        "links": {"rate": "8 Gbit/s", "delay": "10 ns", "lanes": 2, "hop_lanes": {"by-service": {"hops": rules}}},
        "switches": {"buffer": "6 KiB", "forwarding_delay": "10 ns"},
        "scheme": {"route": "valiant"},
        "traffic": services.iter().map(entry).collect::<Vec<_>>(),
        "measure": {"duration": "300 us", "deadlock_timeout": "20 us", "audit": true},
    })
}

/// What the check accepts never deadlocks, and of what it refuses some does.
#[test]
fn accepted_detours_in_lanes_of_service_levels_never_deadlock() {
    let lanes = prop::array::uniform2(0..2u8);
    let drawn = (prop::collection::vec(lanes, 4), select(vec![vec![0u8], vec![1], vec![0, 1]]), any::<u64>());
    let (accepted, refused, stuck) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let checked = TestRunner::new(at_least(96)).run(&drawn, |(hops, services, seed)| {
        let mut scenario = detours(&hops, &services, seed);
        let is_accepted = read(&scenario.to_string(), Format::Json, "").is_ok();
        scenario["allow_credit_loops"] = json!(true);
        let stop = outcome(&scenario, AgendaKind::Wheel).stop;
        prop_assert!(!is_accepted || stop.is_none(), "{:?}", stop);
        let count = if is_accepted { &accepted } else { &refused };
        count.set(count.get() + 1);
        stuck.set(stuck.get() + u32::from(stop.is_some()));
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
    let counts = [&accepted, &refused, &stuck].map(Cell::get);
    assert!(counts.into_iter().all(|count| count >= 10), "accepted, refused, stuck: {counts:?}");
}
