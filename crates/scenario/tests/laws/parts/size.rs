//! Without a given number, a run takes as many cores as have enough to do.

use congestree_fabric::Cores;
use congestree_scenario::{Checked, Format, read};
use serde_json::{Value, json};

use super::checked;

/// The threads that a run takes on a machine with 64 cores.
fn of_64(scenario: &Value) -> usize {
    threads(&checked(scenario))
}

fn threads(checked: &Checked) -> usize {
    Cores::for_size(&checked.plan, checked.needs.packet_hops, 64).threads
}

/// Some traffic in a network of 512 hosts.
fn in_a_large_network(traffic: Value) -> Value {
    json!({
        "topology": {"fat-tree": {"radix": 32}},
        "links": {"rate": "400 Gbit/s", "delay": "500 ns"},
        "traffic": [traffic],
        "measure": {"duration": "20 ms"},
    })
}

/// A case of the benchmark: links of 100 Gbit/s, and all hosts send to all.
fn uniform(topology: Value, duration: &str) -> Value {
    json!({
        "topology": topology,
        "links": {"rate": "100 Gbit/s", "delay": "10 ns", "flow_control": {"byte-credits": {}}},
        "switches": {"buffer": "64 KiB", "queues": "voq", "read_ports": "all", "forwarding_delay": "100 ns"},
        "traffic": [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 0.8}}}],
        "measure": {"duration": duration},
    })
}

#[test]
fn a_network_in_which_few_hosts_send_has_one_part() {
    let all = in_a_large_network(json!({"from": "all", "pattern": "uniform"}));
    assert!(of_64(&all) > 10);
    assert_eq!(of_64(&in_a_large_network(json!({"from": ["h1", "h2", "h3", "h40"], "to": "h0"}))), 1);
    let ring = json!({"all-reduce-ring": {"bytes": "64 MiB"}});
    let job = json!({"from": ["h0", "h16", "h32", "h48"], "program": ring, "job": {"repeat": 5}});
    assert_eq!(of_64(&in_a_large_network(job)), 1);
}

#[test]
fn a_network_in_which_hosts_seldom_send_has_one_part() {
    let traffic = |load: f64| json!({"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": load}}});
    assert!(of_64(&in_a_large_network(traffic(0.5))) > 10);
    assert_eq!(of_64(&in_a_large_network(traffic(0.01))), 1);
    // Its long link makes long windows, and carries few packets.
    let text = include_str!("../../../../../scenarios/short-transfers-over-tcp.toml");
    assert_eq!(threads(&read(text, Format::Toml, "").expect("it is shipped")), 1);
}

#[test]
fn a_burst_at_the_beginning_of_a_long_run_counts_as_a_burst() {
    let messages = json!({"messages": {"count": 4}});
    let burst = json!({"from": "all", "pattern": {"shift": {"by": 100}}, "arrivals": messages, "message": "64 KiB"});
    assert!(of_64(&in_a_large_network(burst)) > 10);
}

#[test]
fn a_network_in_which_all_hosts_send_is_cut_as_its_size_says() {
    assert_eq!(of_64(&uniform(json!({"fat-tree": {"radix": 36}}), "1 ms")), 3);
    assert_eq!(of_64(&uniform(json!({"k-ary-n-tree": {"k": 18, "n": 3}}), "60 us")), 31);
}
