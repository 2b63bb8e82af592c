//! What both forms of routes written by hand share: names of switches are looked up, shortest paths fill in the rest, and
//! no packet may go round in a loop.

use super::cycles::cycles;
use super::{Routes, shortest_path};
use crate::{Diagnostic, Graph, Port, Ports};
use std::collections::{BTreeMap, HashMap};

/// The shortest paths of `graph`, changed by `each` for every switch that is written; or all errors. `each` is called with
/// the name of a switch, its id, what is written for it and the routes so far, and returns what is wrong there.
pub(super) fn written_routes<T>(
    graph: &Graph,
    ports: &Ports,
    written: &BTreeMap<String, T>,
    mut each: impl FnMut(&str, u32, &T, &mut Routes) -> Vec<Diagnostic>,
) -> Result<Routes, Vec<Diagnostic>> {
    let mut routes = shortest_path(graph)
        .map_err(|error| vec![Diagnostic::new("", error.to_string(), "link the parts of the network to each other")])?;
    let switches = ids(&graph.switches);
    let mut diagnostics = Vec::new();
    for (name, of_switch) in written {
        match switches.get(name.as_str()) {
            Some(&switch) => diagnostics.extend(each(name, switch, of_switch, &mut routes)),
            None => {
                let fact = format!("there is no switch `{name}`");
                diagnostics.push(Diagnostic::new(name, fact, "name a switch of the topology"));
            }
        }
    }
    diagnostics.extend(cycles(graph, ports, &routes));
    if diagnostics.is_empty() { Ok(routes) } else { Err(diagnostics) }
}

/// A route to a port that does not exist.
pub(super) fn no_such_port(place: String, switch: &str, number: u16, own: &[Port]) -> Diagnostic {
    let mut known: Vec<_> = own.iter().take(MOST_NAMES).map(|port| port.number.to_string()).collect();
    if own.len() > MOST_NAMES {
        known.push("...".into());
    }
    let remedy = format!("its ports with a link are {}", known.join(", "));
    Diagnostic::new(place, format!("port {number} of `{switch}` has no link"), remedy)
}

/// A route that ends at the wrong host.
pub(super) fn another_host(place: String, other: &str, host: &str) -> Diagnostic {
    let fact = format!("`{other}` is another host, and hosts do not forward");
    Diagnostic::new(place, fact, format!("send packets for `{host}` to `{host}` itself or to a switch"))
}

/// Ids by name.
pub(super) fn ids(names: &[String]) -> HashMap<&str, u32> {
    names.iter().enumerate().map(|(id, name)| (name.as_str(), id as u32)).collect()
}

/// The largest number of ports or neighbours that a message names.
pub(super) const MOST_NAMES: usize = 16;
