//! Which lane of a link sends next: by tables of weights (InfiniBand), or strict priorities and deficit round robin
//! (Ethernet).

pub(crate) mod schedule;
pub(crate) mod weighted;
