//! Levels that nothing at any output can reach, so that no switch ever marks, and isolation in a lane in which nothing
//! travels: such a scenario makes sense.
//!
//! Told only if it is certain. Presets have thresholds for large buffers, so it is no error.

use congestree_fabric::plan::{CreditUnit, Plan, QueueMap};
use congestree_schemes::check::Part;
use congestree_schemes::mark::{HoldView, MarkLevel, MarkParams, MarksAbove, PortView};
use congestree_topology::{Node, Port};
use congestree_units::{Bytes, Rate};

/// Whether nowhere more can be than the marker needs, in a sentence about the output that comes nearest.
pub(crate) fn never_marks(plan: &Plan) -> Option<String> {
    let trimmed = plan.switch.trim.map(|trim| trim.lane);
    let lanes = || (0..plan.lanes).filter(move |&lane| Some(lane) != trimmed);
    let ports = plan.graph.ports().switches;
    let mut best: Option<(i128, String)> = None;
    for (switch, ports) in ports.iter().enumerate() {
        // No packet leaves a switch by the port by which it came.
        let inputs = (ports.len() as u64).saturating_sub(1);
        for (port, lane) in ports.iter().flat_map(|port| lanes().map(move |lane| (port, lane))) {
            let room = u64::from(plan.switch.buffer_units[usize::from(lane)]);
            let buffer = Bytes(room * plan.flow_control.unit.bytes().0);
            let above = plan.scheme.mark.marks_above(marker_view(port, lane, buffer))?;
            let Some(level) = above.level else { continue };
            let (level, room, of_all) = match level {
                MarkLevel::Waiting(bytes) | MarkLevel::OneQueue(bytes) => (bytes.0, Room::Bytes, None),
                MarkLevel::TimesInputs(bytes) => (bytes.0 / inputs.max(1), Room::Bytes, Some(bytes)),
                MarkLevel::Packets(count) => (count.into(), Room::Packets, None),
            };
            let (most, key) = room.most(plan, inputs, port.out.rate, lane)?;
            let over = i128::from(most) - i128::from(level);
            if best.as_ref().is_none_or(|(other, _)| over > *other) {
                let at = (Node::Switch(switch as u32), port);
                let (mut level, most) = room.in_words(level, most);
                if let Some(bytes) = of_all.filter(|_| inputs > 1) {
                    level += &format!(" ({bytes}, for {inputs} inputs)");
                }
                best = Some((over, sentence(plan, at, above, (level, most), key)));
            }
        }
    }
    best.filter(|(over, _)| *over <= 0).map(|(_, said)| said)
}

/// Where the marker of an output and lane sits, as far as its level depends on that.
pub(crate) fn marker_view(port: &Port, lane: u8, buffer: Bytes) -> PortView {
    let to_host = matches!(port.peer, Node::Host(_));
    PortView { number: port.number, to_host, buffer, lane, rate: port.out.rate, hold: HoldView::NONE }
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

fn sentence(
    plan: &Plan,
    (node, port): (Node, &Port),
    above: MarksAbove,
    (level, most): (String, String),
    key: &str,
) -> String {
    let (from, to, name) = (plan.graph.name(node), plan.graph.name(port.peer), plan.scheme.mark.name());
    let lower = if above.weight { "larger" } else { "smaller" };
    format!(
        "scheme.mark.{name} never marks: nothing is marked up to {level} at {from}->{to} ({}), and no more than {most} \
         there; no other output comes nearer to its threshold. Make scheme.mark.{name}.{} {lower}, or {key} larger.",
        port.out.rate, above.key,
    )
}

/// What a level is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    /// Bytes that wait for an output and lane.
    Bytes,
    /// Data packets for an output and lane in its switch.
    Packets,
}

impl Room {
    /// What can be at an output and lane at most, if there is a bound, and the key that sets it.
    fn most(self, plan: &Plan, inputs: u64, rate: Rate, lane: u8) -> Option<(u64, &'static str)> {
        let (switch, control) = (&plan.switch, &plan.flow_control);
        // One packet more is on its way out.
        let in_bytes = |room: Bytes| match self {
            Room::Bytes => room.0,
            Room::Packets => room.0 / smallest(plan).0 + 1,
        };
        if let Some(limit) = switch.output_queue_at(rate) {
            return Some((in_bytes(limit), "switches.output_queue"));
        }
        if let Some(shared) = switch.shared_memory {
            return Some((in_bytes(shared.size), "switches.shared_memory.size"));
        }
        let unit = match control.unit {
            // There every destination has a buffer.
            _ if switch.queues == QueueMap::PerDestination => return None,
            CreditUnit::None => return None,
            // What has a buffer of its own waits without bound.
            CreditUnit::Slot | CreditUnit::Block(_)
                if self == Room::Bytes && !control.control_uses_credits && has_control(plan) =>
            {
                return None;
            }
            CreditUnit::Slot => plan.largest(),
            unit => unit.bytes(),
        };
        let of_lane = |&units: &u32| match self {
            Room::Bytes => u64::from(units).saturating_mul(unit.0),
            Room::Packets => control.packets_in(units, smallest(plan)).into(),
        };
        // Packets may leave in another lane than the one whose room they take.
        let of_input: u64 = match plan.lane_map {
            Some(_) => switch.buffer_units.iter().map(of_lane).fold(0, u64::saturating_add),
            None => of_lane(&switch.buffer_units[usize::from(lane)]),
        };
        let crossed = switch.crossbar.map_or(0, |crossbar| u64::from(crossbar.output_packets));
        let crossed = if self == Room::Bytes { crossed * plan.largest().0 } else { crossed };
        let at_output = switch.output_buffer.map_or(0, in_bytes).saturating_add(crossed);
        Some((of_input.saturating_mul(inputs).saturating_add(at_output), "switches.buffer"))
    }

    /// A level, and the most that there can be, in words.
    fn in_words(self, level: u64, most: u64) -> (String, String) {
        match self {
            Room::Bytes => (Bytes(level).to_string(), format!("{} can wait", Bytes(most))),
            Room::Packets => (format!("{level} packets"), format!("{most} can be")),
        }
    }
}

/// Whether packets without data may be on the way before the first mark: ACKs, or notifications of undetermined outputs.
fn has_control(plan: &Plan) -> bool {
    let notifies = plan.scheme.notify.packet().is_some() && matches!(plan.scheme.mark, MarkParams::Tcd(_));
    notifies || plan.scheme.transport.repairs() || plan.flows.iter().any(|flow| flow.acked)
}

/// The smallest data packet on the wire: a byte of payload, or what is left of a packet.
fn smallest(plan: &Plan) -> Bytes {
    let whole = plan.adapter.header + Bytes(1);
    plan.switch.trim.map_or(whole, |trim| whole.min(trim.size)).max(Bytes(1))
}
