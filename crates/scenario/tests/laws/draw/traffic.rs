//! Random classes of traffic: from whom to whom, when, how much at a time.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::Ends;

/// One class of traffic; its name is given later.
pub(super) fn traffic(
    hosts: Vec<String>,
    lanes: u64,
    mtu: u64,
    (acknowledged, shared): (bool, bool),
    ends: Ends,
) -> BoxedStrategy<Value> {
    let all = hosts.clone();
    let to = (any::<prop::sample::Index>(), prop::sample::subsequence(hosts.clone(), 1..=hosts.len())).prop_map(
        move |(to, mut from)| {
            let to = &all[to.index(all.len())];
            from.retain(|host| host != to);
            if from.is_empty() {
                from = all.iter().filter(|host| *host != to).take(1).cloned().collect();
            }
            json!({"from": from, "to": to})
        },
    );
    let patterns = vec![
        json!("uniform"),
        json!({"hot-spot": {"to": [hosts[0]], "fraction": 0.5}}),
        json!({"moving": {"to": [hosts[0], hosts[hosts.len() - 1]], "every": "5 us"}}),
        json!({"shift": {"by": 1}}),
        json!("permutation"),
    ];
    let pattern = (select(patterns), prop::sample::subsequence(hosts.clone(), 1..=hosts.len()))
        .prop_map(|(pattern, from)| json!({"from": from, "pattern": pattern}));
    let message = select(vec![64, mtu / 2, mtu - 1, mtu, mtu + 1, 3 * mtu + 7]);
    let start = select(vec!["0 ns", "0 ns", "1 us", "2.5 us"]);
    let stop = select(vec!["35 us", "60 us", "150 us"]);
    let spread = (select(vec!["0 ns", "0 ns", "1 us", "40 ns"]), select(vec!["0 ns", "0 ns", "1 us"]));
    let limits = (
        prop::option::weighted(0.2, select(vec!["100 MB/s", "333 MB/s", "4 Gbit/s"])),
        prop::option::weighted(0.2, select(vec![1u64, 2, 5])),
    );
    let lane =
        prop_oneof![(0..lanes).prop_map(|lane| json!({"lane": lane})), (0..3).prop_map(|s| json!({"service": s}))];
    (prop_oneof![2 => to, 1 => pattern], arrivals(), message, start, stop, any::<bool>(), spread, limits, lane)
        .prop_map(move |(mut entry, mut arrivals, message, start, stop, stops, spread, limits, lane)| {
            let (rate, window) = limits;
            if let Some(window) = window {
                entry["window"] = json!(window);
            }
            let drawn = entry["pattern"] == "uniform" || entry["pattern"]["hot-spot"].is_object();
            let endless = arrivals == "greedy" || arrivals["on-off"].is_object();
            if drawn && endless && (acknowledged || window.is_some()) {
                arrivals = json!({"poisson": {"load": 0.8}});
            }
            if entry["pattern"]["moving"].is_object() && !arrivals["steady"].is_object() {
                arrivals = json!({"steady": {"load": 0.8}});
            }
            let counted = arrivals["messages"].is_object();
            if !counted && (stops || ends == Ends::AllStops) {
                entry["stop"] = json!(stop);
            }
            if let Some(rate) = rate.filter(|_| !shared) {
                entry["rate"] = json!(rate);
            }
            entry["arrivals"] = arrivals;
            entry["message"] = json!(format!("{message} B"));
            entry["start"] = json!(start);
            entry["stagger"] = json!(spread.0);
            entry["jitter"] = json!(spread.1);
            entry.as_object_mut().into_iter().zip(lane.as_object()).for_each(|(entry, lane)| {
                entry.extend(lane.clone());
            });
            entry
        })
        .boxed()
}

fn arrivals() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => Just(json!("greedy")),
        1 => Just(json!({"on-off": {"on": "5 us", "off": "2 us"}})),
        2 => select(vec![0.1, 0.5, 0.8, 1.3]).prop_map(|load| json!({"poisson": {"load": load}})),
        1 => select(vec![0.1, 0.5, 1.3]).prop_map(|load| json!({"steady": {"load": load}})),
        1 => select(vec!["1 Gbit/s", "3.3 Gbit/s"]).prop_map(|rate| json!({"steady": {"rate": rate}})),
        1 => (1..30u64).prop_map(|count| json!({"messages": {"count": count}})),
        1 => (1..30u64, select(vec!["1 us", "2.068 us"]))
            .prop_map(|(count, every)| json!({"messages": {"count": count, "every": every}})),
    ]
}
