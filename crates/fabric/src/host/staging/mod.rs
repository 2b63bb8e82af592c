//! Packets between the flows of a host and its link: the injection memory.

pub(crate) mod injection_buffer;
mod stage;
