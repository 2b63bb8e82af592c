//! Who waits for whom: the queues that hold each other up, and the deadlock among them.

pub(crate) mod deadlock;
mod graph;
pub(crate) mod snapshot;
