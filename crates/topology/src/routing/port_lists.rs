//! Forwarding tables as a switch has them: for every host the number of a port.
//!
//! This is the form in which a subnet manager writes its tables (linear forwarding tables), with hosts instead of LIDs.
//! If a switch has no entry, 0 is written, and the shortest path is used.

use super::Routes;
use super::written::{another_host, no_such_port, written_routes};
use crate::{Diagnostic, Graph, Node};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// For each switch a list with one port number for each host, in the order of the hosts. 0, or a switch that is not
/// written, goes the shortest way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PortLists(pub BTreeMap<String, Vec<u16>>);

impl PortLists {
    /// The lists for these routes of `graph`.
    pub fn of(graph: &Graph, routes: &Routes) -> Self {
        let ports = graph.ports();
        let number = |switch: usize, port: u16| ports.switches[switch].get(usize::from(port)).map_or(0, |p| p.number);
        let list = |switch: usize| {
            let mut row = Vec::new();
            routes.row(switch as u32, &mut row);
            row.iter().map(|&port| number(switch, port)).collect()
        };
        PortLists(graph.switches.iter().enumerate().map(|(id, name)| (name.clone(), list(id))).collect())
    }

    /// The routes of `graph` according to these lists; or all errors, at fields `SWITCH.POSITION`.
    pub fn routes(&self, graph: &Graph) -> Result<Routes, Vec<Diagnostic>> {
        let ports = graph.ports();
        written_routes(graph, &ports, &self.0, |name, switch, list, routes| {
            if list.len() != graph.hosts.len() {
                let fact = format!("there are {} ports here and {} hosts", list.len(), graph.hosts.len());
                let remedy = "write one port number for each host, in the order of the hosts; 0 for the shortest way";
                return vec![Diagnostic::new(name, fact, remedy)];
            }
            let own = &ports.switches[switch as usize];
            let mut diagnostics = Vec::new();
            for (host, &number) in list.iter().enumerate().filter(|&(_, &number)| number != 0) {
                let place = format!("{name}.{host}");
                match ports.numbered(switch, number).map(|port| (port, own[usize::from(port)].peer)) {
                    None => diagnostics.push(no_such_port(place, name, number, own)),
                    Some((_, Node::Host(other))) if other as usize != host => {
                        diagnostics.push(another_host(place, &graph.hosts[other as usize], &graph.hosts[host]))
                    }
                    Some((port, _)) => routes.set(switch, host as u32, port),
                }
            }
            diagnostics
        })
    }
}
