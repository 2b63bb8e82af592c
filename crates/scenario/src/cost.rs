//! The memory in the switches of a scenario: queues, buffers, and the lines of isolation schemes.
//!
//! For comparing cost with benefit. A queue needs no memory but its pointers; a buffer needs memory, and so does a
//! line: its destinations are searched by content (CAM), its state is not (SRAM). Link-level retry needs a replay
//! buffer at every output. Ports of hosts are not counted, and neither is what an output knows of the lines of the next
//! input, which Paper VI does not count either.

use std::collections::BTreeMap;

use congestree_fabric::plan::{CreditUnit, Memory, Plan, QueueMap, RetryPlan, SwitchPlan};
use congestree_units::{Bytes, Rate};
use serde_json::{Value as Json, json};

use crate::read::Checked;

/// For every kind of switch, by its number of ports, the memory of one input; and the total of the whole network.
pub fn cost(checked: &Checked) -> Json {
    let plan = &checked.plan;
    let (switch, hosts) = (&plan.switch, plan.graph.hosts.len() as u64);
    let lanes = u64::from(plan.lanes);
    let unit = match plan.flow_control.unit {
        // A slot holds a packet of any size.
        CreditUnit::Slot | CreditUnit::None => plan.adapter.full().0,
        unit => unit.bytes().0,
    };
    let lines = plan.scheme.isolate.as_ref();
    let cells = lines.map(|rules| rules.cells(hosts)).unwrap_or_default();
    let whole_switch = switch.shared_memory.map(|shared| shared.size.0);
    let crossing =
        switch.crossbar.map_or(0, |crossbar| plan.adapter.full().0.saturating_mul(u64::from(crossbar.output_packets)));
    let replays = plan.checks.retry.map_or(0, |retry| kept_for_replay(retry, plan.largest()));
    let waiting = switch.output_buffer.map_or(0, |buffer| buffer.0.saturating_mul(lanes));
    let at_output = waiting.saturating_add(crossing).saturating_add(replays);
    let units: u64 = switch.buffer_units.iter().map(|&units| u64::from(units)).sum();
    let at_input = match switch.queues {
        _ if whole_switch.is_some() => 0,
        QueueMap::PerDestination => units.saturating_mul(unit).saturating_mul(hosts),
        _ => units.saturating_mul(unit),
    };
    let (mut inputs, mut all_queues, mut all_bytes) = (0, 0, 0);
    let kinds: Vec<Json> = kinds_of_switches(plan, at_input)
        .into_iter()
        .map(|(ports, kind)| {
            let (queues, count) = (queues_of_an_input(plan, ports), kind.switches);
            inputs += ports * count;
            all_queues += queues * ports * count;
            let elsewhere = at_output.saturating_mul(ports).saturating_add(whole_switch.unwrap_or(0));
            let of_kind = kind.total.saturating_add(elsewhere.saturating_mul(count));
            all_bytes = u64::saturating_add(all_bytes, of_kind);
            let SwitchesOfSize { least, most, .. } = kind;
            let mut kind = json!({ "ports": ports, "switches": count, "queues": queues, "buffer_bytes": most });
            if least < most {
                kind["least_buffer_bytes"] = least.into();
            }
            if at_output > 0 {
                kind["output_bytes"] = at_output.into();
            }
            if let Some(size) = whole_switch {
                kind["switch_bytes"] = size.into();
            }
            kind
        })
        .collect();
    json!({
        "memory": organisation(switch),
        "inputs": kinds,
        "input": { "lines": lines.map_or(0, |rules| rules.lines), "cam_cells": cells.cam, "sram_cells": cells.sram },
        "all": {
            "inputs": inputs,
            "queues": all_queues,
            "buffer_bytes": all_bytes,
            "cam_cells": cells.cam * inputs,
            "sram_cells": cells.sram * inputs,
        },
    })
}

/// Switches with the same number of ports, and the memory of their ports (bytes).
#[derive(Default)]
struct SwitchesOfSize {
    switches: u64,
    /// Of the port that has least, and of the one that has most: output queues may go by the rates of links.
    least: u64,
    most: u64,
    /// Of all ports together.
    total: u64,
}

/// The switches by their number of ports. A port has this much `at_input`, or an output queue.
fn kinds_of_switches(plan: &Plan, at_input: u64) -> BTreeMap<u64, SwitchesOfSize> {
    let mut kinds = BTreeMap::<u64, SwitchesOfSize>::new();
    for ports in plan.graph.ports().switches {
        let none = SwitchesOfSize { least: u64::MAX, ..SwitchesOfSize::default() };
        let kind = kinds.entry(ports.len() as u64).or_insert(none);
        kind.switches += 1;
        for port in ports {
            let bytes = room_at_an_output(&plan.switch, port.out.rate, plan.lanes.into()).unwrap_or(at_input);
            (kind.least, kind.most) = (kind.least.min(bytes), kind.most.max(bytes));
            kind.total = kind.total.saturating_add(bytes);
        }
    }
    kinds
}

/// What may wait for one output with a link of this rate, where that is bounded; the lane of trimmed packets has a limit
/// of its own.
fn room_at_an_output(switch: &SwitchPlan, rate: Rate, lanes: u64) -> Option<u64> {
    let headers = switch.trim_queue_at(rate).map(|queue| queue.0);
    let of_data = lanes - u64::from(headers.is_some());
    let limit = switch.output_queue_at(rate)?;
    Some(limit.0.saturating_mul(of_data).saturating_add(headers.unwrap_or(0)))
}

/// The most bytes in the replay buffer of a port.
fn kept_for_replay(retry: RetryPlan, largest: Bytes) -> u64 {
    retry.bytes.0.min(u64::from(retry.frames).saturating_mul(largest.0))
}

/// Queues of one input of a switch with this many ports. Queues by flow are those of the output of the same port: they
/// stand for the queues of the input in lane 0, and one has priority over the others.
fn queues_of_an_input(plan: &Plan, ports: u64) -> u64 {
    let each_lane = match plan.switch.queues {
        QueueMap::PerDestination => plan.graph.hosts.len() as u64,
        // No packet leaves a switch by the port by which it came.
        QueueMap::Voq => ports.saturating_sub(1).max(1),
        map => u64::from(map.queues(ports as u16)),
    };
    let lanes = u64::from(plan.lanes);
    match &plan.scheme.flow_queues {
        Some(rules) => u64::from(rules.queues) + 1 + (lanes - 1) * each_lane,
        None => lanes * each_lane + u64::from(plan.isolated_queues()),
    }
}

/// How memory is divided among queues, in words.
fn organisation(switch: &SwitchPlan) -> &'static str {
    match switch.memory {
        _ if switch.output_queue.is_some() => "output queues",
        _ if switch.shared_memory.is_some() => "shared by all ports",
        _ if switch.queues == QueueMap::PerDestination => "reserved",
        Memory::Shared => "shared",
        Memory::Reserved => "reserved",
        Memory::Damq { .. } => "damq",
    }
}
