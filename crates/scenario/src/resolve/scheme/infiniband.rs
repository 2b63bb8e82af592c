//! InfiniBand congestion control: whether thresholds, notifications and tables can work as they are.

use congestree_schemes::mark::fecn::{FecnParams, Fill, VictimMask, threshold_of};
use congestree_schemes::notify::CnpParams;
use congestree_schemes::react::cct::CctParams;
use congestree_schemes::{MarkParams, NotifyParams, ReactParams, cct_table::CctTable};
use congestree_units::{Bytes, Span};

use crate::resolve::Findings;
use crate::types::{FlowControl, Queues, Room, Scenario};

/// Idle times above this were surely meant otherwise.
const LONGEST_IDLE: Span = Span::from_ms(1_000_000);

pub(in crate::resolve) fn check(
    scenario: &Scenario,
    mark: &MarkParams,
    notify: &NotifyParams,
    react: &ReactParams,
    findings: &mut Findings<'_>,
) {
    if let MarkParams::Fecn(fecn) = mark {
        check_fecn(scenario, fecn, findings);
    }
    if let NotifyParams::Cnp(cnp) = notify {
        check_cnp(scenario, cnp, react, findings);
    }
    if let ReactParams::Cct(cct) = react {
        check_cct(cct, findings);
    }
}

fn check_fecn(scenario: &Scenario, fecn: &FecnParams, findings: &mut Findings<'_>) {
    if let Queues::Single | Queues::Voqnet(_) = scenario.switches.queues {
        let fact = "the threshold is held against queues for one output, and there are none";
        findings.complain("scheme.mark.fecn", fact, "write switches.queues = \"voq\"");
    }
    let buffer = match (&scenario.links.flow_control, scenario.switches.buffer) {
        (FlowControl::ByteCredits(_), Room::Bytes(buffer)) => Some(buffer),
        (FlowControl::Pfc(_), Room::Bytes(buffer)) if scenario.switches.shared_memory.is_none() => Some(buffer),
        _ => None,
    };
    if fecn.enter.is_none() && buffer.is_none() {
        let fact = "a threshold weight is a share of a buffer in bytes, but links.flow_control counts packets";
        findings.complain("scheme.mark.fecn.threshold", fact, "give scheme.mark.fecn.enter in bytes");
    }
    // A sum over the queues of several inputs may well be above what one buffer holds.
    if let (Some(enter), Some(buffer)) = (fecn.enter, buffer)
        && fecn.fill == Fill::Voq
        && enter >= buffer
    {
        let fact = format!("a queue is never above {enter} when the buffer of its input holds {buffer}");
        findings.complain("scheme.mark.fecn.enter", fact, "make it smaller, or switches.buffer larger");
    }
    let enter = fecn.enter.or_else(|| threshold_of(fecn.threshold, buffer.unwrap_or(Bytes(u64::MAX >> 5))));
    // The usual gap is cut short below a low threshold, also if a resolved scenario has it written out; one that is asked
    // for must be there.
    if let Some(enter) = enter
        && fecn.gap > enter
        && fecn.gap != FecnParams::default().gap
    {
        let fact = format!("the state is entered above {enter}, so it cannot be left {} below that", fecn.gap);
        findings.complain("scheme.mark.fecn.gap", fact, format!("make it at most {enter}, or the threshold higher"));
    }
    if let VictimMask::Ports(numbers) = &fecn.victim_mask
        && let Some(place) = numbers.iter().position(|&number| number == 0)
    {
        let fact = "ports are counted from 1";
        findings.complain(format!("scheme.mark.fecn.victim_mask.ports.{place}"), fact, "take it out");
    }
}

fn check_cnp(scenario: &Scenario, cnp: &CnpParams, react: &ReactParams, findings: &mut Findings<'_>) {
    if react.needs().acks {
        let fact = "this reaction learns from every ACK, and notifications only bring marks";
        findings.complain("scheme.notify", fact, "write scheme.notify = \"ack\", or take scheme.react.cct or dcqcn");
    }
    if cnp.size.0 == 0 {
        findings.complain("scheme.notify.cnp.size", "a notification has no bytes", "give it a size of at least 1 B");
    } else if cnp.size.0 > scenario.adapters.mtu.0 + scenario.adapters.header.0 {
        let fact = format!("a notification of {} is larger than any data packet", cnp.size);
        findings.complain("scheme.notify.cnp.size", fact, "make it smaller");
    }
    if let Some(lane) = cnp.lane.filter(|&lane| lane >= scenario.links.lanes) {
        let fact = format!("there is no lane {lane}: links.lanes is {}, and lanes count from 0", scenario.links.lanes);
        findings.complain("scheme.notify.cnp.lane", fact, "take a lower lane, or raise links.lanes");
    }
}

fn check_cct(cct: &CctParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.react.cct.{key}");
    if cct.min > cct.limit {
        let fact = format!("the lowest index {} is above the highest, {}", cct.min, cct.limit);
        findings.complain(at("min"), fact, "make it smaller, or scheme.react.cct.limit larger");
    }
    if cct.timer == Span::ZERO {
        findings.complain(at("timer"), "the timer would expire all the time", "give a period such as \"153.6 us\"");
    }
    if let Some(entries) = cct.table.written().filter(|&entries| entries <= usize::from(cct.limit)) {
        let fact = format!("the table has {entries} entries, and the index goes up to {}", cct.limit);
        findings.complain(at("table"), fact, "write more entries, or make scheme.react.cct.limit smaller");
    }
    let (name, longest) = match &cct.table {
        CctTable::Quadratic(curve) | CctTable::Linear(curve) if curve.at == 0 => {
            findings.complain(at("table"), "the curve has no index", "give `at` an index of at least 1");
            return;
        }
        CctTable::Quadratic(curve) => ("quadratic", curve.delay),
        CctTable::Linear(curve) => ("linear", curve.delay),
        CctTable::Delays(delays) => ("delays", delays.iter().copied().max().unwrap_or_default()),
        CctTable::Encoded(_) => return,
    };
    if longest > LONGEST_IDLE {
        let fact = format!("an idle time of {longest} is too long to be meant");
        findings.complain(at(&format!("table.{name}")), fact, format!("make it at most {LONGEST_IDLE}"));
    }
}
