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

impl Losses {
    /// Takes in what a part of the network has counted: drops where they came about, the rest at the senders that it has.
    pub(super) fn add(&mut self, part: &Self) {
        let Self { dropped, resent, timeouts, acks, nacks, grants, requests } = part;
        self.dropped += dropped;
        self.resent += resent;
        self.timeouts += timeouts;
        self.acks += acks;
        self.nacks += nacks;
        self.grants += grants;
        self.requests += requests;
    }
}
