//! PowerTCP against windows worked out by hand.

use super::*;
use congestree_units::Bytes;

/// A link of 8 Gbit/s (a byte a nanosecond), packets of 1,000 B, T = 10 us; a packet is sent before every ACK.
fn source(params: &PowerTcpParams) -> PowerTcp {
    let mut source = PowerTcp::new(params);
    source.at_link(LinkView {
        line: Rate::from_gbps(8),
        packet: Bytes(1_000),
        round_trip: Span::from_us(10),
        ..LinkView::default()
    });
    source
}

fn sees(source: &mut PowerTcp, us: u64, bytes: u64, queue: u32) -> f64 {
    sees_while(source, us, bytes, queue, 0)
}

/// What the source sees while this many packets are in flight.
fn sees_while(source: &mut PowerTcp, us: u64, bytes: u64, queue: u32, outstanding: u32) -> f64 {
    let hop = HopRecord { at: Time(us * 1_000_000), bytes, queue, output: 0, rate: Rate::from_gbps(8) };
    let telemetry = Some(Seen::Records(&[hop]));
    let ack = Acked { telemetry, outstanding, ..Acked::one(Feedback::Clear, Span::ZERO) };
    source.on_ack(Time::START, &ack);
    (source.rate() / 1e3).round() / 1e3
}

fn waits(source: &mut PowerTcp, us: u64, trip: u64) -> f64 {
    source.on_ack(Time(us * 1_000_000), &Acked::one(Feedback::Clear, Span::from_us(trip)));
    (source.rate() / 1e3).round() / 1e3
}

#[test]
fn power_is_current_times_what_is_held() {
    let mut source = source(&PowerTcpParams::default());
    assert_eq!(sees(&mut source, 0, 0, 0), 8_000.0);
    // At line rate for T with 5,000 B in the queue: 1.5. 0.9 (8,000 x 0.95/1.5 + 150) + 0.1 x 8,000.
    assert_eq!(sees(&mut source, 10, 10_000, 5_000), 5_495.0);
    // Half of T without a queue, at a quarter of the rate, which counts as half: 0.5 x 1.5 + 0.5 x 0.5 = 1.
    assert_eq!(sees(&mut source, 15, 11_250, 0), 5_382.725);
    assert!((source.power() - 1.0).abs() < 1e-12);
}

#[test]
fn the_growth_of_the_queue_is_current_if_that_is_asked_for() {
    let mut source = source(&PowerTcpParams { gradient: true, ..Default::default() });
    sees(&mut source, 0, 0, 0);
    // 10,000 B sent and 5,000 more queued in T: 1.5 of the rate, times 1.5 of what the path holds.
    assert_eq!(sees(&mut source, 10, 10_000, 5_000), 3_975.0);
}

#[test]
fn acks_of_one_round_trip_compute_from_one_reference() {
    let mut source = source(&PowerTcpParams::default());
    // Power 1.5 for all of T, twice within the round: the same rate both times.
    let rates = [(0, 0), (10, 5_000), (20, 5_000)].map(|(us, queue)| sees_while(&mut source, us, 1_000 * us, queue, 3));
    assert_eq!(rates, [8_000.0, 5_495.0, 5_495.0]);
}

#[test]
fn without_telemetry_the_round_trip_time_and_its_gradient_stand_in() {
    let mut source = source(&PowerTcpParams::theta());
    assert_eq!(waits(&mut source, 100, 10), 8_000.0);
    // From 10 to 12 us within 10 us: current 1.2, power 1.2 x 12 / 10.5 = 1.371429 for all of T.
    // 0.7 (8,000/1.371429 + 150) + 0.3 x 8,000.
    assert_eq!(waits(&mut source, 110, 12), 6_588.333);
    // It falls by 2 us within 5: current 0.6, power 0.6 x 10 / 10.5 for half of T: (1.371429 + 0.571429)/2.
    // 0.7 (6,588.333/0.971429 + 150) + 0.3 x 6,588.333.
    assert_eq!(waits(&mut source, 115, 10), 6_828.975);
}

#[test]
fn two_acks_of_one_instant_are_no_measurement() {
    let mut source = source(&PowerTcpParams::theta());
    waits(&mut source, 100, 10);
    assert_eq!(waits(&mut source, 100, 50), 8_000.0);
    assert_eq!(source.power(), 1.0);
}

/// What the source sees of two outputs, each with its time, its number and its queue; both send at line rate.
fn sees_two(source: &mut PowerTcp, hops: [(u64, u32, u32); 2]) -> f64 {
    let hops = hops.map(|(us, output, queue)| HopRecord {
        at: Time(us * 1_000_000),
        bytes: 1_000 * us,
        queue,
        output,
        rate: Rate::from_gbps(8),
    });
    let telemetry = Some(Seen::Records(&hops));
    source.on_ack(Time::START, &Acked { telemetry, ..Acked::one(Feedback::Clear, Span::ZERO) });
    (source.rate() / 1e3).round() / 1e3
}

#[test]
fn of_several_hops_the_busiest_counts_wherever_it_is() {
    for queues in [(5_000, 0), (0, 5_000), (5_000, 2_000)] {
        let mut source = source(&PowerTcpParams::default());
        sees_two(&mut source, [(0, 1, 0), (0, 2, 0)]);
        // Power 1.5 of one of them, as with one hop alone.
        assert_eq!(sees_two(&mut source, [(10, 1, queues.0), (10, 2, queues.1)]), 5_495.0, "{queues:?}");
    }
}

#[test]
fn records_of_another_way_are_compared_with_nothing() {
    let mut source = source(&PowerTcpParams::default());
    sees_two(&mut source, [(0, 1, 0), (0, 2, 0)]);
    assert_eq!(sees_two(&mut source, [(10, 1, 5_000), (10, 3, 5_000)]), 8_000.0);
    // From there on they are.
    assert_eq!(sees_two(&mut source, [(20, 1, 5_000), (20, 3, 0)]), 5_495.0);
}

#[test]
fn a_record_that_was_seen_before_is_no_measurement() {
    let mut source = source(&PowerTcpParams::default());
    sees_two(&mut source, [(0, 1, 0), (0, 2, 0)]);
    assert_eq!(sees_two(&mut source, [(0, 1, 0), (0, 2, 0)]), 8_000.0);
    assert_eq!(source.power(), 1.0);
}
