//! Transports: do their parameters make sense, and do they go with links, reactions and traffic?

use congestree_schemes::transport::efl::EflParams;
use congestree_schemes::transport::go_back_n::GoBackNParams;
use congestree_schemes::transport::new_reno::NewRenoParams;
use congestree_schemes::{NotifyParams, ReactParams, TransportParams};
use congestree_units::{Bytes, Span};

use crate::resolve::Findings;
use crate::resolve::limits::check_rate;
use crate::resolve::scheme::{irn, uet};
use crate::resolve::switches::pfc;
use crate::types::{After, Arrivals, Probe, Scenario, Topology, Traffic};

pub(in crate::resolve) fn check(
    scenario: &Scenario,
    transport: &TransportParams,
    notify: &NotifyParams,
    react: &ReactParams,
    findings: &mut Findings<'_>,
) {
    let lossy = scenario.links.lose();
    let needs = react.needs();
    if needs.marks && !transport.leaves_the_rate() {
        findings.complain(
            "scheme.transport",
            "both the transport and the reaction to marks would set the pace of a source",
            "keep either scheme.transport or scheme.react, or take transport = \"go-back-n\" or \"irn\"",
        );
    } else if !transport.repairs() && needs.marks && lossy && (needs.window || *notify == NotifyParams::Ack) {
        findings.complain(
            "links.flow_control",
            "a source that reacts to ACKs counts its packets, and would wait for lost ones for ever",
            "give scheme.transport = \"go-back-n\" or \"irn\", take links with flow control, or a reaction to notifications without \
             a window",
        );
    }
    if !transport.repairs() && scenario.measure.probes.contains(&Probe::Transfers) {
        let fact = "only a transport knows when a message has arrived whole";
        findings.complain("measure.probes", fact, "give scheme.transport, or leave out the probe transfers");
    }
    if transport.repairs() && scenario.adapters.acks.is_some() {
        let fact = "a transport says itself which packets it answers";
        findings.complain("adapters.acks", fact, "leave it out, or give scheme.transport.go-back-n.ack_every");
    }
    check_ack_lane(scenario, transport.repairs(), needs.window, findings);
    match transport {
        TransportParams::None(_) => {}
        TransportParams::Efl(params) => {
            check_efl(params, findings);
            check_efl_together(scenario, params, findings);
        }
        TransportParams::GoBackN(params) => check_go_back_n(params, needs.window, findings),
        TransportParams::Irn(params) => irn::check(params, findings),
        TransportParams::NewReno(params) => check_new_reno(params, findings),
        TransportParams::Uet(params) => uet::check(scenario, params, findings),
    }
}

/// ACKs in a lane of their own: whose, and do they come in?
fn check_ack_lane(scenario: &Scenario, repairs: bool, windowed: bool, findings: &mut Findings<'_>) {
    let Some(lane) = scenario.adapters.ack_lane else { return };
    let path = "adapters.ack_lane";
    if repairs {
        let fact = "a transport says itself in which lane it answers";
        findings.complain(path, fact, "leave it out, or give scheme.transport.uet.control_lane");
    } else if pfc::loses(scenario, lane)
        && (windowed || scenario.traffic.iter().any(|entry| entry.window.or(scenario.adapters.window).is_some()))
    {
        let fact = "a window would wait for ACKs that are lost there for ever";
        findings.complain(path, fact, "take a lane that is lossless");
    }
}

fn check_go_back_n(params: &GoBackNParams, windowed: bool, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.transport.go-back-n.{key}");
    if params.timeout == Span::ZERO {
        findings.complain(at("timeout"), "a loss would be assumed at once", "give a time above zero");
    }
    check_flush(&at("ack_flush"), params.ack_flush, params.ack_every, ("timeout", params.timeout), findings);
    if windowed && params.ack_every > 1 && params.ack_flush.is_none() {
        let fact =
            "the reaction may make its window smaller than what one ACK answers, and would wait for the timer then";
        findings.complain(at("ack_flush"), fact, "give a time such as \"10 us\", or ack_every = 1");
    }
    if let Some(window) = params.window.filter(|_| params.ack_flush.is_none())
        && window < params.ack_every
    {
        let fact = format!("a window of {window} is full before {} packets are there to be answered", params.ack_every);
        findings.complain(at("window"), fact, "make it larger, ack_every smaller, or give ack_flush");
    }
}

fn check_new_reno(params: &NewRenoParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.transport.new-reno.{key}");
    if params.least_timeout == Span::ZERO {
        findings.complain(at("least_timeout"), "the timer would run out at once", "give a time above zero");
    }
    if let Some(most) = params.largest_window
        && most < params.initial_window
    {
        let fact = format!("a group begins with {} segments, more than {most}", params.initial_window);
        findings.complain(at("largest_window"), fact, "make it larger, or initial_window smaller");
    }
    check_flush(
        &at("ack_flush"),
        params.ack_flush,
        params.ack_every,
        ("least_timeout", params.least_timeout),
        findings,
    );
}

/// A receiver must not hold its ACKs back for longer than the sender waits for them.
fn check_flush(
    path: &str,
    flush: Option<Span>,
    every: u32,
    (name, timeout): (&str, Span),
    findings: &mut Findings<'_>,
) {
    if flush == Some(Span::ZERO) {
        let remedy = "give a time above zero, or ack_every = 1";
        findings.complain(path, "no packet would wait for its ACK", remedy);
    }
    if let Some(flush) = flush
        && every > 1
        && flush >= timeout
        && timeout > Span::ZERO
    {
        let fact =
            format!("an ACK held back for {flush} comes after the sender has given up waiting ({name}, {timeout})");
        findings.complain(path, fact, format!("make it shorter than {name}"));
    }
}

fn check_efl(params: &EflParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.transport.efl.{key}");
    check_rate(Some(params.start_rate), &at("start_rate"), findings);
    check_rate(Some(params.floor), &at("floor"), findings);
    if params.alpha == Bytes(0) {
        findings.complain(at("alpha"), "a flow without a byte in the queue would only slow down", "give at least 1 B");
    }
    for (key, value) in [("beta", params.beta), ("probe_alpha", params.probe_alpha), ("probe_beta", params.probe_beta)]
    {
        if !(value > 0.0 && value <= 1e6) {
            findings.complain(at(key), format!("{value} is not a sensible factor"), "give a number above zero");
        }
    }
    if params.timeout == Span::ZERO {
        findings.complain(at("timeout"), "a loss would be assumed at once", "give a time above zero");
    }
    if params.rtt_min == Some(Span::ZERO) {
        let remedy = "give the round-trip time of the empty network, or leave it out to have it learned";
        findings.complain(at("rtt_min"), "no network answers at once", remedy);
    }
    check_flush(&at("ack_flush"), params.ack_flush, params.ack_every, ("timeout", params.timeout), findings);
}

/// Parameters of EFL that make sense alone, but not with each other, the packets, or the links.
fn check_efl_together(scenario: &Scenario, params: &EflParams, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("scheme.transport.efl.{key}");
    let (floor, start, every) = (params.floor, params.start_rate, params.ack_every);
    if start < floor {
        let fact = format!("a source never sends more slowly than {floor} (floor), so it cannot begin with {start}");
        findings.complain(at("start_rate"), fact, "make it larger, or floor smaller");
    }
    // In a network written out, links of hosts may have rates of their own.
    let line = scenario.links.rate;
    if !matches!(scenario.topology, Topology::Graph(_) | Topology::File(_) | Topology::Clos(_)) {
        for (key, rate) in [("start_rate", start), ("floor", floor)] {
            if rate > line {
                let fact = format!("the link of a host carries {line} only, less than {rate}");
                findings.complain(at(key), fact, "make it smaller");
            }
        }
    }
    if params.timeout == Span::ZERO || floor.0 == 0 || every == 0 {
        return;
    }
    if let Some(least) = params.rtt_min
        && params.timeout <= least
    {
        let fact = format!("no ACK is back before {least} (rtt_min), so every packet would count as lost");
        findings.complain(at("timeout"), fact, "make it several times rtt_min");
    } else if params.ack_flush.is_none() {
        let packet = Bytes(scenario.adapters.mtu.0.saturating_add(scenario.adapters.header.0));
        let taken = floor.time_for(packet).scaled(f64::from(every));
        if taken + params.rtt_min.unwrap_or(Span::ZERO) >= params.timeout {
            let fact = format!(
                "at {floor} (floor) the packets that one ACK answers ({every} of {packet}) take {taken}: a slow source \
                 would take its own slowness for a loss, and never become faster"
            );
            findings.complain(
                at("timeout"),
                fact,
                "make it longer, floor higher or ack_every smaller, or give ack_flush",
            );
        }
    }
    // Eq. (1) needs an ACK at the last packet of the probe, and one before.
    let probe = params.probe_packets;
    if probe > 0 && params.ack_flush.is_none() && (!probe.is_multiple_of(every) || probe < every.saturating_mul(2)) {
        let fact = format!(
            "with ack_every = {every}, a probe of {probe} is not answered by two ACKs or more, the last at its end"
        );
        let remedy = format!("take a multiple of {every} from {} on, or give ack_flush", every.saturating_mul(2));
        findings.complain(at("probe_packets"), fact, remedy);
    }
}

/// What an entry of traffic says together with the transport.
pub(in crate::resolve) fn check_entry(
    scenario: &Scenario,
    entry: &Traffic,
    transport: &TransportParams,
    lane: u8,
    path: &str,
    findings: &mut Findings<'_>,
) {
    let lossy = scenario.links.lose();
    let window = entry.window.or(scenario.adapters.window);
    if !transport.leaves_the_rate() {
        let place = if entry.window.is_some() { format!("{path}.window") } else { "adapters.window".to_owned() };
        if window.is_some() {
            findings.complain(place, "the transport has a window or a rate of its own", "leave it out");
        }
        if entry.rate.is_some() {
            findings.complain(format!("{path}.rate"), "the transport sets the rate", "leave it out");
        }
    } else if !transport.repairs() && (lossy || pfc::loses(scenario, lane)) && window.is_some() {
        let place = if entry.window.is_some() { format!("{path}.window") } else { "adapters.window".to_owned() };
        findings.complain(
            place,
            "without a transport a lost packet would keep its place in the window for ever",
            "leave it out, or give scheme.transport",
        );
    }
    if let Arrivals::Gaps(gaps) = &entry.arrivals
        && gaps.after == After::Done
        && !transport.repairs()
    {
        findings.complain(
            format!("{path}.arrivals.gaps.after"),
            "only a transport knows when a message is done",
            "write after = \"made\", or give scheme.transport",
        );
    }
}
