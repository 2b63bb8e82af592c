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
    /// Which dependencies count.
    #[serde(default)]
    pub order: Dependencies,
    /// Ranks of process groups, by their names. Others: those ranks whose traces use the name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, Vec<u32>>,
    /// How collectives are done.
    #[serde(default)]
    pub library: Library,
    /// Computations without a duration: so many 10^12 operations a second. Absent: they take no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.000001, max = 1000000000.0))]
    pub teraflops: Option<f64>,
    /// Rate at which computations, loads and stores without a duration move their bytes. Absent: at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_rate: Option<Rate>,
}

/// Which dependencies of a trace count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Dependencies {
    /// All.
    #[default]
    All,
    /// Those for data; recorders write into the others which call made which.
    Data,
}

/// How a library does the collectives of a job. The names and sizes are NCCL's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Library {
    /// Algorithms of operations. Others: ring; all-to-all, gather and scatter: direct; barrier: halving-doubling.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub algorithms: Vec<Chosen>,
    /// Parts of the data that go their way by themselves.
    #[schemars(range(min = 1, max = 64))]
    pub channels: u32,
    /// What else is on the wire beside data.
    pub protocol: Protocol,
    /// Payload that a rank passes on as a whole. Absent: as NCCL has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk: Option<Bytes>,
    /// Ranks of a node, neighbours in the order of the ranks of a group.
    #[schemars(range(min = 1))]
    pub node: u32,
    /// Rate at which a rank adds what it received to what it has. Absent: at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub combine_rate: Option<Rate>,
}

impl Default for Library {
    fn default() -> Self {
        let (algorithms, protocol) = (Vec::new(), Protocol::default());
        Self { algorithms, channels: 1, protocol, chunk: None, node: 1, combine_rate: None }
    }
}

/// An operation and its algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// What is done.
    pub operation: Operation,
    /// How.
    pub algorithm: Algorithm,
}
