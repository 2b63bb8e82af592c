//! What several reactions have in common.

pub(super) mod steps;
pub(super) mod windows;

pub use windows::WindowBound;
