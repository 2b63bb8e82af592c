//! The Ultra Ethernet transport: do its parameters make sense, alone and with each other, the lanes and the traffic?

use congestree_schemes::PathsParams;
use congestree_schemes::transport::QUANTUM;
use congestree_schemes::transport::uet::rccc::Oversubscribed;
use congestree_schemes::transport::uet::{NsccParams, RcccParams, UetParams};
use congestree_units::{Bytes, Span};

use crate::resolve::Findings;
use crate::types::{Arrivals, Scenario};

const PATH: &str = "scheme.transport.uet";

pub(in crate::resolve) fn check(scenario: &Scenario, params: &UetParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("{PATH}.{key}");
    for (key, none, fact) in [
        ("timeout", params.timeout == Span::ZERO, "a loss would be assumed at once"),
        ("round_trip", params.round_trip == Some(Span::ZERO), "no network answers at once"),
        ("ack_after", params.ack_after == Bytes(0), "an ACK would be due before anything has come in"),
    ] {
        if none {
            findings.complain(at(key), fact, "give a value above zero");
        }
    }
    if let Some(round_trip) = params.round_trip.filter(|&trip| params.timeout > Span::ZERO && trip >= params.timeout) {
        let fact = format!("no ACK is back before {round_trip} (round_trip), so every packet would count as lost");
        findings.complain(at("timeout"), fact, "make it several times round_trip");
    }
    if !(0.1..=1000.0).contains(&params.most_window) {
        let fact = format!("{} is not a number of bandwidth-delay products", params.most_window);
        findings.complain(at("most_window"), fact, "give a number such as 1.5");
    }
    if let Some(lane) = params.control_lane.filter(|&lane| lane >= scenario.links.lanes) {
        let fact = format!("there is no lane {lane}: links.lanes is {}, and lanes count from 0", scenario.links.lanes);
        findings.complain(at("control_lane"), fact, "take a lower lane, or raise links.lanes");
    }
    check_paths(&params.paths, findings);
    check_nscc(&params.nscc, findings);
    check_rccc(params, &params.rccc, findings);
    for (key, used, given) in [
        ("nscc", params.window().is_some(), params.nscc != NsccParams::default()),
        ("rccc", params.credit().is_some(), params.rccc != RcccParams::default()),
    ] {
        if given && !used {
            let fact = "it does not decide, so that these values are of no use";
            findings.complain(
                at(key),
                fact,
                format!("leave it out, or write congestion_control = \"{key}\" or \"both\""),
            );
        }
    }
    for (i, entry) in scenario.traffic.iter().enumerate() {
        if matches!(entry.arrivals, Arrivals::Incast(_)) || entry.is_finite() {
            let fact = "a connection with numbers and windows stays, and these flows come and go";
            findings.complain(
                format!("traffic.{i}"),
                fact,
                "let each pair of hosts have one flow, or take another transport",
            );
        }
    }
}

fn check_paths(paths: &PathsParams, findings: &mut Findings<'_>) {
    let (name, turns) = match paths {
        PathsParams::Oblivious(_) => ("oblivious", true),
        PathsParams::Bitmap(_) => ("bitmap", true),
        PathsParams::Mixed(_) => ("mixed", true),
        PathsParams::Reps(_) => ("reps", false),
    };
    let count = paths.count();
    if turns && !count.is_power_of_two() {
        let fact = format!("paths take their turns by exclusive or, and {count} is no power of two");
        findings.complain(format!("{PATH}.paths.{name}.paths"), fact, "take 1, 2, 4, ... up to 256");
    }
}

fn check_nscc(nscc: &NsccParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("{PATH}.nscc.{key}");
    if nscc.target == Some(Span::ZERO) {
        findings.complain(at("target"), "every packet waits for longer than that", "give a time above zero");
    }
    for (key, value) in [
        ("target_share", nscc.target_share),
        ("proportional", nscc.proportional),
        ("fair", nscc.fair),
        ("eta", nscc.eta),
        ("fast", nscc.fast),
        ("quick_delay", nscc.quick_delay),
    ] {
        if !(0.0..=1000.0).contains(&value) {
            findings.complain(at(key), format!("{value} is not a sensible gain"), "give a number from 0 to 1000");
        }
    }
    if nscc.target_share == 0.0 && nscc.target.is_none() {
        findings.complain(at("target_share"), "every packet waits for longer than that", "give a share above zero");
    }
    let gains = [nscc.proportional, nscc.fair, nscc.eta, nscc.fast];
    if gains.iter().all(|&gain| gain == 0.0) {
        let fact = "a window that has been cut would never grow again";
        findings.complain(
            at("proportional"),
            fact,
            "leave at least one of proportional, fair, eta and fast above zero",
        );
    }
}

fn check_rccc(params: &UetParams, rccc: &RcccParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("{PATH}.rccc.{key}");
    if rccc.grant.0 < QUANTUM || rccc.grant.0 > 1 << 30 {
        let fact =
            format!("credit is counted in quanta of {QUANTUM} B, and {} is not a sensible number of them", rccc.grant);
        findings.complain(at("grant"), fact, "give a size such as \"16384 B\"");
    }
    if !(rccc.share > 0.0 && rccc.share <= 1.0) {
        let fact = format!("{} is not a share of the link", rccc.share);
        findings.complain(at("share"), fact, "give a number above 0, up to 1");
    }
    let Some(Oversubscribed { ratio, period, .. }) = rccc.oversubscribed else { return };
    if ratio < 1.0 {
        let fact = format!("uplinks carry {ratio} of what hosts send: that is no bottleneck");
        findings.complain(at("oversubscribed.ratio"), fact, "give what hosts send over what uplinks carry, such as 4");
    }
    if period <= 0.0 {
        findings.complain(at("oversubscribed.period"), "a period takes time", "give round trips, such as 1.5");
    }
    if params.window().is_some() {
        let fact = "the sender's window answers to the fabric already";
        findings.complain(at("oversubscribed"), fact, "leave it out, or take rccc without nscc");
    }
}
