//! Who sends how much to whom, and when.
//!
//! A [`Source`] answers two questions: when the next message is generated, and where it goes. It has no clock and no
//! queue; the fabric asks it and stores the answers.
//!
//! An application has a [`Program`] instead: what each of its ranks sends, receives and computes, and which operations
//! wait for which.

pub mod arrivals;
pub mod cdf;
pub mod matching;
pub mod patterns;
pub mod placement;
mod profile;
pub mod program;
pub mod programs;
pub mod rehearsal;
pub mod sizes;
mod source;
pub mod steps;
pub mod tables;

pub use arrivals::{After, Arrivals};
pub use cdf::Cdf;
pub use patterns::Pattern;
pub use placement::Placement;
pub use profile::{FlowMapping, ListedMessage, SourcePlan, TrafficProfile};
pub use program::{Program, Progress};
pub use rehearsal::Rehearsal;
pub use sizes::Sizes;
pub use source::Source;
