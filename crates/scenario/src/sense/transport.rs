//! Transports: do their parameters make sense, and do they go with links, reactions and traffic?

use congestree_schemes::transport::efl::EflParams;
use congestree_schemes::{NotifyParams, ReactParams, TransportParams};
use congestree_units::{Bytes, Span};

use super::network::check_rate;
use super::{Findings, pfc};
use crate::types::{After, Arrivals, FlowControl, Probe, Scenario, Traffic};

pub(super) fn check(
    scenario: &Scenario,
    transport: &TransportParams,
    notify: &NotifyParams,
    react: &ReactParams,
    findings: &mut Findings<'_>,
) {
    let lossy = matches!(scenario.links.flow_control, FlowControl::None);
    if react.listens() && transport.repairs() {
        if !transport.leaves_the_rate() {
            findings.complain(
                "scheme.transport",
                "both the transport and the reaction to marks would set the pace of a source",
                "keep either scheme.transport or scheme.react",
            );
        } else if react.needs_acks() || react.has_window() || *notify == NotifyParams::Ack {
            findings.complain(
                "scheme.react",
                "the ACKs of a transport bring no marks and open no other window",
                "take a reaction to notifications without a window, such as scheme.preset = \"dcqcn-vendor\"",
            );
        }
    } else if react.listens() && lossy && (react.has_window() || *notify == NotifyParams::Ack) {
        findings.complain(
            "links.flow_control",
            "a source that reacts to ACKs counts its packets, and would wait for lost ones for ever",
            "take links with flow control, scheme.react = \"none\", or a reaction to notifications without a window",
        );
    }
    if !transport.repairs() && scenario.measure.probes.contains(&Probe::Transfers) {
        let fact = "only a transport knows when a message has arrived whole";
        findings.complain("measure.probes", fact, "give scheme.transport, or leave out the probe transfers");
    }
    match transport {
        TransportParams::None(_) => {}
        TransportParams::Efl(params) => check_efl(params, findings),
        TransportParams::GoBackN(params) => {
            if params.timeout == Span::ZERO {
                let path = "scheme.transport.go-back-n.timeout";
                findings.complain(path, "a loss would be assumed at once", "give a time above zero");
            }
        }
        TransportParams::NewReno(params) => {
            if params.least_timeout == Span::ZERO {
                let path = "scheme.transport.new-reno.least_timeout";
                findings.complain(path, "the timer would run out at once", "give a time above zero");
            }
        }
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
    if params.ack_flush == Some(Span::ZERO) {
        let remedy = "give a time above zero, or ack_every = 1";
        findings.complain(at("ack_flush"), "no packet would wait for its ACK", remedy);
    }
}

/// What an entry of traffic says together with the transport.
pub(super) fn check_entry(
    scenario: &Scenario,
    entry: &Traffic,
    transport: &TransportParams,
    lane: u8,
    path: &str,
    findings: &mut Findings<'_>,
) {
    let lossy = matches!(scenario.links.flow_control, FlowControl::None);
    let window = entry.window.or(scenario.adapters.window);
    if transport.repairs() {
        let place = if entry.window.is_some() { format!("{path}.window") } else { "adapters.window".to_owned() };
        if window.is_some() {
            findings.complain(place, "the transport has a window or a rate of its own", "leave it out");
        }
        if entry.rate.is_some() && !transport.leaves_the_rate() {
            findings.complain(format!("{path}.rate"), "the transport sets the rate", "leave it out");
        }
    } else if (lossy || pfc::loses(scenario, lane)) && window.is_some() {
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
