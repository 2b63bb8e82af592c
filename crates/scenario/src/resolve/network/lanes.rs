//! Lanes: their number, and how they share a link.

use congestree_fabric::plan::{LaneSchedule, LaneWeights};
use congestree_units::Bytes;

use crate::resolve::network::service_lanes::of_service;
use crate::resolve::network::{destination_lanes, hop_lanes};
use crate::resolve::{Collector, scheme_parts};
use crate::types::{Arbiter, LaneArbiter, ReadPorts, Scenario, Weight};

/// Weights by which lanes share a link; `None`: they take turns.
pub(in crate::resolve) fn plan(scenario: &Scenario, collector: &mut Collector<'_>) -> Option<LaneWeights> {
    let lanes = scenario.links.lanes;
    for (i, &lane) in scenario.links.service_lanes.iter().enumerate() {
        if lane >= lanes {
            let fact = format!("service level {i} would travel in lane {lane}, but links.lanes is {lanes}");
            let remedy = "take a lower lane (they count from 0), or raise links.lanes";
            collector.report(format!("links.service_lanes.{i}"), fact, remedy);
        }
    }
    destination_lanes::check(scenario, collector);
    let LaneArbiter::Weighted(weighted) = &scenario.links.lane_arbiter else { return None };
    let path = "links.lane_arbiter.weighted";
    for (name, table) in [("high", &weighted.high), ("low", &weighted.low)] {
        for (i, entry) in table.iter().enumerate().filter(|(_, entry)| entry.lane >= lanes) {
            let fact = format!("there is no lane {}: links.lanes is {lanes}, and lanes count from 0", entry.lane);
            collector.report(format!("{path}.{name}.{i}.lane"), fact, "take a lower lane, or raise links.lanes");
        }
    }
    let has_weight =
        |lane: u8| weighted.high.iter().chain(&weighted.low).any(|entry| entry.lane == lane && entry.weight > 0);
    for lane in used(scenario).into_iter().filter(|&lane| lane < lanes && !has_weight(lane)) {
        let fact = format!("lane {lane} is used, but no table gives it any weight: its packets would wait forever");
        collector.report(path, fact, format!("add {{ lane = {lane}, weight = 64 }} to high or low"));
    }
    let pairs = |table: &[Weight]| table.iter().map(|entry| (entry.lane, entry.weight)).collect();
    Some(LaneWeights { high: pairs(&weighted.high), low: pairs(&weighted.low), limit: weighted.limit })
}

/// Lanes with priority over others, and quanta of the rest; `None`: there are none.
pub(in crate::resolve) fn schedule(scenario: &Scenario, collector: &mut Collector<'_>) -> Option<LaneSchedule> {
    let lanes = scenario.links.lanes;
    let (path, key, strict, shares) = match &scenario.links.lane_arbiter {
        LaneArbiter::RoundRobin | LaneArbiter::Weighted(_) => return None,
        LaneArbiter::Strict(strict) => {
            let order = strict.order.clone().unwrap_or_else(|| (0..lanes).rev().collect());
            ("links.lane_arbiter.strict", "order", order, Vec::new())
        }
        LaneArbiter::Drr(drr) => ("links.lane_arbiter.drr", "first", drr.first.clone(), drr.shares.clone()),
    };
    let mut seen: Vec<u8> = Vec::new();
    let strict_places = strict.iter().enumerate().map(|(i, &lane)| (format!("{path}.{key}.{i}"), lane));
    let share_places = shares.iter().enumerate().map(|(i, share)| (format!("{path}.shares.{i}.lane"), share.lane));
    for (place, lane) in strict_places.chain(share_places) {
        if lane >= lanes {
            let fact = format!("there is no lane {lane}: links.lanes is {lanes}, and lanes count from 0");
            collector.report(place, fact, "take a lower lane, or raise links.lanes");
        } else if seen.contains(&lane) {
            collector.report(place, format!("lane {lane} has a place already"), "name every lane once");
        }
        seen.push(lane);
    }
    for lane in used(scenario).into_iter().filter(|lane| *lane < lanes && !seen.contains(lane)) {
        let fact = format!("lane {lane} is used, but it has no place here: its packets would wait forever");
        collector.report(path, fact, format!("add it to {key}"));
    }
    let largest = scenario.adapters.largest_packet();
    for (i, share) in shares.iter().enumerate().filter(|(_, share)| share.quantum < largest) {
        let fact =
            format!("{} are less than a packet of {largest}, which could never be sent in one turn", share.quantum);
        collector.report(format!("{path}.shares.{i}.quantum"), fact, format!("give at least {largest}"));
    }
    if !shares.is_empty()
        && matches!(scenario.switches.arbiter, Arbiter::Fifo(_))
        && scenario.switches.read_ports != ReadPorts::All
    {
        let fact = "with limited read ports the FIFO arbiter decides packet by packet, and quanta count bytes";
        let remedy = "write switches.read_ports = \"all\", or switches.arbiter = \"round-robin\"";
        collector.report(path, fact, remedy);
    }
    let bytes = |size: Bytes| u32::try_from(size.0).unwrap_or(u32::MAX / 4).min(u32::MAX / 4);
    Some(LaneSchedule { strict, shares: shares.iter().map(|share| (share.lane, bytes(share.quantum))).collect() })
}

/// The lanes that are used.
fn used(scenario: &Scenario) -> Vec<u8> {
    let own = |entry: &crate::types::Traffic| entry.lane.unwrap_or_else(|| of_service(scenario, entry.service));
    let mut used: Vec<u8> = scenario.traffic.iter().map(own).collect();
    used.extend(scheme_parts(&scenario.scheme).notify.packet().and_then(|cnp| cnp.lane));
    used.extend(scheme_parts(&scenario.scheme).transport.control_lane());
    used.extend(scenario.adapters.ack_lane);
    used.extend(scenario.switches.trim.as_ref().map(|trim| trim.lane));
    used.extend(destination_lanes::used(scenario));
    used.extend(hop_lanes::used(scenario));
    used.sort_unstable();
    used.dedup();
    used
}
