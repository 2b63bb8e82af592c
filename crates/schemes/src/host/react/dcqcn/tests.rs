//! DCQCN step by step: cuts, fast recovery, additive and hyper increase, alpha, the byte counter and the window.

use super::*;
use congestree_units::Rate;

const LINE: LinkView =
    LinkView { line: Rate::from_gbps(25), packet: Bytes(1_000), round_trip: Span::from_us(8), hops: 1 };

fn at(us: u64) -> Time {
    Time(us * 1_000_000)
}

fn source(params: DcqcnParams) -> Dcqcn {
    let mut source = Dcqcn::new(&params);
    source.at_link(LINE);
    source
}

/// Rates in Gbit/s at these instants.
fn rates<const N: usize>(source: &Dcqcn, us: [u64; N]) -> [f64; N] {
    us.map(|us| source.rate(at(us)) / 1e9)
}

#[test]
fn the_first_notification_halves_the_rate_and_fast_recovery_halves_the_way_back() {
    let mut source = source(DcqcnParams { byte_counter: Bytes(0), ..Default::default() });
    source.on_feedback(at(100), Feedback::Congested);
    assert_eq!(rates(&source, [99, 100, 154, 155, 210, 265]), [12.5, 12.5, 12.5, 18.75, 21.875, 23.4375]);
}

#[test]
fn after_fast_recovery_the_target_rises_by_5_then_by_50_megabits() {
    let mut source = source(DcqcnParams { max_rate: None, ..DcqcnParams::vendor() });
    // Two cuts in a row leave the target at the rate before them: clamp only once the timer has run.
    source.on_feedback(at(0), Feedback::Congested);
    source.on_feedback(at(300), Feedback::Congested);
    let before = source.rate(at(300));
    let alpha = source.alpha(at(300));
    assert!((before - 18.75e9 * (1.0 - alpha / 2.0)).abs() < 1.0, "{before}");
    let targets = [599, 600, 900, 1_200, 1_500].map(|us| (source.target(at(us)) / 1e6).round());
    assert_eq!(targets, [18_750.0, 18_750.0, 18_755.0, 18_805.0, 18_855.0]);
}

#[test]
fn increases_are_in_proportion_to_the_link() {
    let mut fast = Dcqcn::new(&DcqcnParams { stages: 0, byte_counter: Bytes(0), ..DcqcnParams::paper() });
    fast.at_link(LinkView { line: Rate::from_gbps(100), ..LINE });
    fast.on_feedback(at(0), Feedback::Congested);
    fast.on_feedback(at(50), Feedback::Congested);
    assert_eq!(fast.target(at(104)), 50e9);
    assert_eq!(fast.target(at(105)), 50.02e9);
}

#[test]
fn one_cut_a_period_and_a_notification_within_it_counts_at_its_end() {
    let mut source = source(DcqcnParams { byte_counter: Bytes(0), ..Default::default() });
    for us in [0, 10, 20] {
        source.on_feedback(at(us), Feedback::Congested);
    }
    // Alpha stays 1: (1 - g) 1 + g.
    assert_eq!(rates(&source, [20, 49, 50, 104]), [12.5, 12.5, 6.25, 6.25]);
}

#[test]
fn alpha_decays_by_the_period_and_grows_at_notifications() {
    let params = DcqcnParams { gain: 0.5, byte_counter: Bytes(0), ..Default::default() };
    let mut source = source(params);
    source.on_feedback(at(0), Feedback::Congested);
    assert_eq!([54, 55, 109, 110].map(|us| source.alpha(at(us))), [1.0, 0.5, 0.5, 0.25]);
    source.on_feedback(at(120), Feedback::Congested);
    // Cut by 0.25/2; alpha is then 0.5 0.25 + 0.5, and its period begins anew.
    assert_eq!(source.alpha(at(174)), 0.625);
    assert_eq!(source.alpha(at(175)), 0.3125);
}

#[test]
fn periodic_alpha_hears_of_a_notification_at_the_end_of_its_period() {
    let params = DcqcnParams { gain: 0.5, alpha_period: Span::from_us(10), ..DcqcnParams::vendor() };
    let mut source = source(params);
    source.on_feedback(at(0), Feedback::Congested);
    assert_eq!([9, 10, 20].map(|us| source.alpha(at(us))), [1.0, 0.5, 0.25]);
    source.on_feedback(at(25), Feedback::Congested);
    assert_eq!([29, 30, 40].map(|us| source.alpha(at(us))), [0.25, 0.625, 0.3125]);
}

#[test]
fn a_byte_counter_raises_the_rate_as_the_timer_does() {
    let mut source = source(DcqcnParams { byte_counter: Bytes(3_000), ..Default::default() });
    source.on_feedback(at(0), Feedback::Congested);
    for _ in 0..2 {
        source.on_sent(at(1), Bytes(1_000));
    }
    assert_eq!(source.rate(at(1)), 12.5e9);
    source.on_sent(at(1), Bytes(1_000));
    assert_eq!(source.rate(at(1)), 18.75e9);
    // Hyper increase needs more than F expiries of both.
    for _ in 0..18 {
        source.on_sent(at(2), Bytes(1_000));
    }
    assert_eq!(source.target(at(2)), 25e9);
}

#[test]
fn the_wait_for_the_next_packet_follows_the_rate_as_it_rises() {
    let mut source =
        source(DcqcnParams { min_rate: Rate(1_000_000), first_rate: Some(Rate(1_000_000)), ..Default::default() });
    let last = Sent { start: at(0), time: Span(320_000), full: Span(320_000), line: Rate::from_gbps(25) };
    source.on_feedback(at(0), Feedback::Congested);
    // 1 Mbit/s would take 8 ms; at 55 us the rate is 12.5 Gbit/s, and the wait is long over.
    assert_eq!(source.next_start(last), at(55));
}

#[test]
fn alpha_settles_at_a_half_unless_its_period_is_longer_than_what_lies_between_notifications() {
    // Notifications come every 50.3 us. With a decay before each: (1 - g)^2 alpha + g = alpha, 1/(2 - g); without: one.
    for (period, settles) in [(50, 1.0 / (2.0 - 1.0 / 256.0)), (55, 1.0)] {
        let mut source = source(DcqcnParams { alpha_period: Span::from_us(period), ..Default::default() });
        (0..4_000).for_each(|k| source.on_feedback(Time(k * 50_300_000), Feedback::Congested));
        let alpha = source.alpha(Time(3_999 * 50_300_000));
        assert!((alpha - settles).abs() < 1e-6, "{period}: {alpha}");
    }
}

#[test]
fn alpha_of_the_presets_settles_at_one_and_at_a_quarter_while_every_packet_is_marked() {
    // Marked packets are told of once in the interval of the presets' notifications. With the vendor settings one period
    // in four has one: a = (1 - g)^3 ((1 - g) a + g).
    let rest = 1.0 - 1.0 / 256.0_f64;
    let thrice = rest * rest * rest;
    let quarter = thrice / 256.0 / (1.0 - thrice * rest);
    assert!((quarter - 0.2485).abs() < 5e-5, "{quarter}");
    for (params, interval, settles) in [(DcqcnParams::paper(), 50, 1.0), (DcqcnParams::vendor(), 4, quarter)] {
        let mut source = source(params);
        (0..20_000).for_each(|k| source.on_feedback(at(interval * k), Feedback::Congested));
        let alpha = source.alpha(at(interval * 20_000));
        assert!((alpha - settles).abs() < 1e-9, "{interval} us: {alpha}");
    }
}

#[test]
fn a_window_of_the_bandwidth_delay_product() {
    // 25 Gbit/s x 8 us are 25,000 bytes.
    let windowed = source(DcqcnParams { window: WindowBound::Bdp, ..Default::default() });
    assert_eq!(windowed.window(), Some(25));
    assert_eq!(source(DcqcnParams::default()).window(), None);
}

#[test]
fn the_window_goes_by_the_rate_of_the_instant_also_if_a_loss_is_all_that_is_heard() {
    let bound = DcqcnParams { byte_counter: Bytes(0), window: WindowBound::BdpAtRate, ..Default::default() };
    let mut source = source(bound);
    source.on_feedback(at(100), Feedback::Congested);
    assert_eq!(source.window(), Some(13)); // half of 25 packets
    source.on_loss(at(156), LossSignal::Timeout);
    assert_eq!(source.window(), Some(19)); // three quarters: the timer has expired once
}

#[test]
fn a_start_that_was_allowed_before_a_cut_stays_allowed_whatever_is_heard_later() {
    let bound = DcqcnParams { window: WindowBound::BdpAtRate, byte_counter: Bytes(0), ..Default::default() };
    let mut source = source(DcqcnParams { cut_period: Span::from_us(50), ..bound });
    source.on_feedback(at(0), Feedback::Congested);
    source.on_feedback(at(49), Feedback::Congested); // acted upon at 50 us
    let (start, time) = (Time(49_300_000), Span(320_000));
    let last = Sent { start, time, full: time, line: Rate::from_gbps(25) };
    let allowed = source.next_start(last);
    assert!(allowed < at(50), "{allowed:?}");
    source.on_feedback(at(51), Feedback::Clear);
    assert_eq!(source.next_start(last), allowed);
    assert_eq!(source.window(), Some(7)); // a quarter of 25 packets
}
