//! What several markers have in common.

pub(in crate::mark) mod counter;
pub(in crate::mark) mod sample;
