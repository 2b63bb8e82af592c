//! Hosts that could send in an incast, and that chance drew for none: they have no flow, and count as sources all the
//! same where rates are means over sources.

use std::collections::{BTreeMap, HashSet};

use congestree_fabric::plan::{FlowPlan, Plan};

use crate::resolve::network::directory::Directory;
use crate::resolve::{Collector, Reading};
use crate::tree::{TreeNode, Value};
use crate::types::{Arrivals, Hosts, Incast, Scenario, Traffic};

/// The entries with incasts, with their places.
fn incasts(scenario: &Scenario) -> impl Iterator<Item = (usize, &Traffic, &Incast)> {
    scenario.traffic.iter().enumerate().filter_map(|(place, entry)| match &entry.arrivals {
        Arrivals::Incast(incast) => Some((place, entry, incast)),
        _ => None,
    })
}

/// The flows of an entry.
fn flows(plan: &Plan, place: usize) -> impl Iterator<Item = &FlowPlan> {
    plan.flows.iter().filter(move |flow| usize::from(flow.class) == place)
}

/// By class with incasts: names of the hosts of `from`, without that of `to`, which no incast drew.
pub fn undrawn(scenario: &Scenario, plan: &Plan) -> BTreeMap<String, Vec<String>> {
    let directory = Directory::new(&plan.graph);
    let tree = TreeNode::new(Value::Null);
    // These names were found when the scenario was read.
    let mut collector = Collector::within(&tree, Reading { memory: u64::MAX, roughly: false });
    let mut hosts = |named: &Option<Hosts>| match named {
        Some(named) => directory.several(named, "", &mut collector).unwrap_or_default(),
        None => Vec::new(),
    };
    let of_entry = |(place, entry, _): (usize, &Traffic, &Incast)| {
        let to = entry.to.as_ref().map(|name| Hosts::One(name.clone()));
        let senders: HashSet<u32> = flows(plan, place).map(|flow| flow.source.0).chain(hosts(&to)).collect();
        let left = hosts(&entry.from).into_iter().filter(|host| !senders.contains(host));
        (entry.class_name(place), left.map(|host| plan.graph.hosts[host as usize].clone()).collect())
    };
    incasts(scenario).map(of_entry).collect()
}

/// A sentence about each entry that has no incast, because the first would come too late.
pub(crate) fn notes(scenario: &Scenario, plan: &Plan) -> Vec<String> {
    let none = incasts(scenario).filter(|&(place, ..)| flows(plan, place).next().is_none());
    let note = |(place, entry, _): (usize, &Traffic, &Incast)| {
        let end = entry.stop.map_or(scenario.measure.duration, |stop| stop.min(scenario.measure.duration));
        format!(
            "traffic.{place}.arrivals.incast.load: no incast is drawn by {end}, so that {} sends nothing. Make \
             measure.duration longer or the load larger, or take another seed.",
            entry.class_name(place),
        )
    };
    none.map(note).collect()
}
