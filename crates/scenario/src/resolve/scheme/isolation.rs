//! Isolation: whether the queues of the scheme can be set aside.

use congestree_schemes::check::Part;
use congestree_schemes::isolate::IsolationRules;
use congestree_schemes::{IsolateParams, MarkParams, TransportParams};

use crate::resolve::Collector;
use crate::resolve::network::destination_lanes;
use crate::types::{FlowControl, PauseCounts, Pfc, Queues, Scenario};

pub(in crate::resolve) fn check(
    scenario: &Scenario,
    isolate: &IsolateParams,
    mark: &MarkParams,
    transport: &TransportParams,
    collector: &mut Collector<'_>,
) -> Option<IsolationRules> {
    check_injection(scenario, transport, collector);
    let rules = isolate.rules();
    let finds_roots = rules.as_ref().is_some_and(|rules| rules.high != u32::MAX);
    if mark.follows_roots() && !finds_roots {
        let fact = "it marks at the roots that an isolation scheme detects, and no scheme here detects roots";
        collector.report(
            format!("scheme.mark.{}", mark.name()),
            fact,
            "take scheme.isolate.ccfit or scheme.isolate.ecocc",
        );
    }
    let rules = rules?;
    check_switches(scenario, &rules, collector);
    let unlimited = "isolation needs links with flow control, and these links have none";
    let in_lanes = "flows are set aside in lane 0 alone, and packets would travel in the lanes of their destinations";
    check_links(scenario, unlimited, in_lanes, collector);
    Some(rules)
}

fn check_switches(scenario: &Scenario, rules: &IsolationRules, collector: &mut Collector<'_>) {
    match scenario.switches.queues {
        Queues::Voq => {}
        Queues::Single if rules.local => {}
        Queues::Single => {
            let fact = "roots are detected by the queue for each output, and there is only one queue for all outputs";
            collector.report(
                "scheme.isolate",
                fact,
                "write switches.queues = \"voq\", or take \"ccfit\", \"fbicm\" or \"hfdi\" with local = true",
            );
        }
        _ => {
            let fact = "flows are set aside from a queue for each output, or from a single queue";
            collector.report("scheme.isolate", fact, "write switches.queues = \"voq\" or \"single\"");
        }
    }
}

/// What any isolation requires of links: flow control, and that packets travel in lane 0. The facts say why.
pub(super) fn check_links(scenario: &Scenario, unlimited: &str, in_lanes: &str, collector: &mut Collector<'_>) {
    match &scenario.links.flow_control {
        FlowControl::PacketSlots(_) | FlowControl::ByteCredits(_) => {}
        FlowControl::Pfc(pfc) => check_pauses(scenario, pfc, collector),
        FlowControl::None => {
            let remedy = "take pfc, packet-slots or byte-credits as links.flow_control";
            collector.report("scheme.isolate", unlimited, remedy);
        }
    }
    if destination_lanes::used(scenario).iter().any(|&lane| lane != 0) {
        let remedy = "leave it out, or take a scheme that does not isolate";
        collector.report("links.destination_lanes", in_lanes, remedy);
    }
}

/// What isolation requires of links with pauses: it works in lane 0, whose packets must not be lost, and pauses depend
/// on the total that an input holds, wherever in it a packet is.
fn check_pauses(scenario: &Scenario, pfc: &Pfc, collector: &mut Collector<'_>) {
    let lossless = pfc.lossless.as_ref();
    if let Some(place) = lossless.filter(|lanes| !lanes.contains(&0)) {
        let fact = format!("flows are set aside in lane 0 alone, and only lanes {place:?} are paused");
        collector.report("links.flow_control.pfc.lossless", fact, "add lane 0, or leave it out");
    }
    if pfc.counts == PauseCounts::Queue {
        let fact = "packets move between the queues of an input, and a pause would be asked for by the wrong one";
        collector.report("links.flow_control.pfc.counts", fact, "write counts = \"input\", or leave it out");
    }
    if scenario.switches.output_buffer.is_some() {
        let fact = "isolation works on queues at the inputs, and packets would not stay there";
        collector.report("switches.output_buffer", fact, "leave it out, or take a scheme that does not isolate");
    }
}

fn check_injection(scenario: &Scenario, transport: &TransportParams, collector: &mut Collector<'_>) {
    if scenario.adapters.injection_buffer.is_some() && transport.repairs() {
        let fact = "a transport sends its packets to the link directly";
        collector.report("adapters.injection_buffer", fact, "leave it out, or leave the transport out");
    }
}
