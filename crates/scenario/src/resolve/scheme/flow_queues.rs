//! Flow queues at outputs: whether switches and links support them.

use congestree_schemes::isolate::flow_queues::FlowRules;
use congestree_schemes::{IsolateParams, MarkParams};

use super::isolation::check_links;
use crate::resolve::Collector;
use crate::types::{Arbiter, Memory, Queues, ReadPorts, Scenario};

pub(super) fn check(
    scenario: &Scenario,
    isolate: &IsolateParams,
    mark: &MarkParams,
    collector: &mut Collector<'_>,
) -> Option<FlowRules> {
    let rules = isolate.flow_rules()?;
    check_switches(scenario, collector);
    let unlimited = "stopping flows is of use only on lossless links, and these links drop packets";
    let in_lanes =
        "flows have queues of their own in lane 0 alone, and packets would travel in those of their destinations";
    check_links(scenario, unlimited, in_lanes, collector);
    if mark.marks() {
        let fact = "marking policies observe input queues, but with bfc packets wait in per-flow output queues";
        collector.report("scheme.mark", fact, "leave it out, or take another scheme.isolate");
    }
    if scenario.adapters.injection_buffer.is_some() {
        let fact =
            "the scheme stops single flows at their host, and their packets would be in the injection buffer already";
        collector.report("adapters.injection_buffer", fact, "leave it out, or take another scheme.isolate");
    }
    Some(rules)
}

fn check_switches(scenario: &Scenario, collector: &mut Collector<'_>) {
    let switches = &scenario.switches;
    let mut only = |fits: bool, key: &str, fact: &str, remedy: &str| {
        if !fits {
            collector.report(format!("switches.{key}"), fact, remedy);
        }
    };
    let fact = "packets wait in queues by flow at the outputs, and inputs have no queues";
    only(switches.queues == Queues::Voq, "queues", fact, "write queues = \"voq\", or leave it out");
    let fact = "several queues of flows may be served from one input at once";
    only(switches.read_ports == ReadPorts::All, "read_ports", fact, "write read_ports = \"all\", or leave it out");
    let fact = "outputs serve the queues by flow in deficit round robin";
    only(switches.arbiter == Arbiter::RoundRobin, "arbiter", fact, "write arbiter = \"round-robin\", or leave it out");
    let fact = "the queues of an input would have room of their own, and flows stand in queues of the outputs";
    only(switches.memory == Memory::Shared, "memory", fact, "write memory = \"shared\", or leave it out");
    let fact = "packets go to the links directly from the queues by flow";
    only(switches.crossbar.is_none(), "crossbar", fact, "leave it out, or take another scheme.isolate");
}
