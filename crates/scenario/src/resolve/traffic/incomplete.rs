//! Messages that must arrive whole, over pauses that may lose packets in lossless lanes. Such a scenario is run, because
//! a watchdog may have nothing to do, and small headroom may be enough; a note says what happens otherwise.

use congestree_fabric::plan::Plan;

use crate::resolve::switches::headroom::check_headroom;
use crate::resolve::{Collector, Reading};
use crate::tree::TreeNode;
use crate::types::{FlowControl, Links, LossPolicy, Pfc, Scenario, Traffic, WatchdogAction};

/// The sentence about them, if there are any. `tree` is that of the scenario.
pub(crate) fn note(scenario: &Scenario, plan: &Plan, tree: &TreeNode, reading: Reading) -> Option<String> {
    let FlowControl::Pfc(pfc) = &scenario.links.flow_control else { return None };
    let whole = |entry: &Traffic| entry.is_finite() || entry.program.is_some();
    let entries: Vec<(usize, &Traffic)> =
        scenario.traffic.iter().enumerate().filter(|(_, entry)| whole(entry)).collect();
    if entries.is_empty() || plan.scheme.transport.repairs() {
        return None;
    }
    let watchdog = pfc.watchdog.map(|watchdog| watchdog.action);
    let (cause, cure) = if watchdog == Some(WatchdogAction::Drop) {
        ("watchdog drops packets that wait at an output that is paused for too long", "leave it out")
    } else if pfc.losses != LossPolicy::Count {
        return None;
    } else if watchdog.is_some() {
        ("watchdog sends packets in spite of a pause, and those without room are dropped", "leave it out")
    } else if is_short(scenario, pfc, plan, Collector::within(tree, reading)) {
        (
            "losses = count lets packets be dropped without headroom for them",
            "write \"refuse\", which says what is short",
        )
    } else {
        return None;
    };
    // Flows of their own have no transport.
    let other = if entries.iter().any(|(_, entry)| entry.is_finite()) { "" } else { ", or give scheme.transport" };
    let names: Vec<String> = entries.iter().map(|&(place, entry)| entry.class_name(place)).collect();
    let names = names.join(", ");
    Some(format!(
        "links.flow_control.pfc.{cause}, and nothing sends those of {names} again: a message that lacks one is never \
         delivered, and who waits for it waits for ever; {cure}{other}."
    ))
}

/// Whether lossless lanes have less headroom than what may come in, so that with `losses` = "refuse" this is an error.
fn is_short(scenario: &Scenario, pfc: &Pfc, plan: &Plan, mut errors: Collector<'_>) -> bool {
    let flow_control = FlowControl::Pfc(Pfc { losses: LossPolicy::Refuse, ..pfc.clone() });
    let strict = Scenario { links: Links { flow_control, ..scenario.links.clone() }, ..scenario.clone() };
    check_headroom(&strict, plan, &mut errors);
    !errors.diagnostics.is_empty()
}
