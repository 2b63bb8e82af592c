//! Laws of links: lanes, pauses, losses, frames with checks.

pub mod checked;
pub mod faults;
mod lanes;
mod lossy;
mod pauses;
