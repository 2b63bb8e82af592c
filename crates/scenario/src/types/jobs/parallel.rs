//! Mixture of experts and training jobs, from a short description.

use congestree_units::{Bytes, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::types::{ExchangeOrder, Library};

/// Mixture of experts (MoE): tokens go to the ranks of their experts and come back, layer after layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Moe {
    /// Tokens of each rank.
    #[schemars(range(min = 1, max = 1000000))]
    pub tokens: u32,
    /// Which experts tokens go to.
    pub gate: Gate,
    /// Layers, one after the other.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 10000))]
    pub layers: u32,
    /// Size of a copy of a token on its way to an expert. Default: 7,168 values of a byte and a scale of four bytes for
    /// each 128 of them.
    #[serde(default = "dispatch")]
    pub dispatch: Bytes,
    /// Size of such a copy on its way back. Default: 7,168 values of two bytes.
    #[serde(default = "combine")]
    pub combine: Bytes,
    /// Computing time of a rank for each copy of a token that it received.
    #[serde(default)]
    pub compute: Span,
    /// Where a copy of a token goes.
    #[serde(default)]
    pub copies: Copies,
    /// In which order the messages of an exchange are sent.
    #[serde(default = "at_once")]
    pub order: ExchangeOrder,
}

/// Which experts tokens go to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// Experts drawn at random, all with the same probability.
    Uniform(Experts),
    /// Some experts are more popular than others: a token's are drawn one after another, the k-th with weight
    /// k^-exponent, none twice.
    Zipf(Zipf),
    /// As captured in a file.
    Captured(CapturedRouting),
}

/// The number of experts, and how many are chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Experts {
    /// Number of experts, spread evenly over the ranks.
    #[schemars(range(min = 1, max = 1000000))]
    pub experts: u32,
    /// Experts chosen for each token; all are different.
    #[schemars(range(min = 1))]
    pub chosen: u32,
}

/// Experts of different popularity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Zipf {
    /// Number of experts, spread evenly over the ranks.
    #[schemars(range(min = 1, max = 1000000))]
    pub experts: u32,
    /// Experts chosen for each token; all are different.
    #[schemars(range(min = 1))]
    pub chosen: u32,
    /// Exponent of Zipf's law. Which experts are popular is drawn for each layer.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub exponent: f64,
}

/// Captured routing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapturedRouting {
    /// Lines of JSON, relative to the folder of the scenario: a header with `expert_count`, and tokens with `routing`,
    /// a list of `layer_index` and `expert_ids`. The layers that are named, in the order of their numbers, are those of
    /// the job; entries without `layer_index` count as they stand. Tokens are taken one after another; after the last
    /// comes the first.
    pub file: String,
    /// Tokens of this phase only. Absent: of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
}

/// Of which tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Tokens of the prompt.
    Prefill,
    /// Generated tokens, one by one.
    Decode,
}

/// Where copies of a token go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Copies {
    /// One copy to each chosen expert (as DeepEP's low-latency kernels).
    #[default]
    EachExpert,
    /// One copy to each rank that has any of the chosen experts.
    EachRank,
}

/// An iteration of training with pipeline, tensor, data and expert parallelism.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// How ranks share the work; there are data x tensor x pipeline of them, tensor neighbours first, then data, then pipeline.
    pub parallel: Parallel,
    /// The model.
    pub model: LanguageModel,
    /// Sequences of a microbatch, at each data rank.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 1000000))]
    pub sequences: u32,
    /// Microbatches of an iteration, at each data rank.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 100000))]
    pub microbatches: u32,
    /// Effective compute rate of a rank, in 10^12 operations per second.
    #[schemars(range(min = 0.000001, max = 1000000000.0))]
    pub teraflops: f64,
    /// Computing time of the optimizer at the end of the iteration.
    #[serde(default)]
    pub optimizer: Span,
    /// How the library carries out collectives.
    #[serde(default)]
    pub library: Library,
}

/// How ranks share the work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Parallel {
    /// Data parallelism: copies of the model.
    #[schemars(range(min = 1))]
    pub data: u32,
    /// Tensor parallelism: parts of each layer.
    #[schemars(range(min = 1))]
    pub tensor: u32,
    /// Pipeline parallelism: stages of layers.
    #[schemars(range(min = 1))]
    pub pipeline: u32,
    /// Expert parallelism: neighbouring data ranks that share the experts; a divisor of `data`. 1: no experts.
    #[schemars(range(min = 1))]
    pub expert: u32,
}

impl Default for Parallel {
    fn default() -> Self {
        Self { data: 1, tensor: 1, pipeline: 1, expert: 1 }
    }
}

/// A transformer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageModel {
    /// Number of layers, a multiple of the number of pipeline stages.
    #[schemars(range(min = 1, max = 10000))]
    pub layers: u32,
    /// Values per token (hidden size).
    #[schemars(range(min = 1, max = 10000000))]
    pub hidden: u32,
    /// Tokens per sequence.
    #[schemars(range(min = 1, max = 100000000))]
    pub sequence: u32,
    /// Bytes of a value of activations and gradients.
    #[serde(default = "two")]
    #[schemars(range(min = 1, max = 8))]
    pub value: u32,
    /// Experts chosen for a token, where there are experts.
    #[serde(default = "two")]
    #[schemars(range(min = 1, max = 1000))]
    pub chosen: u32,
}

fn one() -> u32 {
    1
}

fn two() -> u32 {
    2
}

fn dispatch() -> Bytes {
    Bytes(7168 + 7168 / 128 * 4)
}

fn combine() -> Bytes {
    Bytes(2 * 7168)
}

fn at_once() -> ExchangeOrder {
    ExchangeOrder::AtOnce
}
