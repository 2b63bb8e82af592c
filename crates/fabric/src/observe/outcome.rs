//! What a run returns: tables, counts, fingerprints, and why it ended.

use congestree_probes::{Column, Names, Table};
use congestree_topology::{Graph, Node};
use congestree_units::Time;
use congestree_wire::PortId;

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// `flows`, `ports`, `summary`, and what the probes recorded.
    pub tables: Vec<Table>,
    /// The simulated time reached.
    pub end: Time,
    /// Number of parts of the network that were run side by side.
    pub parts: u16,
    /// Events handled.
    pub events: u64,
    /// Data packets that crossed a link, counted once for each link.
    pub packet_hops: u64,
    /// Packets of any kind that crossed a link, counted once for each link: ACKs and notifications as well.
    pub link_packets: u64,
    /// The most packets that were in flight at once.
    pub peak_packets: usize,
    /// The most flows that there was room for at once: those of the plan, and the most that came and went.
    pub peak_flows: usize,
    /// Memory per packet (the packet itself, its header and telemetry, and credits on their way back), by the most
    /// packets that were in flight at once.
    pub bytes_per_packet: usize,
    /// Memory per port, including queues.
    pub bytes_per_port: f64,
    /// Fingerprint of every transmission: when, where, which packet, marked or not.
    pub trajectory: u64,
    /// Fingerprint of every delivery.
    pub results: u64,
    /// Why the run ended early, if it did.
    pub stop: Option<Stop>,
}

/// Why a run ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The caller stopped it.
    Interrupted,
    /// Packets wait for each other in a cycle, described here.
    Deadlock(String),
    /// A packet found no room in a lane that must lose nothing.
    Loss(String),
    /// An application waits for something that will never come, described here.
    Stuck(String),
    /// A law of the fabric was broken: a fault in the simulator.
    Law(String),
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Interrupted => write!(f, "interrupted"),
            Stop::Deadlock(cycle) => write!(f, "deadlock: {cycle}"),
            Stop::Loss(what) => write!(f, "a packet was lost in a lossless lane: {what}"),
            Stop::Stuck(what) => write!(f, "{what}"),
            Stop::Law(what) => write!(f, "a law of the fabric was broken: {what}"),
        }
    }
}

/// The table of measures.
pub(super) fn summary_of(rows: &[SummaryRow]) -> Table {
    let words = |pick: fn(&SummaryRow) -> &str| rows.iter().map(|row| pick(row).to_owned()).collect::<Vec<String>>();
    Table {
        name: "summary",
        columns: vec![
            Column::new("name", "", "name of the measure", words(|r| r.0)),
            Column::new("value", "", "value, in the unit of this row", rows.iter().map(|r| r.1).collect::<Vec<f64>>()),
            Column::new("unit", "", "unit of the value", words(|r| r.2)),
            Column::new("meaning", "", "description of the measure", words(|r| r.3)),
        ],
    }
}

/// A measure: name, value, unit, meaning.
pub(crate) type SummaryRow = (&'static str, f64, &'static str, &'static str);

/// A rate; not a number if nothing was measured, because the run ended before its warm-up did.
pub(super) fn per_second(count: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { count as f64 / seconds } else { f64::NAN }
}

/// The names of the ports, "from->to", and of the nodes they belong to, in order of port id.
pub(crate) fn names(graph: &Graph, classes: &[String], peers: &[PortId]) -> Names {
    let wired = graph.ports();
    let hosts = (0..graph.hosts.len()).map(|id| Node::Host(id as u32));
    let switches = wired
        .switches
        .iter()
        .enumerate()
        .flat_map(|(id, ports)| std::iter::repeat_n(Node::Switch(id as u32), ports.len()));
    let nodes: Vec<String> = hosts.chain(switches).map(|node| graph.name(node).to_owned()).collect();
    let ports = peers.iter().zip(&nodes).map(|(&peer, from)| format!("{from}->{}", nodes[peer.index()])).collect();
    Names { ports, nodes, classes: classes.to_vec() }
}
