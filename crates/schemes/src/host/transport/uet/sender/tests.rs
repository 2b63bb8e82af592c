//! The sending end step by step, with numbers worked out by hand: full packets of 4,150 B, 100 Gbit/s, 12 us there and back.

use super::super::CongestionControl as Who;
use super::*;
use congestree_units::Rate;

const FULL: u32 = 4_150;
const LINK: HostLink = HostLink { line: Rate::from_gbps(100), packet: Bytes(FULL as u64) };

fn at(us: u64) -> Time {
    Time(us * 1_000_000)
}

fn flow(who: Who, packets: u32) -> Uet {
    let mut flow = Uet::new(&UetParams { congestion_control: who, ..Default::default() });
    flow.at_path(PathView { salt: 1, round_trip: Span::from_us(12), header: Bytes(64) });
    flow.on_work(at(0), packets, LINK);
    flow
}

/// Sends up to so many packets at this instant: numbers, and which of them ask for an answer.
fn send(flow: &mut Uet, us: u64, most: usize) -> (Vec<u32>, Vec<u32>) {
    let (mut numbers, mut ask) = (Vec::new(), Vec::new());
    while numbers.len() < most {
        let Some(next) = flow.next() else { break };
        if flow.label(at(us), LINK, 1).asks {
            ask.push(next.sequence);
        }
        flow.on_sent(at(us), LINK.packet, LINK);
        numbers.push(next.sequence);
    }
    (numbers, ask)
}

/// An answer of this role about packet `cause`: all below `number` are here, and `packets` in all.
fn answer(role: Role, cause: u32, number: u32, packets: u32) -> Header {
    Header { role, cause, number, received: u64::from(packets * FULL), ..Header::default() }
}

fn hears(flow: &mut Uet, us: u64, header: Header) {
    flow.on_answer(at(us), &header, LINK);
}

/// 1.5 bandwidth-delay products are 225,000 B: 54 packets of 4,150 B; with the 55th it would be 228,250 B.
#[test]
fn the_first_window_goes_out_at_once_and_its_last_packet_asks() {
    let mut flow = flow(Who::Nscc, 490);
    let (numbers, ask) = send(&mut flow, 0, usize::MAX);
    assert_eq!((numbers.len(), ask), (54, vec![53]));
    assert_eq!(flow.flight(), (54 * 4_150, Some(225_000)));
}

#[test]
fn a_nack_has_its_packet_sent_again_first_and_asks_for_an_answer() {
    let mut flow = flow(Who::None, 6);
    send(&mut flow, 0, 4);
    hears(&mut flow, 12, answer(Role::Nack, 2, 0, 0));
    hears(&mut flow, 12, answer(Role::Nack, 1, 0, 0));
    assert_eq!(flow.flight().0, 2 * 4_150);
    assert_eq!(send(&mut flow, 12, 9), (vec![1, 2, 4, 5], vec![1, 2, 5]));
    assert_eq!((flow.loss_counts().losses, flow.loss_counts().resent, flow.flight().0), (2, 2, 6 * 4_150));
}

#[test]
fn what_was_lost_and_comes_in_after_all_is_not_sent_again() {
    let mut flow = flow(Who::None, 3);
    send(&mut flow, 0, 3);
    hears(&mut flow, 12, answer(Role::Nack, 1, 1, 1));
    assert_eq!(flow.next().map(|next| next.sequence), Some(1));
    hears(&mut flow, 14, answer(Role::Ack, 2, 3, 3));
    assert_eq!((flow.next(), flow.flight().0, flow.acknowledged()), (None, 0, 3));
}

/// Packets of 0, 0 and 10 us, of which the second is here: the timer runs for the first, then for the third.
#[test]
fn the_timer_finds_the_oldest_of_which_nothing_was_heard() {
    let mut flow = flow(Who::None, 3);
    send(&mut flow, 0, 2);
    send(&mut flow, 10, 1);
    hears(&mut flow, 12, Header { base: 1, bits: 1, ..answer(Role::Ack, 1, 0, 1) });
    assert_eq!((flow.next_timer(), flow.flight().0), (at(100), 2 * 4_150));
    flow.on_timer(at(100), LINK);
    assert_eq!((flow.next_timer(), flow.loss_counts().timeouts, flow.flight().0), (at(110), 1, 4_150));
    assert_eq!(send(&mut flow, 101, 9), (vec![0], vec![0]));
    flow.on_timer(at(110), LINK);
    assert_eq!(send(&mut flow, 111, 9).0, [2]);
    hears(&mut flow, 123, answer(Role::Ack, 2, 3, 3));
    assert_eq!((flow.next_timer(), flow.flight().0, flow.loss_counts().resent), (Time::NEVER, 0, 2));
}

/// What is on its way follows the bytes that the receiver has counted: an ACK that is lost is made up for by the next.
#[test]
fn a_lost_ack_does_no_harm() {
    let mut flow = flow(Who::None, 9);
    send(&mut flow, 0, 9);
    hears(&mut flow, 13, answer(Role::Ack, 7, 8, 8));
    assert_eq!((flow.flight().0, flow.acknowledged()), (4_150, 8));
    hears(&mut flow, 14, answer(Role::Ack, 3, 4, 4));
    assert_eq!((flow.flight().0, flow.acknowledged()), (4_150, 8));
}

#[test]
fn a_round_trip_is_measured_only_if_the_answer_tells_the_transmissions_apart() {
    let mut flow = flow(Who::None, 2);
    send(&mut flow, 0, 2);
    hears(&mut flow, 12, answer(Role::Nack, 0, 0, 0));
    send(&mut flow, 12, 1);
    hears(&mut flow, 13, Header { base: 1, ..answer(Role::Ack, 0, 0, 0) });
    assert_eq!(flow.gauges().measured, Span::ZERO);
    hears(&mut flow, 25, Header { again: true, base: 1, ..answer(Role::Ack, 0, 1, 1) });
    assert_eq!(flow.gauges().measured, Span::from_us(13));
}

/// A window without leave, as much as the largest; what is left of it is void with the first answer, and 64 quanta, 16,384 B,
/// let four packets go: the last one at 3,934 B, so that 216 B are owed.
#[test]
fn credit_may_go_below_zero_by_a_packet_and_no_more() {
    let mut flow = flow(Who::Rccc, 490);
    assert_eq!(send(&mut flow, 0, 20).0.len(), 20);
    hears(&mut flow, 12, answer(Role::Ack, 0, 1, 1));
    assert_eq!(flow.next(), None);
    let grant = |quanta| Header { role: Role::Grant, quanta: FIRST + quanta, ..Header::default() };
    hears(&mut flow, 13, grant(64));
    assert_eq!(send(&mut flow, 13, 20), (vec![20, 21, 22, 23], vec![23]));
    // One quantum more pays 40 B above the debt: a packet. A grant that tells the same again pays nothing.
    hears(&mut flow, 14, grant(65));
    assert_eq!(send(&mut flow, 14, 20).0, [24]);
    hears(&mut flow, 15, grant(65));
    assert_eq!(flow.next(), None);
}
