//! Scenario files: their format, their errors, and the plan that they describe.
//!
//! ```text
//! text ─tree─► values with places ─shape─► fits the schema ─serde─► Scenario ─resolve─► Plan
//! ```
//!
//! [`read`] performs all steps and returns either a checked plan or every diagnostic at once, each with its path, line,
//! fact and remedy. Only this crate resolves names; the plans it returns are consistent.

mod catalogue;
mod cost;
mod diagnostic;
pub mod goal;
mod needs;
mod network;
mod notes;
mod read;
mod renamed;
mod resolve;
mod resolved;
mod schema;
mod shape;
mod sources;
mod sweep;
mod tree;
pub mod types;
mod workloads;

pub use catalogue::catalogue;
pub use cost::cost;
pub use diagnostic::{Diagnostic, Diagnostics};
pub use needs::RunNeeds;
pub use network::{forwarding_tables, network};
pub use read::{Checked, Facts, estimate_within, notices, read, read_within};
pub use renamed::{RENAMED, Renamed, RenamedKind};
pub use resolve::undrawn;
pub use resolved::{check_change, resolved};
pub use schema::schema;
pub use sweep::expand::{Point, Refused, Sweep, expand, expand_sensible, expand_within};
pub use types::Scenario;

/// The two ways of writing the same scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Toml,
    /// For programs.
    Json,
}
