//! Hosts: sources make messages, flows carry them, the link is shared in turns, and what arrives is counted and answered.

pub(crate) mod coalescing;
pub(crate) mod connection;
pub(crate) mod control_packets;
pub(crate) mod dynamic_flows;
pub(crate) mod ends;
pub(crate) mod flow;
pub(crate) mod inject;
pub(crate) mod injection_buffer;
pub(crate) mod pace;
pub(crate) mod packets;
pub(crate) mod posting;
pub(crate) mod receive;
pub(crate) mod sources;
pub(crate) mod turnaround;
pub(crate) mod turns;
