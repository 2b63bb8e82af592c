//! The lanes in which packets leave their hosts: by service level (`links.service_lanes`), or as given by traffic,
//! answers and destinations.

use crate::resolve::network::destination_lanes;
use crate::resolve::scheme_parts;
use crate::types::Scenario;

/// The lanes and service levels in which packets leave their hosts.
pub(crate) fn starts(scenario: &Scenario) -> Vec<(u8, u8)> {
    let mut starts = Vec::new();
    let notices = scheme_parts(&scenario.scheme).notify.packet().and_then(|cnp| cnp.lane);
    let control = scheme_parts(&scenario.scheme).transport.control_lane();
    for entry in &scenario.traffic {
        let own = entry.lane.unwrap_or_else(|| of_service(scenario, entry.service));
        let others = destination_lanes::used(scenario).into_iter().filter(|_| entry.lane.is_none());
        let answers = notices.into_iter().chain(control).chain(scenario.adapters.ack_lane);
        starts.extend([own].into_iter().chain(others).chain(answers).map(|lane| (lane, entry.service)));
    }
    starts.sort_unstable();
    starts.dedup();
    starts.retain(|&(lane, _)| lane < scenario.links.lanes);
    starts
}

/// The lane of a service level.
pub(in crate::resolve) fn of_service(scenario: &Scenario, service: u8) -> u8 {
    scenario.links.service_lanes.get(usize::from(service)).copied().unwrap_or(0)
}
