//! Several queue pairs between two hosts: each is a flow with a window, a rate and a path of its own.

use congestree_fabric::plan::FlowPlan;
use congestree_traffic::FlowMapping;

use crate::resolve::Collector;
use crate::resolve::traffic::flows::{Destinations, TrafficTables};
use crate::types::{After, Arrivals, Traffic};

/// Whether the messages of an entry can be distributed over queue pairs, as it requests.
pub(in crate::resolve) fn check(entry: &Traffic, path: &str, collector: &mut Collector<'_>) {
    if entry.queue_pairs.is_none() {
        return;
    }
    let one_each = "leave it out: each has a rate and a way of its own already";
    let diagnostic = if entry.program.is_some() {
        Some(("the messages of an application go one after the other between two hosts", "leave it out"))
    } else if entry.is_finite() {
        Some(("every message is a flow of its own", one_each))
    } else {
        match &entry.arrivals {
            Arrivals::OnOff(_) => Some(("ON and OFF periods are those of one queue pair", "take other arrivals")),
            Arrivals::Gaps(gaps) if gaps.after == After::Done => Some((
                "the next message would wait for the last, so that only one queue pair would be at work",
                "leave it out",
            )),
            _ => None,
        }
    };
    if let Some((fact, remedy)) = diagnostic {
        collector.report(format!("{path}.queue_pairs"), fact, remedy);
    }
}

/// Whether the destinations of an entry have queue pairs: those that do not change.
pub(in crate::resolve) fn check_destinations(
    entry: &Traffic,
    to: &Destinations,
    path: &str,
    collector: &mut Collector<'_>,
) {
    if entry.queue_pairs.is_some() && matches!(to, Destinations::Drawn(_)) {
        let fact = "queue pairs lead to one host, and each message goes to another";
        let remedy = "leave it out, or take a fixed destination, a shift or a permutation";
        collector.report(format!("{path}.queue_pairs"), fact, remedy);
    }
}

/// Adds the flows of one source, which are equal, and their sources: a greedy source each, or one for all in turn.
pub(in crate::resolve) fn add(
    tables: &mut TrafficTables,
    flow: FlowPlan,
    pairs: u32,
    arrivals: &Arrivals,
) -> Vec<FlowMapping> {
    let base = tables.flows.len() as u32;
    tables.flows.extend((0..pairs).map(|_| FlowPlan { ..flow }));
    match arrivals {
        Arrivals::Greedy => (base..base + pairs).map(FlowMapping::One).collect(),
        _ => vec![FlowMapping::InTurn { base, count: pairs }],
    }
}
