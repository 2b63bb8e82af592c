//! Notes about a plan: sentences about what works, and may not be what was meant.

mod in_vain;

use congestree_fabric::plan::Plan;

/// All that there is to say about a plan.
pub(crate) fn about(plan: &Plan) -> impl Iterator<Item = String> {
    in_vain::red_never_marks(plan).into_iter()
}
