//! Execution traces of training jobs as programs.

use std::collections::BTreeMap;

use congestree_units::{Bytes, Rate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::types::{Algorithm, Operation, Protocol};

/// A job as its execution traces have it (Chakra): computations, messages and collectives, and what waits for what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chakra {
    /// Trace files or folders of them, relative to the folder of the scenario: one a rank, in the order of the ranks in their
    /// names (`<prefix>.<rank>.et`); or a single one for all ranks, if `job.ranks` says more than one.
    #[schemars(length(min = 1))]
    pub traces: Vec<String>,
    /// Which dependencies of the traces are respected.
    #[serde(default)]
    pub order: Dependencies,
    /// Ranks of process groups, by group name. Groups that are not listed consist of the ranks whose traces use their
    /// name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, Vec<u32>>,
    /// How the library carries out collectives.
    #[serde(default)]
    pub library: Library,
    /// Compute rate for computations without a duration, in 10^12 operations per second. Absent: they take no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.000001, max = 1000000000.0))]
    pub teraflops: Option<f64>,
    /// Memory rate for computations, loads and stores without a duration. Absent: they take no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_rate: Option<Rate>,
}

/// Which dependencies of a trace count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Dependencies {
    /// All dependencies.
    #[default]
    All,
    /// Only data dependencies: control dependencies merely record which call issued which.
    Data,
}

/// How a library carries out the collectives of a job. The names and sizes are NCCL's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Library {
    /// The algorithm of each operation. Operations that are not listed: ring; for all-to-all, gather and scatter
    /// direct; for barrier halving-doubling.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub algorithms: Vec<Chosen>,
    /// Channels: parts of the data that are sent independently of each other.
    #[schemars(range(min = 1, max = 64))]
    pub channels: u32,
    /// The protocol, which decides what is on the wire besides data.
    pub protocol: Protocol,
    /// Payload that a rank forwards as a whole. Absent: as in NCCL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk: Option<Bytes>,
    /// Ranks of the job per node: ranks 0 to 7 are the first of nodes of 8. Groups of ranks go through a node together.
    #[schemars(range(min = 1))]
    pub node: u32,
    /// Rings, and the chains of broadcast and reduce, go from node to node along rails, as with `along_rails` of a
    /// collective: between ranks of a group at the same place among those in their nodes. Groups with more ranks in one
    /// node than in another go rank by rank.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub along_rails: bool,
    /// Rate at which a rank reduces (adds) received data into its own. Absent: this takes no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub combine_rate: Option<Rate>,
}

impl Default for Library {
    fn default() -> Self {
        let (algorithms, protocol) = (Vec::new(), Protocol::default());
        Self { algorithms, channels: 1, protocol, chunk: None, node: 1, along_rails: false, combine_rate: None }
    }
}

/// An operation and its algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// The operation.
    pub operation: Operation,
    /// How.
    pub algorithm: Algorithm,
}
