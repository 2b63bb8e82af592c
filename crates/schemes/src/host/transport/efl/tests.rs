//! The rules of EFL, one by one; whole trajectories are in `tests/transport`.

use congestree_units::Rate;

use super::*;

const LINE: Rate = Rate::from_gbps(10);
const LINK: HostLink = HostLink { line: LINE, packet: Bytes(192) };
const RTT: Span = Span::from_us(100);

/// A source with the parameters of the paper's figures, and `rtt_min` known.
fn source(change: impl FnOnce(&mut EflParams)) -> Efl {
    let mut params = EflParams { rtt_min: Some(RTT), ..Default::default() };
    change(&mut params);
    Efl::new(&params)
}

/// Sends whatever the source wants to send before `until`, each packet when it may go and the line is free.
fn send_until(source: &mut Efl, mut now: Time, until: Time) -> Vec<(Time, u32)> {
    let mut sent = Vec::new();
    while let Some(next) = source.next() {
        now = now.max(next.at);
        if now >= until {
            break;
        }
        sent.push((now, next.sequence));
        source.on_sent(now, LINK.packet, LINK);
        now += LINE.time_for(LINK.packet);
    }
    sent
}

fn ack(source: &mut Efl, at: Time, number: u32, stamp: Time) {
    source.on_ack(at, Ack { number, stamp, ..Ack::default() }, LINK);
}

/// A source in congestion avoidance at `rate` bytes per second that has sent 200 packets, 100 of them acknowledged.
fn avoiding(rate: f64) -> Efl {
    let mut source = source(|_| ());
    source.on_work(Time::START, u32::MAX, LINK);
    source.avoid(rate);
    for k in 0..200 {
        source.on_sent(Time(k), LINK.packet, LINK);
    }
    source.numbers.acknowledge(100);
    source.avoids_from = 0;
    source
}

#[test]
fn the_probe_goes_at_line_rate_and_then_the_least_rate_until_it_is_answered() {
    let mut source = source(|_| ());
    source.on_work(Time::START, u32::MAX, LINK);
    let sent = send_until(&mut source, Time::START, Time::START + RTT);
    let gap = |k: usize| sent[k].0.since(sent[k - 1].0);
    assert!((1..20).all(|k| gap(k) == LINE.time_for(LINK.packet)), "{sent:?}");
    assert!((20..sent.len()).all(|k| gap(k) == Rate(200_000_000).time_for(LINK.packet)), "{sent:?}");
    assert_eq!(source.phase, TransportPhase::DelayProbing);
}

#[test]
fn bw_probe_is_silent_until_the_probe_is_answered() {
    let mut source = source(|params| params.delay_probing = false);
    source.on_work(Time::START, u32::MAX, LINK);
    assert_eq!(send_until(&mut source, Time::START, Time::START + RTT).len(), 20);
    assert_eq!(source.phase, TransportPhase::BandwidthProbing);
}

#[test]
fn plain_starts_slowly() {
    let mut source = source(|params| params.probe_packets = 0);
    source.on_work(Time::START, u32::MAX, LINK);
    assert_eq!(source.phase, TransportPhase::CongestionAvoidance);
    assert_eq!(source.rate, 25e6);
}

/// Eq. (1): ten packets acknowledged 4 us after the first ten are 480 MB/s.
#[test]
fn the_distance_of_the_acks_is_the_first_rate() {
    let mut source = source(|_| ());
    source.on_work(Time::START, u32::MAX, LINK);
    send_until(&mut source, Time::START, Time::START + RTT);
    ack(&mut source, Time(110_000_000), 10, Time(1));
    assert_eq!(source.phase, TransportPhase::DelayProbing);
    ack(&mut source, Time(114_000_000), 20, Time(2));
    assert_eq!(source.phase, TransportPhase::CongestionAvoidance);
    assert!((source.rate / 480e6 - 1.0).abs() < 1e-9, "{}", source.rate);
}

/// Eq. (2), by hand: R = 100 MB/s, RTT 120 us: 2000 bytes are queued, 1000 below alpha, so the rate grows by
/// 1000 · 0.0316667 / 120e-6 bytes a second.
#[test]
fn each_ack_moves_the_rate_towards_alpha_bytes_in_the_queue() {
    let mut source = avoiding(100e6);
    ack(&mut source, Time(120_000_000), 110, Time::START);
    let by_hand = 100e6 + 1000.0 * 0.031_666_7 / 120e-6;
    assert!((source.rate / by_hand - 1.0).abs() < 1e-12, "{}", source.rate);

    let mut balanced = avoiding(150e6);
    ack(&mut balanced, Time(120_000_000), 110, Time::START);
    assert!((balanced.rate / 150e6 - 1.0).abs() < 1e-12, "{}", balanced.rate);
}

/// With alpha/4 and 12 beta, for an ACK of a packet that was sent before the rate was known.
#[test]
fn packets_of_delay_probing_correct_the_rate_more_strongly() {
    let mut source = avoiding(100e6);
    source.avoids_from = 200;
    ack(&mut source, Time(120_000_000), 110, Time::START);
    let by_hand = 100e6 + (750.0 - 2000.0) * 0.031_666_7 * 12.0 / 120e-6;
    assert!((source.rate / by_hand - 1.0).abs() < 1e-12, "{}", source.rate);
}

#[test]
fn a_loss_halves_the_rate() {
    let mut source = avoiding(100e6);
    ack(&mut source, Time(300_000_000), 100, Time(250_000_000));
    assert_eq!(source.rate, 100e6, "one duplicate ACK may be chance");
    ack(&mut source, Time(300_000_000), 100, Time(250_000_000));
    assert_eq!((source.rate, source.next().map(|next| next.sequence)), (50e6, Some(100)));
    assert_eq!(source.loss_counts(), LossCounts { resent: 0, losses: 1, timeouts: 0 });
}

#[test]
fn duplicates_are_counted_from_the_last_news_on() {
    let mut source = avoiding(100e6);
    ack(&mut source, Time(300_000_000), 100, Time(250_000_000));
    ack(&mut source, Time(301_000_000), 101, Time(251_000_000));
    ack(&mut source, Time(302_000_000), 101, Time(252_000_000));
    assert_eq!(source.loss_counts().losses, 0);
    ack(&mut source, Time(303_000_000), 101, Time(253_000_000));
    assert_eq!(source.loss_counts().losses, 1);
}

#[test]
fn silence_begins_with_the_first_packet_on_its_way() {
    let mut source = source(|_| ());
    let later = Time(9_000_000_000);
    source.on_work(later, 5, LINK);
    source.on_sent(later, LINK.packet, LINK);
    source.on_sent(later + Span::from_us(1), LINK.packet, LINK);
    assert_eq!(source.next_timer(), later + Span::from_us(580));
}

#[test]
fn a_loss_in_the_bandwidth_probe_sets_the_rate_to_zero_and_packets_go_at_the_floor() {
    let mut source = source(|_| ());
    source.on_work(Time::START, u32::MAX, LINK);
    send_until(&mut source, Time::START, Time::START + RTT);
    for _ in 0..2 {
        ack(&mut source, Time(110_000_000), 0, Time(2));
    }
    assert_eq!(source.gauges().rate, 0.0);
    let gap = Rate(40_000_000).time_for(LINK.packet);
    assert_eq!(source.next(), Some(Next { at: source.last_start + gap, ..Next::at_once(0, false) }));
}

#[test]
fn one_loss_is_not_taken_for_two() {
    let mut source = avoiding(100e6);
    for at in 300..340 {
        // Packets sent before the repair at 301 us keep causing duplicate ACKs.
        ack(&mut source, Time(at * 1_000_000), 100, Time((at - 100) * 1_000_000));
    }
    assert_eq!((source.rate, source.loss_counts().losses), (50e6, 1));
}

#[test]
fn silence_is_a_loss_too() {
    let mut source = avoiding(100e6);
    let at = source.next_timer();
    assert_eq!(at, source.progress_at + Span::from_us(580));
    source.on_timer(at, LINK);
    assert_eq!((source.rate, source.loss_counts().timeouts), (50e6, 1));
    assert_eq!(source.next_timer(), at + Span::from_us(580));
}

#[test]
fn a_source_with_everything_acknowledged_is_idle_and_forgets_its_rate() {
    let mut source = source(|_| ());
    source.on_work(Time::START, 5, LINK);
    assert_eq!(send_until(&mut source, Time::START, Time::START + RTT).len(), 5);
    ack(&mut source, Time(101_000_000), 5, Time(1));
    assert_eq!((source.phase, source.next_timer()), (TransportPhase::Idle, Time::NEVER));
    source.on_work(Time(200_000_000), 50, LINK);
    assert_eq!(source.phase, TransportPhase::BandwidthProbing);
    assert_eq!(send_until(&mut source, Time(200_000_000), Time(204_000_000)).len(), 20);
}

#[test]
fn whatever_the_delays_the_rate_stays_between_the_floor_and_the_line() {
    for (rtt_us, number) in [(100, 110), (101, 110), (5_000, 110), (90, 110)] {
        for rate in [0.0, 5e6, 1e9, 1.25e9] {
            let mut source = avoiding(rate);
            ack(&mut source, Time(rtt_us * 1_000_000), number, Time::START);
            assert!((5e6..=1.25e9).contains(&source.rate), "{}", source.rate);
        }
    }
}
