//! Trimming: whether trimmed packets have a lane, room, and a transport that handles them.

use congestree_fabric::plan::TrimPlan;
use congestree_units::Bytes;

use crate::resolve::{Collector, scheme_parts};
use crate::types::{Arbiter, Queues, Scenario, Victim};

/// How packets are trimmed, if they are.
pub(in crate::resolve) fn plan(scenario: &Scenario, collector: &mut Collector<'_>) -> Option<TrimPlan> {
    let switches = &scenario.switches;
    if let Some(rate) = switches.output_queue_rate {
        crate::resolve::limits::check_rate(Some(rate), "switches.output_queue_rate", collector);
        if switches.output_queue.is_none() {
            let fact = "there are no output queues whose length could depend on the rate";
            collector.report("switches.output_queue_rate", fact, "leave it out, or give switches.output_queue");
        }
    }
    let trim = switches.trim.as_ref()?;
    if scenario.links.have_flow_control() {
        let fact = "links with flow control have room for every packet, so that none is trimmed";
        collector.report("switches.trim", fact, "leave it out, or write links.flow_control = \"none\"");
    }
    if !scheme_parts(&scenario.scheme).transport.hears_of_trims() {
        let fact = "no transport here understands a trimmed packet";
        collector.report("switches.trim", fact, "give scheme.transport.uet, or leave it out");
    }
    if trim.lane >= scenario.links.lanes {
        let lanes = scenario.links.lanes;
        let fact = format!("there is no lane {}: links.lanes is {lanes}, and lanes count from 0", trim.lane);
        collector.report("switches.trim.lane", fact, "take a lower lane, or raise links.lanes");
    }
    for (i, entry) in scenario.traffic.iter().enumerate() {
        let lane =
            entry.lane.unwrap_or_else(|| crate::resolve::network::service_lanes::of_service(scenario, entry.service));
        if lane == trim.lane && scenario.links.lanes > trim.lane {
            let fact = format!("data of traffic.{i} travels in lane {lane}, which is that of trimmed packets");
            collector.report("switches.trim.lane", fact, "give headers a lane of their own");
        }
    }
    let full = scenario.adapters.full_packet();
    if trim.size.0 == 0 || trim.size >= full {
        let fact = format!("of a packet of {full} at most {} would be left", trim.size);
        collector.report("switches.trim.size", fact, "give the size of the headers, such as \"64 B\"");
    }
    let queue = trim.queue.or(switches.output_queue.map(|queue| Bytes(queue.0.saturating_mul(2))));
    // Where it goes by the rate of a link, see `output_queues`.
    if switches.output_queue_rate.is_none() && queue.is_some_and(|queue| queue < trim.size) {
        let fact = format!("there is no room even for one header of {}", trim.size);
        collector.report("switches.trim.queue", fact, "make it larger");
    }
    let in_line = matches!(switches.arbiter, Arbiter::Fifo(_)) && switches.queues == Queues::Voq;
    if trim.victim == Victim::Either && !in_line {
        let fact = "the newest packet of an output is known only where the output serves packets in order";
        collector.report(
            "switches.trim.victim",
            fact,
            "write victim = \"arriving\", or switches.arbiter = \"fifo\" with queues = \"voq\"",
        );
    }
    let either = trim.victim == Victim::Either;
    Some(TrimPlan { size: trim.size, lane: trim.lane, queue: queue?, either })
}
