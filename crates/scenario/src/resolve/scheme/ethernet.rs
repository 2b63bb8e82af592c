//! Marks and rates of Ethernet hosts: whether thresholds, timers and windows can work as they are.

use congestree_schemes::mark::red::{RedParams, Thresholds};
use congestree_schemes::react::dcqcn::DcqcnParams;
use congestree_schemes::react::dctcp::DctcpParams;
use congestree_schemes::react::timely::TimelyParams;
use congestree_schemes::{MarkParams, ReactParams};
use congestree_units::{Bytes, Span};

use crate::resolve::Findings;
use crate::resolve::limits::check_rate;
use crate::types::{Queues, Scenario};

pub(in crate::resolve) fn check(
    scenario: &Scenario,
    mark: &MarkParams,
    react: &ReactParams,
    findings: &mut Findings<'_>,
) {
    if let MarkParams::Red(red) = mark {
        check_red(scenario, red, findings);
    }
    match react {
        ReactParams::Dcqcn(params) => check_dcqcn(params, findings),
        ReactParams::Dctcp(params) => check_dctcp(params, findings),
        ReactParams::Timely(params) => check_timely(params, findings),
        _ => {}
    }
    if react.needs().window {
        let own = scenario.traffic.iter().position(|entry| entry.window.is_some());
        let place = own.map(|place| format!("traffic.{place}.window"));
        if let Some(place) = place.or_else(|| scenario.adapters.window.map(|_| "adapters.window".to_owned())) {
            findings.complain(place, "the reaction to marks has a window of its own", "leave it out");
        }
    }
}

fn check_red(scenario: &Scenario, red: &RedParams, findings: &mut Findings<'_>) {
    if scenario.switches.queues != Queues::Voq {
        let fact = "thresholds are held against what waits for one output, and there are no queues for one";
        findings.complain("scheme.mark.red", fact, "write switches.queues = \"voq\"");
    }
    check_rate(red.for_rate, "scheme.mark.red.for_rate", findings);
    let common = Thresholds { min: red.min, max: red.max, probability: red.probability };
    let lanes = red.lane_thresholds.iter().enumerate();
    let all = lanes.map(|(lane, own)| (format!("scheme.mark.red.lane_thresholds.{lane}"), *own));
    for (path, own) in all.chain([("scheme.mark.red".to_owned(), common)]) {
        if own.min > own.max {
            let fact = format!("all is marked above {}, before any is marked above {}", own.max, own.min);
            findings.complain(format!("{path}.max"), fact, format!("make it at least {}, or min smaller", own.min));
        } else if own.probability == 0.0 && own.min < own.max {
            let fact = format!("nothing would be marked between {} and {}", own.min, own.max);
            findings.complain(format!("{path}.probability"), fact, "make it larger, or min the same as max");
        }
    }
    if red.lane_thresholds.len() > usize::from(scenario.links.lanes) {
        let lane = scenario.links.lanes;
        let fact = format!("there is no lane {lane}: links.lanes is {lane}");
        findings.complain(
            format!("scheme.mark.red.lane_thresholds.{lane}"),
            fact,
            "leave it out, or raise links.lanes",
        );
    }
}

fn check_dcqcn(dcqcn: &DcqcnParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.react.dcqcn.{key}");
    for (key, period) in [("alpha_period", dcqcn.alpha_period), ("increase_timer", dcqcn.increase_timer)] {
        if period == Span::ZERO {
            findings.complain(at(key), "the timer would expire all the time", "give a period such as \"55 us\"");
        }
    }
    let rates = [
        ("additive", Some(dcqcn.additive)),
        ("hyper", Some(dcqcn.hyper)),
        ("min_rate", Some(dcqcn.min_rate)),
        ("max_rate", dcqcn.max_rate),
        ("first_rate", dcqcn.first_rate),
        ("for_rate", dcqcn.for_rate),
    ];
    for (key, rate) in rates {
        check_rate(rate, &at(key), findings);
    }
    if let Some(most) = dcqcn.max_rate.filter(|&most| most < dcqcn.min_rate) {
        let fact = format!("the highest rate {most} is below the least, {}", dcqcn.min_rate);
        findings.complain(at("max_rate"), fact, "make it larger, or scheme.react.dcqcn.min_rate smaller");
    }
    if dcqcn.byte_counter > Bytes(0) && dcqcn.byte_counter < Bytes(64) {
        let fact = format!("every packet would raise the rate several times: the counter is {}", dcqcn.byte_counter);
        findings.complain(at("byte_counter"), fact, "make it larger, or \"0 B\" for none");
    }
}

fn check_dctcp(dctcp: &DctcpParams, findings: &mut Findings<'_>) {
    if dctcp.least_window > dctcp.largest_window {
        let fact = format!("the least window {} is above the largest, {}", dctcp.least_window, dctcp.largest_window);
        findings.complain("scheme.react.dctcp.least_window", fact, "make it smaller");
    }
}

fn check_timely(timely: &TimelyParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.react.timely.{key}");
    if timely.low > timely.high {
        let fact = format!("the rate would only rise below {}, and only fall above {}", timely.low, timely.high);
        findings.complain(at("low"), fact, "make it smaller, or scheme.react.timely.high larger");
    }
    if timely.least_round_trip == Span::ZERO {
        let fact = "differences are held against this time, and it is zero";
        findings.complain(at("least_round_trip"), fact, "give a time such as \"20 us\"");
    }
    check_rate(Some(timely.additive), &at("additive"), findings);
    check_rate(Some(timely.min_rate), &at("min_rate"), findings);
}
