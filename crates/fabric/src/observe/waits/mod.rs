//! Who waits for whom: the queues that hold each other up, and the deadlock among them.

pub(crate) mod deadlock;
pub(crate) mod deadlock_queues;
pub(crate) mod snapshot;
