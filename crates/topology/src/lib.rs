//! Which nodes are connected, and which path packets take.
//!
//! A [`Graph`] is hosts, switches and two-way links; [`Routes`] says, for every switch, by which of its ports a
//! host is reached. Both are plain data, built once per run: builders may be slow and clear.
//!
//! | room | what is in it |
//! |------|---------------|
//! | [`graphs`] | one file per topology: its parameters, their checks, its construction |
//! | [`routing`] | shortest paths, D-mod-K on trees, tables written by hand |
//! | [`levels`] | which level of a tree a switch is on |
//! | [`loops`] | the check that no cycle of buffers can wait for each other |
//! | [`Ports`] | the same links seen from each node, and the path of a packet |

mod diagnostic;
mod graph;
pub mod graphs;
pub mod levels;
pub mod loops;
mod ports;
pub mod routing;

pub use diagnostic::Diagnostic;
pub use graph::{Graph, Link, Node, Wire};
pub use ports::{Port, Ports, path};
pub use routing::{CandidateSet, EqualCost, Formula, LaneKey, LaneMap, Routes, Through, Unroutable};
