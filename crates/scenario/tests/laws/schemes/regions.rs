//! The laws of RCM: in parts the result is that of one part, wherever notices cross the cut.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{hot_roots, parts_are_the_whole};
use crate::table::numbers;

fn schedules() -> impl Strategy<Value = Value> {
    let samples = (1..6u32, 1..4u32, 1..17u32, 1..6u32, any::<[bool; 4]>());
    let pacing = prop::sample::select(vec!["by-windows", "behind-others", "both"]);
    let window = prop::sample::select(vec!["1 us", "5 us"]);
    (samples, pacing, window).prop_map(|((every, calm, flows, flow_every, flags), pacing, window)| {
        let [chance, each, always, root] = flags;
        json!({"rcm": {
            "equilibrium": "3 kB", "sample_every": every, "calm_samples": calm, "flows": flows,
            "flow_sample_every": flow_every, "flow_sampling": if chance { "by-chance" } else { "in-turn" },
            "flow_entries": if each { "one-a-sample" } else { "one-a-flow" }, "pacing": pacing, "least_window": window,
            "windows_measured": if always { "always" } else { "from-onset" }, "root_control": root,
        }})
    })
}

/// Hot spots in a tree, until 60 us; then everything has time to drain.
pub(crate) fn hot() -> impl Strategy<Value = Value> {
    let links = prop::sample::select(vec![
        ("packet-slots", "9 packets"),
        ("byte-credits", "9900 B"),
        ("pfc", "12 kB"),
        ("pfc", "100 kB"),
    ]);
    let tree = prop::sample::select(vec![(2, 3), (3, 2), (4, 2)]);
    let route = prop::sample::select(vec!["none", "ecmp", "reroute"]);
    let switches = (prop::option::of(Just("8 kB")), prop::sample::select(vec!["cut-through", "store-and-forward"]));
    let preset = prop::sample::select(vec!["none", "dcqcn-paper"]);
    (schedules(), tree, links, route, switches, preset, (1..4usize, 1..1000u64)).prop_map(
        |(mut schedule, (k, n), (flow_control, buffer), route, (output, switching), preset, (roots, seed))| {
            if route == "reroute" {
                (schedule["rcm"]["reroute"], schedule["rcm"]["reroute_above"]) = (json!(true), json!("4 kB"));
            }
            let route = if route == "none" { "none" } else { "ecmp" };
            let hosts = u32::pow(k, n);
            let mut scenario = json!({
                "seed": seed,
                "topology": {"k-ary-n-tree": {"k": k, "n": n}},
                "links": {"rate": "8 Gbit/s", "delay": "10 ns", "flow_control": flow_control},
                "switches": {"buffer": buffer, "forwarding_delay": "50 ns", "switching": switching},
                "adapters": {"mtu": "1000 B"},
                "scheme": {"preset": preset, "schedule": schedule, "route": route},
                "traffic": hot_roots(hosts, roots),
                "measure": {"duration": "200 us", "audit": true, "deadlock_timeout": "20 us"},
            });
            if let Some(output) = output.filter(|_| switching == "store-and-forward" && flow_control == "pfc") {
                scenario["switches"]["output_buffer"] = json!(output);
            }
            scenario
        },
    )
}

/// Each port has its own state of its region, and a notice takes link time.
#[test]
fn parts_with_regions_are_the_whole() {
    parts_are_the_whole(hot(), |whole| numbers(whole, "ports", "notices").iter().sum::<u64>() > 0);
}
