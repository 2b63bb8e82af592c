//! The network of a checked scenario as plain data: which nodes are connected, and every switch's forwarding table.
//!
//! For programs that write a fabric in another format, or report on it. Rates are in bit/s, delays in ps, memory in
//! bytes.

use congestree_fabric::headroom::loops as pause_loops;
use congestree_fabric::headroom::shared_sizes;
use congestree_topology::loops::{HeldChannel, Lanes};
use congestree_topology::routing::PortLists;
use congestree_topology::{Graph, levels, loops};
use serde_json::{Value as Json, json};

use crate::diagnostic::{Diagnostic, Diagnostics, binary};
use crate::read::Checked;
use crate::resolve::starts;

/// Memory of an entry of a forwarding table as plain data (B): here, as text, and as a list of Python.
const ENTRY: u64 = 48;

/// The forwarding tables of a network: the port of every switch towards every host. Reports a network whose tables take
/// more memory (B) than allowed in this form; the engine itself needs none where a formula gives the routes.
pub fn forwarding_tables(checked: &Checked, memory: u64) -> Result<Json, Diagnostics> {
    let (graph, routes) = (&checked.plan.graph, &checked.plan.routes);
    let (switches, hosts) = (graph.switches.len() as u64, graph.hosts.len() as u64);
    let taken = switches.saturating_mul(hosts).saturating_mul(ENTRY);
    if taken <= memory {
        return Ok(json!(PortLists::of(graph, routes).0));
    }
    let diagnostic = Diagnostic {
        file: None,
        path: "topology".to_owned(),
        line: None,
        column: None,
        fact: format!(
            "the forwarding tables of {switches} switches for {hosts} hosts take about {} of memory as lists, and the limit is {}",
            binary(taken),
            binary(memory)
        ),
        remedy: "take a smaller network, or a machine with more memory".to_owned(),
    };
    Err(Diagnostics { name: checked.scenario.name.clone(), list: vec![diagnostic] })
}

/// Hosts, switches, links with port numbers, groups, the levels of a tree (null if it is not a tree), and a cycle of
/// links that can wait for each other (null if there is none). If links pause, also the headroom that each end of a
/// link needs, and the memory that the ports of each switch share.
pub fn network(checked: &Checked) -> Json {
    let (graph, routes) = (&checked.plan.graph, &checked.plan.routes);
    let ports = graph.ports();
    let mut numbers = vec![[0u16; 2]; graph.links.len()];
    let mut headroom = vec![[None; 2]; graph.links.len()];
    let mut needed = pause_loops(&checked.plan).into_iter();
    for port in ports.hosts.iter().chain(&ports.switches).flatten() {
        let end = usize::from(!port.at_a);
        numbers[port.link as usize][end] = port.number;
        headroom[port.link as usize][end] = needed.next().map(|port| port.headroom().0);
    }
    let links: Vec<Json> = graph
        .links
        .iter()
        .zip(numbers)
        .zip(headroom)
        .map(|((link, [port_a, port_b]), [headroom_a, headroom_b])| {
            json!({
                "a": graph.name(link.a), "port_a": port_a, "b": graph.name(link.b), "port_b": port_b,
                "rate": link.ab.rate.0, "rate_back": link.ba.rate.0, "delay": link.ab.delay.0, "delay_back": link.ba.delay.0,
                "headroom_a": headroom_a, "headroom_b": headroom_b,
            })
        })
        .collect();
    let member = |&host: &u32| graph.hosts[host as usize].as_str();
    let groups: serde_json::Map<_, _> =
        graph.groups.iter().map(|(name, hosts)| (name.clone(), hosts.iter().map(member).collect())).collect();
    let (tree, no_tree) = match levels::levels(graph, &ports) {
        Ok(levels) => (json!(levels), Json::Null),
        Err(reason) => (Json::Null, json!(reason)),
    };
    let starts = starts(&checked.scenario);
    let count = checked.plan.lanes;
    let lanes = checked.plan.lane_map.as_ref().map(|map| Lanes { map, count, starts: &starts });
    json!({
        "name": checked.scenario.name,
        "hosts": graph.hosts,
        "switches": graph.switches,
        "links": links,
        "groups": groups,
        "shared_memory": shared_sizes(&checked.plan),
        "levels": tree,
        "no_levels_because": no_tree,
        "credit_loop": loops::credit_loop(graph, routes, lanes.as_ref(), 0).map(|cycle| named(graph, &cycle)),
    })
}

fn named(graph: &Graph, cycle: &[HeldChannel]) -> Vec<[String; 2]> {
    cycle.iter().map(|held| [graph.name(held.from).to_owned(), graph.name(held.to).to_owned()]).collect()
}
