//! Dependencies of a trace: those on nodes that do not exist, and cycles.
//!
//! A trace is mostly in an order in which it could run, and then neither costs memory: only dependencies on nodes that
//! come later in the file, or not at all, are stored. A cycle has at least one of the former; only if there are any is
//! the file read once more and its graph built.

use std::collections::HashMap;
use std::path::Path;

use crate::ids::Ids;
use crate::node::TraceNode;
use crate::{TraceError, read};

/// What is known of the dependencies of a trace so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct DependencyCheck {
    seen: Ids,
    /// A node and the nodes it waits for that did not come before it.
    ahead: Vec<(u64, u64)>,
}

impl DependencyCheck {
    /// Takes the next node of the file. Error: it has the id of another node; a packed file of a megabyte can have a
    /// thousand million of them.
    pub(crate) fn take(&mut self, node: &TraceNode, path: &Path) -> Result<(), TraceError> {
        let waits = node.deps().filter(|&dep| !self.seen.has(dep));
        self.ahead.extend(waits.map(|dep| (node.id, dep)));
        if self.seen.add(node.id) {
            return Ok(());
        }
        let fact = format!("there are two nodes with the id {}", node.id);
        Err(TraceError::new(path.display().to_string(), fact, "give every node of a file an id of its own"))
    }

    /// How many dependencies are on nodes that are not in the file.
    pub(crate) fn dangling(&self) -> u64 {
        self.ahead.iter().filter(|(_, dep)| !self.seen.has(*dep)).count() as u64
    }

    /// The errors in them, after the whole file has been read.
    ///
    /// A cycle that needs control dependencies is reported separately: recorders write into them which call made which,
    /// and readers such as the feeder of the Chakra project wait only for data.
    pub(crate) fn error(&self, path: &Path) -> (Option<TraceError>, Option<TraceError>) {
        let name = path.display().to_string();
        if !self.ahead.iter().any(|(_, dep)| self.seen.has(*dep)) {
            return (None, None);
        }
        let nodes = Graph::of(path);
        match nodes.cycle(false) {
            Some(cycle) => (Some(described(&name, &cycle, "take one of their dependencies out")), None),
            None => {
                let remedy = "take one of their control dependencies out, or run the trace with order = \"data\"";
                (None, nodes.cycle(true).map(|cycle| described(&name, &cycle, remedy)))
            }
        }
    }
}

/// A cycle in words.
fn described(name: &str, cycle: &[(u64, &str)], remedy: &str) -> TraceError {
    let shown: Vec<String> = cycle.iter().take(6).map(|(id, name)| format!("{id} ({})", short(name))).collect();
    let more = if cycle.len() > shown.len() { ", ..." } else { "" };
    let fact = match shown.len() {
        1 => format!("node {} waits for itself", shown[0]),
        _ => format!("{} nodes wait for each other in a cycle: {}{more}", cycle.len(), shown.join(", ")),
    };
    let first = cycle.first().map_or(0, |(id, _)| *id);
    TraceError::new(format!("{name}: node {first}"), fact, remedy)
}

/// Names of kernels are long.
fn short(name: &str) -> &str {
    match name.char_indices().nth(48) {
        Some((at, _)) => &name[..at],
        None => name,
    }
}

/// The nodes of a trace and what each waits for.
struct Graph {
    nodes: Vec<TraceNode>,
}

impl Graph {
    fn of(path: &Path) -> Self {
        let mut nodes = Vec::new();
        let _ = read(path, &mut |mut node: TraceNode| {
            node.attributes = Vec::new();
            node.name = short(&node.name).to_owned();
            nodes.push(node);
            Ok(())
        });
        Self { nodes }
    }

    /// The nodes of a cycle, each waiting for the next, if there is one.
    fn cycle(&self, control: bool) -> Option<Vec<(u64, &str)>> {
        let nodes = &self.nodes;
        let place: HashMap<u64, usize> = nodes.iter().enumerate().map(|(at, node)| (node.id, at)).collect();
        let before = |at: usize| {
            let control = nodes[at].ctrl_deps.iter().filter(move |_| control);
            nodes[at].data_deps.iter().chain(control).filter_map(|dep| place.get(dep)).copied()
        };
        let mut left: Vec<u32> = vec![0; nodes.len()];
        let mut followers: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (at, waits) in left.iter_mut().enumerate() {
            for dep in before(at) {
                *waits += 1;
                followers[dep].push(at);
            }
        }
        let mut free: Vec<usize> = (0..nodes.len()).filter(|&at| left[at] == 0).collect();
        while let Some(at) = free.pop() {
            for &next in &followers[at] {
                left[next] -= 1;
                if left[next] == 0 {
                    free.push(next);
                }
            }
        }
        // Each node that is left waits for another one that is left, so following these leads back to one seen before.
        let mut at = left.iter().position(|&left| left > 0)?;
        let (mut path, mut step) = (Vec::new(), HashMap::new());
        while !step.contains_key(&at) {
            step.insert(at, path.len());
            path.push(at);
            at = before(at).find(|&dep| left[dep] > 0)?;
        }
        let cycle = path.split_off(step[&at]);
        Some(cycle.into_iter().map(|at| (nodes[at].id, nodes[at].name.as_str())).collect())
    }
}
