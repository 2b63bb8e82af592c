//! The network: hosts, switches, links and routes.

pub(in crate::resolve) mod built;
pub(in crate::resolve) mod checks;
pub(in crate::resolve) mod destination_lanes;
pub(in crate::resolve) mod directory;
mod fault_tables;
pub(in crate::resolve) mod faults;
pub(in crate::resolve) mod hop_lanes;
pub(in crate::resolve) mod lanes;
pub(in crate::resolve) mod path_choice;
pub(in crate::resolve) mod service_lanes;

use congestree_topology::routing::{Routes, d_mod_k_by_levels, shortest_path};
use congestree_topology::{Graph, Wire, loops};

use crate::diagnostic::listed;
use crate::needs::memory;
use crate::resolve::Collector;
use crate::resolve::limits::check_rate;
use crate::resolve::network::built::{Network, in_a_cycle};
use crate::resolve::network::directory::Directory;
use crate::types::{self, Routing, Scenario, Topology};

pub(in crate::resolve) fn plan(scenario: &Scenario, collector: &mut Collector<'_>) -> Option<Network> {
    let before = collector.diagnostics.len();
    check_rate(Some(scenario.links.rate), "links.rate", collector);
    let graph = graph(scenario, collector)?;
    if collector.diagnostics.len() == before {
        check_delays(scenario, &graph, collector);
    }
    let routes = routes(scenario, &graph, collector)?;
    let lane_map = crate::resolve::network::hop_lanes::plan(scenario, &graph, &routes, collector);
    let starts = crate::resolve::network::service_lanes::starts(scenario);
    let lanes = lane_map.as_ref().map(|map| loops::Lanes { map, count: scenario.links.lanes, starts: &starts });
    let equal_cost = crate::resolve::network::path_choice::plan(scenario, &graph, &routes, lanes.as_ref(), collector);
    crate::resolve::network::path_choice::check_ports(scenario, &graph, collector);
    // Errors in lanes that could not be resolved have been reported.
    let lanes_known = scenario.links.hop_lanes.is_none() || lane_map.is_some();
    // With detours packets take these routes and others, and with path choice all minimal paths: both were searched above.
    let searched = scenario.scheme.route.as_ref().is_some_and(|route| route.detours() > 0)
        || (equal_cost.is_some() && routes.formula().is_some());
    if !scenario.allow_credit_loops
        && scenario.links.have_flow_control()
        && lanes_known
        && !searched
        && let Some(cycle) = loops::credit_loop(&graph, &routes, lanes.as_ref(), 0)
    {
        let needed = routes.formula().map_or(1, |formula| formula.lanes());
        let remedy = match lane_map {
            None if needed > 1 => format!("write links.lanes = {needed} and links.hop_lanes = \"by-route\""),
            Some(_) if scenario.links.hop_lanes == Some(types::HopLanes::ByHop) => "raise links.lanes".into(),
            _ => "route without a cycle, for instance with [routing.table]".into(),
        };
        collector.report(
            if scenario.routing.is_some() { "routing" } else { "topology" },
            format!("with these routes {}", in_a_cycle(&graph, &cycle)),
            format!("{remedy}, or set allow_credit_loops = true"),
        );
    }
    let mut host_rates = vec![scenario.links.rate; graph.hosts.len()];
    for link in &graph.links {
        for (node, wire) in [(link.a, link.ab), (link.b, link.ba)] {
            if let congestree_topology::Node::Host(host) = node {
                host_rates[host as usize] = wire.rate;
            }
        }
    }
    Some(Network { directory: Directory::new(&graph), graph, routes, equal_cost, lane_map, host_rates })
}

fn graph(scenario: &Scenario, collector: &mut Collector<'_>) -> Option<Graph> {
    let wire = Wire { rate: scenario.links.rate, delay: scenario.links.delay };
    // If a file has the parameters, they have replaced it, unless an error in it was reported.
    let parameters = scenario.topology.parameters()?;
    let path = format!("topology.{}", scenario.topology.kind());
    for (field, rate) in parameters.rates() {
        check_rate(Some(rate).filter(|rate| rate.0 > 0), &format!("{path}.{field}"), collector);
    }
    let diagnostics = parameters.check();
    if !diagnostics.is_empty() {
        collector.relay(&path, diagnostics);
        return None;
    }
    let size = parameters.size();
    let what = format!("a network of {} hosts and {} switches", size.hosts, size.switches);
    if !collector.fits(&path, what, memory::network(size, !by_rule(scenario))) {
        return None;
    }
    Some(parameters.build(wire))
}

/// Whether routes follow a formula, not tables.
fn by_rule(scenario: &Scenario) -> bool {
    let regular = scenario.topology.parameters().is_some_and(|parameters| parameters.formula().is_some());
    match scenario.routing {
        None | Some(Routing::Minimal) => regular,
        Some(Routing::DModK) => regular && is_tree(&scenario.topology),
        _ => false,
    }
}

/// Whether the minimal routes of this topology are those of D-mod-K, as in a tree.
pub(crate) fn is_tree(topology: &Topology) -> bool {
    topology.parameters().is_some_and(|parameters| parameters.is_d_mod_k())
}

/// Checks that a packet takes time from one switch to the next: on the link, or in the switch.
fn check_delays(scenario: &Scenario, graph: &Graph, collector: &mut Collector<'_>) {
    let shortest = graph.links.iter().flat_map(|link| [link.ab.delay, link.ba.delay]).min();
    if scenario.switches.forwarding_delay.0 == 0 && shortest.is_some_and(|delay| delay.0 == 0) {
        collector.report(
            "switches.forwarding_delay",
            "neither links nor switches delay a packet",
            "give switches.forwarding_delay or links.delay at least 1 ps",
        );
    }
}

fn routes(scenario: &Scenario, graph: &Graph, collector: &mut Collector<'_>) -> Option<Routes> {
    let shortest = |collector: &mut Collector<'_>| match shortest_path(graph) {
        Ok(routes) => Some(routes),
        Err(unroutable) => {
            let fact = format!("there is no way from {} to {}", unroutable.from, listed(&unroutable.hosts));
            collector.report("topology", fact, "link the parts of the network");
            None
        }
    };
    if by_rule(scenario)
        && let Some(formula) = scenario.topology.parameters().and_then(|parameters| parameters.formula())
    {
        return Some(Routes::by(formula, graph.switches.len() as u32, graph.hosts.len() as u32));
    }
    match (&scenario.routing, &scenario.topology) {
        (Some(Routing::DModK), Topology::Graph(_)) => match d_mod_k_by_levels(graph) {
            Ok(routes) => Some(routes),
            Err(diagnostic) => {
                collector.relay("routing", vec![diagnostic]);
                None
            }
        },
        (Some(Routing::DModK), _) => {
            let fact = "d-mod-k knows its way only on a k-ary-n-tree, a fat-tree, a clos, or a graph with levels";
            collector.report("routing", fact, "write routing = \"shortest-path\", or leave it out");
            shortest(collector)
        }
        (Some(Routing::Minimal), _) => {
            let fact = format!("a {} has no minimal way of its own", scenario.topology.kind());
            collector.report("routing", fact, "write routing = \"shortest-path\", or leave it out");
            shortest(collector)
        }
        (Some(Routing::Table(table)), _) => match table.routes(graph) {
            Ok(routes) => Some(routes),
            Err(diagnostics) => {
                collector.relay("routing.table", diagnostics);
                None
            }
        },
        (Some(Routing::Ports(lists)), _) => match lists.routes(graph) {
            Ok(routes) => Some(routes),
            Err(diagnostics) => {
                collector.relay("routing.ports", diagnostics);
                None
            }
        },
        (None | Some(Routing::ShortestPath), _) => shortest(collector),
    }
}
