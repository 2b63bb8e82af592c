//! The laws of Ultra Ethernet in a whole network: switches trim, lose and mark, packets take many paths, and still
//! every message arrives, each packet once; over links that lose nothing, nothing is sent again.

use congestree_fabric::{AgendaKind, Outcome};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::parts::check_parts;
use crate::table::{deliveries, numbers};
use crate::{cases, fingerprints, outcome};

/// Sixteen hosts on a fat tree; some send to one, the others to each other.
fn tree(transport: Value, bytes: u64, seed: u64) -> Value {
    json!({
        "topology": {"fat-tree": {"radix": 4, "layers": 3}},
        "seed": seed,
        "links": {"rate": "100 Gbit/s", "delay": "500 ns"},
        "switches": {"switching": "store-and-forward", "arbiter": {"fifo": {}}},
        "adapters": {"mtu": "1000 B", "header": "64 B", "ack": "64 B"},
        "scheme": {"route": "ecmp", "transport": {"uet": transport},
                   "mark": {"red": {"min": "5 kB", "max": "20 kB", "probability": 1.0}}},
        "traffic": [
            {"from": ["h1", "h2", "h5", "h9", "h14"], "to": "h0", "message": format!("{bytes} B"),
             "arrivals": {"messages": {"count": 2, "every": "5 us"}}},
            {"from": ["h3", "h4", "h6", "h7", "h8"], "pattern": {"shift": {"by": 5}}, "message": format!("{bytes} B"),
             "arrivals": {"messages": {"count": 2, "every": "5 us"}}},
        ],
        "measure": {"duration": "10 s", "audit": true, "deadlock_timeout": "100 ms",
                    "probes": ["deliveries", "flows", "transfers"]},
    })
}

fn transports() -> impl Strategy<Value = Value> {
    let control = select(vec!["nscc", "rccc", "both", "none"]);
    let paths = select(vec!["oblivious", "bitmap", "reps", "mixed"]);
    let delivery = select(vec!["ordered", "unordered"]);
    (control, paths, delivery, 0u32..9, 64u64..6_000).prop_map(|(control, paths, delivery, power, ack_after)| {
        json!({
            "congestion_control": control,
            "paths": {paths: {"paths": 1u32 << power.min(8)}},
            "delivery": delivery,
            "ack_after": format!("{ack_after} B"),
            "timeout": "60 us",
        })
    })
}

/// Links that lose nothing.
fn lossless() -> impl Strategy<Value = Value> {
    select(vec![
        json!("pfc"),
        json!("byte-credits"),
        json!({"byte-credits": {"block": "128 B", "messages": {}}}),
        json!({"byte-credits": {"block": "128 B", "overhead": "8 B", "messages": {"spacing": "800 B"}}}),
    ])
}

/// A network that trims; some lose packets and headers at random, too.
fn trims() -> impl Strategy<Value = Value> {
    let victim = select(vec!["either", "arriving"]);
    let loss = prop_oneof![Just(0.0), 0.0..0.05];
    (transports(), victim, 2u64..40, 1u64..60_000, 64u64..400, loss, 0u64..1000).prop_map(
        |(mut transport, victim, queue, bytes, size, loss, seed)| {
            transport["control_lane"] = json!(1);
            // Headers have priority: those of five senders without control must leave room for data on the link of
            // their receiver.
            let size = if transport["congestion_control"] == "none" { 64 } else { size };
            let mut scenario = tree(transport, bytes, seed);
            scenario["links"]["flow_control"] = json!("none");
            scenario["links"]["lanes"] = json!(2);
            scenario["links"]["lane_arbiter"] = json!({"strict": {"order": [1, 0]}});
            let switches = &mut scenario["switches"];
            switches["output_queue"] = json!(format!("{} B", queue * 1_064));
            switches["random_loss"] = json!(loss);
            switches["trim"] = json!({"size": format!("{size} B"), "lane": 1, "victim": victim});
            scenario
        },
    )
}

/// Every message arrived whole, and no packet counted twice.
fn check(run: &Outcome, scenario: &Value) -> Result<(), TestCaseError> {
    prop_assert_eq!(&run.stop, &None);
    let bytes: u64 =
        scenario["traffic"][0]["message"].as_str().and_then(|text| text.strip_suffix(" B")).expect("bytes").parse()?;
    prop_assert_eq!(numbers(run, "transfers", "bytes"), vec![bytes; 20]);
    let mut arrived: Vec<Vec<u64>> = vec![Vec::new(); 10];
    deliveries(run).into_iter().for_each(|packet| arrived[packet.flow as usize].push(packet.sequence));
    for mut sequences in arrived {
        sequences.sort_unstable();
        prop_assert!(sequences.into_iter().eq(0..2 * bytes.div_ceil(1_000)));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn whatever_is_trimmed_every_message_arrives(scenario in trims()) {
        let run = outcome(&scenario, AgendaKind::Wheel);
        check(&run, &scenario)?;
        let mut silent = scenario.clone();
        silent["measure"]["probes"] = json!([]);
        prop_assert_eq!(fingerprints(&run), fingerprints(&outcome(&silent, AgendaKind::Heap)));
    }

    /// Each end of a connection may be in a part of its own, and a packet carries its header from one to the other.
    #[test]
    fn what_is_trimmed_and_repaired_in_parts_is_the_same_run(
        mut scenario in trims(), parts in select(vec![2u16, 3, 7]), warm_up in any::<bool>(),
    ) {
        if warm_up {
            scenario["measure"]["warm_up"] = json!("3 us");
        }
        prop_assert!(check_parts(&scenario, parts)?);
    }

    /// Nothing is trimmed if links have credits, one by one or in messages, or pauses, so nothing is sent again.
    #[test]
    fn over_lossless_links_nothing_is_sent_again(
        mut transport in transports(), links in lossless(), bytes in 1u64..60_000, seed in 0u64..1000,
    ) {
        // A network that holds packets back may take longer than a timer waits.
        transport["timeout"] = json!("1 s");
        let mut scenario = tree(transport, bytes, seed);
        // Lost packets would be missing at the end, before the timer could repair them; repeated credits take long.
        scenario["measure"]["duration"] = json!("100 ms");
        scenario["links"]["flow_control"] = links;
        scenario["switches"] = json!({"buffer": "64 KiB"});
        let run = outcome(&scenario, AgendaKind::Wheel);
        check(&run, &scenario)?;
        prop_assert_eq!(numbers(&run, "flows", "resent"), vec![0; 10]);
    }
}
