//! Recorders of ports and their queues.

pub(crate) mod counters;
pub(crate) mod credits;
pub(crate) mod input_queues;
pub(crate) mod output_queues;
pub(crate) mod pauses;
pub(crate) mod port_series;
