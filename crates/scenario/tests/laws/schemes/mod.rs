//! Laws of schemes that switches take part in.

mod isolation;
mod recovery;
mod telemetry;
mod trimming;
