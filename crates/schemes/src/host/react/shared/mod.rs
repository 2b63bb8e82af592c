//! What several reactions share.

pub(super) mod steps;
pub(super) mod windows;

pub use windows::WindowBound;
