//! Recorders of ports and their queues.

pub(super) mod counters;
pub(super) mod credits;
pub(super) mod input_queues;
pub(super) mod output_queues;
pub(super) mod pauses;
