//! Recorders of what ports and their queues do.

pub(super) mod counters;
pub(super) mod credits;
pub(super) mod input_queues;
pub(super) mod output_queues;
pub(super) mod pauses;
