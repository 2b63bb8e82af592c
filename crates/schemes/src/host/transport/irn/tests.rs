//! IRN step by step: the window, what goes again and when, the two timers.

use super::*;
use congestree_units::Rate;

const LINK: HostLink = HostLink { line: Rate::from_gbps(10), packet: Bytes(1_000) };

fn at(us: u64) -> Time {
    Time(us * 1_000_000)
}

fn flow(window: u32, end: u32) -> Irn {
    let mut flow = Irn::new(&IrnParams { window: Some(window), ..Default::default() });
    flow.on_work(at(0), end, LINK);
    flow
}

/// Sends what may be sent at this instant; the numbers.
fn send(flow: &mut Irn, us: u64) -> Vec<u32> {
    let mut numbers = Vec::new();
    while let Some(next) = flow.next() {
        flow.on_sent(at(us), LINK.packet, LINK);
        numbers.push(next.sequence);
    }
    numbers
}

/// The receiver tells that `cause` has come, and that all below `number` have.
fn answer(flow: &mut Irn, us: u64, number: u32, cause: u32) {
    let header = Header { number, cause, stamp: at(us), ..Header::default() };
    flow.on_answer(at(us), &header, LINK);
}

#[test]
fn the_window_is_the_bandwidth_delay_product_unless_it_is_given() {
    // 1,000 B take 0.8 us: 12.1 us are 15.125 packets.
    let path = PathView { round_trip: Span::from_ns(12_100), ..PathView::default() };
    let mut own = Irn::new(&IrnParams::default());
    own.at_path(path);
    own.on_work(at(0), 100, LINK);
    let mut longest = Irn::new(&IrnParams { round_trip: Some(Span::from_us(24)), ..Default::default() });
    longest.at_path(path);
    longest.on_work(at(0), 100, LINK);
    assert_eq!([send(&mut own, 0).len(), send(&mut longest, 0).len()], [16, 30]);
}

#[test]
fn a_window_counts_from_the_first_packet_that_is_missing() {
    let mut flow = flow(4, 100);
    assert_eq!(send(&mut flow, 0), [0, 1, 2, 3]);
    answer(&mut flow, 10, 2, 1);
    assert_eq!(send(&mut flow, 10), [4, 5]);
}

#[test]
fn what_is_lost_during_a_recovery_goes_again_when_it_is_over() {
    let mut flow = flow(100, 10);
    send(&mut flow, 0);
    answer(&mut flow, 10, 1, 0);
    answer(&mut flow, 10, 1, 2);
    assert_eq!(send(&mut flow, 10), [1]);
    // 12 is lost; that 13 to 19 have come is known before the recovery is over.
    flow.on_work(at(11), 20, LINK);
    assert_eq!(send(&mut flow, 11), (10..20).collect::<Vec<u32>>());
    (3..20).filter(|&cause| cause != 12).for_each(|cause| answer(&mut flow, 15, 1, cause));
    assert_eq!(flow.next(), None);
    answer(&mut flow, 20, 12, 1);
    assert_eq!((send(&mut flow, 20), flow.loss_counts().losses), (vec![12], 2));
    answer(&mut flow, 30, 20, 12);
    assert_eq!((flow.next(), flow.acknowledged()), (None, 20));
}

#[test]
fn only_what_is_missing_below_the_highest_that_came_goes_again_and_each_once() {
    let mut flow = flow(10, 100);
    send(&mut flow, 0);
    // 0, 1 come; 2 is lost; 3 comes; 4 and 5 are lost; 6 comes.
    answer(&mut flow, 10, 2, 1);
    assert_eq!(send(&mut flow, 10), [10, 11]);
    answer(&mut flow, 11, 2, 3);
    // The packet that is due at once; nothing else is known to be missing, and the window is full.
    assert_eq!(send(&mut flow, 11), [2]);
    answer(&mut flow, 12, 2, 6);
    assert_eq!(send(&mut flow, 12), [4, 5]);
    answer(&mut flow, 13, 2, 7);
    assert!(send(&mut flow, 13).is_empty());
    assert_eq!((flow.loss_counts(), flow.control().nacks), (LossCounts { resent: 3, losses: 1, timeouts: 0 }, 3));
}

#[test]
fn a_recovery_ends_when_all_that_was_sent_before_it_has_come() {
    let mut flow = flow(4, 100);
    send(&mut flow, 0);
    answer(&mut flow, 10, 0, 1);
    assert_eq!(send(&mut flow, 10), [0]);
    assert_eq!(flow.gauges().phase, TransportPhase::Recovery);
    answer(&mut flow, 11, 0, 2);
    answer(&mut flow, 12, 0, 3);
    // Packet 0 comes: 1, 2, 3 were kept.
    answer(&mut flow, 20, 4, 0);
    assert_eq!(flow.gauges().phase, TransportPhase::CongestionAvoidance);
    assert_eq!(send(&mut flow, 20), [4, 5, 6, 7]);
}

#[test]
fn new_packets_go_in_recovery_when_nothing_is_left_to_repair() {
    let mut flow = flow(6, 100);
    send(&mut flow, 0);
    answer(&mut flow, 10, 1, 0);
    send(&mut flow, 10);
    answer(&mut flow, 11, 1, 2);
    assert_eq!(send(&mut flow, 11), [1]);
    // 1 comes: all below 3 are here, but 3 to 6 were sent before the recovery.
    answer(&mut flow, 20, 3, 1);
    assert_eq!((send(&mut flow, 20), flow.gauges().phase), (vec![7, 8], TransportPhase::Recovery));
}

#[test]
fn a_recovery_whose_packet_comes_before_it_is_sent_again_repeats_no_other() {
    let mut flow = flow(20, 10);
    assert_eq!(send(&mut flow, 0).len(), 10);
    flow.on_work(at(5), 11, LINK);
    // Packet 3 comes before 0 to 2 do, and then these do: all below 4 are here, and nothing is known to be missing.
    answer(&mut flow, 10, 0, 3);
    answer(&mut flow, 11, 4, 2);
    assert_eq!((send(&mut flow, 11), flow.loss_counts().resent), (vec![10], 0));
}

#[test]
fn a_few_packets_are_given_up_for_lost_early_and_many_late() {
    let mut few = flow(10, 2);
    send(&mut few, 5);
    assert_eq!(few.next_timer(), at(105));
    let mut many = flow(10, 100);
    send(&mut many, 5);
    assert_eq!(many.next_timer(), at(325));
    answer(&mut many, 50, 4, 3);
    assert_eq!(many.next_timer(), at(370));
    many.on_timer(at(370), LINK);
    assert_eq!(send(&mut many, 370), [4, 10, 11, 12, 13]);
    assert_eq!((many.loss_counts().timeouts, many.next_timer()), (1, at(690)));
}

#[test]
fn a_packet_lost_twice_is_found_by_the_timer() {
    let mut flow = flow(4, 4);
    send(&mut flow, 0);
    answer(&mut flow, 10, 0, 1);
    answer(&mut flow, 10, 0, 2);
    answer(&mut flow, 10, 0, 3);
    assert_eq!(send(&mut flow, 10), [0]);
    assert_eq!(flow.next_timer(), at(330));
    flow.on_timer(at(330), LINK);
    assert_eq!(send(&mut flow, 330), [0]);
    answer(&mut flow, 340, 4, 0);
    assert_eq!((flow.next(), flow.next_timer(), flow.acknowledged()), (None, Time::NEVER, 4));
}

#[test]
fn an_answer_that_brings_no_news_changes_nothing() {
    let mut flow = flow(4, 100);
    send(&mut flow, 0);
    answer(&mut flow, 10, 2, 1);
    send(&mut flow, 10);
    let timer = flow.next_timer();
    answer(&mut flow, 20, 1, 0);
    answer(&mut flow, 21, 2, 1);
    assert_eq!((flow.next(), flow.next_timer(), flow.acknowledged()), (None, timer, 2));
}
