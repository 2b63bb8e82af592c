//! Observing a run without changing it: laws, deadlock, snapshots, and the outcome.

pub(crate) mod audit;
pub(crate) mod audit_totals;
mod baseline;
pub(crate) mod conclude;
pub(crate) mod isolation_probe;
pub(crate) mod isolation_watch;
pub(crate) mod losses;
pub(crate) mod outcome;
pub(crate) mod records;
pub(crate) mod still;
pub(crate) mod tables;
pub(crate) mod transfers;
pub(crate) mod waits;
