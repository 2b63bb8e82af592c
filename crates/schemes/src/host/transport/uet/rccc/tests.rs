//! RCCC against grants worked out by hand.

use super::*;

fn grants() -> Rccc {
    let params = RcccParams { share: 1.0, ..Default::default() };
    // 64 quanta are 16,384 B, which take 1,310.72 ns at 100 Gbit/s. An idle flow may have 128 quanta more.
    Rccc::new(&params, Rate::from_gbps(100), Span::from_us(12), 32_768)
}

/// All turns up to a time: flow, quanta beyond the first, and when.
fn turns(grants: &mut Rccc, count: usize) -> Vec<(u32, u32, u64)> {
    (0..count)
        .map_while(|_| {
            let at = grants.next_turn();
            let grant = (at != Time::NEVER).then(|| grants.turn(at)).flatten()?;
            Some((grant.flow, grant.quanta - FIRST, at.0))
        })
        .collect()
}

#[test]
fn senders_are_served_in_turn_and_paced_by_the_link() {
    let mut grants = grants();
    let (mut one, mut other) = (None, None);
    grants.on_request(&mut one, 7, FIRST + 150, false);
    grants.on_request(&mut other, 9, FIRST + 64, false);
    let got = turns(&mut grants, 4);
    assert_eq!(got, [(7, 64, 0), (9, 64, 1_310_720), (7, 128, 2_621_440), (7, 150, 3_932_160)]);
}

#[test]
fn a_link_that_is_slow_for_a_time_is_granted_for_at_its_rate() {
    let mut grants = grants();
    let mut one = None;
    grants.on_request(&mut one, 7, FIRST + 640, false);
    turns(&mut grants, 1);
    grants.on_rate(Rate::from_gbps(25));
    let got: Vec<u64> = turns(&mut grants, 3).into_iter().map(|(.., at)| at).collect();
    assert_eq!(got, [1_310_720, 6_553_600, 11_796_480]);
}

#[test]
fn when_nobody_waits_idle_flows_get_what_new_data_may_begin_with_and_no_more() {
    let mut grants = grants();
    let mut one = None;
    grants.on_request(&mut one, 7, FIRST + 10, false);
    let got: Vec<u32> = turns(&mut grants, 9).into_iter().map(|(_, quanta, _)| quanta).collect();
    assert_eq!(got, [10, 74, 138]);
    assert_eq!(grants.next_turn(), Time::NEVER);
}

#[test]
fn who_asks_twice_waits_once() {
    let mut grants = grants();
    let (mut one, mut other) = (None, None);
    grants.on_request(&mut one, 7, FIRST + 64, false);
    grants.on_request(&mut one, 7, FIRST + 128, true);
    grants.on_request(&mut other, 9, FIRST + 64, false);
    let got: Vec<_> = turns(&mut grants, 3).into_iter().map(|(flow, quanta, _)| (flow, quanta)).collect();
    assert_eq!(got, [(7, 64), (9, 64), (7, 128)]);
}

#[test]
fn idle_flows_take_turns_too() {
    let mut grants = grants();
    let (mut one, mut other) = (None, None);
    grants.on_request(&mut one, 7, FIRST + 64, false);
    grants.on_request(&mut other, 9, FIRST + 64, false);
    let got: Vec<_> = turns(&mut grants, 9).into_iter().map(|(flow, quanta, _)| (flow, quanta)).collect();
    assert_eq!(got, [(7, 64), (9, 64), (7, 128), (9, 128), (7, 192), (9, 192)]);
}

#[test]
fn who_insists_gets_a_turn_and_an_empty_one_costs_four_quanta() {
    let mut grants = grants();
    let mut one = None;
    grants.on_request(&mut one, 7, FIRST + 64, false);
    turns(&mut grants, 9);
    let before = grants.next_turn().min(grants.next_at);
    grants.on_request(&mut one, 7, FIRST + 64, true);
    assert_eq!(turns(&mut grants, 1), [(7, 192, before.0)]);
    assert_eq!(grants.next_at.since(before).0, 81_920);
}

/// A receiver below an oversubscribed fabric, whose periods last 15 us.
fn oversubscribed(share: f64) -> Rccc {
    let params = RcccParams { share, oversubscribed: Some(Oversubscribed::default()), ..Default::default() };
    Rccc::new(&params, Rate::from_gbps(100), Span::from_us(10), 1 << 18)
}

/// The share that it grants at this many microseconds.
fn rate(grants: &mut Rccc, us: u64) -> f64 {
    grants.fabric.as_mut().map_or(0.0, |fabric| fabric.rate_at(Time(us * 1_000_000)))
}

const WHOLE: Condition = Condition::Whole { marked: false };

#[test]
fn trims_in_the_fabric_lower_the_rate_and_calm_periods_raise_it_whether_packets_come_or_not() {
    let mut grants = oversubscribed(0.99);
    for (us, condition) in [WHOLE, WHOLE, Condition::TrimmedInFabric, WHOLE].into_iter().enumerate() {
        grants.on_packet(Time(us as u64 * 1_000_000), condition);
    }
    assert_eq!([rate(&mut grants, 14), rate(&mut grants, 15)], [1.0, 0.75]);
    grants.on_packet(Time(16_000_000), WHOLE);
    assert!((rate(&mut grants, 60) - (0.75 + 0.01 + 0.02 + 0.04)).abs() < 1e-12);
}

#[test]
fn trims_at_the_receiver_are_neither_marked_nor_trims_of_the_fabric() {
    let mut grants = oversubscribed(0.99);
    // One trim of the fabric among four packets; of the two complete ones both are marked.
    let marked = Condition::Whole { marked: true };
    for condition in [marked, Condition::TrimmedAtReceiver, Condition::TrimmedInFabric, marked] {
        grants.on_packet(Time::START, condition);
    }
    assert!((rate(&mut grants, 15) - 0.75 * (1.0 - 0.5 * (0.5 - 0.3))).abs() < 1e-12);
}

#[test]
fn a_few_marks_keep_the_rise_at_one_step_a_period() {
    let mut grants = oversubscribed(0.99);
    for condition in [WHOLE, WHOLE, Condition::TrimmedInFabric, WHOLE] {
        grants.on_packet(Time::START, condition);
    }
    // One of ten packets is marked: calm, but not without a mark.
    for (ends, wanted) in [(15, 0.75), (30, 0.76), (45, 0.77), (60, 0.78)] {
        assert!((rate(&mut grants, ends) - wanted).abs() < 1e-12, "{wanted}");
        (0..10).for_each(|k| grants.on_packet(Time(ends * 1_000_000), Condition::Whole { marked: k == 0 }));
    }
}

#[test]
fn marks_are_averaged_and_beyond_what_is_calm_the_rate_falls_and_turns_come_later() {
    let mut grants = oversubscribed(1.0);
    // Periods of four packets: two are marked, all, all, then none.
    let mut period = |us: u64, count: u64| {
        (0..4).for_each(|k| grants.on_packet(Time((us + k) * 1_000_000), Condition::Whole { marked: k < count }));
        rate(&mut grants, us + 15)
    };
    // Averages of a quarter, 5/8, 13/16, 13/32: the first is calm, and as some were marked it adds one step.
    let got = [(0, 2), (15, 4), (30, 4), (45, 0)].map(|(us, count)| period(us, count));
    let second = 1.0 - 0.5 * (0.625 - 0.3);
    let third = second * (1.0 - 0.5 * (0.8125 - 0.3));
    let fourth = third * (1.0 - 0.5 * (0.40625 - 0.3));
    for (got, wanted) in got.into_iter().zip([1.0, second, third, fourth]) {
        assert!((got - wanted).abs() < 1e-12, "{got} {wanted}");
    }
    let mut one = None;
    grants.on_request(&mut one, 7, FIRST + 640, false);
    grants.turn(Time(60_000_000));
    assert_eq!(grants.next_turn(), Time(60_000_000) + Span(1_310_720).scaled(1.0 / fourth));
}
