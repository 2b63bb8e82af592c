//! The parts of congestion management, by role.
//!
//! A scheme is a composition. A *switch* isolates congested traffic, or marks packets that meet congestion; if there
//! are several paths it may choose the route of each packet; a schedule decides which flows may use an output now;
//! telemetry is what it writes into packets for a reaction that needs it. A *host* notifies the source of marks, and as
//! a source reacts; if links lose packets, a transport sends them again, and chooses their paths.
//!
//! Each role is a module of one or the other, each part a file in its folder, and the list in the role's file is the
//! registry: a part on the list can be named in a scenario.
//!
//! Parts answer questions; they never schedule, never own a packet or a queue, and see the fabric only through the
//! small views passed to them.

#[macro_use]
mod parts;

pub mod check;
pub mod host;
mod power;
pub mod presets;
pub mod switch;

pub use host::{acks, bounds, cct_table, notify, paths, react, transport};
pub use switch::{isolate, mark, regional, route, schedule, telemetry};

pub use host::notify::NotifyParams;
pub use host::paths::{AnyPaths, Paths, PathsParams};
pub use host::react::{AnyReaction, ReactParams, ReactionPoint};
pub use host::transport::{AnyTransport, InOrderReceiver, Transport, TransportParams};
pub use switch::isolate::{IsolateParams, Isolation};
pub use switch::mark::{AnyMarker, MarkParams, Marker};
pub use switch::route::{AnyRouter, RouteParams, Router};
pub use switch::schedule::{AnySchedule, Schedule, ScheduleParams};
