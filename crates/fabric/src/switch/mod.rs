//! Switches, in the order in which a packet meets their parts: next hop, queues, arbiters, crossbar, outputs.

pub(crate) mod arbiter;
pub(crate) mod crossbar;
pub(crate) mod detours;
pub(crate) mod forwarding;
pub(crate) mod general;
pub(crate) mod islip;
pub(crate) mod next_hop;
pub(crate) mod occupancy;
pub(crate) mod plain;
pub(crate) mod queues;
pub(crate) mod switches;
