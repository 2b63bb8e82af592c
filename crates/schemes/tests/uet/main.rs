//! The Ultra Ethernet transport over a network with arbitrary faults: nothing is lost or doubled, order is kept where
//! promised, the window is never exceeded, and everything ends.

#[path = "../shared/chance.rs"]
mod chance;
mod pipe;

use congestree_schemes::transport::uet::{CongestionControl, DeliveryMode, NsccParams, UetParams};
use congestree_schemes::transport::{FIRST, Grants, QUANTUM};
use congestree_schemes::{PathsParams, TransportParams};
use congestree_units::{Bytes, Span, Time};
use proptest::prelude::*;

use pipe::{LINK, PACKET, ROUND_TRIP, Run, Weather};

const CALM: Weather = Weather { lost: 0.0, trimmed: 0.0, marked: 0.0, spread: Span::ZERO };

fn params() -> impl Strategy<Value = UetParams> {
    let control = prop::sample::select(vec![
        CongestionControl::Nscc,
        CongestionControl::Rccc,
        CongestionControl::Both,
        CongestionControl::None,
    ]);
    let initial_window = prop_oneof![Just(None), Just(Some(2))];
    let paths = prop::sample::select(PathsParams::all_defaults());
    (control, initial_window, paths, any::<bool>(), 1u64..20_000).prop_map(
        |(control, initial_window, paths, ordered, ack_after)| UetParams {
            delivery: if ordered { DeliveryMode::Ordered } else { DeliveryMode::Unordered },
            ack_after: Bytes(ack_after),
            congestion_control: control,
            nscc: NsccParams { initial_window, ..Default::default() },
            paths,
            ..Default::default()
        },
    )
}

fn weather() -> impl Strategy<Value = Weather> {
    (prop_oneof![Just(0.0), 0.0..0.3], prop_oneof![Just(0.0), 0.0..0.5], 0.0..1.0, 0u64..40)
        .prop_map(|(lost, trimmed, marked, us)| Weather { lost, trimmed, marked, spread: Span::from_us(us) })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn whatever_happens_every_packet_arrives_once(
        params in params(), weather in weather(), seed: u64,
        messages in prop::collection::vec((1u32..120, 65u32..=PACKET), 1..4),
    ) {
        let mut run = Run::new(&params, weather, seed);
        let mut packets = 0;
        for (count, last) in messages {
            prop_assert!(run.message(count, last, Time::START + Span::from_ms(10_000)), "it stalls at {:?}", run.now);
            packets += u64::from(count);
            prop_assert_eq!(run.passed_on, packets);
        }
        prop_assert!(run.sent >= packets);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// The contract of the role: turns in time, numbers that never decrease, no flow forgotten, and no more than the
    /// link carries.
    #[test]
    fn what_is_granted_never_falls_and_nobody_who_asks_is_forgotten(
        steps in prop::collection::vec((0u32..8, 1u32..400, any::<bool>(), 1usize..6), 1..60),
    ) {
        let params = UetParams { congestion_control: CongestionControl::Rccc, ..Default::default() };
        let Some(mut grants) = TransportParams::Uet(params).grants(LINK.line, || ROUND_TRIP) else { unreachable!() };
        let (mut askers, mut wants, mut has) = ([None; 8], [FIRST; 8], [FIRST; 8]);
        let mut now = Time::START;
        for (flow, more, insists, turns) in steps {
            let at = flow as usize;
            wants[at] += more;
            grants.on_request(&mut askers[at], flow, wants[at], insists);
            for _ in 0..turns {
                let next = grants.next_turn();
                if next == Time::NEVER { break; }
                if next > now { prop_assert_eq!(grants.turn(now), None, "before its time"); }
                now = now.max(next);
                if let Some(grant) = grants.turn(now) {
                    let at = grant.flow as usize;
                    prop_assert!(grant.quanta >= has[at]);
                    let paid = LINK.line.time_for(Bytes(u64::from(grant.quanta - has[at]) * QUANTUM));
                    prop_assert!(grants.next_turn() >= now + paid, "faster than the link");
                    has[at] = grant.quanta;
                }
            }
        }
        // 64 quanta a turn: what all still want, and one turn more for each.
        let turns: u32 = (0..8).map(|at: usize| wants[at].saturating_sub(has[at]).div_ceil(64) + 1).sum();
        for _ in 0..turns {
            now = now.max(grants.next_turn());
            if let Some(grant) = grants.turn(now) { has[grant.flow as usize] = grant.quanta; }
        }
        prop_assert!((0..8).all(|at| has[at] >= wants[at]), "{has:?} of {wants:?}");
    }
}

/// 2 MB are 490 packets; ACKs: the first packet, every fourth of the others, and the last, which asks for one.
#[test]
fn a_calm_flow_of_490_packets_gets_124_acks_and_sends_nothing_again() {
    let mut run = Run::new(&UetParams::default(), CALM, 1);
    assert!(run.message(490, 2_010, Time::START + Span::from_ms(1)));
    assert_eq!((run.sent, run.answers), (490, 124));
    // Nothing but the line holds it up: 2,031,360 B at 100 Gbit/s, and a round trip.
    assert_eq!(run.now, Time(162_508_800 - 160_800 + 12_000_000));
}

/// Credit comes at 99 % of the link from the first packet on, so that nothing but that 1 % is lost.
#[test]
fn a_calm_flow_with_credit_goes_at_99_per_cent() {
    let mut run = Run::new(&UetParams { congestion_control: CongestionControl::Rccc, ..Default::default() }, CALM, 1);
    assert!(run.message(490, 2_010, Time::START + Span::from_ms(1)));
    assert_eq!(run.sent, 490);
    let more = run.now.0 as f64 - 174_348_000.0;
    assert!((0.0..2_500_000.0).contains(&more), "{more} ps more than without, {} answers", run.answers);
}
