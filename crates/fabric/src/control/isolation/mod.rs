//! Isolation: congested flows have set-aside queues, or all flows have queues of their own.

pub(crate) mod flows;
pub(crate) mod isolate;
pub(crate) mod isolate_flows;
mod laws;
pub(crate) mod lines;
