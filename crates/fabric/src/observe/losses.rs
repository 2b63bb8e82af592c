//! What was lost and sent again after the warm-up: columns of the table `flows`, rows of the table `summary`.
//!
//! Links lose packets where nobody promises room (`switch/queues/output.rs`) or in a lossy lane (`link/pfc/accounts.rs`); transports
//! (`host/connection.rs`) send again what is lost. Where neither is, nothing is said.

/// What a flow has lost, and what was done about it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Losses {
    pub(super) dropped: u64,
    pub(super) resent: u64,
    pub(super) timeouts: u64,
    pub(super) acks: u64,
    pub(super) nacks: u64,
    pub(super) grants: u64,
    pub(super) requests: u64,
}
