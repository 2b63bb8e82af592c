//! NewReno compared with publications: the sawtooth and the square-root law (Mathis et al. 1997), and recovery from
//! several losses in one window (RFC 6582).

use congestree_schemes::TransportParams;
use congestree_schemes::transport::TransportPhase;
use congestree_schemes::transport::new_reno::NewRenoParams;
use congestree_units::{Bytes, Rate, Span, Time};

use crate::chance::Chance;
use crate::pipe::{Pipe, Run, What};

/// A round trip of 100 ms, and a line so fast that only the window counts.
const LONG: Pipe = Pipe {
    line: Rate::from_gbps(100),
    bottleneck: Rate::from_gbps(100),
    queue: usize::MAX,
    delay: Span::from_ms(50),
    packet: Bytes(1500),
};
const RTT: f64 = 0.1;

fn reno() -> NewRenoParams {
    NewRenoParams::default()
}

/// Runs this many packets; every `every`-th that is sent for the first time is lost, and an ACK answers `ack_every`.
fn periodic(every: u32, packets: u32, ack_every: u32) -> Vec<(Time, TransportPhase, f64)> {
    let mut top = 0;
    let mut lose = |_: Time, what: What| match what {
        What::Data(sequence) if sequence >= top => {
            top = sequence + 1;
            sequence % every == every - 1
        }
        _ => false,
    };
    // Long beside what a window of packets takes, so that hardly an ACK answers one packet alone.
    let params = NewRenoParams { ack_every, ack_flush: Some(Span::from_ms(20)), ..reno() };
    let mut run = Run::new(LONG, &TransportParams::NewReno(params), &mut lose);
    assert!(run.until_done(packets, Time(u64::MAX / 2)));
    assert_eq!(run.loss_counts().timeouts, 0);
    run.trace.iter().map(|(at, _, gauges)| (*at, gauges.phase, gauges.window)).collect()
}

/// With a loss every 1/p packets and an ACK for b of them, the window goes from W/2 to W with W = sqrt(8/3pb), in b W/2 round
/// trips.
#[test]
fn periodic_losses_make_the_published_sawtooth() {
    for (every, b) in [(600u32, 1), (2400, 1), (1200, 2), (4800, 2)] {
        let trace = periodic(every, 40 * every + every / 2, b);
        let peak = (8.0 * f64::from(every) / 3.0 / f64::from(b)).sqrt();
        // A tooth begins where recovery ends.
        let begins: Vec<usize> = (1..trace.len())
            .filter(|&k| trace[k - 1].1 == TransportPhase::Recovery && trace[k].1 != TransportPhase::Recovery)
            .collect();
        let settled = &begins[10..];
        let teeth = settled.len() as f64 - 1.0;
        let first = trace[settled[0]].0;
        let last = trace[settled[settled.len() - 1]].0;
        let period = last.since(first).as_secs() / teeth;
        // Recovery takes one round trip on top of those of the tooth.
        let expected = (f64::from(b) * peak / 2.0 + 1.0) * RTT;
        assert!((period / expected - 1.0).abs() < 0.1, "b = {b}: period {period}, expected {expected}");

        let steady = &trace[settled[0]..settled[settled.len() - 1]];
        let windows = steady.windows(2).filter(|w| w[0].1 == TransportPhase::CongestionAvoidance);
        let (area, time) = windows.fold((0.0, 0.0), |(area, time), w| {
            let dt = w[1].0.since(w[0].0).as_secs();
            (area + w[0].2 * dt, time + dt)
        });
        assert!((area / time / (0.75 * peak) - 1.0).abs() < 0.1, "mean {}, expected {}", area / time, 0.75 * peak);
        let highest =
            steady.iter().filter(|s| s.1 == TransportPhase::CongestionAvoidance).map(|s| s.2).fold(0.0, f64::max);
        assert!((highest / peak - 1.0).abs() < 0.1, "highest {highest}, expected {peak}");
    }
}

/// Random losses with probability p: rate · RTT = C / sqrt(p). C = sqrt(3/2) holds for periodic losses; for independent
/// ones the published value is 1.31 (Ott, Kemperman and Mathis 1996).
#[test]
fn random_losses_follow_the_square_root_law() {
    for p in [0.0005, 0.001, 0.002] {
        let mut chance = Chance(7);
        let mut lose = |_: Time, what: What| what != What::Ack && chance.unit() < p;
        let mut run = Run::new(LONG, &TransportParams::NewReno(reno()), &mut lose);
        let packets = (300.0 / p) as u32;
        assert!(run.until_done(packets, Time(u64::MAX / 2)));
        let window = f64::from(packets) / (run.now.as_secs() / RTT);
        let expected = 1.31 / p.sqrt();
        assert!((window / expected - 1.0).abs() < 0.15, "p = {p}: mean window {window}, expected {expected}");
    }
}

/// Several losses in one window are repaired one in a round trip, without a timeout and with one halving.
#[test]
fn several_losses_in_one_window_are_repaired_by_partial_acks() {
    let mut lost = std::collections::HashSet::new();
    let mut lose =
        |_: Time, what: What| matches!(what, What::Data(n) if [40, 44, 47, 50].contains(&n) && lost.insert(n));
    // The timer of RFC 6298: the first partial ACK restarts it, and it must last for the others.
    let params = NewRenoParams { least_timeout: Span::from_ms(1_000), ..reno() };
    let mut run = Run::new(LONG, &TransportParams::NewReno(params), &mut lose);
    assert!(run.until_done(400, Time(u64::MAX / 2)));
    let loss_counts = run.loss_counts();
    assert_eq!((loss_counts.losses, loss_counts.timeouts, loss_counts.resent), (1, 0, 4));
    let recovery: Vec<Time> = run
        .trace
        .iter()
        .filter(|(_, _, gauges)| gauges.phase == TransportPhase::Recovery)
        .map(|(at, ..)| *at)
        .collect();
    let lasted = recovery[recovery.len() - 1].since(recovery[0]).as_secs();
    assert!((3.0 * RTT..4.5 * RTT).contains(&lasted), "{lasted}");
}

/// RFC 6582 section 3.2, step 3: the first partial ACK of a recovery restarts the timer, and the others do not. Recovery
/// takes a round trip for each loss; with a timer of two and a half, three losses are repaired in time and four are not.
#[test]
fn only_the_first_partial_ack_of_a_recovery_restarts_the_timer() {
    for (losses, timeouts) in [(2, 0), (3, 0), (4, 1)] {
        let mut lost = std::collections::HashSet::new();
        let chosen = &[40, 44, 47, 50][..losses];
        let mut lose = |_: Time, what: What| matches!(what, What::Data(n) if chosen.contains(&n) && lost.insert(n));
        let params = NewRenoParams { least_timeout: Span::from_ms(250), ..reno() };
        let mut run = Run::new(LONG, &TransportParams::NewReno(params), &mut lose);
        assert!(run.until_done(400, Time(u64::MAX / 2)));
        assert_eq!((run.loss_counts().losses, run.loss_counts().timeouts), (1, timeouts), "{losses} losses");
    }
}

#[test]
fn slow_start_doubles_the_window_every_round_trip() {
    let mut lose = |_: Time, _: What| false;
    let mut run = Run::new(LONG, &TransportParams::NewReno(reno()), &mut lose);
    assert!(run.until_done(1023, Time(u64::MAX / 2)));
    // 1 + 2 + 4 + ... + 512 packets: ten round trips.
    assert!((run.now.as_secs() / (10.0 * RTT) - 1.0).abs() < 0.01, "{}", run.now.as_secs());
}

#[test]
fn without_slow_start_the_window_grows_by_one_a_round_trip() {
    let mut lose = |_: Time, _: What| false;
    let params = NewRenoParams { slow_start: false, ..reno() };
    let mut run = Run::new(LONG, &TransportParams::NewReno(params), &mut lose);
    assert!(run.until_done(465, Time(u64::MAX / 2)));
    // 1 + 2 + ... + 30 packets, and a few more round trips because a window of w grows by slightly less than one.
    let trips = run.now.as_secs() / RTT;
    assert!((30.0..34.0).contains(&trips), "{trips}");
}

#[test]
fn when_all_is_lost_the_timer_doubles() {
    let mut lose = |at: Time, _: What| at.as_secs() > 0.35 && at.as_secs() < 4.0;
    let mut run = Run::new(LONG, &TransportParams::NewReno(reno()), &mut lose);
    assert!(run.until_done(200, Time(u64::MAX / 2)));
    let timers: Vec<f64> = run.trace.iter().filter(|t| t.1 == "timer").map(|t| t.0.as_secs()).collect();
    assert!(timers.len() >= 3, "{timers:?}");
    let ratio = (timers[2] - timers[1]) / (timers[1] - timers[0]);
    assert!((ratio - 2.0).abs() < 0.01, "{timers:?}");
}
