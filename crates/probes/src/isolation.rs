//! Facts about congested flows set aside: what is in use, which roots are declared, who stands behind whom, and what
//! hosts let past.

use congestree_units::{Span, Time};

/// What the memory of an isolation scheme has in use.
#[derive(Clone, Copy, Debug)]
pub struct InUse {
    /// The input, or the host.
    pub port: u32,
    /// It is a host.
    pub host: bool,
    /// Lines in use.
    pub lines: u8,
    /// Set-aside queues in use.
    pub queues: u8,
    /// None of these is left.
    pub full: bool,
}

/// A root that an input declares: the output that it takes for the bottleneck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection {
    /// When.
    pub at: Time,
    /// The input, by the port that sends into it.
    pub input: u32,
    /// The output declared.
    pub output: u32,
    /// The destination that it is blamed on.
    pub destination: u32,
    /// Data packets in the queue that has grown too long.
    pub held: u32,
    /// How many of them are for the output declared.
    pub for_output: u32,
    /// Data packets that ask for that output at the switch: all that wait for it, but for those set aside in a queue
    /// that is stopped.
    pub requesting: u32,
    /// Since when something has been asking for it without a break.
    pub since: Time,
    /// Inputs at which something asks for it, or has crossed to it since then.
    pub inputs: u32,
    /// Bytes that ask for it, or have crossed to it since then.
    pub offered: u64,
    /// Bytes that its link could have carried since then.
    pub capacity: u64,
}

/// A packet that stood in a queue behind packets for another output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockedBehind {
    /// When it leaves the queue.
    pub at: Time,
    /// Its traffic class.
    pub class: u16,
    /// The class of those at the head of the queue meanwhile.
    pub front: u16,
    /// For how long.
    pub time: Span,
}

/// A data packet that a host takes from its flows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Injected {
    /// When.
    pub at: Time,
    /// The host.
    pub host: u32,
    /// The flow whose throttle it goes by.
    pub pacer: u32,
    /// Time of the packet on the link.
    pub time: Span,
    /// The rate limit of its flow at this instant, as R_max/r.
    pub limit: f64,
    /// A line that the host knows of lists its destination.
    pub listed: bool,
    /// Such a line is stopped.
    pub stopped: bool,
}
