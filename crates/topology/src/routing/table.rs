//! Routes written by hand: for a switch and a host, the next node.
//!
//! Entries come before shortest paths, which fill in the rest. If several links lead to the next node, the host's id
//! chooses among them as it does among shortest paths.

use super::{Routes, shortest_path};
use crate::{Complaint, Graph, Node, Ports};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// Next nodes by switch and destination: `SWITCH.HOST = "next node"`. What is not written goes the shortest way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Table(pub BTreeMap<String, BTreeMap<String, String>>);

impl Table {
    /// The routes of `graph` according to this table; or all that is wrong, at fields `SWITCH.HOST`.
    pub fn routes(&self, graph: &Graph) -> Result<Routes, Vec<Complaint>> {
        let ports = graph.ports();
        let mut routes = shortest_path(graph).map_err(|error| {
            vec![Complaint::new("", error.to_string(), "link the parts of the network to each other")]
        })?;
        let hosts = ids(&graph.hosts);
        let switches = ids(&graph.switches);
        let mut complaints = Vec::new();
        for (switch_name, entries) in &self.0 {
            let Some(&switch) = switches.get(switch_name.as_str()) else {
                let fact = format!("there is no switch `{switch_name}`");
                complaints.push(Complaint::new(switch_name, fact, "name a switch of the topology"));
                continue;
            };
            for (host_name, next) in entries {
                let place = format!("{switch_name}.{host_name}");
                let Some(&host) = hosts.get(host_name.as_str()) else {
                    let fact = format!("there is no host `{host_name}`");
                    complaints.push(Complaint::new(place, fact, "name a host of the topology"));
                    continue;
                };
                let own = &ports.switches[switch as usize];
                let leading: Vec<_> = (0..own.len()).filter(|&port| graph.name(own[port].peer) == next).collect();
                if leading.is_empty() {
                    let fact = format!("`{next}` is not next to `{switch_name}`");
                    let remedy = format!("name one of its neighbours: {}", neighbours(graph, &ports, switch));
                    complaints.push(Complaint::new(place, fact, remedy));
                    continue;
                }
                let port = leading[host as usize % leading.len()];
                match own[port].peer {
                    Node::Host(other) if other != host => complaints.push(Complaint::new(
                        place,
                        format!("`{next}` is another host, and hosts do not forward"),
                        format!("name `{host_name}` itself or a switch"),
                    )),
                    _ => routes.set(switch, host, port as u16),
                }
            }
        }
        complaints.extend(circles(graph, &ports, &routes));
        if complaints.is_empty() { Ok(routes) } else { Err(complaints) }
    }
}

/// One complaint for each host towards which packets would go round in a circle.
fn circles(graph: &Graph, ports: &Ports, routes: &Routes) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    // The walk in which a switch was last visited; a walk that meets itself is a circle.
    let mut visited = vec![0u64; graph.switches.len()];
    let mut walk = 0u64;
    for host in 0..graph.hosts.len() as u32 {
        let first_walk = walk + 1;
        for start in 0..graph.switches.len() as u32 {
            walk += 1;
            let mut at = start;
            let met_itself = loop {
                if visited[at as usize] >= first_walk {
                    break visited[at as usize] == walk;
                }
                visited[at as usize] = walk;
                match ports.switches[at as usize].get(usize::from(routes.port(at, host))).map(|port| port.peer) {
                    Some(Node::Switch(next)) => at = next,
                    _ => break false,
                }
            };
            if met_itself {
                complaints.push(circle(graph, ports, routes, at, host));
                break;
            }
        }
    }
    complaints
}

/// Says which switches the circle through `start` consists of.
fn circle(graph: &Graph, ports: &Ports, routes: &Routes, start: u32, host: u32) -> Complaint {
    let mut names = vec![graph.switches[start as usize].as_str()];
    let mut at = start;
    while let Node::Switch(next) = ports.switches[at as usize][usize::from(routes.port(at, host))].peer {
        names.push(&graph.switches[next as usize]);
        at = next;
        if at == start {
            break;
        }
    }
    let name = &graph.hosts[host as usize];
    Complaint::new(
        format!("{}.{name}", names[0]),
        format!("packets for `{name}` would go round in a circle: {}", names.join(" -> ")),
        "let one of these switches send them out of the circle",
    )
}

fn ids(names: &[String]) -> HashMap<&str, u32> {
    names.iter().enumerate().map(|(id, name)| (name.as_str(), id as u32)).collect()
}

/// The names next to a switch, each once.
fn neighbours(graph: &Graph, ports: &Ports, switch: u32) -> String {
    let mut names = Vec::new();
    for port in &ports.switches[switch as usize] {
        let name = graph.name(port.peer);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.truncate(MOST_NAMES);
    names.join(", ")
}

/// Neighbours that a message names at most.
const MOST_NAMES: usize = 16;
