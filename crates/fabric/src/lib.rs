//! The machine: links, buffers, switches and hosts, and the loop that moves packets through them.
//!
//! The fabric is built from a checked [`Plan`]; it reads no files and parses no text. It is *lazy*: if nothing waits
//! for something, it costs no event. An output stores until when it is busy; credits on their way back are kept with a
//! time; a completion is scheduled only if something is queued behind it. The plain, eager model is the readable twin
//! (`reference/`), and tests check that both give the same results.

mod by_packet;
mod control;
mod cores;
mod event;
mod fabric;
mod host;
mod jobs;
mod link;
pub mod live;
mod observe;
mod partition;
pub mod plan;
mod progress;
mod running;
#[cfg(test)]
mod small;
mod switch;
mod tune;

pub use congestree_probes::{Column, Table, Values};
pub use cores::Cores;
pub use host::connection::bytes_of_a_flow;
pub use link::pfc::headroom;
pub use observe::outcome::{Outcome, Stop};
pub use observe::tables::{UNPROBED, UnprobedTable};
pub use plan::Plan;
pub use progress::{Observer, RunProgress};
pub use running::{AgendaKind, run, run_and_hand_over, run_in_parts, run_in_these_parts};
pub use switch::routes::planned::{IdlePath, IdlePaths};
