//! Links: ports and their transmission times, credits, frames between the two ends, lane arbitration, and priority
//! flow control.

pub(crate) mod checked;
pub(crate) mod credits;
pub(crate) mod cyclic;
pub(crate) mod fail;
pub(crate) mod faults;
pub(crate) mod frames;
pub(crate) mod lanes;
pub(crate) mod links;
pub(crate) mod pfc;
pub(crate) mod port;
pub(crate) mod tell;
pub(crate) mod wiring;
