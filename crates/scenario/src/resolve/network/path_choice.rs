//! Switches that choose among several paths: whether routes and queues allow it.

use congestree_schemes::{IsolateParams, RouteParams, ScheduleParams};
use congestree_topology::{EqualCost, Graph, Routes, loops};

use crate::resolve::Collector;
use crate::resolve::network::built::in_a_cycle;
use crate::types::{self, Arbiter, Memory, Queues, Routing, Scenario, Topology};

/// Checks what path choice requires of switches and markers.
pub(in crate::resolve) fn check(
    scenario: &Scenario,
    isolate: &IsolateParams,
    route: &RouteParams,
    collector: &mut Collector<'_>,
) {
    if !route.chooses() {
        return;
    }
    let switches = &scenario.switches;
    if switches.memory != Memory::Shared || matches!(switches.queues, Queues::Voqnet(_)) {
        let fact = "if queues have room of their own the sender must know the queue, which depends on the output that the switch chooses";
        let remedy = "leave it out, or write switches.memory = \"shared\" with other queues than voqnet";
        collector.report("scheme.route", fact, remedy);
    }
    if isolate.rules().is_some() {
        let fact = "packets are set aside by the output that their routes lead to, which would not be known beforehand";
        collector.report("scheme.route", fact, "leave it out, or write scheme.isolate = \"none\"");
    }
    if route.detours() == 0 && matches!(scenario.routing, Some(Routing::Table(_) | Routing::Ports(_))) {
        let fact = "the routes are written out, and switches choose among all shortest paths";
        collector.report("scheme.route", fact, "leave it out, or leave out routing");
    }
    if route.detours() > 0 && has_planes(scenario) {
        let fact = "non-minimal routes would pass through other hosts' adapters, which connect the planes but do not \
                    forward packets";
        collector.report("scheme.route", fact, "take \"ecmp\", \"spray\" or \"least-queue\", or leave out planes");
    }
}

/// Checks what a schedule requires of switches, links and routes.
pub(in crate::resolve) fn check_schedule(
    scenario: &Scenario,
    isolate: &IsolateParams,
    schedule: &ScheduleParams,
    route: &RouteParams,
    collector: &mut Collector<'_>,
) {
    let place = scenario.scheme.schedule_place();
    let Some(regions) = schedule.regions() else { return };
    let switches = &scenario.switches;
    let plain = switches.queues == Queues::Voq
        && switches.memory == Memory::Shared
        && switches.crossbar.is_none()
        && !isolate.isolates();
    if !plain || switches.arbiter != Arbiter::RoundRobin {
        let fact = "flows are paced in queues of one output each, served in turn";
        let remedy = "write switches.queues = \"voq\" and arbiter = \"round-robin\", without crossbar and isolation";
        collector.report(&place, fact, remedy);
    }
    if matches!(scenario.links.flow_control, types::FlowControl::None) {
        let fact = "it limits the spreading of congestion on lossless links, and these links drop packets";
        collector.report(&place, fact, "give links.flow_control, or leave it out");
    }
    if route.detours() > 0 {
        let fact = "flows are paced along shortest paths, and packets go round by other switches";
        collector.report("scheme.route", fact, format!("take another choice of paths, or leave out {place}"));
    }
    if regions.reroute && !route.chooses() {
        let fact = "there is no other way where routes are fixed";
        collector.report(format!("{place}.reroute"), fact, "give scheme.route, such as \"ecmp\"");
    }
}

/// RCM stores the inputs of a switch in 64 bits.
pub(in crate::resolve) fn check_ports(scenario: &Scenario, graph: &Graph, collector: &mut Collector<'_>) {
    if scenario.scheme.schedule().regions().is_none() {
        if scenario.measure.probes.contains(&types::Probe::Regions) {
            let fact = "there are no regions without scheme.schedule = \"rcm\"";
            collector.report("measure.probes", fact, "give scheme.schedule, or leave out the probe regions");
        }
        return;
    }
    let ports = graph.ports();
    let sizes = ports.switches.iter().map(Vec::len);
    if let Some((switch, ports)) = sizes.enumerate().find(|(_, ports)| *ports > 64) {
        let fact = format!("`{}` has {ports} ports, and here it can have 64", graph.switches[switch]);
        collector.report(scenario.scheme.schedule_place(), fact, "take smaller switches, or leave it out");
    }
}

/// Packets on detours over any switch must not wait for each other in a cycle.
fn check_detours(
    scenario: &Scenario,
    graph: &Graph,
    routes: &Routes,
    lanes: Option<&loops::Lanes<'_>>,
    collector: &mut Collector<'_>,
) {
    let lossy = matches!(scenario.links.flow_control, types::FlowControl::None);
    let lanes_known = scenario.links.hop_lanes.is_none() || lanes.is_some();
    if scenario.allow_credit_loops || lossy || !lanes_known || has_planes(scenario) {
        return;
    }
    let turns = scenario.scheme.route.as_ref().map_or(0, RouteParams::turns);
    let Some(cycle) = loops::credit_loop(graph, routes, lanes, turns) else { return };
    let needed = routes.formula().map(|formula| (turns + 1) * formula.lanes());
    let by_hop = goes_by_hop(scenario);
    let by_route = needed.map(|needed| format!("write links.lanes = {needed} and links.hop_lanes = \"by-route\""));
    let remedy = match (by_route, lanes) {
        (Some(by_route), _) if by_hop => format!("raise links.lanes, {by_route}"),
        (None, _) if by_hop => "raise links.lanes".into(),
        (Some(by_route), None) => by_route,
        _ => "give links.hop_lanes = \"by-hop\" and more lanes".into(),
    };
    let fact = format!("on detours {}", in_a_cycle(graph, &cycle));
    collector.report("scheme.route", fact, format!("{remedy}, or set allow_credit_loops = true"));
}

/// Whether hosts have adapters that join several networks.
pub(super) fn has_planes(scenario: &Scenario) -> bool {
    matches!(&scenario.topology, Topology::Clos(clos) if clos.planes > 1)
}

fn goes_by_hop(scenario: &Scenario) -> bool {
    matches!(scenario.links.hop_lanes, Some(types::HopLanes::ByHop))
}

/// All shortest paths of the network, if switches choose.
pub(in crate::resolve) fn plan(
    scenario: &Scenario,
    graph: &Graph,
    routes: &Routes,
    lanes: Option<&loops::Lanes<'_>>,
    collector: &mut Collector<'_>,
) -> Option<EqualCost> {
    scenario.scheme.route.as_ref().filter(|route| route.chooses())?;
    if scenario.scheme.route.as_ref().is_some_and(|route| route.detours() > 0) {
        check_detours(scenario, graph, routes, lanes, collector);
        return None;
    }
    // Errors about hosts that cannot be reached have been reported already.
    let equal_cost = match routes.formula() {
        Some(formula) => EqualCost::by(formula.as_ref(), &graph.ports()),
        None => EqualCost::of(graph).ok()?,
    };
    let lossy = matches!(scenario.links.flow_control, types::FlowControl::None);
    // Errors in lanes that could not be resolved have been reported.
    let lanes_known = scenario.links.hop_lanes.is_none() || lanes.is_some();
    if !scenario.allow_credit_loops
        && !lossy
        && lanes_known
        && let Some(cycle) = loops::credit_loop_among(graph, &equal_cost, lanes)
    {
        let fact = format!("when switches choose, {}", in_a_cycle(graph, &cycle));
        let remedy = match goes_by_hop(scenario) {
            true => "raise links.lanes",
            false => "write links.hop_lanes = \"by-hop\" with as many lanes as a path has links between switches",
        };
        collector.report("scheme.route", fact, format!("{remedy}, leave it out, or set allow_credit_loops = true"));
    }
    let ports = graph.ports();
    // Whole packets may be forwarded over a link of any rate.
    let blind = scenario.scheme.route.as_ref().is_some_and(RouteParams::ignores_rates)
        && scenario.switches.switching == types::Switching::StoreAndForward;
    for (switch, set) in equal_cost.choices().filter(|_| !blind) {
        let rate = |port: &u16| ports.switches[switch as usize][usize::from(*port)].out.rate;
        if set.iter().any(|port| rate(port) != rate(&set[0])) {
            let fact = format!("`{}` would choose between links of different rates", graph.switches[switch as usize]);
            collector.report("scheme.route", fact, "leave it out, or give its links the same rate");
            break;
        }
    }
    Some(equal_cost)
}
