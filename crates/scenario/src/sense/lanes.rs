//! Lanes: which service level travels in which, and how they share a link.

use congestree_fabric::plan::LaneWeights;

use super::{Findings, scheme_parts};
use crate::types::{LaneArbiter, Scenario, Weight};
use congestree_schemes::NotifyParams;

/// Weights by which lanes share a link; `None`: they take turns.
pub(super) fn plan(scenario: &Scenario, findings: &mut Findings<'_>) -> Option<LaneWeights> {
    let lanes = scenario.links.lanes;
    for (i, &lane) in scenario.links.service_lanes.iter().enumerate() {
        if lane >= lanes {
            let fact = format!("service level {i} would travel in lane {lane}, but links.lanes is {lanes}");
            let remedy = "take a lower lane (they count from 0), or raise links.lanes";
            findings.complain(format!("links.service_lanes.{i}"), fact, remedy);
        }
    }
    let LaneArbiter::Weighted(weighted) = &scenario.links.lane_arbiter else { return None };
    let path = "links.lane_arbiter.weighted";
    for (name, table) in [("high", &weighted.high), ("low", &weighted.low)] {
        for (i, entry) in table.iter().enumerate().filter(|(_, entry)| entry.lane >= lanes) {
            let fact = format!("there is no lane {}: links.lanes is {lanes}, and lanes count from 0", entry.lane);
            findings.complain(format!("{path}.{name}.{i}.lane"), fact, "take a lower lane, or raise links.lanes");
        }
    }
    let has_weight =
        |lane: u8| weighted.high.iter().chain(&weighted.low).any(|entry| entry.lane == lane && entry.weight > 0);
    for lane in used(scenario).into_iter().filter(|&lane| lane < lanes && !has_weight(lane)) {
        let fact = format!("lane {lane} is used, but no table gives it any weight: its packets would wait forever");
        findings.complain(path, fact, format!("add {{ lane = {lane}, weight = 64 }} to high or low"));
    }
    let pairs = |table: &[Weight]| table.iter().map(|entry| (entry.lane, entry.weight)).collect();
    Some(LaneWeights { high: pairs(&weighted.high), low: pairs(&weighted.low), limit: weighted.limit })
}

/// The lanes in which something travels.
fn used(scenario: &Scenario) -> Vec<u8> {
    let of_service = |service: u8| scenario.links.service_lanes.get(usize::from(service)).copied().unwrap_or(0);
    let mut used: Vec<u8> =
        scenario.traffic.iter().map(|entry| entry.lane.unwrap_or_else(|| of_service(entry.service))).collect();
    if let NotifyParams::Cnp(cnp) = scheme_parts(&scenario.scheme).notify {
        used.extend(cnp.lane);
    }
    used.sort_unstable();
    used.dedup();
    used
}
