//! NSCC against windows worked out by hand.

use super::*;

/// 100 Gbit/s and 12 us, for which the gains are given: the largest window is 225,000 B, the target 9 us.
fn window(params: NsccParams) -> Nscc {
    let path = NsccPath {
        line: Rate::from_gbps(100),
        packet: 4_150,
        segment: 4_086,
        round_trip: Span::from_us(12),
        most_window: 1.5,
    };
    Nscc::new(&Arc::new(params), path, Time::START)
}

fn ten_packets() -> NsccParams {
    NsccParams { initial_window: Some(10), ..Default::default() }
}

/// An ACK of four packets at this many microseconds, with this delay.
fn ack(window: &mut Nscc, us: u64, marked: bool, delay: u64) {
    let heard = NsccAck { bytes: 16_600, marked, delay: Some(Span::from_us(delay)), in_flight: 50_000 };
    window.on_ack(Time(us * 1_000_000), heard);
}

#[test]
fn an_empty_path_adds_in_proportion_and_fast_once_a_window_has_come_through() {
    let mut window = window(ten_packets());
    ack(&mut window, 1, false, 0);
    ack(&mut window, 2, false, 0);
    assert_eq!(window.window(), 41_500);
    // Twice 4 x 4,086 B a 12 us of slack x 16,600 B x 9 us; the third is fast: 16,600 B / 4.
    let increase = 2.0 * 4.0 * 4_086.0 / 12e-6 * 16_600.0 * 9e-6;
    ack(&mut window, 3, false, 0);
    assert_eq!(window.window(), (45_650.0 + increase / 45_650.0) as u64);
    assert_eq!(window.window(), 54_564);
}

#[test]
fn above_the_target_without_marks_all_grow_alike() {
    let mut window = window(ten_packets());
    [1, 2, 3].into_iter().for_each(|us| ack(&mut window, us, false, 10));
    // 41,500 + 3 x 5 x 4,086 x 16,600 / 41,500.
    assert_eq!(window.window(), 41_500 + 24_516);
}

#[test]
fn marks_above_the_target_cut_at_most_to_a_half_once_a_round_trip() {
    let mut window = window(NsccParams { delay_gain: 1.0, ..Default::default() });
    ack(&mut window, 1, true, 24);
    assert_eq!(window.window(), 112_500);
    ack(&mut window, 5, true, 24);
    assert_eq!(window.window(), 112_500);
    // And a period is over: 0.15 x 4,086 B more.
    ack(&mut window, 14, true, 24);
    assert_eq!(window.window(), 56_250 + 612);
}

#[test]
fn marks_below_the_target_change_nothing() {
    let mut window = window(ten_packets());
    [1, 2].into_iter().for_each(|us| ack(&mut window, us, true, 5));
    assert_eq!(window.window(), 41_500);
}

#[test]
fn trims_take_their_size_and_after_a_round_the_window_is_what_came_through() {
    let mut window = window(NsccParams::default());
    let trimmed =
        |window: &mut Nscc, us: u64, forgives| window.on_trimmed(Time(us * 1_000_000), 4_150, 100_000, forgives);
    trimmed(&mut window, 1, false);
    assert_eq!(window.window(), 220_850);
    trimmed(&mut window, 2, true);
    assert_eq!(window.window(), 220_850);
    let heard = NsccAck { bytes: 8_300, marked: false, delay: Some(Span::ZERO), in_flight: 100_000 };
    window.on_ack(Time(3_000_000), heard);
    let before = window.window();
    // The round of 12 + 9 us that began at 1 us is over.
    trimmed(&mut window, 23, false);
    assert_eq!((before > 200_000, window.window()), (true, 8_300));
    // What was on its way then is not looked at.
    trimmed(&mut window, 24, false);
    assert_eq!(window.window(), 8_300);
}

#[test]
fn a_trim_earlier_in_the_round_is_enough_for_the_window_to_become_what_came_through() {
    let mut window = window(NsccParams::default());
    window.on_trimmed(Time(1_000_000), 4_150, 100_000, true);
    window.on_trimmed(Time(2_000_000), 4_150, 100_000, true);
    // The round of 12 + 9 us that began at 1 us is over; this ACK comes without delay or mark.
    ack(&mut window, 23, false, 0);
    assert_eq!(window.window(), 16_600);
}

#[test]
fn a_mark_alone_adapts_nothing_at_the_end_of_a_round() {
    let mut window = window(NsccParams { eta: 0.0, ..Default::default() });
    [1, 23, 45].into_iter().for_each(|us| ack(&mut window, us, true, 0));
    assert_eq!(window.window(), 225_000);
}

#[test]
fn a_timeout_takes_the_size_of_its_packet() {
    let mut window = window(ten_packets());
    window.on_timeout(4_150);
    assert_eq!(window.window(), 37_350);
}

#[test]
fn late_packets_without_a_mark_count_as_a_burst_in_the_average() {
    let averages = [(false, 24), (true, 24), (false, 8), (true, 8)].map(|(marked, delay)| {
        let mut window = window(NsccParams { delay_gain: 0.5, ..ten_packets() });
        ack(&mut window, 1, marked, delay);
        (window.average * 1e9).round() / 1e3
    });
    // Half of a quarter of the round trip for the first, half of the delay for the others.
    assert_eq!(averages, [1.5, 12.0, 4.0, 4.0]);
}

#[test]
fn a_trimmed_packet_counts_as_a_delay_of_a_round_trip_in_the_average() {
    let mut window = window(NsccParams { delay_gain: 1.0, ..ten_packets() });
    window.on_trimmed(Time(1_000_000), 4_150, 0, true);
    assert_eq!(window.average, 12e-6);
}

#[test]
fn the_target_itself_is_too_much() {
    let mut window = window(ten_packets());
    [1, 2, 3].into_iter().for_each(|us| ack(&mut window, us, false, 9));
    assert_eq!(window.window(), 41_500 + 24_516);
}

#[test]
fn marks_cut_by_the_excess_of_the_average_over_the_target() {
    let mut window = window(NsccParams { delay_gain: 1.0, ..Default::default() });
    // 1 - 0.8 x (12 - 9)/12.
    ack(&mut window, 1, true, 12);
    assert_eq!(window.window(), 180_000);
}

#[test]
fn the_first_period_begins_with_the_connection() {
    let windows = [0, 1_000].map(|start| {
        let params = Arc::new(ten_packets());
        let mut window = Nscc::new(&params, window(ten_packets()).path, Time(start * 1_000_000));
        [5, 11, 13].into_iter().for_each(|us| ack(&mut window, start + us, false, 5));
        window.window()
    });
    assert_eq!(windows[0], windows[1]);
}

#[test]
fn the_average_keeps_what_was_before() {
    let mut window = window(NsccParams { delay_gain: 0.25, ..Default::default() });
    [(1, 8), (2, 4)].into_iter().for_each(|(us, delay)| ack(&mut window, us, false, delay));
    assert!((window.average - (0.75 * 2e-6 + 1e-6)).abs() < 1e-15, "{}", window.average);
}

/// Windows after ACKs of 16,600 B at these times (us), with these delays (us).
fn rounds(acks: &[(u64, u64)]) -> u64 {
    let mut window = window(NsccParams { eta: 0.0, ..Default::default() });
    acks.iter().for_each(|&(us, delay)| ack(&mut window, us, true, delay));
    window.window()
}

#[test]
fn a_round_of_much_delay_in_which_little_came_through_makes_the_window_that() {
    // Rounds of 12 + 9 us; four targets are 36 us, an eighth of the largest window 28,125 B. The first ACK begins.
    assert_eq!(rounds(&[(1, 0), (23, 37)]), 16_600);
    assert_eq!(rounds(&[(1, 0), (23, 36)]), 225_000, "not more than four targets");
    assert_eq!(rounds(&[(1, 0), (22, 37)]), 225_000, "the round is not over");
    assert_eq!(rounds(&[(1, 0), (10, 0), (23, 37)]), 225_000, "33,200 B came through");
    assert_eq!(rounds(&[(1, 0), (10, 0), (23, 0), (45, 37)]), 16_600, "each round counts its own");
    assert_eq!(rounds(&[(1, 37)]), 225_000, "there was no round before");
}

#[test]
fn a_trim_counts_for_its_own_round() {
    let mut window = window(NsccParams { eta: 0.0, ..Default::default() });
    [1, 23].into_iter().for_each(|us| window.on_trimmed(Time(us * 1_000_000), 4_150, 0, true));
    assert_eq!(window.window(), 4_150, "nothing came through");
    ack(&mut window, 30, true, 0);
    let before = window.window();
    ack(&mut window, 46, true, 0);
    assert_eq!(window.window(), before);
}

#[test]
fn a_shorter_round_trip_makes_the_largest_window_smaller() {
    let mut window = window(NsccParams::default());
    window.measured(Span::from_us(6));
    ack(&mut window, 1, true, 0);
    assert_eq!((window.window(), window.base()), (112_500, Span::from_us(6)));
}
