//! Applications on a fabric: closed formulas if there is no other traffic, and laws if there is.
//!
//! On one switch with equal links a message of m full packets takes their time on one link, plus the delay of the path
//! once: the formulas know nothing else.

mod random;

use congestree_fabric::{AgendaKind, Outcome, Stop, run};
use congestree_scenario::{Format, read};
use serde_json::{Value, json};

use crate::table::{numbers, picoseconds, rows};

/// A byte takes a nanosecond.
const BYTE: u64 = 1_000;
/// Two links of 50 ns and 100 ns in the switch.
const WAY: u64 = 200_000;
const HEADER: u64 = 20;
const MTU: u64 = 1_000;

/// Runs a scenario, which must be valid.
fn outcome(scenario: &Value) -> Outcome {
    let text = scenario.to_string();
    let checked = read(&text, Format::Json, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}\n{text}"));
    run(&checked.plan, AgendaKind::Wheel, &mut |_| true)
}

/// One switch with room for everything, and one application on all its hosts.
fn alone(hosts: u32, program: Value, job: Value) -> Value {
    json!({
        "topology": {"single-switch": {"hosts": hosts}},
        "links": {"rate": "8 Gbit/s", "delay": "50 ns"},
        "switches": {"buffer": "16 MiB", "forwarding_delay": "100 ns"},
        "adapters": {"mtu": "1000 B", "header": "20 B"},
        "traffic": [{"name": "app", "from": "all", "program": program, "job": job}],
        "measure": {"duration": "1 s", "audit": true, "until_jobs_end": true, "probes": ["messages"]},
    })
}

/// When the application of a scenario had finished, in picoseconds.
fn completion(scenario: &Value) -> u64 {
    let outcome = outcome(scenario);
    assert_eq!(outcome.stop, None);
    let completion = picoseconds(&outcome, "jobs", "completion")[0];
    assert_eq!(outcome.end.0, completion, "the run ends with its last job");
    completion
}

/// Time on a link of a message.
fn wire(bytes: u64) -> u64 {
    let bytes = bytes.max(1);
    (bytes + bytes.div_ceil(MTU) * HEADER) * BYTE
}

#[test]
fn a_ping_pong_takes_the_time_of_its_messages_exactly() {
    for (bytes, count) in [(0, 1), (8, 3), (1_000, 2), (10_240, 5)] {
        let scenario = alone(2, json!({"ping-pong": {"bytes": format!("{bytes} B"), "count": count}}), json!({}));
        assert_eq!(completion(&scenario), 2 * count * (wire(bytes) + WAY), "{bytes} bytes");
    }
}

#[test]
fn the_overhead_of_messages_occupies_a_processor() {
    let program = json!({"ping-pong": {"bytes": "1 kB", "count": 3}});
    let each = wire(1_000) + WAY + 2 * 400_000;
    assert_eq!(completion(&alone(2, program, json!({"overhead": "400 ns"}))), 6 * each);
    // A computation on the same processor delays a send, one on another does not.
    let goal = |cpu: u32| {
        format!("num_ranks 2\nrank 0 {{ calc 5000 cpu {cpu}\n send 1000b to 1 }}\nrank 1 {{ recv 1000b from 0 cpu 1 }}")
    };
    let finished = |cpu: u32| {
        let outcome = outcome(&alone(2, json!({"text": goal(cpu)}), json!({"overhead": "400 ns"})));
        picoseconds(&outcome, "ranks", "finished")[1]
    };
    assert_eq!(finished(1), wire(1_000) + WAY + 800_000);
    assert_eq!(finished(0), 5_000_000 + wire(1_000) + WAY + 800_000);
}

#[test]
fn a_ring_sums_up_in_2n_minus_2_steps_of_an_nth() {
    for n in [2u64, 3, 8, 16] {
        let part = 5_000;
        let bytes = format!("{} B", n * part);
        let step = wire(part) + WAY;
        let sum = |rate: Value| json!({"all-reduce-ring": {"bytes": bytes, "combine_rate": rate}});
        let plain = json!({"all-reduce-ring": {"bytes": bytes}});
        assert_eq!(completion(&alone(n as u32, plain, json!({}))), 2 * (n - 1) * step);
        // Adding at 16 Gbit/s takes half as long as sending at 8, in the first half of the steps.
        let adding = (n - 1) * part * BYTE / 2;
        assert_eq!(completion(&alone(n as u32, sum(json!("16 Gbit/s")), json!({}))), 2 * (n - 1) * step + adding);
        let half = json!({"reduce-scatter": {"bytes": bytes}});
        assert_eq!(completion(&alone(n as u32, half, json!({}))), (n - 1) * step);
    }
}

#[test]
fn doubling_and_barriers_take_logarithmic_rounds() {
    for (n, rounds) in [(2, 1), (4, 2), (8, 3), (16, 4)] {
        let doubling = json!({"all-reduce-doubling": {"bytes": "3 kB"}});
        assert_eq!(completion(&alone(n, doubling, json!({}))), rounds * (wire(3_000) + WAY));
    }
    for (n, rounds) in [(2, 1), (3, 2), (5, 3), (8, 3), (9, 4), (16, 4)] {
        assert_eq!(completion(&alone(n, json!("barrier"), json!({}))), rounds * (wire(1) + WAY), "{n} ranks");
    }
}

/// A rank that has it forwards it, message after message, as fast as its link allows.
#[test]
fn a_broadcast_goes_down_its_tree() {
    fn last(subtree: u64, ranks: u64, place: u64, at: u64, bytes: u64) -> u64 {
        let (mut distance, mut link, mut end) = (subtree / 2, at, at);
        while distance > 0 {
            if place + distance < ranks {
                link += wire(bytes);
                end = end.max(last(distance, ranks, place + distance, link + WAY, bytes));
            }
            distance /= 2;
        }
        end.max(link)
    }
    for n in [2u64, 5, 8, 13, 16] {
        let program = json!({"broadcast": {"bytes": "2500 B", "root": n - 1}});
        let expected = last(n.next_power_of_two(), n, 0, 0, 2_500);
        assert_eq!(completion(&alone(n as u32, program, json!({}))), expected, "{n} ranks");
    }
}

#[test]
fn an_exchange_in_turn_is_a_permutation_in_every_step() {
    let n = 9;
    let program = |order: &str| json!({"all-to-all": {"bytes": "4 kB", "order": order}});
    assert_eq!(completion(&alone(n, program("in-turn"), json!({}))), 8 * (wire(4_000) + WAY));
    // With all messages at once no message waits for the path, but the adapters interleave them, and packets meet at
    // the hosts.
    let at_once = completion(&alone(n, program("at-once"), json!({})));
    assert!((8 * wire(4_000) + WAY..12 * wire(4_000)).contains(&at_once), "{at_once}");
}

#[test]
fn computations_of_one_processor_follow_each_other_and_those_of_two_do_not() {
    let goal = |second: u32| format!("num_ranks 2\nrank 0 {{ a: calc 70 cpu 0\n b: calc 50 cpu {second} }}");
    assert_eq!(completion(&alone(2, json!({"text": goal(0)}), json!({}))), 120_000);
    assert_eq!(completion(&alone(2, json!({"text": goal(1)}), json!({}))), 70_000);
}

#[test]
fn who_waits_for_a_start_goes_on_at_once() {
    let goal = |word: &str| format!("num_ranks 1\nrank 0 {{ a: calc 70\n b: calc 50 cpu 1\n b {word} a }}");
    assert_eq!(completion(&alone(2, json!({"text": goal("requires")}), json!({}))), 120_000);
    assert_eq!(completion(&alone(2, json!({"text": goal("irequires")}), json!({}))), 70_000);
    // The second one starts when its processor is free.
    let queued = "num_ranks 1\nrank 0 { a: calc 70\n b: calc 50\n c: calc 9 cpu 1\n c irequires b }";
    let outcome = outcome(&alone(2, json!({"text": queued}), json!({})));
    assert_eq!(picoseconds(&outcome, "ranks", "computing"), [129_000]);
    assert_eq!(picoseconds(&outcome, "jobs", "completion"), [120_000]);
}

#[test]
fn ranks_of_one_host_meet_in_its_memory() {
    let job = json!({"per_host": 2, "ranks": 2, "memory_rate": "80 Gbit/s", "memory_delay": "300 ns"});
    let program = json!({"ping-pong": {"bytes": "10 kB", "count": 2}});
    assert_eq!(completion(&alone(2, program.clone(), job)), 4 * (10_000 * BYTE / 10 + 300_000));
    let free = alone(2, program, json!({"per_host": 2, "ranks": 2}));
    let outcome = outcome(&free);
    assert_eq!((picoseconds(&outcome, "jobs", "completion")[0], outcome.packet_hops), (0, 0));
}

#[test]
fn a_rendezvous_asks_first() {
    let program = json!({"ping-pong": {"bytes": "10 kB", "count": 1}});
    let asked = alone(2, program.clone(), json!({"rendezvous": "10 kB"}));
    assert_eq!(completion(&asked), 2 * (2 * (wire(1) + WAY) + wire(10_000) + WAY));
    let too_small = alone(2, program, json!({"rendezvous": "10001 B"}));
    assert_eq!(completion(&too_small), 2 * (wire(10_000) + WAY));
    // The data wait until the receiver has computed; without a rendezvous only the receiver does.
    let late = "num_ranks 2\nrank 0 { a: send 10000b to 1\n b: calc 0\n b requires a }\n\
                rank 1 { c: calc 50000\n r: recv 10000b from 0\n r requires c }";
    let ranks = |job: Value| picoseconds(&outcome(&alone(2, json!({"text": late}), job)), "ranks", "finished");
    assert_eq!(ranks(json!({})), [wire(10_000), 50_000_000]);
    let granted = 50_000_000 + wire(1) + WAY;
    assert_eq!(ranks(json!({"rendezvous": "1 B"})), [granted + wire(10_000), granted + wire(10_000) + WAY]);
}

#[test]
fn a_send_ends_when_it_has_left_or_when_it_is_there() {
    let goal = "num_ranks 2\nrank 0 { a: send 3000b to 1\n b: calc 1000\n b requires a }\nrank 1 { recv 3000b from 0 }";
    let ranks = |job: Value| picoseconds(&outcome(&alone(2, json!({"text": goal}), job)), "ranks", "finished");
    assert_eq!(ranks(json!({})), [wire(3_000) + 1_000_000, wire(3_000) + WAY]);
    assert_eq!(ranks(json!({"send_end": "delivered"})), [wire(3_000) + WAY + 1_000_000, wire(3_000) + WAY]);
}

#[test]
fn a_send_over_a_connection_ends_when_the_ack_of_its_last_packet_is_back() {
    let goal = "num_ranks 2\nrank 0 { a: send 3000b to 1\n b: calc 1000\n b requires a }\nrank 1 { recv 3000b from 0 }";
    let ranks = |adapters: Value, scheme: Value, job: Value| {
        let mut scenario = alone(2, json!({"text": goal}), job);
        let own = scenario["adapters"].as_object_mut().expect("a table");
        own.insert("ack".to_owned(), json!("64 B"));
        own.extend(adapters.as_object().expect("a table").clone());
        scenario["scheme"] = scheme;
        picoseconds(&outcome(&scenario), "ranks", "finished")
    };
    let (there, back) = (wire(3_000) + WAY, 64 * BYTE + WAY);
    let end = json!({"send_end": "acknowledged"});
    let acknowledged = [there + back + 1_000_000, there];
    let repairs = || json!({"transport": {"go-back-n": {}}});
    for end in [end.clone(), json!({})] {
        assert_eq!(ranks(json!({}), repairs(), end), acknowledged);
    }
    assert_eq!(ranks(json!({}), repairs(), json!({"send_end": "delivered"})), [there + 1_000_000, there]);
    assert_eq!(ranks(json!({"window": 9}), json!({}), end.clone()), acknowledged);
    assert_eq!(ranks(json!({"window": 9}), json!({}), json!({})), [wire(3_000) + 1_000_000, there]);
    let turnaround = json!({"window": 9, "ack_turnaround": "70 ns"});
    assert_eq!(ranks(turnaround, json!({}), end.clone()), [there + 70_000 + back + 1_000_000, there]);
    // One ACK for several packets: at once for the last of a message.
    let coalesced = json!({"window": 9, "acks": {"every": 8, "flush": "1 ms"}});
    assert_eq!(ranks(coalesced, json!({}), end), acknowledged);
}

#[test]
fn sends_of_a_pair_that_are_acknowledged_end_one_by_one() {
    let goal = "num_ranks 2\nrank 0 { a: send 3000b to 1\n b: send 10b to 1 tag 1\n c: calc 1000\n c requires a\n \
                d: calc 1000 cpu 1\n d requires b }\nrank 1 { recv 10b from 0 tag 1\n recv 3000b from 0 }";
    let mut scenario = alone(2, json!({"text": goal}), json!({"send_end": "acknowledged", "rendezvous": "3 kB"}));
    scenario["adapters"]["window"] = json!(9);
    scenario["adapters"]["ack"] = json!("64 B");
    let outcome = outcome(&scenario);
    // The announcement of the first precedes the second; ACKs precede its grant, and that of the grant precedes itself.
    let ack = 64 * BYTE;
    let announced = wire(1) + WAY;
    let second = announced + wire(10);
    let granted = announced + 2 * ack + wire(1) + WAY;
    let first = granted + ack + wire(3_000) + WAY;
    assert_eq!(picoseconds(&outcome, "messages", "delivered"), [second, first]);
    assert_eq!(picoseconds(&outcome, "ranks", "finished"), [first + ack + WAY + 1_000_000, first]);
}

#[test]
fn repetitions_follow_each_other() {
    let program = json!({"ping-pong": {"bytes": "1 kB"}});
    let outcome = outcome(&alone(2, program, json!({"repeat": 7})));
    assert_eq!(picoseconds(&outcome, "jobs", "completion"), [14 * (wire(1_000) + WAY)]);
    assert_eq!((rows(&outcome, "messages"), numbers(&outcome, "jobs", "messages")), (14, vec![14]));
}

#[test]
fn what_waits_forever_is_told_in_a_sentence() {
    // A rank that receives from any sender may wait forever or not: only the run can show it.
    let goal = "num_ranks 3\nrank 0 { send 1b to 2 tag 4 }\nrank 1 { calc 5 }\nrank 2 { a: recv 1b from -1 tag 4\n\
                b: recv 1b from 1 tag 9\n c: calc 1\n c requires b }";
    let mut scenario = alone(3, json!({"text": goal}), json!({}));
    // Other traffic keeps the fabric busy.
    let other = json!({"name": "other", "from": "H1", "to": "H2"});
    scenario["traffic"].as_array_mut().expect("a list").push(other);
    let outcome = outcome(&scenario);
    let said = "job app cannot go on: rank 2 waits for a message from rank 1 with tag 9; nothing of it is under way";
    assert_eq!(outcome.stop, Some(Stop::Stuck(said.to_owned())));
    // It is reported at once, not at the end of the run.
    assert_eq!(outcome.end.0, wire(1) + WAY);
}

#[test]
fn a_rendezvous_that_nobody_answers_is_told_too() {
    let goal = "num_ranks 2\nrank 0 { send 9b to 1 tag 4 }\nrank 1 { recv 9b from -1 tag 5 }";
    let outcome = outcome(&alone(2, json!({"text": goal}), json!({"rendezvous": "1 B"})));
    let said = "job app cannot go on: rank 1 waits for a message from any rank with tag 5, rank 0 waits until somebody \
                receives a message to rank 1 with tag 4; nothing of it is under way";
    assert_eq!(outcome.stop, Some(Stop::Stuck(said.to_owned())));
}
