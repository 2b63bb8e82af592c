//! Congested flows set aside, and flows in queues of their own.

pub(crate) mod flows;
pub(crate) mod isolate;
pub(crate) mod isolate_flows;
pub(crate) mod lines;
