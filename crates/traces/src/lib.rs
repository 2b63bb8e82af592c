//! Execution traces of training jobs in the format of Chakra (MLCommons): what a rank computes, loads, sends and
//! receives, the collectives it takes part in, and which of these wait for which.
//!
//! [`read`] goes through a trace node by node, whatever its form (protobuf, the same gzipped, JSON), and keeps none of
//! them; [`info`] counts what is in it; [`dependencies`] and [`pairing`] find what could never run: nodes that wait for
//! each other in a cycle, messages that no rank receives.

mod dependencies;
mod header;
mod ids;
pub mod info;
mod json;
mod limits;
pub mod node;
pub mod pairing;
pub mod program;
mod protobuf;
mod reading;

pub use header::{Form, TraceHeader};
pub use info::{Info, info};
pub use node::{Attribute, CollectiveNumber, NodeKind, TraceNode};
pub use program::{DependencyKinds, Manner, NoProgram, program};
pub use reading::read;

/// An error in a trace: one message with place, fact and remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// The file, and the place in it.
    pub place: String,
    /// What is wrong.
    pub fact: String,
    /// What to do about it.
    pub remedy: String,
}

impl TraceError {
    /// An error at a place.
    pub fn new(place: impl Into<String>, fact: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { place: place.into(), fact: fact.into(), remedy: remedy.into() }
    }
}

impl std::fmt::Display for TraceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n  {}\n  {}", self.place, self.fact, self.remedy)
    }
}

impl std::error::Error for TraceError {}
