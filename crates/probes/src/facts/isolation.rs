//! Facts about isolation: what is in use, which roots are declared, which packets stand behind which, and what hosts
//! send in spite of stops and rate limits.

use congestree_units::{Span, Time};

/// What is in use in the memory of an isolation scheme.
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
    /// No lines or queues are left.
    pub full: bool,
}

/// A declared root: an input takes this output for the bottleneck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection {
    /// When.
    pub at: Time,
    /// The input, by the port that sends into it.
    pub input: u32,
    /// The output declared.
    pub output: u32,
    /// The destination that is blamed.
    pub destination: u32,
    /// Data packets in the queue that has grown too long.
    pub held: u32,
    /// How many of them are for the output declared.
    pub for_output: u32,
    /// Data packets that request that output at the switch: all that wait for it, except those in a stopped set-aside
    /// queue.
    pub requesting: u32,
    /// Since when something has been requesting it without a break.
    pub since: Time,
    /// Inputs at which something requests it, or from which something has crossed to it since then.
    pub inputs: u32,
    /// Bytes that request it, or have crossed to it since then.
    pub offered: u64,
    /// Bytes that its link could have carried since then.
    pub capacity: u64,
}

/// A packet that waited in a queue behind packets for another output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockedBehind {
    /// When it leaves the queue.
    pub at: Time,
    /// Its traffic class.
    pub class: u16,
    /// The class of the packets that were at the head of the queue meanwhile.
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
    /// The flow whose throttle applies.
    pub pacer: u32,
    /// Which life of that flow it is: the limit does not count for the first packet of another.
    pub life: u16,
    /// Time of the packet on the link.
    pub time: Span,
    /// The rate limit of its flow at this instant, as R_max/r.
    pub limit: f64,
    /// The host knows a line that lists the packet's destination.
    pub listed: bool,
    /// Such a line is stopped.
    pub stopped: bool,
}
