//! Routes written by hand: for a switch and a host, the next node or the number of the port.
//!
//! Entries take precedence over shortest paths, which fill in the rest. If several links lead to the next node, the one
//! of the shortest path is used; if the shortest path leads elsewhere, the one of the same place among parallel links
//! or, if there are not as many, the destination's digit chooses. A port number selects one of them.

use super::Routes;
use super::shortest_path::Digits;
use super::written::{MOST_NAMES, another_host, ids, no_such_port, written_routes};
use crate::{Diagnostic, Graph, Node, Ports};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// Next nodes by switch and destination: `SWITCH.HOST = "next node"`, or the number of the port to take. What is not
/// written goes the shortest way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(rename = "Table")]
pub struct RoutingTable(pub BTreeMap<String, BTreeMap<String, Hop>>);

/// Where a switch sends a packet: to a neighbour, or out of a port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Hop {
    /// Name of the next node.
    Node(String),
    /// Number of the port.
    Port(u16),
}

impl RoutingTable {
    /// The routes of `graph` according to this table; or all errors, at fields `SWITCH.HOST`.
    pub fn routes(&self, graph: &Graph) -> Result<Routes, Vec<Diagnostic>> {
        let ports = graph.ports();
        let digits = Digits::new(&ports);
        let hosts = ids(&graph.hosts);
        written_routes(graph, &ports, &self.0, |name, switch, entries, routes| {
            let rows = SwitchTable { graph, ports: &ports, digits: &digits, hosts: &hosts, name, switch };
            let mut diagnostics = Vec::new();
            for (host, hop) in entries {
                match rows.entry(host, hop, routes) {
                    Ok((host, port)) => routes.set(switch, host, port),
                    Err(diagnostic) => diagnostics.push(diagnostic),
                }
            }
            diagnostics
        })
    }
}

/// The table of one switch.
struct SwitchTable<'a> {
    graph: &'a Graph,
    ports: &'a Ports,
    digits: &'a Digits,
    hosts: &'a HashMap<&'a str, u32>,
    name: &'a str,
    switch: u32,
}

impl SwitchTable<'_> {
    /// The host of an entry, and the port to it. `routes` still has the shortest path to this host.
    fn entry(&self, name: &str, hop: &Hop, routes: &Routes) -> Result<(u32, u16), Diagnostic> {
        let place = format!("{}.{name}", self.name);
        let Some(&host) = self.hosts.get(name) else {
            return Err(Diagnostic::new(place, format!("there is no host `{name}`"), "name a host of the topology"));
        };
        let own = &self.ports.switches[self.switch as usize];
        let leading: Vec<usize> = match hop {
            Hop::Node(next) => (0..own.len()).filter(|&port| self.graph.name(own[port].peer) == next).collect(),
            Hop::Port(number) => self.ports.numbered(self.switch, *number).into_iter().map(usize::from).collect(),
        };
        if leading.is_empty() {
            return Err(match hop {
                Hop::Node(next) => {
                    let known = neighbours(self.graph, self.ports, self.switch);
                    let fact = format!("`{next}` is not next to `{}`", self.name);
                    Diagnostic::new(place, fact, format!("name one of its neighbours: {known}"))
                }
                Hop::Port(number) => no_such_port(place, self.name, *number, own),
            });
        }
        let port = self.one_of(&leading, host, usize::from(routes.port(self.switch, host)));
        match own[port].peer {
            Node::Host(other) if other != host => Err(another_host(place, &self.graph.hosts[other as usize], name)),
            _ => Ok((host, port as u16)),
        }
    }

    /// One of the ports that lead to the next node of an entry; `shortest`: the port of the shortest path.
    fn one_of(&self, leading: &[usize], host: u32, shortest: usize) -> usize {
        if leading.contains(&shortest) {
            return shortest;
        }
        let own = &self.ports.switches[self.switch as usize];
        let peer = own.get(shortest).map(|port| port.peer);
        let parallel: Vec<usize> = (0..own.len()).filter(|&port| Some(own[port].peer) == peer).collect();
        match parallel.iter().position(|&port| port == shortest) {
            Some(place) if parallel.len() == leading.len() => leading[place],
            _ => leading[self.digits.digit(self.switch as usize, host, leading.len())],
        }
    }
}

/// The names of the neighbours of a switch, each once.
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
