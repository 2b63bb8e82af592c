//! Windows of one output, worked out by hand.

use super::*;

const LEAST_WINDOW: Span = Span::from_us(10);

fn at(us: u64) -> Time {
    Time(us * 1_000_000)
}

/// A packet leaves; flows 0 to 2 are harmful.
fn leaves(control: &mut OutputWindows, now: Time, size: u32, flow: Option<u32>) {
    control.on_sent(now, Leaving { size, flow, harmful: &[0, 1, 2] }, LEAST_WINDOW);
}

/// Two harmful flows; 1,000 B a microsecond, every second packet harmful, until W is known: 10 kB, half of it harmful.
fn measured(degree: u8) -> (OutputWindows, u64) {
    let mut control = OutputWindows::default();
    control.on_degree(at(0), degree, vec![0, 1]);
    let mut us = 0;
    while control.share().is_none() {
        us += 1;
        let which = [None, Some(0), None, Some(1)][us as usize % 4];
        leaves(&mut control, at(us), 1_000, which);
    }
    (control, us)
}

#[test]
fn windows_are_measured_until_every_harmful_flow_has_sent() {
    let (control, us) = measured(0);
    assert_eq!((us, control.share()), (10, Some(0.5)));
    let mut waits = OutputWindows::default();
    waits.on_degree(at(0), 32, vec![0, 1, 2]);
    for us in 1..100 {
        leaves(&mut waits, at(us), 1_000, Some(us as u32 % 2));
    }
    assert_eq!(waits.share(), None);
    leaves(&mut waits, at(100), 1_000, None);
    assert!(waits.share().is_some());
}

#[test]
fn the_measurement_begins_anew_when_more_flows_become_known() {
    let mut control = OutputWindows::default();
    control.on_degree(at(0), 0, vec![0]);
    (1..=5).for_each(|us| leaves(&mut control, at(us), 1_000, None));
    control.on_more_flows(at(5), vec![0, 1]);
    (6..=15).for_each(|us| leaves(&mut control, at(us), 1_000, Some(us as u32 % 2)));
    assert_eq!(control.window(at(15)).map(|window| (window.bytes, window.harmful)), Some((10_000, 10_000.0)));
}

#[test]
fn what_was_told_during_the_measurement_counts_for_the_first_window() {
    assert_eq!(measured(32).0.share(), Some(0.375));
}

#[test]
fn what_was_counted_before_holds_at_once() {
    let mut control = OutputWindows::default();
    control.begin(at(5), Counted { total: 10_000, harmful: 8_000, lasts: LEAST_WINDOW }, 32);
    for _ in 0..6 {
        assert_eq!(control.allows(at(6)), Ok(()));
        leaves(&mut control, at(6), 1_000, Some(0));
    }
    // Three quarters of 8,000 B; then nothing before the window is over, 10 us after it began.
    assert_eq!(control.allows(at(6)), Err(at(15)));
}

#[test]
fn what_is_above_the_share_waits_for_the_window_to_end() {
    let (mut control, _) = measured(0);
    for us in 11..=15 {
        assert_eq!(control.allows(at(us)), Ok(()));
        leaves(&mut control, at(us), 1_000, Some(0));
    }
    // Five of ten thousand bytes have gone: no more before 10 us from the start of the window, at 10 us.
    control.on_degree(at(15), 64, vec![0, 1]);
    assert_eq!(control.allows(at(16)), Err(at(20)));
    // The next window allows half of that: the degree takes half.
    assert_eq!(control.allows(at(20)), Ok(()));
    assert_eq!(control.share(), Some(0.25));
    let window = ControlWindow {
        number: 2,
        since: at(20),
        bytes: 10_000,
        lasts: LEAST_WINDOW,
        harmful: 2_500.0,
        before: 5_000.0,
    };
    assert_eq!(control.window(at(20)), Some(window));
}

#[test]
fn the_first_window_lowers_the_rate_of_an_output_that_sends_harmful_packets_only() {
    // 500 B a microsecond for 10 us, whatever the link could send; then 375.
    let mut control = OutputWindows::default();
    control.on_degree(at(0), 32, vec![0]);
    (1..=20).for_each(|half_us| leaves(&mut control, Time(half_us * 500_000), 250, Some(0)));
    assert_eq!(control.share(), Some(0.75));
    control.on_degree(at(10), 32, vec![0]);
    let mut sent = 0;
    while control.allows(at(11)).is_ok() {
        leaves(&mut control, at(11), 250, Some(0));
        sent += 250;
    }
    assert_eq!((sent, control.allows(at(11))), (3_750, Err(at(20))));
}

#[test]
fn a_root_whose_packets_are_all_harmful_sends_less_from_window_to_window() {
    // A packet of 1,000 B a microsecond, ten in the first window; degree 32 takes a quarter of the bytes each time: 7,500,
    // 5,625, 4,219, 3,164, 2,373, 1,780 B, and never less than 1,500. The packet that reaches the bound still goes.
    let mut control = OutputWindows::default();
    control.on_degree(at(0), 32, vec![0]);
    let mut sent = Vec::new();
    for window in 0..8 {
        let packets = (1..=10).filter(|us| {
            let now = at(10 * window + us);
            let may = window == 0 || control.allows(Time(now.0 - 1)).is_ok();
            if may {
                leaves(&mut control, Time(now.0 - u64::from(window > 0)), 1_000, Some(0));
            }
            may
        });
        sent.push(packets.count());
        control.on_degree(at(10 * window + 10), 32, vec![0]);
    }
    assert_eq!(sent, [10, 8, 6, 5, 4, 3, 2, 2]);
}

#[test]
fn other_flows_end_a_window_too() {
    let (mut control, _) = measured(0);
    control.on_degree(at(10), 32, vec![0, 1]);
    for _ in 0..5 {
        leaves(&mut control, at(11), 1_000, Some(0));
    }
    assert!(control.allows(at(11)).is_err());
    for _ in 0..5 {
        leaves(&mut control, at(12), 1_000, None);
    }
    assert_eq!(control.allows(at(12)), Ok(()));
    assert_eq!(control.share(), Some(0.375));
}

#[test]
fn a_window_without_news_ends_the_control() {
    let (mut control, _) = measured(0);
    assert_eq!(control.allows(at(31)), Ok(()));
    assert!(!control.on(at(31)));
}

#[test]
fn windows_turn_at_their_time_whether_or_not_anybody_asks() {
    // The first window is from 10 us to 20, the next to 30: notices at 20 us belong to the next.
    let begun = |asks: &[u64], told: u64| {
        let (mut control, _) = measured(0);
        control.on_degree(at(10), 32, vec![0]);
        for us in 11..45 {
            if us == told {
                control.on_degree(at(us), 32, vec![0]);
            }
            if asks.contains(&us) {
                assert!(control.allows(at(us)).is_ok());
            }
        }
        assert!(!control.on(at(45)));
        control.window(at(45)).map(|window| (window.number, window.since, window.harmful))
    };
    for asks in [&[] as &[u64], &[12, 19, 20, 21, 30, 31, 40], &[25], &[39]] {
        assert_eq!(begun(asks, 19), Some((2, at(20), 3_750.0)), "{asks:?}");
        assert_eq!(begun(asks, 20), Some((3, at(30), 2_812.5)), "{asks:?}");
    }
}

#[test]
fn a_window_that_has_begun_is_counted_also_if_the_control_is_stopped_in_it() {
    let (mut control, _) = measured(0);
    control.on_degree(at(10), 32, vec![0]);
    control.stop(at(25));
    assert_eq!(control.window(at(26)).map(|window| (window.number, window.since)), Some((2, at(20))));
}

#[test]
fn what_is_told_after_a_window_without_news_is_measured_anew() {
    let (mut control, _) = measured(0);
    assert!(control.on(at(19)));
    assert!(!control.on(at(20)));
    control.on_degree(at(21), 32, vec![0]);
    assert!(control.measures());
    // W is complete with the tenth packet: there was no notice, and the control is over at once.
    let (mut control, _) = measured(0);
    (11..=15).for_each(|us| leaves(&mut control, at(us), 2_000, None));
    assert!(!control.on(at(15)));
}

#[test]
fn nobody_waits_for_a_flow_that_is_harmful_no_more() {
    let mut control = OutputWindows::default();
    control.on_degree(at(0), 0, vec![0, 7]);
    leaves(&mut control, at(10), 1_000, Some(0));
    assert!(control.share().is_some());
}

#[test]
fn the_highest_degree_takes_at_most_half() {
    assert!(share_taken(super::super::MOST) < 0.5);
    assert_eq!(share_taken(64), 0.5);
}
