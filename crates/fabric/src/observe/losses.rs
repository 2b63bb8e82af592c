//! What was lost and sent again after the warm-up: columns of the table `flows`, and rows of the table `summary`.
//!
//! Links lose packets if no room is promised (`switch/queues/output.rs`) or in a lossy lane (`link/pfc/accounts.rs`);
//! transports (`host/connection.rs`) send again what is lost. If a network has neither, nothing is reported.

/// What a flow has lost, and how it was repaired.
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
    /// Adds the counts of a part of the network: drops are counted where they happened, everything else at the senders
    /// in that part.
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
