//! What several markers have in common.

pub(in crate::switch::mark) mod counter;
pub(in crate::switch::mark) mod level;
pub(in crate::switch::mark) mod sample;
