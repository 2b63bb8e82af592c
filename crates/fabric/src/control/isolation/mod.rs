//! Isolation: congested flows are set aside, or flows have queues of their own.

pub(crate) mod flows;
pub(crate) mod isolate;
pub(crate) mod isolate_flows;
mod laws;
pub(crate) mod lines;
