//! HPCC against trajectories worked out by hand: a link of 8 Gbit/s (a byte a nanosecond), packets of 1,000 B, T = 10 us.

use congestree_units::{Bytes, Rate};

use super::*;
use crate::check::{Check, Diagnostics, Setting};

const LINE: f64 = 8e9;

const ACK: Acked<'static> =
    Acked { feedback: Feedback::Clear, round_trip: Span::ZERO, packets: 1, outstanding: 0, telemetry: None };

fn params() -> HpccParams {
    HpccParams { rate_ai: Rate(40_000_000), mi_thresh: 0, ..HpccParams::default() }
}

fn source(params: &HpccParams) -> Pipe {
    let mut source = Hpcc::new(params);
    source.at_link(LinkView {
        line: Rate::from_gbps(8),
        packet: Bytes(1_000),
        round_trip: Span::from_us(10),
        ..LinkView::default()
    });
    Pipe { source, outstanding: 0 }
}

/// A source, and how many packets are on its way.
struct Pipe {
    source: Hpcc,
    outstanding: u32,
}

impl std::ops::Deref for Pipe {
    type Target = Hpcc;

    fn deref(&self) -> &Hpcc {
        &self.source
    }
}

fn hop(us: u64, bytes: u64, queue: u32) -> HopRecord {
    HopRecord { at: Time(us * 1_000_000), bytes, queue, output: 0, rate: Rate::from_gbps(8) }
}

/// So many packets are sent, and then an ACK with these records comes in; the rate in Mbit/s.
fn hears(source: &mut Pipe, sent: u32, hops: &[HopRecord]) -> f64 {
    source.outstanding += sent;
    source.outstanding -= 1;
    let ack = Acked { outstanding: source.outstanding, telemetry: Some(Seen::Records(hops)), ..ACK };
    source.source.on_ack(Time::START, &ack);
    (source.rate() / 1e3).round() / 1e3
}

#[test]
fn the_first_ack_only_sets_where_to_measure_from() {
    let mut source = source(&params());
    assert_eq!(hears(&mut source, 10, &[hop(0, 0, 90_000)]), 8_000.0);
    assert_eq!(source.window(), Some(10));
}

#[test]
fn one_step_as_computed_by_hand() {
    let mut source = source(&params());
    hears(&mut source, 1, &[hop(0, 0, 1_000)]);
    // u = 5,000/5,000 + 1,000/10,000 = 1.1, for half of T: U = 1.05, R = 8,000 x 0.95/1.05 + 40.
    assert_eq!(hears(&mut source, 1, &[hop(5, 5_000, 2_000)]), 7_278.095);
    // 9.098 packets fit, so that the tenth may start while nine are on their way.
    assert_eq!(source.window(), Some(10));
    assert!((source.utilisation() - 1.05).abs() < 1e-12);
}

#[test]
fn acks_of_one_round_trip_compute_from_one_reference() {
    let mut source = source(&params());
    hears(&mut source, 4, &[hop(0, 0, 0)]);
    // At line rate with 10,000 B in the queue: u = 2, for a tenth of T each, from U = 1.
    let rates = [1, 2, 3].map(|k| hears(&mut source, 0, &[hop(k, 1_000 * k, 10_000)]));
    // The first sees the queue of zero before it: u = 1. Then U = 1.1, and 0.9 x 1.1 + 0.2 = 1.19, all from R_c = 8,000.
    assert_eq!(rates, [7_640.0, 6_949.091, 6_426.555]);
    // The ACK of the fifth packet ends the round: U = 0.9 x 1.19 + 0.2 = 1.271, and the reference follows.
    assert_eq!(hears(&mut source, 1, &[hop(4, 4_000, 10_000)]), 6_019.544);
    // From now on from there: U = 1.3439.
    assert_eq!(hears(&mut source, 1, &[hop(5, 5_000, 10_000)]), 4_295.202);
}

#[test]
fn below_the_target_it_adds_and_after_so_many_increases_it_follows_the_utilisation_again() {
    let mut source = source(&HpccParams { mi_thresh: 3, ..params() });
    source.source.state.references[0].rate = 4e9;
    hears(&mut source, 1, &[hop(0, 0, 0)]);
    // Half of the link for a whole T each time: U = 0.5. Each ACK is a round of its own.
    let rates = [1, 2, 3, 4].map(|k| hears(&mut source, 1, &[hop(10 * k, 5_000 * k, 0)]));
    // 4,120 x 0.95/0.5 = 7,828, and 40 more.
    assert_eq!(rates, [4_040.0, 4_080.0, 4_120.0, 7_868.0]);
}

#[test]
fn without_fast_reaction_only_the_end_of_a_round_counts() {
    let mut source = source(&HpccParams { fast_react: false, ..params() });
    hears(&mut source, 2, &[hop(0, 0, 10_000)]);
    assert_eq!(hears(&mut source, 0, &[hop(5, 5_000, 10_000)]), 8_000.0);
    // Measured from the first record, over all of T: U = 2.
    assert_eq!(hears(&mut source, 1, &[hop(10, 10_000, 10_000)]), 3_840.0);
}

#[test]
fn the_busiest_hop_decides() {
    let quick = |us, bytes, queue| HopRecord { rate: Rate::from_gbps(16), ..hop(us, bytes, queue) };
    let mut source = source(&params());
    hears(&mut source, 1, &[quick(0, 0, 30_000), hop(1, 0, 0)]);
    // The first hop: 10,000 of 20,000 B, and 30,000 of 20,000 waiting: 2. The second: 0.5.
    assert_eq!(hears(&mut source, 1, &[quick(10, 10_000, 30_000), hop(11, 5_000, 0)]), 3_840.0);
}

#[test]
fn with_a_reference_for_each_hop_the_least_rate_is_taken() {
    let mut source = source(&HpccParams { multi_rate: true, ..params() });
    hears(&mut source, 1, &[hop(0, 0, 10_000), hop(0, 0, 0)]);
    assert_eq!(hears(&mut source, 1, &[hop(10, 10_000, 10_000), hop(10, 5_000, 0)]), 3_840.0);
    // The first hop is free now: it would allow 3,840 x 0.95/0.6 + 40 = 6,120; the second has been at line rate all along.
    assert_eq!(hears(&mut source, 1, &[hop(20, 16_000, 0), hop(20, 10_000, 0)]), 6_120.0);
}

#[test]
fn sampled_feedback_leaves_empty_queues_to_the_end_of_the_round() {
    let mut source = source(&HpccParams { sample_feedback: true, ..params() });
    hears(&mut source, 2, &[hop(0, 0, 0)]);
    assert_eq!(hears(&mut source, 0, &[hop(5, 5_000, 0)]), 8_000.0);
    assert_eq!(hears(&mut source, 1, &[hop(10, 10_000, 0)]), 7_640.0);
}

#[test]
fn two_acks_of_one_instant_and_paths_of_another_length_are_no_measurement() {
    let mut source = source(&params());
    hears(&mut source, 1, &[hop(0, 0, 0)]);
    assert_eq!(hears(&mut source, 1, &[hop(0, 9_000, 9_000)]), 8_000.0);
    assert_eq!(hears(&mut source, 1, &[hop(10, 9_000, 90_000), hop(10, 0, 90_000)]), 8_000.0);
    assert_eq!(hears(&mut source, 1, &[hop(20, 19_000, 10_000), hop(20, 0, 0)]), 3_840.0);
}

#[test]
fn what_another_output_has_sent_is_not_compared() {
    let mut source = source(&params());
    hears(&mut source, 1, &[hop(0, 0, 0)]);
    // A link that has sent for long, and whose queue is long: nothing can be said of it before it is heard of again.
    let other = |us, bytes| HopRecord { output: 1, ..hop(us, bytes, 10_000) };
    assert_eq!(hears(&mut source, 1, &[other(10, 900_000)]), LINE / 1e6);
    assert_eq!(hears(&mut source, 1, &[other(20, 910_000)]), 3_840.0);
}

#[test]
fn the_rate_stays_between_the_least_and_the_link() {
    let mut source = source(&params());
    hears(&mut source, 1, &[hop(0, 0, u32::MAX)]);
    assert_eq!(hears(&mut source, 1, &[hop(10, 10_000, u32::MAX)]), 100.0);
    assert_eq!(source.window(), Some(1));
    for k in 2..400 {
        hears(&mut source, 1, &[hop(10 * k, 0, 0)]);
    }
    assert_eq!((source.rate(), source.limit(Time::START, Span::from_us(1))), (LINE, 1.0));
}

#[test]
fn window_and_pace_can_be_taken_apart() {
    let last = Sent { start: Time(5), time: Span::from_us(1), full: Span::from_us(1), line: Rate::from_gbps(8) };
    for (var_win, rate_bound, window, next) in
        [(true, true, 5, 2_083_338), (false, true, 10, 2_083_338), (true, false, 5, 5)]
    {
        let mut source = source(&HpccParams { var_win, rate_bound, ..params() });
        hears(&mut source, 1, &[hop(0, 0, 10_000)]);
        assert_eq!(hears(&mut source, 1, &[hop(10, 10_000, 10_000)]), 3_840.0);
        // 3,840 of 8,000 Mbit/s: 4.8 packets, and one every 2.0833 us.
        assert_eq!((source.window(), source.next_start(last)), (Some(window), Time(next)));
    }
}

#[test]
fn a_digest_is_taken_as_it_is_and_a_share_of_the_acks_can_be_left_out() {
    let pint = |pint_prob| HpccParams { pint: Some(PintParams { pint_prob, ..Default::default() }), ..params() };
    let rates = |params: &HpccParams| {
        let mut source = source(params);
        [1.0, 2.0, 1.0, 0.95].map(|seen| {
            source.source.on_ack(Time::START, &Acked { telemetry: Some(Seen::Digest(seen)), ..ACK });
            (source.rate() / 1e6).round()
        })
    };
    // 8,000 x 0.95/2 + 40 = 3,840; then x 0.95 + 40 = 3,688; then the same and 40.
    assert_eq!(rates(&pint(1.0)), [8_000.0, 3_840.0, 3_688.0, 3_728.0]);
    assert_eq!(rates(&pint(0.5)), [8_000.0, 3_840.0, 3_840.0, 3_880.0]);
}

#[test]
fn with_every_base_that_is_accepted_a_byte_tells_of_twice_the_target() {
    let told = |u_target: f64, log_base: f64| {
        let pint = Some(PintParams { log_base, ..Default::default() });
        let params = HpccParams { u_target, round_trip: Some(Span::from_us(10)), pint, ..params() };
        let mut found = Diagnostics::about("");
        params.check(&Setting::default(), &mut found);
        found.list.pop().map(|told| told.remedy)
    };
    for u_target in [0.01, 0.5, 0.95, 1.0] {
        for log_base in (1..=1_000).map(|thousandths| 1.0 + f64::from(thousandths) / 1e3) {
            let largest = Digest { base: log_base, round_trip: Span::ZERO }.utilisation(u8::MAX);
            let Some(remedy) = told(u_target, log_base) else {
                assert!(largest >= 2.0 * u_target, "{log_base} reaches {largest} only");
                continue;
            };
            assert!(largest < 2.0 * u_target, "{log_base} reaches {largest}");
            let least = remedy.split([' ', ',']).find_map(|word| word.parse().ok()).expect("the remedy has a number");
            assert!(least > log_base && told(u_target, least).is_none(), "{remedy}");
        }
    }
    assert!(told(0.95, 1.01).is_some() && told(0.95, 1.05).is_none());
}
