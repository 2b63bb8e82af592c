//! Switches, in the order in which a packet meets their parts: next hop, queues, arbiters, crossbar, outputs.

pub(crate) mod arbiter;
mod arrival;
pub(crate) mod count;
pub(crate) mod crossing;
pub(crate) mod departure;
pub(crate) mod forward;
pub(crate) mod occupancy;
pub(crate) mod queues;
mod read_ports;
pub(crate) mod round_robin;
pub(crate) mod routes;
pub(crate) mod switches;
pub(crate) mod transit;
