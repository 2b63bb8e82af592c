//! The parts of congestion management, by role.
//!
//! A scheme is a composition: a switch *marks* packets that meet congestion, the mark comes back to the source in
//! an ACK, and the source *reacts*. Each role is a folder, each part a file in it, and the list at the end of the
//! role's `mod.rs` is the registry: a part that stands there can be named in a scenario.
//!
//! Parts answer questions; they never schedule, never own a packet or a queue, and see the fabric only through the
//! small views passed to them.

#[macro_use]
mod parts;

pub mod mark;
pub mod presets;
pub mod react;

pub use mark::{AnyMarker, MarkParams, Marker};
pub use react::{AnyReaction, ReactParams, ReactionPoint};
