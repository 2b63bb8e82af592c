//! What waits for what: the queues that hold each other up, and deadlock among them.

pub(crate) mod deadlock;
mod graph;
pub(crate) mod snapshot;
