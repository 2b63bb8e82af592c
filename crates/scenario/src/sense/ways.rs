//! Switches that choose among several ways: whether routes, queues and markers go with it.

use congestree_schemes::{IsolateParams, MarkParams, RouteParams};
use congestree_topology::{EqualCost, Graph, loops};
use congestree_units::Span;

use super::Findings;
use super::network::shortened;
use crate::types::{self, Arbiter, Memory, Queues, Routing, Scenario};

/// What the choice needs of switches and markers.
pub(super) fn check(
    scenario: &Scenario,
    isolate: &IsolateParams,
    mark: &MarkParams,
    route: &RouteParams,
    findings: &mut Findings<'_>,
) {
    if !route.chooses() {
        return;
    }
    let switches = &scenario.switches;
    if switches.queues != Queues::Voq {
        let fact = "a packet that chooses its output joins the queue for it, and there are no such queues";
        findings.complain("scheme.route", fact, "write switches.queues = \"voq\"");
    } else if switches.memory != Memory::Shared
        || switches.crossbar.is_some()
        || matches!(switches.arbiter, Arbiter::Islip(_))
    {
        let fact = "queues with room of their own, crossbars and matchings go by fixed routes";
        findings.complain("scheme.route", fact, "leave it out, or take switches of the usual kind");
    }
    if !matches!(isolate, IsolateParams::None(_)) {
        let fact = "packets are set aside by the output that their routes lead to, and it would not be known";
        findings.complain("scheme.route", fact, "leave it out, or write scheme.isolate = \"none\"");
    }
    if mark.counts_packets() {
        let fact = "this marker must know the output of a packet before it has come in, and it is not chosen yet";
        findings.complain("scheme.route", fact, "take scheme.mark.fecn or scheme.mark.red, or leave it out");
    }
    if matches!(scenario.routing, Some(Routing::Table(_) | Routing::Ports(_))) {
        let fact = "the routes are written out, and switches choose among all shortest ways";
        findings.complain("scheme.route", fact, "leave it out, or leave out routing");
    }
    if route.reorders()
        && let Some(place) = scenario.traffic.iter().position(|entry| entry.program.is_some())
    {
        let fact =
            "a message of an application is done when its last packet is in, and packets may overtake each other";
        findings.complain(format!("traffic.{place}.program"), fact, "take scheme.route = \"ecmp\", or fixed routes");
    }
    if let RouteParams::Flowlet(flowlet) = route
        && flowlet.gap == Span::ZERO
    {
        let fact = "every packet would choose its way";
        findings.complain("scheme.route.flowlet.gap", fact, "give a time above zero, or take scheme.route.spray");
    }
}

/// All shortest ways of the network, if switches choose.
pub(super) fn plan(scenario: &Scenario, graph: &Graph, findings: &mut Findings<'_>) -> Option<EqualCost> {
    scenario.scheme.route.as_ref().filter(|route| route.chooses())?;
    // Whoever cannot be reached has been complained about already.
    let ways = EqualCost::of(graph).ok()?;
    let lossy = matches!(scenario.links.flow_control, types::FlowControl::None);
    if !scenario.allow_credit_loops
        && !lossy
        && let Some(circle) = loops::credit_loop_among(graph, &ways)
    {
        let circle = shortened(graph, &circle);
        let fact = format!("when switches choose, packets can wait for each other in a circle: {circle}");
        findings.complain("scheme.route", fact, "take a tree, leave it out, or set allow_credit_loops = true");
    }
    let ports = graph.ports();
    for (switch, set) in ways.choices() {
        let rate = |port: &u16| ports.switches[switch as usize][usize::from(*port)].out.rate;
        if set.iter().any(|port| rate(port) != rate(&set[0])) {
            let fact = format!("`{}` would choose between links of different rates", graph.switches[switch as usize]);
            findings.complain("scheme.route", fact, "leave it out, or give its links the same rate");
            break;
        }
    }
    Some(ways)
}
