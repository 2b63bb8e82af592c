//! IRN: whether its window and its timers can work as they are.

use congestree_schemes::transport::irn::IrnParams;
use congestree_units::Span;

use crate::resolve::Findings;

pub(in crate::resolve) fn check(params: &IrnParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.transport.irn.{key}");
    let (low, high) = (params.timeout_low, params.timeout_high);
    for (key, time) in [("timeout_low", low), ("timeout_high", high)] {
        if time == Span::ZERO {
            findings.complain(at(key), "a loss would be assumed at once", "give a time above zero");
        }
    }
    if low > high {
        let fact = format!("few packets would be waited for longer ({low}) than many ({high})");
        findings.complain(at("timeout_low"), fact, "make it at most timeout_high");
    }
    if params.few == 0 {
        let fact = format!("there are never fewer than no packets on their way, so that {low} would never be used");
        findings.complain(at("few"), fact, "make it at least 1, such as 3");
    }
    if let Some(window) = params.window.filter(|&window| window < params.few) {
        let fact = format!("of a window of {window} there are always few on their way: {high} would never be used");
        findings.complain(at("few"), fact, format!("make it at most {window}, or the window larger"));
    }
    let Some(round_trip) = params.round_trip else { return };
    if round_trip == Span::ZERO {
        findings.complain(at("round_trip"), "no packet would fit into the window", "give a time above zero");
    }
    if params.window.is_some() {
        let fact = "the window is given, so that nothing follows from a round trip";
        findings.complain(at("round_trip"), fact, "leave out one of them");
    }
    if low <= round_trip && low > Span::ZERO {
        let fact = format!("no answer is back before {round_trip}, so that packets would count as lost after {low}");
        findings.complain(at("timeout_low"), fact, "make it longer than round_trip");
    }
}
