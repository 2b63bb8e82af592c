//! Thresholds of RED that no queue can reach, and isolation in a lane in which nothing travels: such a scenario makes
//! sense, and its switches never mark, or never isolate.
//!
//! Told only if it is certain. Presets have thresholds for large buffers, so it is no error.

use congestree_fabric::plan::{CreditUnit, Plan};
use congestree_schemes::MarkParams;
use congestree_topology::{Node, Port};
use congestree_units::{Bytes, Rate};

/// Whether nowhere more can wait than the lower threshold of RED, in a sentence about the output that comes nearest.
pub(crate) fn red_never_marks(plan: &Plan) -> Option<String> {
    let MarkParams::Red(params) = &plan.scheme.mark else { return None };
    let trimmed = plan.switch.trim.map(|trim| trim.lane);
    let ports = plan.graph.ports().switches;
    let mut best: Option<(i128, String)> = None;
    for (switch, ports) in ports.iter().enumerate() {
        let marking = ports.iter().filter(|port| !(params.spare_last_hop && matches!(port.peer, Node::Host(_))));
        for (port, lane) in marking.flat_map(|port| (0..plan.lanes).map(move |lane| (port, lane))) {
            if Some(lane) == trimmed {
                continue;
            }
            let (most, key) = most_waiting(plan, ports.len() as u64, port.out.rate, lane)?;
            let min = params.thresholds(lane, port.out.rate).min;
            let above = i128::from(most.0) - i128::from(min.0);
            if best.as_ref().is_none_or(|(other, _)| above > *other) {
                best = Some((above, sentence(plan, Node::Switch(switch as u32), port, min, most, key)));
            }
        }
    }
    best.filter(|(above, _)| *above <= 0).map(|(_, said)| said)
}

/// Whether an isolation scheme never sees a packet of data, as none travels in lane 0.
pub(crate) fn no_lane_isolates(plan: &Plan) -> Option<String> {
    let isolates = plan.scheme.isolate.is_some() || plan.scheme.flow_queues.is_some();
    // Where lanes change on the way, data may come to lane 0.
    let sees_some = plan.lane_map.is_some() || plan.flows.iter().any(|flow| flow.lane == 0);
    (isolates && !sees_some && !plan.flows.is_empty()).then(|| {
        "scheme.isolate has no effect: isolation acts on lane 0 alone, and no traffic travels in it; let traffic travel \
         in lane 0 (traffic.lane, links.service_lanes), or take a scheme without isolation."
            .into()
    })
}

fn sentence(plan: &Plan, node: Node, port: &Port, min: Bytes, most: Bytes, key: &str) -> String {
    let (from, to) = (plan.graph.name(node), plan.graph.name(port.peer));
    format!(
        "scheme.mark.red has no effect: nothing is marked up to {min} at {from}->{to} ({}), and no more than {most} \
         can wait there; no other output comes nearer to its threshold. Make scheme.mark.red.min smaller, or {key} \
         larger.",
        port.out.rate
    )
}

/// The most bytes that can wait for an output and lane of a switch with so many ports, if there is a bound, and the key
/// that sets it. No packet leaves a switch by the port by which it came.
fn most_waiting(plan: &Plan, ports: u64, rate: Rate, lane: u8) -> Option<(Bytes, &'static str)> {
    let switch = &plan.switch;
    if let Some(limit) = switch.output_queue_at(rate) {
        return Some((limit, "switches.output_queue"));
    }
    if let Some(shared) = switch.shared_memory {
        return Some((shared.size, "switches.shared_memory.size"));
    }
    let unit = match plan.flow_control.unit {
        CreditUnit::None => return None,
        // What has a buffer of its own waits without bound.
        CreditUnit::Slot | CreditUnit::Block(_) if !plan.flow_control.control_uses_credits => return None,
        CreditUnit::Slot => plan.largest(),
        unit => unit.bytes(),
    };
    // Packets may leave in another lane than the one whose room they take.
    let units: u64 = match plan.lane_map {
        Some(_) => switch.buffer_units.iter().map(|&units| u64::from(units)).sum(),
        None => switch.buffer_units[usize::from(lane)].into(),
    };
    let at_inputs = units.saturating_mul(unit.0).saturating_mul(ports.saturating_sub(1));
    let crossed = switch.crossbar.map_or(0, |crossbar| u64::from(crossbar.output_packets));
    let at_output = switch.output_buffer.map_or(0, |room| room.0).saturating_add(crossed * plan.largest().0);
    Some((Bytes(at_inputs.saturating_add(at_output)), "switches.buffer"))
}
