//! The time that hosts need: for ACKs, and for messages before their first byte.

use congestree_units::Time;

use crate::resolve::Collector;
use crate::types::{Scenario, Traffic};

/// Checks that these times are shorter than the run, and that a queue of messages has messages to wait in it.
pub(in crate::resolve) fn check(scenario: &Scenario, collector: &mut Collector<'_>) {
    let (adapters, end) = (&scenario.adapters, scenario.measure.duration);
    let times = [
        ("ack_turnaround", adapters.ack_turnaround, "no ACK would be turned around"),
        ("message_cost", adapters.message_cost, "no message would be sent"),
    ];
    for (key, time, fact) in times {
        if let Some(time) = time.filter(|&time| Time::START + time >= end) {
            let fact = format!("{fact} ({time}) before the run ends at {end}");
            collector.report(format!("adapters.{key}"), fact, "make it shorter, or measure.duration longer");
        }
    }
    if adapters.queue_depth.is_some()
        && let Some(place) = scenario.traffic.iter().position(Traffic::is_finite)
    {
        let fact = format!("every message of traffic.{place} is a flow of its own, so that none is before another");
        let remedy = "leave it out, or take flows = \"by-pair\"";
        collector.report("adapters.queue_depth", fact, remedy);
    }
}
