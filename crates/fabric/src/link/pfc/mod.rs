//! Priority flow control: the accounts of a receiver's memory, the headroom that they need, pauses, and the watchdog
//! for outputs that are paused for too long.

pub(crate) mod accounts;
pub mod headroom;
pub(crate) mod memory;
pub(crate) mod pause;
pub(crate) mod pauses;
pub(crate) mod watchdog;
