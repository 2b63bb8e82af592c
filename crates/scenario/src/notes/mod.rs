//! Notes about a plan: sentences about what works, and may not be what was meant.

mod full_rate;
mod in_vain;

use congestree_fabric::plan::Plan;

/// All that there is to say about a plan.
pub(crate) fn about(plan: &Plan) -> impl Iterator<Item = String> {
    let in_vain = in_vain::red_never_marks(plan).into_iter().chain(in_vain::no_lane_isolates(plan));
    in_vain.chain(full_rate::limited_by_credits(plan)).chain(full_rate::limited_by_replays(plan))
}
