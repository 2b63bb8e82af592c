//! The laws of flow queues (BFC): everything sent arrives, in order; a run is repeatable; every stop takes effect and
//! is revoked. The engine itself audits the charged packets and the contents of queues (`measure.audit`).

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{hot_roots, nothing_is_left, parts_are_the_whole};
use crate::cases;
use crate::table::summary;

fn schemes() -> impl Strategy<Value = Value> {
    let notices = prop::sample::select(vec![
        json!({"out-of-band": {}}),
        json!({"out-of-band": {"delay": "200 ns"}}),
        json!({"in-band": {}}),
        json!({"in-band": {"size": "300 B"}}),
    ]);
    let round_trip = prop::sample::select(vec![None, Some("1 ps"), Some("500 ns"), Some("3 us")]);
    let sticky = prop::option::of(Just("4 us"));
    (1..9u16, prop::option::of(9..40u32), any::<bool>(), notices, round_trip, sticky).prop_map(
        |(queues, flow_ids, first_ahead, notices, round_trip, sticky)| {
            let mut bfc = json!({"queues": queues, "first_ahead": first_ahead, "notices": notices});
            let keys =
                [("flow_ids", json!(flow_ids)), ("hop_round_trip", json!(round_trip)), ("sticky", json!(sticky))];
            for (key, value) in keys.into_iter().filter(|(_, value)| !value.is_null()) {
                bfc[key] = value;
            }
            json!({"preset": "bfc", "isolate": {"bfc": bfc}})
        },
    )
}

/// Hot spots in a tree, until 60 us; then everything has time to drain.
pub(crate) fn hot() -> impl Strategy<Value = Value> {
    let links = prop::sample::select(vec![
        ("packet-slots", "6 packets"),
        ("byte-credits", "6600 B"),
        ("pfc", "9000 B"),
        ("pfc", "100 kB"),
    ]);
    let tree = prop::sample::select(vec![(2, 3), (3, 2), (4, 2)]);
    let route = prop::sample::select(vec!["none", "ecmp"]);
    (schemes(), tree, links, route, 1..4usize, 1..1000u64).prop_map(
        |(mut scheme, (k, n), (flow_control, buffer), route, roots, seed)| {
            scheme["route"] = json!(route);
            let hosts = u32::pow(k, n);
            json!({
                "seed": seed,
                "topology": {"k-ary-n-tree": {"k": k, "n": n}},
                "links": {"rate": "8 Gbit/s", "delay": "10 ns", "flow_control": flow_control},
                "switches": {"buffer": buffer, "forwarding_delay": "50 ns"},
                "adapters": {"mtu": "1000 B"},
                "scheme": scheme,
                "traffic": hot_roots(hosts, roots),
                "measure": {"duration": "20 ms", "audit": true},
            })
        },
    )
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn whoever_is_stopped_goes_on_and_nothing_is_lost_or_passed(scenario in hot()) {
        let seen = nothing_is_left(&scenario, &json!(["events", "ports", "trees"]))?;
        let [stops, gos, heard] = ["flow_stops", "flow_gos", "flow_notices_heard"].map(|row| summary(&seen, row));
        prop_assert_eq!((stops, stops + gos), (gos, heard), "somebody was left stopped");
    }
}

/// A packet carries the queue from which it comes, and a notice takes link time.
#[test]
fn parts_with_queues_by_flow_are_the_whole() {
    parts_are_the_whole(hot(), |whole| summary(whole, "flow_stops") > 0.0);
}
