//! Recorders of the deliveries, flows, messages and transports.

pub(super) mod completions;
pub(super) mod deliveries;
pub(super) mod messages;
pub(super) mod transfers;
pub(super) mod transport;
