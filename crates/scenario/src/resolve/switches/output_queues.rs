//! Output queues whose length goes by the rate of their links: whether each has room for a packet, and that of trimmed
//! packets for a header.

use congestree_fabric::plan::SwitchPlan;
use congestree_units::{Bytes, Rate};

use crate::resolve::Collector;
use crate::resolve::network::built::Network;
use crate::types::Scenario;

/// Checks that the shortest queue has room for a packet. Where all are equally long that is known without the network.
pub(in crate::resolve) fn check(
    scenario: &Scenario,
    plan: &SwitchPlan,
    network: &Network,
    collector: &mut Collector<'_>,
) {
    // A queue in vain and a rate of zero have been reported.
    let Some(of) = plan.output_queue_rate.filter(|&of| of > Rate(0) && !scenario.links.have_flow_control()) else {
        return;
    };
    let switches = network.graph.ports().switches.into_iter().enumerate();
    let outputs = switches.flat_map(|(switch, ports)| ports.into_iter().map(move |port| (switch, port)));
    let Some((switch, slowest)) = outputs.min_by_key(|(_, port)| port.out.rate) else { return };
    let rate = slowest.out.rate;
    let at = format!("at {}->{} ({rate})", network.graph.switches[switch], network.graph.name(slowest.peer));
    let mut check = |key: &str, room: Option<Bytes>, size: Bytes, what: &str, lost: &str| {
        let Some(room) = room.filter(|&room| room < size) else { return };
        let least = (u128::from(size.0) * u128::from(of.0)).div_ceil(u128::from(rate.0.max(1)));
        let least = Bytes(u64::try_from(least).unwrap_or(u64::MAX));
        let fact = format!("{at} {room} have no room for a {what} of {size}, so that all would be {lost}");
        collector.report(key, fact, format!("make it at least {least}, or leave out switches.output_queue_rate"));
    };
    let lost = if plan.trim.is_some() { "trimmed" } else { "dropped" };
    check("switches.output_queue", plan.output_queue_at(rate), scenario.adapters.largest_packet(), "packet", lost);
    let Some(trim) = plan.trim else { return };
    check("switches.trim.queue", plan.trim_queue_at(rate), trim.size, "header", "dropped");
}
