//! Recorders of ports and their queues.

pub(crate) mod counters;
pub(super) mod credits;
pub(super) mod input_queues;
pub(crate) mod output_queues;
pub(crate) mod pauses;
