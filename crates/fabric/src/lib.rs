//! The machine: links, buffers, switches and hosts, and the loop that moves packets through them.
//!
//! The fabric is built from a checked [`Plan`], reads no files and parses no text. It is *lazy*: what nobody waits for
//! costs no event. An output knows until when it is busy; credits on their way back are notes with a time; a
//! completion is scheduled only if something is queued behind it. The plain, eager meaning is written down in the
//! readable twin (`reference/`), and tests hold the two equal.

mod adapter;
mod arbiter;
mod audit;
mod build;
mod connection;
mod credits;
mod crossbar;
mod deadlock;
mod deadlock_queues;
mod elaborate;
mod event;
mod fabric;
mod finite;
mod flow;
mod foresight;
mod foresight_queues;
mod forwarding;
mod gate;
pub mod headroom;
mod injection;
mod inputs;
mod islip;
mod isolation;
mod lane_arbiter;
mod lane_schedule;
mod look;
mod losses;
mod marking;
mod memory;
mod neighbour;
mod outcome;
mod output_buffer;
mod output_queue;
mod pause;
pub mod plan;
mod port;
mod queue;
mod ranks;
mod reacting;
mod regional;
mod requests;
mod rooms;
mod running;
mod shape;
#[cfg(test)]
mod small;
mod sources;
mod switch;
mod throttle;
mod watch;
mod watchdog;
mod ways;

pub use congestree_probes::{Column, Table, Values};
pub use outcome::{Outcome, Stop};
pub use plan::Plan;
pub use running::{AgendaKind, Desk, Progress, run, run_and_hand_over};
