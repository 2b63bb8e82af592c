//! From input to output: a crossbar with a speed of its own, and matchings.

pub(crate) mod cross;
pub(crate) mod crossbar;
pub(crate) mod islip;
pub(crate) mod matching;
