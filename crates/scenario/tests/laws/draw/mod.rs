//! Random small scenarios without credit loops, as strategies that can shrink what fails.
//!
//! Numbers come from short lists, so that equal times, where order matters, are common.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

mod traffic;

use traffic::traffic;

/// How traffic ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// With the run, or before.
    Open,
    /// All traffic stops, long before the end of the run.
    AllStops,
}

/// About the time of the largest packet on the slowest link.
pub(crate) const PACKET_NS: u64 = 4_200;

const RATES: [&str; 7] = ["8 Gbit/s", "1 GB/s", "16 Gbit/s", "10 Gbit/s", "7 Gbit/s", "13.3 Gbit/s", "4 Gbit/s"];
const DELAYS: [&str; 5] = ["0 ns", "0 ns", "5 ns", "37 ns", "1.001 us"];

/// A network: topology and names of its hosts.
#[derive(Clone, Debug)]
struct Net {
    topology: Value,
    hosts: Vec<String>,
}

/// A whole scenario.
pub(crate) fn scenarios(ends: Ends) -> impl Strategy<Value = Value> {
    (nets(), any::<bool>(), 1..=3u64, select(vec![2048u64, 1024, 500, 256]), select(vec![20u64, 0, 26])).prop_flat_map(
        move |(net, slots, lanes, mtu, header)| {
            let packet = mtu + header;
            let schemes = prop_oneof![2 => schemes(), 1 => infiniband(lanes, packet)];
            let parts = (
                0..u32::MAX,
                links(slots, lanes),
                switches(slots, packet),
                adapters(slots, lanes, mtu, header),
                schemes,
            );
            (parts, Just(net)).prop_flat_map(move |((seed, links, mut switches, adapters, scheme), net)| {
                if ["fecn", "tcd"].iter().any(|mark| scheme["mark"][mark].is_object()) {
                    switches["queues"] = json!("voq");
                    if switches.get("buffer").is_none() {
                        switches["buffer"] = json!(room_of(slots, packet, 4));
                    }
                }
                // Marks depend on a buffer that all share.
                if scheme["mark"] != "none" && switches.get("memory").is_some() {
                    switches["memory"] = json!("shared");
                    if switches["queues"]["voqnet"].is_object() {
                        switches["queues"] = json!({"dbbm": {"queues": 3}});
                        switches["buffer"] = json!(room_of(slots, packet, 4));
                    }
                }
                let listens = scheme["react"] != "none";
                // Where a source has a flow for each destination: they belong to pairs of hosts, or have queues of their own.
                let own_queues = switches["queues"]["voqnet"].is_object();
                let acknowledged = adapters.get("window").is_some() || listens || own_queues;
                let shared = scheme["react"]["cct"]["per"] == "sl";
                let entries = traffic(net.hosts.clone(), lanes, mtu, (acknowledged, shared), ends);
                let topology = net.topology;
                (prop::collection::vec(entries, 1..=3), 20..60u64).prop_map(move |(mut traffic, packets)| {
                    for (number, entry) in traffic.iter_mut().enumerate() {
                        entry["name"] = json!(format!("class {number}"));
                    }
                    let duration = match ends {
                        Ends::Open => json!(format!("{} ns", packets * PACKET_NS)),
                        Ends::AllStops => json!("20 s"),
                    };
                    json!({
                        "seed": seed,
                        "topology": topology,
                        "links": links,
                        "switches": switches,
                        "adapters": adapters,
                        "scheme": scheme,
                        "traffic": traffic,
                        "measure": {"duration": duration, "deadlock_timeout": watchdog(ends), "audit": true},
                    })
                })
            })
        },
    )
}

/// Checks continuously, unless the run is long.
fn watchdog(ends: Ends) -> &'static str {
    if ends == Ends::Open { "5 us" } else { "1 ms" }
}

fn nets() -> impl Strategy<Value = Net> {
    let numbered = |count: u64, first: u64, prefix: &str| -> Vec<String> {
        (first..first + count).map(|number| format!("{prefix}{number}")).collect()
    };
    prop_oneof![
        (1..=4u64, 1..=3u64).prop_map(move |(local, remote)| {
            let mut hosts = numbered(local, 1, "B_");
            hosts.extend(numbered(remote, 1, "A_"));
            hosts.extend(["A_V", "B_C", "B_V"].map(str::to_owned));
            Net { topology: json!({"two-switch": {"local": local, "remote": remote}}), hosts }
        }),
        (2..=7u64).prop_map(move |hosts| Net {
            topology: json!({"single-switch": {"hosts": hosts}}),
            hosts: numbered(hosts, 1, "H"),
        }),
        select(RATES.to_vec()).prop_map(move |trunk| Net {
            topology: json!({"test-bed": {"trunk_rate": trunk}}),
            hosts: numbered(7, 1, "H"),
        }),
        (2..=4u64, 1..=3u64).prop_map(move |(switches, each)| Net {
            topology: json!({"chain": {"switches": switches, "hosts_per_switch": each}}),
            hosts: (1..=switches).flat_map(|switch| numbered(each, 1, &format!("S{switch}_"))).collect(),
        }),
        select(vec![(2u64, 2u32), (2, 3), (3, 2)]).prop_map(move |(k, n)| Net {
            topology: json!({"k-ary-n-tree": {"k": k, "n": n}}),
            hosts: numbered(k.pow(n), 0, "h"),
        }),
        Just(Net { topology: json!({"fat-tree": {"radix": 4}}), hosts: numbered(8, 0, "h") }),
        trees(),
    ]
}

/// A random tree of switches with hosts anywhere on it, its links in any order, with rates and delays of their own.
fn trees() -> impl Strategy<Value = Net> {
    let own =
        (prop::option::weighted(0.3, select(RATES.to_vec())), prop::option::weighted(0.3, select(DELAYS.to_vec())));
    let back = own.clone();
    let ends = (any::<prop::sample::Index>(), own, back);
    (prop::collection::vec(ends.clone(), 0..5), prop::collection::vec(ends, 2..9))
        .prop_map(|(branches, leaves)| {
            let mut links = Vec::new();
            let mut link =
                |a: String, b: String, own: (Option<&str>, Option<&str>), back: (Option<&str>, Option<&str>)| {
                    let mut link = json!({"a": a, "b": b});
                    let keys = [("rate", own.0), ("delay", own.1), ("rate_back", back.0), ("delay_back", back.1)];
                    for (key, value) in keys.into_iter().filter_map(|(key, value)| Some((key, value?))) {
                        link[key] = json!(value);
                    }
                    links.push(link);
                };
            for (child, (parent, own, back)) in branches.iter().enumerate() {
                link(format!("s{}", parent.index(child + 1)), format!("s{}", child + 1), *own, *back);
            }
            for (host, (switch, own, back)) in leaves.iter().enumerate() {
                link(format!("h{host}"), format!("s{}", switch.index(branches.len() + 1)), *own, *back);
            }
            let switches: Vec<String> = (0..=branches.len()).map(|number| format!("s{number}")).collect();
            let hosts: Vec<String> = (0..leaves.len()).map(|number| format!("h{number}")).collect();
            (links, switches, hosts)
        })
        .prop_flat_map(|(links, switches, hosts)| (Just(links).prop_shuffle(), Just(switches), Just(hosts)))
        .prop_map(|(links, switches, hosts)| Net {
            topology: json!({"graph": {"hosts": hosts, "switches": switches, "links": links}}),
            hosts,
        })
}

fn links(slots: bool, lanes: u64) -> impl Strategy<Value = Value> {
    let credit = select(vec![Some("0 ns"), None, None, Some("20 ns"), Some("333 ns"), Some("2 us")]);
    let block = select(vec!["64 B", "1 B", "100 B"]);
    (select(RATES.to_vec()), select(DELAYS.to_vec()), credit, block, select(vec!["own-room", "credited"])).prop_map(
        move |(rate, delay, credit, block, control)| {
            let flow_control = match slots {
                true => json!({"packet-slots": {"credit_delay": credit, "control": control}}),
                false => json!({"byte-credits": {"block": block, "credit_delay": credit, "control": control}}),
            };
            let service_lanes = [lanes - 1, 0];
            json!({"rate": rate, "delay": delay, "lanes": lanes, "service_lanes": service_lanes, "flow_control": flow_control})
        },
    )
}

/// Room for a few packets.
fn room(slots: bool, packet: u64) -> impl Strategy<Value = String> {
    let most = select(vec![1u64, 1, 2, 3, 4, 8]);
    (most, select(vec![0u64, 17, 300])).prop_map(move |(packets, more)| match slots {
        true => format!("{packets} packets"),
        false => format!("{} B", packets * (packet + 100) + more),
    })
}

/// Room for this many packets.
fn room_of(slots: bool, packet: u64, packets: u64) -> String {
    match slots {
        true => format!("{packets} packets"),
        false => format!("{} B", packets * (packet + 100)),
    }
}

/// Switches with plain queues, or with special ones.
fn switches(slots: bool, packet: u64) -> impl Strategy<Value = Value> {
    prop_oneof![2 => plain(slots, packet), 1 => of_any_kind(slots, packet)]
}

/// Special queues, with room of their own or not; matchings; crossbars.
fn of_any_kind(slots: bool, packet: u64) -> impl Strategy<Value = Value> {
    let room = move |packets: u64| room_of(slots, packet, packets);
    let queues = vec![json!("voq"), json!({"dbbm": {"queues": 3}}), json!({"obqa": {"queues": 2}}), json!("voqnet")];
    let arbiters = vec![
        json!("round-robin"),
        json!("islip"),
        json!({"islip": {"iterations": 1}}),
        json!({"islip": {"iterations": 2, "matching": "slotted"}}),
    ];
    let crossbar = prop::option::of((select(vec!["2 GB/s", "5 Gbit/s", "40 Gbit/s"]), 1..=3u64));
    // A switch of these networks has at most nine ports.
    let memory = select(vec![
        (json!("shared"), 2),
        (json!("reserved"), 8),
        (json!("reserved"), 16),
        (json!({"damq": {"reserve": room(1)}}), 9),
        (json!({"damq": {"limit": room(2)}}), 3),
    ]);
    let reads = select(vec![json!("one"), json!("all"), json!(2)]);
    let switching = select(vec!["cut-through", "store-and-forward"]);
    (select(queues), memory, select(arbiters), reads, crossbar, switching, 1..=3u64).prop_map(
        move |(mut queues, (mut memory, buffer), arbiter, reads, crossbar, switching, own)| {
            let mut buffer = Some(room(buffer));
            if queues == "voqnet" {
                queues = json!({"voqnet": {"buffer": room(own)}});
                (memory, buffer) = (json!("reserved"), None);
            }
            let mut switches = json!({
                "queues": queues,
                "memory": memory,
                "read_ports": reads,
                "arbiter": arbiter,
                "switching": switching,
                "forwarding_delay": "40 ns",
            });
            if let Some(buffer) = buffer {
                switches["buffer"] = json!(buffer);
            }
            if let Some((rate, packets)) = crossbar {
                switches["crossbar"] = json!(rate);
                switches["output_packets"] = json!(packets);
            }
            switches
        },
    )
}

/// The two plain kinds of queues over shared memory.
fn plain(slots: bool, packet: u64) -> impl Strategy<Value = Value> {
    let arbiter = select(vec![
        json!("round-robin"),
        json!({"fifo": {}}),
        json!({"fifo": {"bypass_limit": 0}}),
        json!({"fifo": {"bypass_limit": 4}}),
    ]);
    let organisation = prop_oneof![
        Just(("single", json!("one"))),
        select(vec![json!("one"), json!("all"), json!(2)]).prop_map(|reads| ("voq", reads)),
    ];
    let switching = select(vec!["cut-through", "store-and-forward"]);
    let forwarding = select(vec!["40 ns", "40 ns", "100 ns", "3 us", "1 ps"]);
    (room(slots, packet), organisation, arbiter, switching, forwarding).prop_map(
        |(buffer, (queues, read_ports), mut arbiter, switching, forwarding)| {
            if read_ports == "all" && arbiter.get("fifo").is_some() {
                arbiter = json!("fifo"); // inputs are never busy, so nothing is bypassed
            }
            json!({
                "buffer": buffer,
                "queues": queues,
                "read_ports": read_ports,
                "arbiter": arbiter,
                "switching": switching,
                "forwarding_delay": forwarding,
            })
        },
    )
}

fn adapters(slots: bool, lanes: u64, mtu: u64, header: u64) -> impl Strategy<Value = Value> {
    (
        prop::option::of(select(vec![1u64, 1, 2, 3, 8])),
        prop::option::weighted(0.2, select(RATES.to_vec())),
        prop::option::weighted(0.4, (room(slots, mtu + header), select(vec!["6.8 Gbit/s", "1 GB/s", "200 Mbit/s"]))),
        select(vec!["20 B", "64 B", "1 B"]),
        prop::option::weighted(0.2, select(vec!["1 ps", "300 ns", "5 us"])),
        prop::option::weighted(0.2, (1u32..9, select(vec!["1 ps", "700 ns", "9 us"]))),
        prop::option::weighted(0.3, 0..lanes),
    )
        .prop_map(move |(window, injection, receive, ack, turnaround, acks, lane)| {
            let mut adapters = json!({"mtu": format!("{mtu} B"), "header": format!("{header} B"), "ack": ack});
            if let Some(window) = window {
                adapters["window"] = json!(window);
            }
            if let Some(rate) = injection {
                adapters["injection_rate"] = json!(rate);
            }
            if let Some((room, drain)) = receive {
                adapters["receive_buffer"] = json!(room);
                adapters["drain_rate"] = json!(drain);
            }
            if let Some((every, flush)) = acks {
                adapters["acks"] = json!({"every": every, "flush": flush});
            }
            if let Some(time) = turnaround {
                adapters["ack_turnaround"] = json!(time);
            }
            if let Some(lane) = lane {
                adapters["ack_lane"] = json!(lane);
            }
            adapters
        })
}

fn schemes() -> impl Strategy<Value = Value> {
    // A buffer may have room for one packet only, so one is the largest threshold that is always possible.
    let marks = vec![
        json!({"naive": {"trigger": 1}}),
        json!({"input-triggered": {"feedback": "scan"}}),
        json!({"input-triggered": {"trigger": 1, "feedback": "counters", "exempt_blocked": "100 ns"}}),
        json!({"input-output-triggered": {"output_threshold": 2}}),
        json!({"output-triggered": {"output_threshold": 1}}),
    ];
    let reacts = vec![
        json!("none"),
        json!({"lipd": {"floor": 16.0}}),
        json!({"fimd": {"factor": 2.0, "discrete": true}}),
        json!({"aimd": {"start": 2.0}}),
    ];
    let nothing = json!({"mark": "none", "react": "none"});
    prop_oneof![
        Just(nothing),
        (select(marks), select(reacts), any::<bool>())
            .prop_map(|(mark, react, persistent)| json!({"mark": mark, "react": react, "persistent": persistent})),
    ]
}

/// InfiniBand congestion control, with tables and timers that matter in short runs.
fn infiniband(lanes: u64, packet: u64) -> impl Strategy<Value = Value> {
    // A buffer may have room for one packet only, and the state must be entered below that.
    let fills = (select(vec!["voq", "sum", "sum-per-input"]), select(vec![0, 1, packet - 1]), any::<bool>());
    let masks = select(vec![json!("none"), json!("hosts"), json!("all"), json!({"ports": [1, 3]})]);
    let choices = (select(vec![0u64, 1, 3]), select(vec!["random", "every-nth"]));
    let mark = (fills, masks, choices).prop_map(move |((fill, enter, gap), mask, (rate, choice))| {
        let gap = if gap { enter } else { 0 };
        json!({"fecn": {
            "enter": format!("{enter} B"), "gap": format!("{gap} B"), "fill": fill, "victim_mask": mask,
            "packet_size": "65 B", "marking_rate": rate, "choice": choice,
        }})
    });
    let held = (select(vec![0, packet, 3 * packet]), select(vec!["1 ps", "2 us", "30 us"]));
    let ternary =
        held.prop_map(|(bytes, longest)| json!({"tcd": {"threshold": format!("{bytes} B"), "longest_on": longest}}));
    let mark = prop_oneof![3 => mark, 1 => ternary];
    let notify = prop_oneof![
        Just(json!("ack")),
        Just(json!({"cnp": {}})),
        (0..lanes).prop_map(|lane| json!({"cnp": {"size": "20 B", "lane": lane}})),
    ];
    let table = select(vec![
        json!({"quadratic": {"delay": "7 us", "at": 2}}),
        json!({"linear": {"delay": "10 us", "at": 3}}),
        json!({"delays": ["0 ns", "5 us", "1 us", "20 us"]}),
        json!({"encoded": ["0:0", "0:1", "1:3", "0:9"]}),
    ]);
    let timers = (select(vec!["1 us", "2.068 us", "20 us", "153.6 us"]), select(vec!["re-armed", "free"]));
    let react = (table, timers, select(vec!["qp", "sl"]), select(vec![1, 1, 2, 255]), 0..=1u64).prop_map(
        |(table, (timer, runs), per, increase, min)| {
            json!({"cct": {
                "increase": increase, "limit": 3, "min": min, "timer": timer, "timer_runs": runs, "per": per,
                "table": table,
            }})
        },
    );
    (mark, notify, react, any::<bool>()).prop_map(|(mark, notify, react, persistent)| {
        json!({"mark": mark, "notify": notify, "react": react, "persistent": persistent})
    })
}

/// The period of everything that depends on the clock and not on the start of traffic: hot hosts that move, timers that
/// run freely.
pub(crate) fn period(scenario: &Value) -> Option<u64> {
    let cct = &scenario["scheme"]["react"]["cct"];
    let timer = (cct["timer_runs"] == "free").then(|| picoseconds(&cct["timer"]));
    let entries = scenario["traffic"].as_array().into_iter().flatten();
    let moving = entries.map(|entry| &entry["pattern"]["moving"]).find(|moving| moving.is_object());
    let round = moving.map(|moving| 2 * picoseconds(&moving["every"]));
    let divisor = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    match (timer, round) {
        (Some(a), Some(b)) => Some(a / divisor(a, b) * b),
        (one, other) => one.or(other),
    }
}

/// The bytes of a size such as "20 B".
pub(crate) fn bytes(value: &Value) -> u64 {
    let text = value.as_str().expect("a size is text");
    text.trim_end_matches(" B").parse().expect("a size in bytes")
}

/// The picoseconds of a span that this module writes.
pub(crate) fn picoseconds(value: &Value) -> u64 {
    let text = value.as_str().expect("a span is text");
    congestree_units::text::parse_span(text).expect("a span").0
}
