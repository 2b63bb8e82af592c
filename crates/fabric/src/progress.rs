//! How far a run has come, and who hears of it.

use congestree_probes::Table;
use congestree_units::Time;

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct RunProgress {
    /// Simulated time so far.
    pub now: Time,
    /// The end of the run.
    pub end: Time,
    /// Packet-hops so far.
    pub packet_hops: u64,
}

/// Who is informed of a run while it goes on.
pub struct Observer<'a> {
    /// Is told of the progress; returns whether to go on.
    pub report: &'a mut dyn FnMut(RunProgress) -> bool,
    /// Takes rows of a table; returns whether to go on.
    pub take: Option<&'a mut dyn FnMut(Table) -> bool>,
}
