//! What is seen of a run without changing it: laws, deadlock, snapshots, and the outcome.

pub(crate) mod audit;
pub(crate) mod deadlock;
pub(crate) mod deadlock_queues;
mod faults;
pub(crate) mod isolation_probe;
pub(crate) mod losses;
pub(crate) mod outcome;
pub(crate) mod records;
pub(crate) mod snapshot;
