//! Rules for every part, no matter who wrote it. A new part is checked as soon as it is on its list.

use congestree_schemes::check::{Diagnostics, Part, Setting};
use congestree_schemes::mark::{Departing, HoldView, MarkAction, OutputView, PortView};
use congestree_schemes::react::{Acked, Feedback, Needs, Sent};
use congestree_schemes::route::Passing;
use congestree_schemes::telemetry::{HopRecord, Seen, Telemetry};
use congestree_schemes::transport::{Ack, HostLink, Next};
use congestree_schemes::{
    AnyMarker, AnyReaction, AnyTransport, IsolateParams, MarkParams, Marker, PathsParams, ReactParams, ReactionPoint,
    RouteParams, Router, ScheduleParams, Transport, TransportParams,
};
use congestree_units::{Bytes, Rate, Span, Time};
use proptest::prelude::*;

/// Clear ACKs after which every source must be back at line rate: AIMD needs 32,765 from its floor.
const LONG_SILENCE: usize = 40_000;

/// Time of a full packet.
const FULL: Span = Span::from_us(1);
/// A packet of a tenth of the link's bytes in that time, so that counters of bytes go on.
const SENT: Bytes = Bytes(3_125);
/// From one ACK to the next.
const GAP: Span = Span::from_us(10);

/// Packet times between two packets at the least rate of a part: R_max/R_min where it says so, or its least rate in
/// packet times of the link that it assumes until it is told.
fn slowest(params: &ReactParams) -> f64 {
    let line = congestree_schemes::react::LinkView::default().line.0 as f64;
    match params {
        ReactParams::Dcqcn(params) => line / params.min_rate.0 as f64,
        ReactParams::Timely(params) => line / params.min_rate.0 as f64,
        _ => 256.0,
    }
}

/// An ACK after 60 us, with a mark or without.
fn ack(marked: bool) -> Acked<'static> {
    Acked::one(if marked { Feedback::Congested } else { Feedback::Clear }, Span::from_us(60))
}

/// A full packet that has just been sent.
fn sent(now: Time) -> Sent {
    Sent { start: now, time: FULL, full: FULL, line: congestree_schemes::react::LinkView::default().line }
}

/// Packet times from the start of a packet to the next, as things stand.
fn times(source: &AnyReaction, now: Time) -> f64 {
    source.next_start(sent(now)).since(now).0 as f64 / FULL.0 as f64
}

fn departs(marker: &mut AnyMarker, view: OutputView) -> bool {
    marker.on_departure(view, Departing { size: 2048, isolated: false }, || 0.0)
}
const LINK: HostLink = HostLink { line: Rate::from_gbps(10), packet: Bytes(192) };

fn view(now: u64, present: u32) -> OutputView {
    OutputView { now: Time(now), present, waiting: 0, last_blocked: None }
}

#[test]
fn parameters_survive_a_round_trip() -> Result<(), serde_json::Error> {
    for params in ReactParams::all_defaults() {
        let again: ReactParams = serde_json::from_str(&serde_json::to_string(&params)?)?;
        assert_eq!(again, params);
    }
    for params in MarkParams::all_defaults() {
        let again: MarkParams = serde_json::from_str(&serde_json::to_string(&params)?)?;
        assert_eq!(again, params);
    }
    for params in TransportParams::all_defaults() {
        let again: TransportParams = serde_json::from_str(&serde_json::to_string(&params)?)?;
        assert_eq!(again, params);
    }
    for params in IsolateParams::all_defaults() {
        let again: IsolateParams = serde_json::from_str(&serde_json::to_string(&params)?)?;
        assert_eq!(again, params);
    }
    Ok(())
}

/// All parts of all roles with their defaults.
fn all_parts() -> Vec<Box<dyn Part>> {
    fn boxed<P: Part + 'static>(parts: Vec<P>) -> impl Iterator<Item = Box<dyn Part>> {
        parts.into_iter().map(|part| Box::new(part) as Box<dyn Part>)
    }
    boxed(MarkParams::all_defaults())
        .chain(boxed(ReactParams::all_defaults()))
        .chain(boxed(IsolateParams::all_defaults()))
        .chain(boxed(RouteParams::all_defaults()))
        .chain(boxed(ScheduleParams::all_defaults()))
        .chain(boxed(PathsParams::all_defaults()))
        .chain(boxed(TransportParams::all_defaults()))
        .collect()
}

#[test]
fn defaults_make_sense_in_a_plain_network() {
    // The defaults of EFL are those of its paper, whose packets are small.
    let setting = Setting { packet: Bytes(192), ..Setting::default() };
    for part in all_parts() {
        let mut found = Diagnostics::about(part.name());
        part.check(&setting, &mut found);
        assert_eq!(found.list, []);
    }
}

#[test]
fn parts_are_called_what_scenarios_call_them() -> Result<(), serde_json::Error> {
    for params in RouteParams::all_defaults() {
        let written = serde_json::to_value(&params)?;
        assert!(written.get(params.name()).is_some(), "{written}");
    }
    for params in MarkParams::all_defaults() {
        let written = serde_json::to_value(&params)?;
        assert!(written.get(params.name()).is_some(), "{written}");
    }
    Ok(())
}

/// If nothing uses the queues they need not be counted.
#[test]
fn a_router_that_uses_queues_declares_it() {
    for params in RouteParams::all_defaults().into_iter().filter(|params| !params.goes_by_queues()) {
        let mut router = params.build();
        for label in 0..200 {
            let asked = |_| panic!("{params:?} asks what waits");
            router.choose(Passing { now: Time(label * GAP.0), label }, 4, asked, || label as f64 / 200.0);
        }
    }
}

#[test]
fn a_fresh_source_sends_at_line_rate() {
    for params in ReactParams::all_defaults() {
        assert!(times(&params.build(), Time::START) <= 1.0, "{params:?}");
        assert_eq!(params.build().limit(Time::START, FULL), 1.0, "{params:?}");
    }
}

#[test]
fn a_link_holds_as_many_full_packets_as_keep_it_busy_for_a_round_trip() {
    use congestree_schemes::react::LinkView;
    // A packet a microsecond.
    let held = |round_trip| {
        LinkView { line: Rate::from_gbps(8), packet: Bytes(1_000), round_trip, hops: 1 }.packets_in_flight()
    };
    let us = Span::from_us(20);
    assert_eq!([us, us + Span(1), Span(us.0 - 1), Span::ZERO].map(held), [20, 21, 20, 1]);
}

/// For those that step with each piece of feedback.
#[test]
fn an_ack_for_several_packets_is_as_many_pieces_of_feedback() {
    for params in ReactParams::all_defaults() {
        if !matches!(params, ReactParams::Lipd(_) | ReactParams::Fimd(_) | ReactParams::Aimd(_)) {
            continue;
        }
        for feedback in [Feedback::Congested, Feedback::Clear] {
            let limits = [vec![3], vec![1, 1, 1], vec![1, 1]].map(|acks| {
                let mut source = params.build();
                (0..3).for_each(|_| source.on_feedback(Time::START, Feedback::Congested));
                for packets in acks {
                    source.on_ack(Time(1), &Acked { packets, ..Acked::one(feedback, Span::from_us(60)) });
                }
                source.limit(Time(1), FULL)
            });
            assert_eq!(limits[0], limits[1], "{params:?}");
            assert_ne!(limits[0], limits[2], "{params:?}");
        }
    }
}

/// Inputs that a part does not declare are not provided: a part that forgets one fails here.
#[test]
fn a_source_declares_what_it_depends_on() {
    use congestree_schemes::react::LinkView;
    let near = LinkView { line: Rate::from_gbps(10), packet: Bytes(1_048), round_trip: Span::from_us(5), hops: 1 };
    let far = LinkView { line: Rate::from_gbps(100), packet: Bytes(4_150), round_trip: Span::from_us(50), hops: 5 };
    // Of `every` packets one is marked; none if that is 0.
    let at = |params: &ReactParams, link: LinkView, every: u64| {
        let mut source = params.build();
        source.at_link(link);
        for step in 1..50 {
            let now = Time(step * GAP.0);
            let marked = every > 0 && step % every == 0;
            let hop = HopRecord { at: now, bytes: 900 * step, queue: 3_000, output: 0, rate: Rate::from_gbps(10) };
            let hops = [hop];
            let telemetry = match params.needs().telemetry {
                Telemetry::None => None,
                Telemetry::Records => Some(Seen::Records(&hops)),
                Telemetry::Digest(_) => Some(Seen::Digest(1.5)),
            };
            source.on_ack(now, &Acked { telemetry, ..ack(marked) });
        }
        let now = Time(50 * GAP.0);
        (source.window(), source.limit(now, FULL).to_bits(), source.next_start(sent(now)))
    };
    for params in ReactParams::all_defaults() {
        let (needs, source) = (params.needs(), params.build());
        assert_eq!(needs.window, source.window().is_some(), "{params:?}");
        assert!(needs.placement || at(&params, near, 3) == at(&params, far, 3), "{params:?}");
        let answers = at(&params, near, 1) != at(&params, near, 0);
        assert_eq!(answers, needs.marks && !needs.ignores_marks, "whether marks make a difference: {params:?}");
        assert!(needs.marks || needs == Needs::default(), "only a reaction to marks needs anything: {params:?}");
    }
}

#[test]
fn a_new_marker_marks_nothing_that_leaves() {
    for params in MarkParams::all_defaults() {
        let mut marker = params.build();
        assert_eq!(marker.due(), 0, "{params:?}");
        marker.at_port(PortView {
            number: 1,
            to_host: true,
            buffer: Bytes(65_536),
            lane: 0,
            rate: Rate::from_gbps(10),
            hold: HoldView::NONE,
        });
        assert!(!departs(&mut marker, view(0, 1)), "{params:?}");
    }
}

#[test]
fn only_markers_that_ask_for_full_buffers_act_on_them() {
    for params in MarkParams::all_defaults() {
        let mut marker = params.build();
        let acts = marker.on_full(view(0, 3)) != MarkAction::None;
        assert_eq!(acts, marker.full_at(4).is_some(), "{params:?}");
    }
}

#[test]
fn a_fresh_transport_waits_for_work_and_then_begins_with_packet_zero_at_once() {
    for params in TransportParams::all_defaults() {
        let mut transport = params.build();
        assert_eq!((transport.next(), transport.next_timer()), (None, Time::NEVER), "{params:?}");
        transport.on_work(Time(5), 3, LINK);
        assert!(transport.next().is_some_and(|next| next.sequence == 0 && next.at <= Time(5)), "{params:?}");
    }
}

/// Timers are in the future after they were served, and no timer runs once everything is acknowledged.
#[test]
fn a_transport_that_is_answered_rests() {
    for params in TransportParams::all_defaults() {
        let mut transport = params.build();
        transport.on_work(Time(5), 3, LINK);
        let mut now = Time(5);
        while let Some(Next { at, .. }) = transport.next() {
            now = now.max(at);
            transport.on_sent(now, LINK.packet, LINK);
            let timer = transport.next_timer();
            assert!(timer > now, "{params:?}");
            if timer != Time::NEVER {
                transport.on_timer(timer, LINK);
                assert!(transport.next_timer() > timer, "{params:?}");
                now = timer;
            }
            let number = transport.acknowledged() + 1;
            transport.on_ack(now, Ack { number, stamp: now, ..Ack::default() }, LINK);
        }
        assert_eq!((transport.acknowledged(), transport.next_timer()), (3, Time::NEVER), "{params:?}");
    }
}

#[test]
fn state_stays_small() {
    assert!(size_of::<AnyReaction>() <= 64, "{}", size_of::<AnyReaction>());
    assert!(size_of::<AnyMarker>() <= 64, "{}", size_of::<AnyMarker>());
    assert!(size_of::<AnyTransport>() <= 512, "{}", size_of::<AnyTransport>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever feedback a source has received, its limit and its pace are numbers of packet times, and not slower than
    /// its slowest.
    #[test]
    fn the_pace_stays_within_its_bounds(marks in prop::collection::vec(any::<bool>(), 0..400)) {
        for params in ReactParams::all_defaults() {
            let mut source = params.build();
            let mut now = Time::START;
            for &marked in &marks {
                now += GAP;
                source.on_feedback(now, if marked { Feedback::Congested } else { Feedback::Clear });
                prop_assert!((1.0..=slowest(&params)).contains(&source.limit(now, FULL)), "{:?}", params);
                prop_assert!((0.0..=slowest(&params)).contains(&times(&source, now)), "{:?}", params);
            }
        }
    }

    /// More marks never allow a source to send sooner.
    #[test]
    fn a_mark_never_speeds_a_source_up(marks in prop::collection::vec(any::<bool>(), 0..300)) {
        // PCN goes down to the rate of arrival, and a marked packet has arrived too.
        let counts = |params: &ReactParams| matches!(params, ReactParams::Pcn(_));
        for params in ReactParams::all_defaults().into_iter().filter(|params| !counts(params)) {
            let mut source = params.build();
            let mut now = Time::START;
            for &marked in &marks {
                now += GAP;
                let before = times(&source, now);
                source.on_feedback(now, if marked { Feedback::Congested } else { Feedback::Clear });
                prop_assert!(!marked || times(&source, now) >= before, "{:?}", params);
            }
        }
    }

    /// Undetermined feedback changes nothing: neither the limit, nor the window, nor the next start of a packet.
    #[test]
    fn an_undetermined_packet_moves_no_rate(marks in prop::collection::vec(any::<bool>(), 0..300)) {
        // Reactions that use telemetry, or delay alone, ignore marks of either kind.
        let ignores_marks = |params: &ReactParams| {
            let after = |marked| {
                let mut source = params.build();
                (1..=200).for_each(|step| source.on_ack(Time(step * GAP.0), &ack(marked)));
                (source.limit(Time(200 * GAP.0), FULL).to_bits(), source.window())
            };
            after(true) == after(false)
        };
        for params in ReactParams::all_defaults().into_iter().filter(|params| !ignores_marks(params)) {
            let mut source = params.build();
            let mut now = Time::START;
            for &marked in &marks {
                now += GAP;
                source.on_ack(now, &ack(marked));
            }
            let state = |source: &AnyReaction| (source.limit(now, FULL).to_bits(), source.window());
            let before = state(&source);
            source.on_ack(now, &Acked::one(Feedback::Undetermined, Span::from_us(900)));
            prop_assert_eq!(state(&source), before, "{:?}", params);
        }
    }

    /// Without marks, line rate is restored.
    #[test]
    fn silence_restores_line_rate(marks in 0usize..300) {
        for params in ReactParams::all_defaults() {
            let mut source = params.build();
            let mut now = Time::START;
            for _ in 0..marks {
                now += GAP;
                source.on_feedback(now, Feedback::Congested);
            }
            for _ in 0..LONG_SILENCE {
                now += GAP;
                source.on_sent(now, SENT);
                source.on_feedback(now, Feedback::Clear);
            }
            prop_assert_eq!(source.limit(now, FULL), 1.0, "{:?}", params);
        }
    }

    /// Equal questions get equal answers, and a marker never has more marks due than packets were present.
    #[test]
    fn markers_are_deterministic_and_owe_no_more_than_was_present(
        steps in prop::collection::vec((0u8..3, 1u32..40), 1..200),
    ) {
        for params in MarkParams::all_defaults() {
            let (mut a, mut b) = (params.build(), params.build());
            let mut most = 0;
            for (now, &(kind, present)) in steps.iter().enumerate() {
                let view = view(now as u64, present);
                let answers = |marker: &mut AnyMarker| match kind {
                    0 => (marker.on_full(view), false),
                    1 => (marker.on_arrival(view), false),
                    _ => (MarkAction::None, departs(marker, view)),
                };
                prop_assert_eq!(answers(&mut a), answers(&mut b));
                most = most.max(present);
                prop_assert!(a.due() <= most);
            }
        }
    }
}
