//! Per-flow queues: which queue a flow gets, and when it is stopped.

use super::*;

const STICKY: Span = Span(100);

fn joins(output: &mut Assignments, at: u64, id: u32) -> (u16, bool, bool) {
    let Placed { queue, is_new, shared } = output.join(Time(at), id, 1000, STICKY, || 0.99);
    (queue, is_new, shared)
}

#[test]
fn a_flow_takes_an_empty_queue_and_keeps_it_while_it_has_packets() {
    let mut output = Assignments::new(3);
    assert_eq!(joins(&mut output, 0, 7), (0, true, false));
    assert_eq!(joins(&mut output, 1, 9), (1, true, false));
    assert_eq!(joins(&mut output, 2, 7), (0, false, false));
    output.leave(Time(3), 9, 1000);
    // Flow 9 keeps queue 1 for a while.
    assert_eq!(joins(&mut output, 4, 2), (2, true, false));
    assert_eq!((output.bytes(0), output.bytes(2), output.active_len()), (2000, 1000, 2));
    assert_eq!(output.check(), Ok(()));
}

#[test]
fn when_no_queue_is_empty_flows_share_one_by_chance() {
    let mut output = Assignments::new(2);
    joins(&mut output, 0, 1);
    joins(&mut output, 0, 2);
    assert_eq!(joins(&mut output, 0, 3), (1, true, true));
    assert_eq!(output.join(Time(0), 4, 1000, STICKY, || 0.49), Placed { queue: 0, is_new: true, shared: true });
    assert_eq!(output.check(), Ok(()));
}

#[test]
fn an_assignment_outlives_its_packets_by_the_hysteresis_and_no_longer() {
    let mut output = Assignments::new(4);
    joins(&mut output, 0, 1);
    joins(&mut output, 0, 2);
    output.leave(Time(10), 1, 1000);
    output.leave(Time(10), 2, 1000);
    // Queue 0 would be the first empty one; flow 2 comes back to its own at the last instant.
    assert_eq!(joins(&mut output, 110, 2), (1, false, false));
    output.leave(Time(120), 2, 1000);
    assert_eq!(joins(&mut output, 221, 2), (0, true, false));
    assert_eq!(output.check(), Ok(()));
}

#[test]
fn a_queue_that_is_stopped_or_kept_is_given_away_last() {
    let mut output = Assignments::new(2);
    joins(&mut output, 0, 1);
    output.leave(Time(1), 1, 1000);
    output.hear(1, true);
    assert_eq!(joins(&mut output, 2, 5), (0, true, false));
    assert_eq!(joins(&mut output, 3, 6), (1, true, false));
    assert_eq!(joins(&mut output, 3, 1), (0, false, false));
    assert_eq!(output.check(), Ok(()));
}

#[test]
fn the_threshold_is_what_the_output_carries_in_a_round_trip_by_the_queues_that_may_go() {
    // 8 Gbit/s for 3 us: 3,000 B.
    let (round_trip, rate) = (Span::from_us(3), Rate::from_gbps(8));
    let mut output = Assignments::new(2);
    for _ in 0..3 {
        joins(&mut output, 0, 1);
    }
    assert!(!output.is_over(0, round_trip, rate));
    joins(&mut output, 0, 2);
    // Two queues: 1,500 B each.
    assert!(output.is_over(0, round_trip, rate) && !output.is_over(1, round_trip, rate));
    output.hear(1, true);
    assert!(!output.is_over(0, round_trip, rate));
    // A stopped queue that is alone has all of it.
    output.hear(0, true);
    assert_eq!(output.active_len(), 0);
    assert!(!output.is_over(0, round_trip, rate));
    joins(&mut output, 0, 1);
    assert!(output.is_over(0, round_trip, rate));
    output.hear(0, false);
    assert_eq!((output.active(), output.check()), (&[1][..], Ok(())));
}

#[test]
fn a_queue_is_stopped_by_the_first_charge_and_goes_with_the_last() {
    let mut input = Charges::default();
    assert!(input.charge(5));
    assert!(!input.charge(5) && input.charge(0));
    assert!(!input.discharge(5) && input.discharge(5) && input.discharge(0));
    assert!(input.charge(5));
    assert_eq!(input.counts(), [0, 0, 0, 0, 0, 1]);
}

#[test]
fn flows_are_known_by_a_hash_of_so_many_values() {
    let rules = |flow_ids| FlowRules {
        queues: 4,
        flow_ids,
        hop_round_trip: None,
        sticky: None,
        first_ahead: true,
        notices: Notices::default(),
    };
    assert_eq!((0..100).map(|flow| rules(1).id_of(flow)).max(), Some(0));
    let ids: std::collections::HashSet<u32> = (0..100).map(|flow| rules(16_384).id_of(flow)).collect();
    assert!(ids.len() > 95 && ids.iter().all(|&id| id < 16_384));
    assert_eq!(rules(1).sticky(Span(21)), Span(42));
}
