//! What every part must keep, whoever wrote it. A new part is checked by standing on its list.

use congestree_schemes::mark::{Action, OutputView};
use congestree_schemes::react::{Feedback, Pace};
use congestree_schemes::{AnyMarker, AnyReaction, MarkParams, Marker, ReactParams, ReactionPoint};
use congestree_units::Time;
use proptest::prelude::*;

/// Clear ACKs after which every source must be back at line rate: AIMD needs 32,765 from its floor.
const LONG_SILENCE: usize = 40_000;

fn view(now: u64, present: u32) -> OutputView {
    OutputView { now: Time(now), present, last_blocked: None }
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
    Ok(())
}

#[test]
fn a_fresh_source_sends_at_line_rate() {
    for params in ReactParams::all_defaults() {
        assert_eq!(params.build().pace(), Pace::LineRate, "{params:?}");
    }
}

#[test]
fn a_fresh_marker_marks_nothing_that_leaves() {
    for params in MarkParams::all_defaults() {
        let mut marker = params.build();
        assert_eq!(marker.due(), 0, "{params:?}");
        assert!(!marker.on_departure(view(0, 1)), "{params:?}");
    }
}

#[test]
fn only_markers_that_ask_for_full_buffers_act_on_them() {
    for params in MarkParams::all_defaults() {
        let mut marker = params.build();
        let acts = marker.on_full(view(0, 3)) != Action::None;
        assert_eq!(acts, marker.full_at(4).is_some(), "{params:?}");
    }
}

#[test]
fn state_stays_small() {
    assert!(size_of::<AnyReaction>() <= 64, "{}", size_of::<AnyReaction>());
    assert!(size_of::<AnyMarker>() <= 64, "{}", size_of::<AnyMarker>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever a source has heard, its pace is a number of packet times, at least one and at most the floor.
    #[test]
    fn the_pace_stays_within_its_bounds(marks in prop::collection::vec(any::<bool>(), 0..400)) {
        for params in ReactParams::all_defaults() {
            let mut source = params.build();
            for &marked in &marks {
                source.on_feedback(Time::START, if marked { Feedback::Congested } else { Feedback::Clear });
                prop_assert!((1.0..=256.0).contains(&source.limit()), "{:?}", params);
                if let Pace::Every(times) = source.pace() {
                    prop_assert!((1.0..=256.0).contains(&times), "{:?}", params);
                }
            }
        }
    }

    /// Silence restores line rate.
    #[test]
    fn silence_restores_line_rate(marks in 0usize..300) {
        for params in ReactParams::all_defaults() {
            let mut source = params.build();
            for _ in 0..marks {
                source.on_feedback(Time::START, Feedback::Congested);
            }
            for _ in 0..LONG_SILENCE {
                source.on_feedback(Time::START, Feedback::Clear);
            }
            prop_assert_eq!(source.pace(), Pace::LineRate, "{:?}", params);
        }
    }

    /// Equal questions get equal answers, and a marker never owes more marks than packets were present.
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
                    _ => (Action::None, marker.on_departure(view)),
                };
                prop_assert_eq!(answers(&mut a), answers(&mut b));
                most = most.max(present);
                prop_assert!(a.due() <= most);
            }
        }
    }
}
