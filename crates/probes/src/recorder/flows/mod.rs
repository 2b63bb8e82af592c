//! Recorders of the deliveries, flows, messages and transports.

pub(crate) mod completions;
pub(crate) mod deliveries;
pub(crate) mod messages;
pub(crate) mod transfers;
pub(crate) mod transport;
