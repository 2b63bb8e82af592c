//! Laws of schemes that switches take part in.

mod isolation;
mod telemetry;
mod trimming;
