//! Marking at outputs: the fills that markers are asked for, how flow control holds an output, and the marks.

pub(crate) mod filter;
pub(crate) mod hold;
pub(crate) mod mark;
pub(crate) mod markers;
mod renew;
