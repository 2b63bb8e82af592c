//! Detectors that tell an output that flow control holds from a congested one: whether there is anything to tell.

use congestree_schemes::mark::tcd::TcdParams;
use congestree_schemes::react::pcn::PcnParams;
use congestree_schemes::{MarkParams, ReactParams};
use congestree_units::Span;

use crate::resolve::Findings;
use crate::resolve::limits::check_rate;
use crate::types::{FlowControl, Queues, Scenario};

pub(in crate::resolve) fn check(
    scenario: &Scenario,
    mark: &MarkParams,
    react: &ReactParams,
    findings: &mut Findings<'_>,
) {
    match mark {
        MarkParams::Tcd(tcd) => {
            check_switches(scenario, "tcd", findings);
            check_tcd(tcd, findings);
        }
        MarkParams::NpEcn(_) => check_switches(scenario, "np-ecn", findings),
        _ => {}
    }
    if let ReactParams::Pcn(pcn) = react {
        check_pcn(pcn, findings);
    }
}

fn check_pcn(pcn: &PcnParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.react.pcn.{key}");
    if pcn.period == Span::ZERO {
        findings.complain(at("period"), "nothing arrives in no time", "give a period such as \"50 us\"");
    }
    check_rate(Some(pcn.min_rate), &at("min_rate"), findings);
    if pcn.least_weight <= 0.0 {
        let fact = "a rate that has fallen would never rise again";
        findings.complain(at("least_weight"), fact, "make it larger than 0, such as 0.0078125");
    } else if pcn.least_weight > pcn.most_weight {
        let fact = format!("the weight would begin at {} and grow to {}", pcn.least_weight, pcn.most_weight);
        findings.complain(at("least_weight"), fact, "make it at most most_weight");
    }
}

/// What a detector asks of switches and links: a queue for each output, which flow control may hold.
fn check_switches(scenario: &Scenario, name: &str, findings: &mut Findings<'_>) {
    let path = format!("scheme.mark.{name}");
    if scenario.switches.queues != Queues::Voq {
        let fact = "it looks at what waits for one output, and there are no queues for one";
        findings.complain(&path, fact, "write switches.queues = \"voq\"");
    }
    if matches!(scenario.links.flow_control, FlowControl::None) {
        let fact = "it tells a held output from a congested one, and links without flow control hold none";
        findings.complain(&path, fact, "take links.flow_control = \"pfc\" or credits, or scheme.mark = \"red\"");
    }
    if scenario.switches.output_buffer.is_some() {
        let fact = "what waits in the buffer of an output would not be seen";
        findings.complain("switches.output_buffer", fact, "leave it out, or take another scheme.mark");
    }
}

fn check_tcd(tcd: &TcdParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.mark.tcd.{key}");
    check_rate(tcd.for_rate, &at("for_rate"), findings);
    match tcd.longest_on {
        Some(Span::ZERO) => {
            let fact = "an output would count as free of its successor as soon as it may send";
            findings.complain(at("longest_on"), fact, "give a time above zero, or leave it out");
        }
        Some(_) if tcd.slack != TcdParams::default().slack => {
            let fact = "longest_on is given, so that nothing follows from the slack";
            findings.complain(at("slack"), fact, "leave out one of them");
        }
        None if tcd.slack <= 0.0 => {
            let fact = "an output that was held once would be undetermined for ever";
            findings.complain(at("slack"), fact, "make it larger than 0, such as 0.05, or give longest_on");
        }
        _ => {}
    }
}
