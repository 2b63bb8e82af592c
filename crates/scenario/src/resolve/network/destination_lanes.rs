//! Which lane the packets for a host travel in (`links.destination_lanes`).
//!
//! A fixed map from destinations to lanes, applied at the hosts, as in the vFtree routing of [guay2011]: a congested
//! host delays only packets in its own lane, and none in the others.

use congestree_fabric::plan::FlowPlan;

use crate::resolve::Collector;
use crate::resolve::network::built::Network;
use crate::types::{DestinationLanes, FlowControl, LaneList, Scenario};

/// Lanes that packets may travel in because of their destination.
pub(in crate::resolve) fn used(scenario: &Scenario) -> Vec<u8> {
    match &scenario.links.destination_lanes {
        None => Vec::new(),
        Some(DestinationLanes::BySwitch(list) | DestinationLanes::Modulo(list)) => in_turn(scenario, list),
        Some(DestinationLanes::Given(given)) => given.lanes.values().copied().collect(),
    }
}

fn in_turn(scenario: &Scenario, list: &LaneList) -> Vec<u8> {
    list.lanes.clone().unwrap_or_else(|| (0..scenario.links.lanes).collect())
}

/// Checks combinations that are not possible.
pub(in crate::resolve) fn check(scenario: &Scenario, collector: &mut Collector<'_>) {
    let Some(map) = &scenario.links.destination_lanes else { return };
    let path = "links.destination_lanes";
    let lanes = scenario.links.lanes;
    let places: Vec<(String, u8)> = match map {
        DestinationLanes::BySwitch(list) | DestinationLanes::Modulo(list) => {
            let name = if matches!(map, DestinationLanes::Modulo(_)) { "modulo" } else { "by-switch" };
            let listed = list.lanes.iter().flatten().enumerate();
            listed.map(|(i, &lane)| (format!("{path}.{name}.lanes.{i}"), lane)).collect()
        }
        DestinationLanes::Given(given) => {
            given.lanes.iter().map(|(host, &lane)| (format!("{path}.given.lanes.{host}"), lane)).collect()
        }
    };
    for (place, lane) in places.into_iter().filter(|&(_, lane)| lane >= lanes) {
        let fact = format!("there is no lane {lane}: links.lanes is {lanes}, and lanes count from 0");
        collector.report(place, fact, "take a lower lane, or raise links.lanes");
    }
    if lanes == 1 {
        collector.report(path, "there is one lane, which all would share", "raise links.lanes, or leave this out");
    }
    if let Some((i, _)) = scenario.traffic.iter().enumerate().find(|(_, entry)| entry.is_finite()) {
        let fact = format!("the flows of traffic.{i} are made one by one, in the lane of their entry");
        collector.report(path, fact, "leave out flows = \"by-message\" there, or leave this out");
    }
    if let FlowControl::Pfc(pfc) = &scenario.links.flow_control
        && pfc.lossless.is_some()
    {
        let fact = "some lanes may lose packets, and whether a flow needs a transport would depend on its destination";
        collector.report(path, fact, "make all lanes lossless, or leave this out");
    }
}

/// Puts flows into the lanes of their destinations, except those of entries with a lane of their own.
pub(in crate::resolve) fn apply(
    scenario: &Scenario,
    network: &Network,
    flows: &mut [FlowPlan],
    collector: &mut Collector<'_>,
) {
    let Some(lanes) = of_hosts(scenario, network, collector) else { return };
    for flow in flows {
        if let Some(destination) = flow.destination
            && scenario.traffic[usize::from(flow.class)].lane.is_none()
            && let Some(lane) = lanes[destination.index()]
        {
            flow.lane = lane;
        }
    }
}

/// The lane of each host that has one.
fn of_hosts(scenario: &Scenario, network: &Network, collector: &mut Collector<'_>) -> Option<Vec<Option<u8>>> {
    let hosts = network.graph.hosts.len();
    match scenario.links.destination_lanes.as_ref()? {
        DestinationLanes::Modulo(list) => {
            let lanes = in_turn(scenario, list);
            Some((0..hosts).map(|host| Some(lanes[host % lanes.len()])).collect())
        }
        DestinationLanes::BySwitch(list) => {
            let lanes = in_turn(scenario, list);
            let ports = network.graph.ports();
            let mut before = vec![0; network.graph.switches.len()];
            let place = |host: usize| {
                let switch = ports.switch_of(host as u32)? as usize;
                before[switch] += 1;
                Some(lanes[(before[switch] - 1) % lanes.len()])
            };
            Some((0..hosts).map(place).collect())
        }
        DestinationLanes::Given(given) => {
            let mut lanes = vec![None; hosts];
            for (name, &lane) in &given.lanes {
                let path = format!("links.destination_lanes.given.lanes.{name}");
                lanes[network.directory.one(name, &path, collector)? as usize] = Some(lane);
            }
            Some(lanes)
        }
    }
}
