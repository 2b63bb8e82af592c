//! What makes the engine fast without changing its results: variants compiled for common kinds of networks, and
//! prefetching.

pub(crate) mod features;
pub(crate) mod prefetch;
pub(crate) mod questions;
pub(crate) mod upcoming;
pub(crate) mod variants;
