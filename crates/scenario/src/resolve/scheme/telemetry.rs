//! Reactions to telemetry and delay: can their parameters work, alone and with each other?

use congestree_schemes::react::Window;
use congestree_schemes::react::hpcc::HpccParams;
use congestree_schemes::react::power_tcp::{PowerTcpParams, Signal};
use congestree_schemes::react::swift::SwiftParams;
use congestree_schemes::{NotifyParams, ReactParams};
use congestree_units::{Rate, Span};

use crate::resolve::Findings;
use crate::resolve::limits::check_rate;
use crate::types::Scenario;

pub(in crate::resolve) fn check(
    scenario: &Scenario,
    notify: &NotifyParams,
    react: &ReactParams,
    findings: &mut Findings<'_>,
) {
    match react {
        ReactParams::Hpcc(params) => check_hpcc(scenario, params, findings),
        ReactParams::PowerTcp(params) => check_power_tcp(scenario, params, findings),
        ReactParams::Swift(params) => check_swift(params, findings),
        ReactParams::Dcqcn(params) if params.window == Window::BdpAtRate && *notify != NotifyParams::Ack => {
            findings.complain(
                "scheme.react.dcqcn.window",
                "the window is to follow the rate, and nothing is heard between two notifications",
                "write scheme.notify = \"ack\", or window = \"bdp\"",
            );
        }
        _ => {}
    }
}

fn check_hpcc(scenario: &Scenario, hpcc: &HpccParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.react.hpcc.{key}");
    if hpcc.u_target == 0.0 {
        findings.complain(at("u_target"), "no link would ever be free enough", "write a share such as 0.95");
    }
    check_rate(Some(hpcc.rate_ai), &at("rate_ai"), findings);
    check_least(scenario, hpcc.min_rate, &at("min_rate"), findings);
    check_round_trip(hpcc.round_trip, &at("round_trip"), findings);
    let Some(pint) = &hpcc.pint else { return };
    if !(pint.log_base > 1.0 && pint.log_base <= 2.0) {
        let fact = format!("powers of {} are no codes from which a utilisation could be told", pint.log_base);
        findings.complain(at("pint.log_base"), fact, "write a number above 1 and up to 2, such as 1.05");
    }
    if pint.pint_prob == 0.0 {
        findings.complain(at("pint.pint_prob"), "no ACK would be used", "write a share such as 1.0");
    }
    if hpcc.round_trip.is_none() {
        let fact = "switches average over a round trip that is the same for all, and none is given";
        findings.complain(at("pint"), fact, "give scheme.react.hpcc.round_trip");
    }
    for (key, asked) in [("multi_rate", hpcc.multi_rate), ("sample_feedback", hpcc.sample_feedback)] {
        if asked {
            let fact = "one byte for all of the way tells nothing of single hops";
            findings.complain(at(key), fact, "leave it out, or leave out scheme.react.hpcc.pint");
        }
    }
}

fn check_power_tcp(scenario: &Scenario, power: &PowerTcpParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.react.power-tcp.{key}");
    if power.gain == 0.0 {
        findings.complain(at("gain"), "the rate would never change", "write a share such as 0.9");
    }
    if power.target == 0.0 {
        findings.complain(at("target"), "no link would ever be free enough", "write a share such as 0.95");
    }
    if !(power.slack > 0.0 && power.slack <= 100.0) {
        findings.complain(at("slack"), format!("{} is not a sensible factor", power.slack), "write for example 1.05");
    }
    if power.gradient && power.signal == Signal::Delay {
        let fact = "round-trip times tell nothing of the growth of a queue but what they tell already";
        findings.complain(at("gradient"), fact, "leave it out, or write signal = \"telemetry\"");
    }
    check_rate(Some(power.additive), &at("additive"), findings);
    check_least(scenario, power.min_rate, &at("min_rate"), findings);
    check_round_trip(power.round_trip, &at("round_trip"), findings);
}

fn check_swift(swift: &SwiftParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.react.swift.{key}");
    if swift.base_target == Span::ZERO {
        findings.complain(at("base_target"), "no answer comes at once", "give a time such as \"25 us\"");
    }
    for (key, value) in [("fs_min", swift.fs_min), ("ai", swift.ai), ("min_window", swift.min_window)] {
        if !(value > 0.0 && value <= 1e6) {
            findings.complain(at(key), format!("{value} is no number of packets"), "give a number above zero");
        }
    }
    let pairs = [
        ("fs_min", swift.fs_min, "fs_max", swift.fs_max),
        ("min_window", swift.min_window, "max_window", swift.max_window),
    ];
    for (low, least, high, most) in pairs {
        if !(most > least && most <= 1e9) {
            let fact = format!("{most} packets are not more than {least} ({low})");
            findings.complain(at(high), fact, format!("make it larger, or {low} smaller"));
        }
    }
    if let Some(first) = swift.initial_window
        && !(swift.min_window..=swift.max_window).contains(&first)
    {
        let fact =
            format!("a flow cannot begin with {first} packets, from {} to {}", swift.min_window, swift.max_window);
        findings.complain(at("initial_window"), fact, "write a number between min_window and max_window");
    }
}

/// The least rate is one, and not more than links have.
fn check_least(scenario: &Scenario, least: Rate, path: &str, findings: &mut Findings<'_>) {
    check_rate(Some(least), path, findings);
    if least > scenario.links.rate {
        let fact = format!("links carry {}, less than {least}: nobody would ever slow down", scenario.links.rate);
        findings.complain(path.to_owned(), fact, "make it smaller");
    }
}

fn check_round_trip(round_trip: Option<Span>, path: &str, findings: &mut Findings<'_>) {
    if round_trip == Some(Span::ZERO) {
        let remedy = "give the round-trip time of the empty network, or leave it out";
        findings.complain(path.to_owned(), "no network answers at once", remedy);
    }
}
