//! Laws of links: lanes, pauses, losses, frames that are looked at.

pub mod checked;
pub mod faults;
mod lanes;
mod lossy;
mod pauses;
