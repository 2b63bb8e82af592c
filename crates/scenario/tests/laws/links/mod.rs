//! Laws of links: lanes, pauses, losses, frames with checks.

pub(crate) mod checked;
pub(crate) mod faults;
mod lanes;
mod lossy;
mod pauses;
