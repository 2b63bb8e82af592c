//! The sending end step by step, with numbers worked out by hand: full packets of 4,150 B, 100 Gbit/s, 12 us there and back.

use congestree_units::{Rate, Span};

use super::super::super::grants::FIRST;
use super::super::CongestionControl as Who;
use super::*;
use crate::host::react::Feedback;

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

/// Sends up to this many packets at this instant: numbers, and which of them ask for an answer.
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

/// What a packet says that it could use: the window (225,000 B) less the credit that it leaves, split among those who send, in
/// quanta of 256 B; at least a packet before anything was heard.
#[test]
fn a_flow_asks_for_its_share_of_what_its_credit_lacks() {
    let mut flow = flow(Who::Rccc, 490);
    let asks = |flow: &mut Uet, sharers| flow.label(at(0), LINK, sharers).quanta - FIRST;
    assert_eq!(asks(&mut flow, 1), 17);
    send(&mut flow, 0, 20);
    // 87,150 B are spent with the next packet: 340.4 quanta, or 170.2, or 85.1.
    assert_eq!([1, 2, 4].map(|sharers| asks(&mut flow, sharers)), [341, 171, 86]);
    // With the first answer what is left of them is void: 229,150 B are lacking, and after 64 quanta less by those.
    hears(&mut flow, 12, answer(Role::Ack, 0, 1, 1));
    assert_eq!(asks(&mut flow, 1), 896);
    hears(&mut flow, 13, Header { role: Role::Grant, quanta: FIRST + 64, ..Header::default() });
    assert_eq!(asks(&mut flow, 1), 64 + 832);
}

/// With less to send than the window it asks for that; with a smaller window of its own, for that and a packet.
#[test]
fn nobody_asks_for_more_than_it_could_send() {
    let mut short = flow(Who::Rccc, 60);
    send(&mut short, 0, 50);
    hears(&mut short, 12, answer(Role::Ack, 0, 1, 1));
    // Ten packets.
    assert_eq!(short.label(at(12), LINK, 1).quanta - FIRST, 163);
    // And one that was lost, until it has been sent again: then 41,500 B less the 12,234 B of credit that are left.
    hears(&mut short, 13, answer(Role::Nack, 3, 1, 1));
    assert_eq!(short.label(at(13), LINK, 1).quanta - FIRST, 179);
    hears(&mut short, 14, Header { role: Role::Grant, quanta: FIRST + 64, ..Header::default() });
    assert_eq!(send(&mut short, 14, 1).0, [3]);
    assert_eq!(short.label(at(14), LINK, 1).quanta - FIRST, 64 + 115);
    let mut both = flow(Who::Both, 490);
    send(&mut both, 0, 20);
    [3, 4].into_iter().for_each(|cause| hears(&mut both, 12, answer(Role::Nack, cause, 0, 0)));
    assert_eq!(both.flight().1, Some(216_700));
    assert_eq!(both.label(at(12), LINK, 1).quanta - FIRST, 879);
}

#[test]
fn who_is_left_without_credit_asks_for_it_after_a_round_trip_and_again_after_the_timeout() {
    let mut flow = flow(Who::Rccc, 60);
    assert_eq!(send(&mut flow, 0, 99).0.len(), 55);
    assert_eq!((flow.next_timer(), flow.request(at(0), LINK)), (at(100), None));
    hears(&mut flow, 12, answer(Role::Ack, 54, 55, 55));
    assert_eq!((flow.next(), flow.next_timer()), (None, at(24)));
    flow.on_timer(at(24), LINK);
    // Five packets, and 3,250 B that it owes.
    let asked = flow.request(at(24), LINK).map(|header| (header.role, header.quanta - FIRST, header.cause));
    assert_eq!(asked, Some((Role::Request, 94, 55)));
    assert_eq!((flow.request(at(24), LINK), flow.next_timer()), (None, at(124)));
    flow.on_timer(at(123), LINK);
    assert_eq!(flow.request(at(123), LINK), None);
    flow.on_timer(at(124), LINK);
    assert!(flow.request(at(124), LINK).is_some());
    hears(&mut flow, 130, Header { role: Role::Grant, quanta: FIRST + 94, ..Header::default() });
    assert_eq!((send(&mut flow, 130, 9).0, flow.next_timer()), ((55..60).collect(), at(230)));
}

/// Ten packets are trimmed, 41,500 B off the window of 225,000 B; then 44 come in without having waited: 4 x 4,086 B x 9/12 for
/// each window, and 0.15 x 4,086 B for the round trip.
#[test]
fn the_window_hears_of_trims_and_of_what_came_through_and_how_long_it_waited() {
    let mut flow = flow(Who::Nscc, 490);
    send(&mut flow, 0, 99);
    (44..54).for_each(|cause| hears(&mut flow, 12, answer(Role::Nack, cause, 0, 0)));
    assert_eq!(flow.flight().1, Some(183_500));
    hears(&mut flow, 12, answer(Role::Ack, 43, 44, 44));
    let grown = 183_500.0 + 4.0 * 4_086.0 * 0.75 * 182_600.0 / 183_500.0;
    assert_eq!(flow.flight().1, Some((grown + 612.0) as u64));
}

#[test]
fn a_nack_measures_the_round_trip_as_an_ack_does() {
    let windows = [Role::Nack, Role::Ack].map(|role| {
        let mut flow = flow(Who::Nscc, 490);
        send(&mut flow, 0, 99);
        hears(&mut flow, 6, answer(role, 0, 0, 0));
        flow.flight().1
    });
    // Six microseconds instead of twelve: the largest window is half as large.
    assert_eq!(windows, [Some(112_500); 2]);
}

/// The round that begins with the first answer lasts 12 + 9 us. In the next nothing but a NACK is heard: the window is
/// the least one, and the 4,150 B in flight before the NACK are not looked at. So a marked ACK without news adds nothing,
/// though a period is over (612 B).
#[test]
fn when_a_nack_adapts_the_window_its_packet_is_among_those_to_ignore() {
    let mut flow = flow(Who::Nscc, 3);
    send(&mut flow, 0, 1);
    hears(&mut flow, 12, answer(Role::Ack, 0, 1, 1));
    send(&mut flow, 22, 1);
    assert_eq!(flow.flight().0, 4_150);
    hears(&mut flow, 34, answer(Role::Nack, 1, 1, 1));
    assert_eq!(flow.flight(), (0, Some(4_150)));
    hears(&mut flow, 34, Header { feedback: Feedback::Congested, ..answer(Role::Ack, 0, 1, 1) });
    assert_eq!(flow.flight(), (0, Some(4_150)));
}
