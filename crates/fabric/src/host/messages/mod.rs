//! Messages before they become packets: sources make them, posting them costs time, and some are flows of their own.

pub(crate) mod finite_flow;
pub(crate) mod finite_flows;
pub(crate) mod message;
pub(crate) mod poll;
pub(crate) mod polled_sources;
pub(crate) mod post;
pub(crate) mod posting;
pub(crate) mod sources;
