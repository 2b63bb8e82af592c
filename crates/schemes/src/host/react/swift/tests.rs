//! Swift against windows worked out by hand.

use super::*;
use congestree_units::{Bytes, Rate};

/// Five switches, 20 packets in a round trip of 20 us; flow scaling from 25 packets on down to a quarter.
fn source(initial_window: Option<f64>) -> Swift {
    let params =
        SwiftParams { fs_min: 0.25, fs_max: 25.0, fs_range: Span::from_us(90), initial_window, ..Default::default() };
    let mut source = Swift::new(&params);
    source.at_link(LinkView { line: Rate::from_gbps(8), packet: Bytes(1_000), round_trip: Span::from_us(20), hops: 5 });
    source
}

/// The windows after ACKs that come in at these times (us) and took so long (us).
fn windows<const N: usize>(source: &mut Swift, acks: [(u64, u64); N]) -> [f64; N] {
    acks.map(|(at, trip)| {
        source.on_ack(Time(at * 1_000_000), &Acked::one(Feedback::Clear, Span::from_us(trip)));
        (source.size() * 1e6).round() / 1e6
    })
}

#[test]
fn the_target_grows_with_the_way_and_as_the_window_shrinks() {
    // a = 90 / (2 - 0.2) = 50 us, so 50 (1/sqrt(w) - 0.2): 0 at 25, 40 at 1, 90 at 0.25; and 25 + 5 us besides.
    let targets = [100.0, 25.0, 1.0, 0.25, 0.01].map(|window| {
        let mut source = source(Some(window));
        source.state.window = window;
        source.target()
    });
    assert_eq!(targets, [30, 30, 70, 120, 120].map(Span::from_us));
}

#[test]
fn it_begins_with_what_the_path_holds() {
    assert_eq!((source(None).size(), source(None).window()), (20.0, Some(20)));
}

#[test]
fn a_round_trip_below_the_target_adds_one_packet() {
    let mut source = source(Some(4.0));
    assert_eq!(windows(&mut source, [(1, 20), (2, 20)]), [4.25, 4.485294]);
}

#[test]
fn above_it_the_window_shrinks_by_the_excess_once_a_round_trip() {
    // 25 packets: target 30 us. 1 - 0.8 x 10/40 = 0.8, and then not before 40 us have passed; at 20 the target is
    // 30 + 50 (0.223607 - 0.2) = 31.18034 us.
    let mut source = source(Some(25.0));
    assert_eq!(windows(&mut source, [(100, 40), (139, 40), (140, 40)]), [20.0, 20.0, 16.472136]);
}

#[test]
fn one_decrease_takes_half_at_most() {
    assert_eq!(windows(&mut source(Some(8.0)), [(100, 10_000)]), [4.0]);
}

#[test]
fn below_one_packet_it_paces() {
    let mut source = source(Some(1.0));
    assert_eq!(windows(&mut source, [(1_000, 400)]), [0.5]);
    let line = Rate::from_gbps(8);
    let last = Sent { start: Time(7), time: Span::from_us(1), full: Span::from_us(1), line };
    assert_eq!((source.window(), source.next_start(last)), (Some(1), Time(7) + Span::from_us(800)));
    assert_eq!(source.limit(Time::START, Span::from_us(1)), 800.0);
    // A round trip below the target adds a packet, and there is no pace above one.
    assert_eq!(windows(&mut source, [(1_500, 30)]), [1.5]);
    assert_eq!(source.next_start(last), Time(7));
}

#[test]
fn an_ack_for_several_packets_adds_for_all_of_them() {
    let mut source = source(Some(4.0));
    source.on_ack(Time(1), &Acked { packets: 3, ..Acked::one(Feedback::Clear, Span::from_us(20)) });
    assert_eq!(source.size(), 4.75);
}

#[test]
fn a_loss_takes_half_once_a_round_trip_and_silence_that_lasts_leaves_the_least() {
    let mut source = source(Some(16.0));
    let mut lose = |us: u64, loss| {
        source.on_loss(Time(us * 1_000_000), loss);
        source.size()
    };
    let told = [100, 119, 120].map(|us| lose(us, LossSignal::Told));
    assert_eq!(told, [8.0, 8.0, 4.0]);
    let silent = [1_000, 2_000, 3_000, 4_000, 5_000].map(|us| lose(us, LossSignal::Timeout));
    assert_eq!(silent, [2.0, 1.0, 0.5, 0.25, 0.01]);
}

#[test]
fn an_ack_between_two_timeouts_ends_the_silence() {
    let mut source = source(Some(16.0));
    let silent = |source: &mut Swift, seconds: [u64; 4]| {
        seconds.map(|at| {
            source.on_loss(Time(at * 1_000_000_000_000), LossSignal::Timeout);
            source.size()
        })
    };
    assert_eq!(silent(&mut source, [1, 2, 3, 4]), [8.0, 4.0, 2.0, 1.0]);
    assert_eq!(windows(&mut source, [(4_500_000, 20)]), [2.0]);
    assert_eq!(silent(&mut source, [5, 6, 7, 8]), [1.0, 0.5, 0.25, 0.125]);
}

#[test]
fn a_loss_that_is_told_between_two_timeouts_ends_the_silence() {
    use LossSignal::{Timeout, Told};
    let mut source = source(Some(16.0));
    let signals = [Timeout, Timeout, Timeout, Timeout, Told, Timeout];
    let sizes = [1, 2, 3, 4, 5, 6].map(|at| {
        source.on_loss(Time(at * 1_000_000_000_000), signals[at as usize - 1]);
        source.size()
    });
    assert_eq!(sizes, [8.0, 4.0, 2.0, 1.0, 0.5, 0.25]);
}

#[test]
fn it_stays_within_its_bounds() {
    let mut source = source(Some(1.0));
    let late = Acked::one(Feedback::Clear, Span::from_ms(1));
    (0..100).for_each(|k| source.on_ack(Time(k * 1_000_000_000_000), &late));
    assert_eq!(source.size(), 0.01);
}
