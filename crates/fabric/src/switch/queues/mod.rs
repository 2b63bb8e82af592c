//! Where packets wait in a switch: lists, the queues of inputs and outputs, and the requests of inputs for outputs.

pub(crate) mod admit;
pub(crate) mod by_flow;
pub(crate) mod inputs;
pub(crate) mod list;
pub(crate) mod output;
pub(crate) mod output_buffer;
pub(crate) mod output_buffers;
mod queue_map;
pub(crate) mod requests;
pub(crate) mod serve_inputs;
mod waiting;
