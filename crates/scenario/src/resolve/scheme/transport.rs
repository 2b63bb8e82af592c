//! Transports: whether they fit links, reactions and traffic.

use congestree_fabric::plan::SchemePlan;
use congestree_schemes::{NotifyParams, ReactParams, TransportParams};

use crate::resolve::Collector;
use crate::resolve::switches::pfc;
use crate::types::{After, Arrivals, Probe, Scenario, Traffic};

pub(in crate::resolve) fn check(
    scenario: &Scenario,
    transport: &TransportParams,
    notify: &NotifyParams,
    react: &ReactParams,
    collector: &mut Collector<'_>,
) {
    let lossy = scenario.links.lose();
    let needs = react.needs();
    if needs.marks && !transport.leaves_the_rate() {
        collector.report(
            "scheme.transport",
            "both the transport and the reaction to marks would set the pace of a source",
            "keep either scheme.transport or scheme.react, or take transport = \"go-back-n\" or \"irn\"",
        );
    } else if !transport.repairs() && needs.marks && lossy && (needs.window || *notify == NotifyParams::Ack) {
        collector.report(
            "links.flow_control",
            "a source that reacts to ACKs counts its packets, and would wait for lost ones for ever",
            "give scheme.transport = \"go-back-n\" or \"irn\", take links with flow control, or a reaction to notifications without \
             a window",
        );
    }
    if !transport.repairs() && scenario.measure.probes.contains(&Probe::Transfers) {
        let fact = "only a transport knows when a message has arrived whole";
        collector.report("measure.probes", fact, "give scheme.transport, or leave out the probe transfers");
    }
    if transport.repairs() && scenario.adapters.acks.is_some() {
        let fact = "the transport decides itself which packets it acknowledges";
        collector.report("adapters.acks", fact, "leave it out, or give scheme.transport.go-back-n.ack_every");
    }
    check_ack_lane(scenario, transport.repairs(), needs.window, collector);
}

/// ACKs in a lane of their own: whether there are ACKs to use it, and whether they can arrive.
fn check_ack_lane(scenario: &Scenario, repairs: bool, windowed: bool, collector: &mut Collector<'_>) {
    let Some(lane) = scenario.adapters.ack_lane else { return };
    let path = "adapters.ack_lane";
    if repairs {
        let fact = "the transport sets the lane of its ACKs itself";
        collector.report(path, fact, "leave it out, or give scheme.transport.uet.control_lane");
    } else if pfc::loses(scenario, lane)
        && (windowed || scenario.traffic.iter().any(|entry| entry.window.or(scenario.adapters.window).is_some()))
    {
        let fact = "a window would wait for ACKs that are lost there for ever";
        collector.report(path, fact, "take a lane that is lossless");
    }
}

/// Checks of a traffic entry together with the transport.
pub(in crate::resolve) fn check_entry(
    scenario: &Scenario,
    entry: &Traffic,
    scheme: &SchemePlan,
    lane: u8,
    path: &str,
    collector: &mut Collector<'_>,
) {
    let (transport, lossy) = (&scheme.transport, scenario.links.lose());
    let window = entry.window.or(scenario.adapters.window);
    let place = if entry.window.is_some() { format!("{path}.window") } else { "adapters.window".to_owned() };
    if !transport.leaves_the_rate() {
        if window.is_some() {
            collector.report(place, "the transport has a window or a rate of its own", "leave it out");
        }
        if entry.rate.is_some() {
            collector.report(format!("{path}.rate"), "the transport sets the rate", "leave it out");
        }
    } else if !transport.repairs() && (lossy || pfc::loses(scenario, lane)) && window.is_some() {
        collector.report(
            place,
            "without a transport a lost packet would keep its place in the window for ever",
            "leave it out, or give scheme.transport",
        );
    } else if !transport.repairs() && !lossy && pfc::loses(scenario, lane) && scheme.react.needs().window {
        collector.report(
            path,
            "in a lossy lane a source that reacts to ACKs would wait for those of lost packets for ever",
            "take a lane that is lossless, give scheme.transport = \"go-back-n\" or \"irn\", or a reaction without a window",
        );
    } else if let (Some(window), Some(receiver)) = (window, transport.receiver())
        && window < receiver.every
        && receiver.flush.is_none()
    {
        let fact = format!("a window of {window} is full before {} packets are there to be answered", receiver.every);
        collector.report(place, fact, "make it larger, ack_every smaller, or give ack_flush");
    }
    if let Arrivals::Gaps(gaps) = &entry.arrivals
        && gaps.after == After::Done
        && !transport.repairs()
    {
        collector.report(
            format!("{path}.arrivals.gaps.after"),
            "only a transport knows when a message is done",
            "write after = \"made\", or give scheme.transport",
        );
    }
}
