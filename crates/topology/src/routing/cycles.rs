//! Whether the tables send packets round in a loop.

use super::Routes;
use crate::{Diagnostic, Graph, Node, Ports};

/// One diagnostic for each host towards which packets would go round in a loop.
pub(super) fn cycles(graph: &Graph, ports: &Ports, routes: &Routes) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    // The walk in which a switch was last visited; a walk that meets itself is a loop.
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
                diagnostics.push(cycle(graph, ports, routes, at, host));
                break;
            }
        }
    }
    diagnostics
}

/// Describes the switches of the loop through `start`.
fn cycle(graph: &Graph, ports: &Ports, routes: &Routes, start: u32, host: u32) -> Diagnostic {
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
    Diagnostic::new(
        format!("{}.{name}", names[0]),
        format!("packets for `{name}` would go round in a loop: {}", names.join(" -> ")),
        "let one of these switches send them out of the loop",
    )
}
