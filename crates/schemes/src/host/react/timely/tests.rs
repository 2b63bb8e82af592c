//! TIMELY against rates worked out by hand.

use super::*;

/// Every ACK is a segment; the rate starts in the middle of a link of 10 Gbit/s.
fn source() -> Timely {
    let mut source = Timely::new(&TimelyParams { segment: Bytes(1), ..Default::default() });
    source.at_link(LinkView { line: Rate::from_gbps(10), packet: Bytes(1_048), ..LinkView::default() });
    source.state.rate = 5e9;
    source
}

/// The rates in Mbit/s after ACKs with these round-trip times in us.
fn rates<const N: usize>(source: &mut Timely, trips: [u64; N]) -> [f64; N] {
    trips.map(|us| {
        source.on_ack(Time::START, &Acked::one(Feedback::Clear, Span::from_us(us)));
        (source.rate() / 1e3).round() / 1e3
    })
}

#[test]
fn below_the_low_threshold_the_rate_rises_whatever_the_gradient() {
    assert_eq!(rates(&mut source(), [10, 30, 49]), [5010.0, 5020.0, 5030.0]);
}

#[test]
fn above_the_high_threshold_it_falls_by_the_excess() {
    // 1 - 0.8 (1 - 500/1000) = 0.6.
    assert_eq!(rates(&mut source(), [1_000, 1_000]), [3000.0, 1800.0]);
}

#[test]
fn in_between_a_growing_delay_brings_it_down_in_proportion() {
    // The second difference is 0.875 x 2 us = 1.75 us, a gradient of 0.0875: times 1 - 0.07.
    assert_eq!(rates(&mut source(), [100, 102]), [5010.0, 4659.3]);
}

#[test]
fn the_fifth_gradient_in_a_row_that_is_not_above_zero_makes_it_rise_five_times_as_fast() {
    assert_eq!(rates(&mut source(), [100, 100, 100, 100, 100, 100]), [5010.0, 5020.0, 5030.0, 5040.0, 5090.0, 5140.0]);
}

#[test]
fn it_stays_between_the_least_rate_and_the_link() {
    let mut source = source();
    for _ in 0..200 {
        rates(&mut source, [2_000]);
    }
    assert_eq!(source.rate(), 1e8);
    for _ in 0..2_000 {
        rates(&mut source, [10]);
    }
    assert_eq!(source.rate(), 1e10);
}

#[test]
fn a_segment_with_an_undetermined_packet_moves_nothing_and_leaves_no_difference() {
    let mut source = source();
    assert_eq!(rates(&mut source, [100]), [5010.0]);
    source.on_ack(Time::START, &Acked::one(Feedback::Undetermined, Span::from_us(2_000)));
    assert_eq!(source.rate(), 5.01e9);
    // The next one is compared with the delay of the one before: no gradient, not a decrease by 1.9 ms.
    source.on_ack(Time::START, &Acked::one(Feedback::Undetermined, Span::from_us(100)));
    assert_eq!(rates(&mut source, [100]), [5020.0]);
}

#[test]
fn the_window_goes_by_the_round_trip_that_is_given() {
    // 10 Gbit/s carry 12.5 kB in 10 us, 11.9 packets of 1,048 B.
    let params =
        TimelyParams { window: WindowBound::BdpAtRate, round_trip: Some(Span::from_us(10)), ..Default::default() };
    let mut source = Timely::new(&params);
    let own = Span::from_us(4);
    let link = LinkView { line: Rate::from_gbps(10), packet: Bytes(1_048), round_trip: own, ..LinkView::default() };
    source.at_link(link);
    assert_eq!(source.window(), Some(12));
    source.state.params.round_trip = None;
    source.at_link(link);
    assert_eq!(source.window(), Some(5));
}

#[test]
fn segments_are_counted_in_bytes() {
    let mut source = source();
    source.state.params.segment = Bytes(3 * 1_048);
    assert_eq!(rates(&mut source, [10, 10, 10]), [5000.0, 5000.0, 5010.0]);
}

/// The rates as in `rates`, one round after the other, in the model of HPCC; the first ACK only begins.
fn rates_by_rounds<const N: usize>(trips: [u64; N]) -> [f64; N] {
    let mut source = source();
    source.state.params.model = TimelyModel::Hpcc;
    rates(&mut source, trips)
}

#[test]
fn in_the_model_of_hpcc_delay_between_the_thresholds_counts_by_its_gradient() {
    // From 100 to 102 us: as in the paper's model, 1 - 0.8 x 0.0875. Then it falls, by 0.875 x 2 - 0.125 x 1.75 us.
    assert_eq!(rates_by_rounds([100, 102, 100]), [5_000.0, 4_650.0, 4_660.0]);
    // Above the high threshold (500 us) a falling delay does not raise the rate: 1 - 0.8 (1 - 500/625).
    assert_eq!(rates_by_rounds([1_000, 625]), [5_000.0, 4_200.0]);
    // At the threshold it does; and below the low one (50 us) a growing delay does not lower it.
    assert_eq!(rates_by_rounds([500, 500]), [5_000.0, 5_010.0]);
    assert_eq!(rates_by_rounds([10, 40]), [5_000.0, 5_010.0]);
}

#[test]
fn in_the_model_of_hpcc_it_moves_once_a_round_trip_and_soon_five_times_as_fast() {
    let mut source = source();
    source.state.params.model = TimelyModel::Hpcc;
    source.state.params.window = WindowBound::BdpAtRate;
    let ack = Acked { outstanding: 1, ..Acked::one(Feedback::Clear, Span::from_us(20)) };
    let mut acks = || {
        [(); 8].map(|()| {
            source.on_ack(Time::START, &ack);
            (source.rate() / 1e3).round() / 1e3
        })
    };
    // Two packets on their way: every second ACK ends a round, after the first of all.
    assert_eq!(acks(), [5000.0, 5000.0, 5010.0, 5010.0, 5020.0, 5020.0, 5030.0, 5030.0]);
    assert_eq!(acks(), [5040.0, 5040.0, 5050.0, 5050.0, 5100.0, 5100.0, 5150.0, 5150.0]);
    // 10 Gbit/s for no round trip at all hold nothing; one packet goes.
    assert_eq!(source.window(), Some(1));
}

#[test]
fn a_round_with_an_undetermined_packet_moves_nothing_either() {
    let mut source = source();
    source.state.params.model = TimelyModel::Hpcc;
    let mut hear = |feedback, us| {
        source.on_ack(Time::START, &Acked { outstanding: 0, ..Acked::one(feedback, Span::from_us(us)) });
        source.rate()
    };
    hear(Feedback::Clear, 100);
    let before = hear(Feedback::Clear, 100);
    assert_eq!(hear(Feedback::Undetermined, 2_000), before);
    assert!(hear(Feedback::Clear, 2_000) < before);
}
