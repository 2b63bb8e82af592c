//! What links that are down change: the hosts that they cut off, and the tables for those that remain.

use congestree_fabric::plan::{FailurePlan, TablesPlan};
use congestree_topology::routing::{components, shortest_path_by, unreachable};
use congestree_topology::{EqualCost, Ports, Routes, loops};
use congestree_units::Time;
use congestree_wire::HostId;

use crate::resolve::Collector;
use crate::resolve::network::{Network, in_a_cycle};
use crate::types::{Faults, Reroute, Scenario};

/// Links that are down at an instant, by number.
fn down_at(failures: &[FailurePlan], at: Time) -> Vec<u32> {
    let is_down = |failure: &&FailurePlan| {
        failure.rates.is_none() && failure.at <= at && failure.until.is_none_or(|until| until > at)
    };
    let mut links: Vec<u32> = failures.iter().filter(is_down).map(|failure| failure.link).collect();
    links.sort_unstable();
    links
}

/// Records for each failure which further hosts it disconnects.
pub(super) fn tell_cut_off(ports: &Ports, failures: &mut [FailurePlan]) {
    for place in 0..failures.len() {
        if failures[place].rates.is_some() {
            continue;
        }
        let before = cut_off(ports, &down_at(&failures[..place], failures[place].at));
        let now = cut_off(ports, &down_at(&failures[..=place], failures[place].at));
        let cut_off = now.into_iter().filter(|host| before.binary_search(host).is_err());
        failures[place].cut_off = cut_off.map(HostId).collect();
    }
}

/// Hosts outside the largest part that remains without some links, in order. A host whose own link is gone does not
/// count as connected to its switch.
fn cut_off(ports: &Ports, gone: &[u32]) -> Vec<u32> {
    let is_gone = |link: u32| gone.binary_search(&link).is_ok();
    let mut left = ports.without(is_gone);
    left.hosts.iter_mut().for_each(|own| own.retain(|port| !is_gone(port.link)));
    unreachable(&left)
}

/// The tables that take effect during the run, each without loops.
pub(super) fn tables(
    scenario: &Scenario,
    network: &Network,
    ports: &Ports,
    faults: &Faults,
    failures: &[FailurePlan],
    collector: &mut Collector<'_>,
) -> Vec<TablesPlan> {
    let Reroute::SubnetManager(manager) = faults.reroute else { return Vec::new() };
    let path = "links.faults.reroute";
    let down = failures.iter().filter(|failure| failure.rates.is_none());
    let mut changes: Vec<Time> = down.flat_map(|failure| [Some(failure.at), failure.until]).flatten().collect();
    changes.sort_unstable();
    changes.dedup();
    // A share of zero: no link fails.
    if changes.is_empty() {
        return Vec::new();
    }
    let in_time = |at: Time| at.0.checked_add(manager.delay.0).map(Time).filter(|&at| at < scenario.measure.duration);
    let due: Vec<(Time, Time)> = changes.iter().filter_map(|&at| Some((at, in_time(at)?))).collect();
    if due.is_empty() {
        let fact = format!("new tables would come in after {}, when the run is over", manager.delay);
        collector.report(format!("{path}.subnet-manager.delay"), fact, "make it shorter, or leave out reroute");
        return Vec::new();
    }
    let bytes = 2 * network.graph.switches.len() as u64 * network.graph.hosts.len() as u64;
    if !collector.fits(path, format!("{} forwarding tables", due.len()), bytes * due.len() as u64) {
        return Vec::new();
    }
    let mut tables: Vec<TablesPlan> = Vec::new();
    for (change, at) in due {
        let mut gone = down_at(failures, change);
        gone.retain(|&link| network.graph.links[link as usize].joins_switches());
        let new = without(network, ports, &gone, at);
        if !gone.is_empty() {
            check_cycle(scenario, network, &new.routes, new.equal_cost.as_ref(), change, collector);
        }
        tables.push(new);
    }
    tables
}

/// Shortest paths over the remaining links; the routes of the scenario if no link between switches has failed. To hosts
/// without a path, packets keep their routes.
fn without(network: &Network, ports: &Ports, gone: &[u32], at: Time) -> TablesPlan {
    if gone.is_empty() {
        let (routes, equal_cost) = (network.routes.clone(), network.equal_cost.clone());
        return TablesPlan { at, routes, equal_cost, components: Vec::new() };
    }
    let left = ports.without(|link| gone.binary_search(&link).is_ok());
    let mut routes = shortest_path_by(&left);
    let mut row = Vec::new();
    for switch in 0..ports.switches.len() as u32 {
        network.routes.row(switch, &mut row);
        for (host, &port) in row.iter().enumerate() {
            if routes.port(switch, host as u32) == Routes::NONE {
                routes.set(switch, host as u32, port);
            }
        }
    }
    let equal_cost = network.equal_cost.as_ref().map(|_| EqualCost::of_ports(&left));
    TablesPlan { at, routes, equal_cost, components: components(&left) }
}

/// Reports a cycle in which packets could wait for each other with the new tables.
fn check_cycle(
    scenario: &Scenario,
    network: &Network,
    routes: &Routes,
    equal_cost: Option<&EqualCost>,
    change: Time,
    collector: &mut Collector<'_>,
) {
    if scenario.allow_credit_loops || !scenario.links.have_flow_control() {
        return;
    }
    let starts = crate::resolve::network::service_lanes::starts(scenario);
    let lanes = network.lane_map.as_ref().map(|map| loops::Lanes { map, count: scenario.links.lanes, starts: &starts });
    let turns = scenario.scheme.route.as_ref().map_or(0, |route| route.turns());
    let cycle = match equal_cost {
        Some(equal_cost) => loops::credit_loop_among(&network.graph, equal_cost, lanes.as_ref()),
        None => loops::credit_loop(&network.graph, routes, lanes.as_ref(), turns),
    };
    if let Some(cycle) = cycle {
        let fact = format!("by the tables for the links at {change} {}", in_a_cycle(&network.graph, &cycle));
        let remedy =
            "write links.hop_lanes = \"by-hop\" with more lanes, leave out reroute, or set allow_credit_loops = true";
        collector.report("links.faults.reroute", fact, remedy);
    }
}
