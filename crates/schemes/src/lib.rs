//! The parts of congestion management, by role.
//!
//! A scheme is a composition: a switch *isolates* congested traffic, or *marks* packets that meet congestion, the
//! destination *notifies* the source, and the source *reacts*; where there are several ways a switch may choose the *route* of each packet; a *schedule* says who may use an output now; where links lose
//! packets, a *transport* sends them again. *Telemetry* is what switches write into packets for a reaction that needs it.
//! Each role is a folder, each part a file in it, and the list at the end of the role's `mod.rs` is the registry: a part
//! that stands there can be named in a scenario.
//!
//! Parts answer questions; they never schedule, never own a packet or a queue, and see the fabric only through the
//! small views passed to them.

#[macro_use]
mod parts;

pub mod acks;
pub mod cct_table;
pub mod check;
pub mod isolate;
pub mod mark;
pub mod notify;
pub mod paths;
pub mod presets;
pub mod react;
pub mod regional;
pub mod route;
pub mod schedule;
pub mod telemetry;
pub mod transport;

pub use isolate::{IsolateParams, Isolation};
pub use mark::{AnyMarker, MarkParams, Marker};
pub use notify::NotifyParams;
pub use paths::{AnyPaths, Paths, PathsParams};
pub use react::{AnyReaction, ReactParams, ReactionPoint};
pub use route::{AnyRouter, RouteParams, Router};
pub use schedule::{AnySchedule, Schedule, ScheduleParams};
pub use transport::{AnyTransport, Receiver, Transport, TransportParams};
