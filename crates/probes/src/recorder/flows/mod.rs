//! Recorders of what flows, messages and transports do.

pub(super) mod completions;
pub(super) mod deliveries;
pub(super) mod messages;
pub(super) mod transfers;
pub(super) mod transport;
