//! Every packet is delivered exactly once and in order, whatever is lost.

use congestree_schemes::TransportParams;
use congestree_schemes::transport::LossCounts;
use congestree_schemes::transport::efl::{EflParams, Prediction};
use congestree_schemes::transport::go_back_n::GoBackNParams;
use congestree_schemes::transport::irn::IrnParams;
use congestree_schemes::transport::new_reno::NewRenoParams;
use congestree_units::{Bytes, Rate, Span, Time};
use proptest::prelude::*;

use crate::chance::Chance;
use crate::pipe::{Pipe, Run, What};

const PIPE: Pipe = Pipe {
    line: Rate::from_gbps(10),
    bottleneck: Rate::from_gbps(4),
    queue: 200,
    delay: Span::from_us(50),
    packet: Bytes(192),
};

/// Every transport that repairs losses, in all its variants; those of the EFL paper by name.
fn variants() -> Vec<TransportParams> {
    let efl = EflParams::default();
    let reno = NewRenoParams { least_timeout: Span::from_us(500), ..Default::default() };
    let flush = Some(Span::from_us(10));
    let back = GoBackNParams { timeout: Span::from_us(500), ..Default::default() };
    let irn = IrnParams { timeout_low: Span::from_us(400), timeout_high: Span::from_us(500), ..Default::default() };
    let named = ["efl", "efl-bw-probe", "efl-plain"].map(|name| {
        let preset = congestree_schemes::presets::all().into_iter().find(|preset| preset.name == name);
        preset.expect("the paper's algorithms are presets").transport
    });
    let more = [
        TransportParams::Efl(EflParams { delay_probing: false, prediction: Prediction::CurrentRate, ..efl.clone() }),
        TransportParams::Efl(EflParams { ack_flush: flush, ..efl.clone() }),
        TransportParams::Efl(EflParams { selective: true, ..efl.clone() }),
        TransportParams::Efl(EflParams { selective: true, probe_packets: 0, ack_every: 1, ..efl.clone() }),
        // A probe that no number of ACKs of ten packets covers exactly.
        TransportParams::Efl(EflParams { probe_packets: 7, delay_probing: false, ..efl }),
        TransportParams::NewReno(reno.clone()),
        TransportParams::NewReno(NewRenoParams { ack_every: 2, initial_window: 4, ack_flush: flush, ..reno.clone() }),
        TransportParams::NewReno(NewRenoParams { slow_start: false, largest_window: Some(20), ..reno.clone() }),
        TransportParams::NewReno(NewRenoParams { keep_window: true, slow_start: false, ..reno }),
        TransportParams::GoBackN(back.clone()),
        TransportParams::GoBackN(GoBackNParams { window: Some(30), ack_every: 4, ..back.clone() }),
        TransportParams::GoBackN(GoBackNParams { selective: true, ..back }),
        TransportParams::Irn(IrnParams { window: Some(30), ..irn.clone() }),
        TransportParams::Irn(IrnParams { window: Some(1), ..irn }),
    ];
    named.into_iter().chain(more).collect()
}

/// All transports of the list that are answered in order, with their defaults.
fn listed() -> impl Iterator<Item = TransportParams> {
    TransportParams::all_defaults().into_iter().filter(|params| params.receiver().is_some())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Data and ACKs are lost at random, up to a fifth of them; groups of all sizes follow each other.
    #[test]
    fn every_packet_arrives_once_and_in_order(
        seed in any::<u64>(),
        loss in 0.0f64..=0.2,
        groups in prop::collection::vec(1u32..400, 1..4),
    ) {
        for params in variants().into_iter().chain(listed()) {
            let mut chance = Chance(seed);
            let mut lose = |_: Time, _: What| chance.unit() < loss;
            let mut run = Run::new(PIPE, &params, &mut lose);
            let mut end = 0;
            for &packets in &groups {
                end += packets;
                let deadline = Time(run.now.0 + Span::from_ms(10_000_000).0);
                prop_assert!(run.until_done(end, deadline), "{:?}: stuck at {} of {end}", params, run.passed_on);
            }
            prop_assert_eq!(run.passed_on, end);
        }
    }

    /// A burst of losses of any length at any place.
    #[test]
    fn a_burst_of_losses_is_repaired(from in 0u64..300, length in 1u64..120) {
        for params in variants() {
            let mut count = 0;
            let mut lose = |_: Time, what: What| {
                count += u64::from(what != What::Ack);
                what != What::Ack && (from..from + length).contains(&count)
            };
            let mut run = Run::new(PIPE, &params, &mut lose);
            prop_assert!(run.until_done(500, Time(Span::from_ms(10_000_000).0)), "{:?}", params);
            prop_assert_eq!(run.passed_on, 500);
        }
    }
}

#[test]
fn without_losses_nothing_is_sent_twice() {
    for params in variants() {
        let mut run_loses_nothing = |_: Time, _: What| false;
        let mut run = Run::new(Pipe { queue: usize::MAX, ..PIPE }, &params, &mut run_loses_nothing);
        assert!(run.until_done(300, Time(Span::from_ms(10_000).0)), "{params:?}");
        // Only if the probe and the ACKs do not match, a timer is needed.
        let expected = u64::from(matches!(&params, TransportParams::Efl(efl) if efl.probe_packets == 7));
        assert_eq!(run.loss_counts().timeouts, expected, "{params:?}");
        assert!(run.sent <= 300 + 7 * expected, "{params:?}: {}", run.sent);
    }
}

/// EFL section II: two duplicate ACKs, not one, and go-back-N, not one packet.
#[test]
fn efl_goes_back_at_the_second_duplicate_ack() {
    let efl = EflParams { rtt_min: Some(Span::from_us(100)), ..Default::default() };
    let mut lost = false;
    let mut lose = |_: Time, what: What| what == What::Data(300) && !std::mem::replace(&mut lost, true);
    let mut run = Run::new(PIPE, &TransportParams::Efl(efl), &mut lose);
    assert!(run.until_done(2_000, Time(Span::from_ms(1_000).0)));
    let loss_counts = run.loss_counts();
    assert_eq!((loss_counts.losses, loss_counts.timeouts), (1, 0));
    assert!(loss_counts.resent > 100, "all that was on its way goes again: {}", loss_counts.resent);
    let halved = |k: &usize| (run.trace[*k].2.rate / run.trace[k - 1].2.rate - 0.5).abs() < 1e-9;
    let at: Vec<usize> = (1..run.trace.len()).filter(halved).collect();
    assert_eq!(at.len(), 1);
    // The ACK before it, the first duplicate, changed nothing; the one before that still acknowledged new packets.
    let state = |back: usize| run.trace[at[0] - back].2;
    assert!(state(1) == state(2) && state(2) != state(3), "{:?}", [state(3), state(2), state(1)]);
}

#[test]
fn with_selective_repeat_only_what_is_lost_is_sent_again() {
    let efl = EflParams { selective: true, ..Default::default() };
    let mut lost = std::collections::HashSet::new();
    let mut lose =
        |_: Time, what: What| matches!(what, What::Data(n) if [300, 310, 311].contains(&n) && lost.insert(n));
    let mut run = Run::new(PIPE, &TransportParams::Efl(efl), &mut lose);
    assert!(run.until_done(2_000, Time(Span::from_ms(1_000).0)));
    // One loss for the rate control: other losses in the same round trip are repaired without halving the rate again.
    assert_eq!(run.loss_counts(), LossCounts { resent: 3, losses: 1, timeouts: 0 });
}
