//! What is in a trace: counts of nodes, dependencies, bytes and collectives.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::json;

use crate::dependencies::DependencyCheck;
use crate::header::Form;
use crate::node::{NodeKind, TraceNode};
use crate::{TraceError, TraceHeader, read};

/// The contents of a trace, counted.
#[derive(Clone, Debug, Default)]
pub struct Info {
    /// What the trace states about itself.
    pub header: TraceHeader,
    /// All nodes.
    pub nodes: u64,
    /// By kind, in the order of the schema's numbers; 0: of no known kind.
    pub by_kind: [u64; 8],
    /// Collective nodes by operation; those without an operation are counted as `unspecified`, those with one that the
    /// schema does not have as `unknown`.
    pub collectives: BTreeMap<String, u64>,
    /// Dependencies for order.
    pub ctrl_deps: u64,
    /// Dependencies for data.
    pub data_deps: u64,
    /// Dependencies of either kind on nodes that are not in the trace.
    pub dangling_deps: u64,
    /// Payload sent (B).
    pub send_bytes: u64,
    /// Payload received (B).
    pub recv_bytes: u64,
    /// Payload of collectives (B), as the nodes give it.
    pub coll_bytes: u64,
    /// Sum of the recorded durations (us).
    pub duration_us: u64,
    /// Names of attributes of nodes.
    pub attributes: BTreeSet<String>,
    /// Ranks named by sends and receives.
    pub peers: BTreeSet<u32>,
}

/// Counts what is in a trace; if it cannot be read to its end, returns the counts so far, and the reason.
///
/// The last value is a remark: a problem that would matter only if the trace were to run. `go_on` is called now and
/// then; if it returns false, the rest is skipped.
pub fn info(path: &Path, go_on: &mut dyn FnMut() -> bool) -> (Info, Option<TraceError>, Option<TraceError>) {
    let mut info = Info::default();
    let mut dependencies = DependencyCheck::default();
    let (header, error) = read(path, &mut |node| {
        dependencies.take(&node, path)?;
        info.count(&node);
        if info.nodes.is_multiple_of(ASK_EVERY) && !go_on() {
            let fact = format!("reading was stopped after {} nodes", info.nodes);
            return Err(TraceError::new(path.display().to_string(), fact, "let it go on"));
        }
        Ok(())
    });
    let is_json = matches!(header.form, Form::Json | Form::JsonGzip);
    info.header = header;
    info.dangling_deps = dependencies.dangling();
    if is_json {
        // This form cannot state the operation, so its absence means nothing.
        info.collectives.remove(UNSPECIFIED);
    }
    // Nodes that wait for a part that is cut off form no cycle, and a second message would add nothing.
    if error.is_some() {
        return (info, error, None);
    }
    let (error, remark) = dependencies.error(path);
    (info, error, remark)
}

/// Number of nodes between two calls of `go_on`.
const ASK_EVERY: u64 = 1 << 12;

const UNSPECIFIED: &str = "unspecified";
const UNKNOWN: &str = "unknown";

impl Info {
    fn count(&mut self, node: &TraceNode) {
        self.nodes += 1;
        // What the schema does not know is counted with what it calls invalid.
        self.by_kind[node.kind as usize % self.by_kind.len()] += 1;
        self.ctrl_deps += node.ctrl_deps.len() as u64;
        self.data_deps += node.data_deps.len() as u64;
        self.duration_us = self.duration_us.saturating_add(node.duration_us);
        for (name, _) in &node.attributes {
            if !self.attributes.contains(name) {
                self.attributes.insert(name.clone());
            }
        }
        let add = |sum: &mut u64| *sum = sum.saturating_add(node.payload().unwrap_or(0));
        match node.kind {
            NodeKind::Send => add(&mut self.send_bytes),
            NodeKind::Receive => add(&mut self.recv_bytes),
            NodeKind::Collective => {
                add(&mut self.coll_bytes);
                let name = match node.collective() {
                    None => UNSPECIFIED.to_owned(),
                    Some(Ok(one)) => one.name(),
                    Some(Err(_)) => UNKNOWN.to_owned(),
                };
                *self.collectives.entry(name).or_default() += 1;
            }
            _ => {}
        }
        let peer = match node.kind {
            NodeKind::Send => node.rank("comm_dst"),
            NodeKind::Receive => node.rank("comm_src"),
            _ => None,
        };
        self.peers.extend(peer);
    }

    /// As JSON, with one key per count.
    pub fn facts(&self, file: &str) -> serde_json::Value {
        let kind = |kind: NodeKind| self.by_kind[kind as usize];
        let collectives: Vec<String> = self.collectives.iter().map(|(name, n)| format!("{name}={n}")).collect();
        let attributes: Vec<&str> = self.attributes.iter().map(String::as_str).collect();
        json!({
            "file": file,
            "format": self.header.form.name(),
            "bytes": self.header.bytes,
            "version": self.header.version,
            "nodes": self.nodes,
            "metadata": kind(NodeKind::Metadata),
            "mem_load": kind(NodeKind::MemLoad),
            "mem_store": kind(NodeKind::MemStore),
            "comp": kind(NodeKind::Comp),
            "comm_send": kind(NodeKind::Send),
            "comm_recv": kind(NodeKind::Receive),
            "comm_coll": kind(NodeKind::Collective),
            "collectives": collectives.join(";"),
            "ctrl_deps": self.ctrl_deps,
            "data_deps": self.data_deps,
            "dangling_deps": self.dangling_deps,
            "send_bytes": self.send_bytes,
            "recv_bytes": self.recv_bytes,
            "coll_bytes": self.coll_bytes,
            "duration_us": self.duration_us,
            "attributes": attributes.join(" "),
            "invalid": kind(NodeKind::Invalid),
            "peers": self.peers.iter().collect::<Vec<_>>(),
        })
    }
}
