//! Whether a queue with room of its own can ever be as long as a marker needs.

use congestree_fabric::plan::{CreditUnit, FlowControl, Memory, QueueMap, SwitchPlan};
use congestree_schemes::MarkParams;
use congestree_schemes::check::Part;
use congestree_schemes::mark::{MarkLevel, MarksAbove};
use congestree_units::Bytes;

use crate::notes::marker_view;
use crate::resolve::Collector;
use crate::resolve::network::built::Network;
use crate::types::Scenario;

/// Checks that at one switch at least, and in one lane, a single queue can be longer than the level of a marker that
/// compares single queues. A sum over queues may be longer than any of them, and the whole buffer is compared where the
/// marker is checked.
pub(in crate::resolve) fn check(
    scenario: &Scenario,
    plan: &SwitchPlan,
    flow_control: &FlowControl,
    mark: &MarkParams,
    network: &Network,
    collector: &mut Collector<'_>,
) {
    // What an input has for one output is in one queue only if packets join queues by their outputs.
    let by_output = matches!(plan.queues, QueueMap::Voq | QueueMap::ByOutput { .. });
    if plan.memory == Memory::Shared || !by_output {
        return;
    }
    let unit = match flow_control.unit {
        CreditUnit::Slot => scenario.adapters.full_packet(),
        unit => unit.bytes(),
    };
    let bytes = |units: u32| Bytes(u64::from(units).saturating_mul(unit.0));
    let switches = network.graph.ports().switches;
    let ports = switches.iter().flat_map(|ports| ports.iter().map(|port| (ports.len() as u16, port)));
    let levels = ports.flat_map(|(radix, port)| {
        (0..plan.buffer_units.len()).filter_map(move |lane| {
            let buffer = bytes(plan.buffer_units[lane]);
            let above = mark.marks_above(marker_view(port, lane as u8, buffer))?;
            let Some(MarkLevel::OneQueue(level)) = above.level else { return None };
            let (pool, reserve, limit) = plan.credit_units(lane, radix);
            Some((above, level, bytes(reserve.saturating_add(pool).min(limit)), buffer))
        })
    });
    // A buffer of bytes that is smaller as a whole has been reported.
    let said = |level: Bytes, buffer: Bytes| level >= buffer && flow_control.unit != CreditUnit::Slot;
    // The one that comes nearest to its threshold, or exceeds it by most.
    let best = levels.max_by_key(|&(_, level, most, _)| (i128::from(most.0) - i128::from(level.0), most));
    let Some((above, level, most, _)) = best.filter(|&(_, level, most, buffer)| most <= level && !said(level, buffer))
    else {
        return;
    };
    let MarksAbove { key, weight, .. } = above;
    let fact = format!("a queue is never above {level} when it may hold {most} of the buffer of its input");
    let lower = if weight { "take a higher weight" } else { "make it smaller" };
    let remedy = format!("{lower}, or let switches.memory give queues more");
    collector.report(format!("scheme.mark.{}.{key}", mark.name()), fact, remedy);
}
