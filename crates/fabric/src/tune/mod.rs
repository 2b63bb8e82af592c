//! What makes the engine fast without changing what it does: variants compiled for networks like most, and prefetching.

pub(crate) mod features;
pub(crate) mod prefetch;
pub(crate) mod questions;
pub(crate) mod upcoming;
pub(crate) mod variants;
