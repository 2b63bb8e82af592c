//! Notes about a plan: sentences about what works, and may not be what was meant.

mod full_rate;
mod in_vain;
mod messages;
mod paths;
mod timers;
mod windows;

use congestree_fabric::plan::Plan;

pub(crate) use in_vain::marker_view;

/// All that there is to say about a plan.
pub(crate) fn about(plan: &Plan) -> impl Iterator<Item = String> {
    let in_vain = in_vain::never_marks(plan).into_iter().chain(in_vain::no_lane_isolates(plan));
    let of_links = full_rate::limited_by_credits(plan).chain(full_rate::limited_by_replays(plan));
    in_vain.chain(of_links).chain(of_flows(plan))
}

/// Those about windows and timers of flows.
fn of_flows(plan: &Plan) -> impl Iterator<Item = String> {
    let repairs = plan.scheme.transport.repairs();
    let paths = if repairs || plan.scheme.react.needs().window { paths::of_flows(plan) } else { Vec::new() };
    let messages = messages::MessageLengths::of(plan, &paths);
    windows::too_small(plan, &paths, &messages).into_iter().chain(timers::before_answers(plan, &paths, &messages))
}
