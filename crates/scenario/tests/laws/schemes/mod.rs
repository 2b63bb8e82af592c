//! Laws of schemes that switches take part in.

mod flow_queues;
mod isolation;
mod recovery;
mod telemetry;
mod trimming;
