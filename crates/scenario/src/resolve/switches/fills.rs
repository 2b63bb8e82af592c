//! Whether a queue with room of its own can ever be as long as a marker needs.

use congestree_fabric::plan::{CreditUnit, FlowControl, Memory, QueueMap, SwitchPlan};
use congestree_schemes::MarkParams;
use congestree_schemes::mark::fecn::{Fill, threshold_of};
use congestree_units::Bytes;

use crate::resolve::Collector;
use crate::resolve::network::built::Network;
use crate::types::Scenario;

/// Checks that at one switch at least, and in one lane, a single queue can be longer than the threshold of FECN. A sum
/// over queues may be longer than any of them, and the whole buffer is compared where the marker is checked.
pub(in crate::resolve) fn check(
    scenario: &Scenario,
    plan: &SwitchPlan,
    flow_control: &FlowControl,
    mark: &MarkParams,
    network: &Network,
    collector: &mut Collector<'_>,
) {
    let MarkParams::Fecn(params) = mark else { return };
    // What an input has for one output is in one queue only if packets join queues by their outputs.
    let by_output = matches!(plan.queues, QueueMap::Voq | QueueMap::ByOutput { .. });
    if params.fill != Fill::Voq || plan.memory == Memory::Shared || !by_output {
        return;
    }
    let unit = match flow_control.unit {
        CreditUnit::Slot => scenario.adapters.full_packet(),
        unit => unit.bytes(),
    };
    let bytes = |units: u32| Bytes(u64::from(units).saturating_mul(unit.0));
    let radices: Vec<u16> = network.graph.ports().switches.iter().map(|ports| ports.len() as u16).collect();
    let lanes = (0..plan.buffer_units.len()).flat_map(|lane| {
        let buffer = bytes(plan.buffer_units[lane]);
        let level = params.enter.or_else(|| threshold_of(params.threshold, buffer));
        radices.iter().filter_map(move |&radix| {
            let (pool, reserve, limit) = plan.credit_units(lane, radix);
            level.map(|level| (level, bytes(reserve.saturating_add(pool).min(limit)), buffer))
        })
    });
    // A buffer of bytes that is smaller as a whole has been reported.
    let said = |level: Bytes, buffer: Bytes| level >= buffer && flow_control.unit != CreditUnit::Slot;
    // The one that comes nearest to its threshold, or exceeds it by most.
    let best = lanes.max_by_key(|&(level, most, _)| (i128::from(most.0) - i128::from(level.0), most));
    let Some((level, most, _)) = best.filter(|&(level, most, buffer)| most <= level && !said(level, buffer)) else {
        return;
    };
    let (key, remedy) = match params.enter {
        Some(_) => ("enter", "make it smaller"),
        None => ("threshold", "take a higher weight"),
    };
    let fact = format!("a queue is never above {level} when it may hold {most} of the buffer of its input");
    collector.report(
        format!("scheme.mark.fecn.{key}"),
        fact,
        format!("{remedy}, or let switches.memory give queues more"),
    );
}
