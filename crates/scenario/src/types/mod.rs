//! A scenario as written in a file: one type per section, one field per key.
//!
//! These types are the only description of the format. The JSON Schema, the validator of shape, the catalogue and the
//! Python classes are all generated from them, including doc comments and defaults.

mod adapters;
mod jobs;
mod links;
mod measure;
mod run;
mod scheme;
mod switches;
mod topology;
mod traffic;
mod workload;

pub use adapters::{Acks, Adapters, NodeLinks};
pub use jobs::chakra::{Chakra, Chosen, Dependencies, Library};
pub use jobs::collective::{Algorithm, Chunking, Collective, Operation, Protocol};
pub use jobs::parallel::{CapturedRouting, Copies, Experts, Gate, LanguageModel, Moe, Parallel, Phase, Training, Zipf};
pub use jobs::{ByRail, ExchangeOrder, Given, Job, Placement, Program, SendEnd, Straggler};
pub use links::checks::{Errors, Retry};
pub use links::faults::{Failure, Faults, Reroute, SubnetManager};
pub use links::pfc::{
    DynamicThreshold, LossPolicy, PauseCounts, PauseDuration, PauseStorm, PauseThreshold, PauseWatchdog, Pfc, Quanta,
    StaticThreshold, WatchdogAction,
};
pub use links::room::Room;
pub use links::{
    ByteCredits, ControlRoom, CreditMessages, DestinationLanes, Drr, FlowControl, HopLane, HopLanes, LaneArbiter,
    LaneList, Links, PacketSlots, Share, Strict, Weight, Weighted,
};
pub use measure::{Measure, Probe};
pub use run::Run;
pub use scheme::{Preset, Scheme};
pub use switches::{
    Arbiter, Damq, Dbbm, Fifo, Islip, Matching, Memory, Obqa, Queues, ReadPorts, SharedMemory, Switches, Switching,
    Trim, Victim, Voqnet,
};
pub use topology::{Routing, Topology};
pub use traffic::{
    After, Arrivals, Gaps, Groups, Hosts, HotSpot, Incast, Messages, Moving, OnOff, Pareto, Pattern, Poisson, Shift,
    Sizes, Steady, Traffic,
};
pub use workload::{Cdf, CdfRow, Flows, List, ListRow};

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A scenario: a network, its congestion management, its traffic, and what is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Name of the scenario, for tables and plots.
    #[serde(default)]
    pub name: String,
    /// What the scenario is about.
    #[serde(default)]
    pub description: String,
    /// Seed of every random stream: the same seed gives the same run.
    #[serde(default = "one")]
    pub seed: u64,
    /// The topology: hosts, switches, and the links between them.
    pub topology: Topology,
    /// How switches choose the path to a host. Default: d-mod-k on trees and fat trees, shortest-path otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routing: Option<Routing>,
    /// Run even if the routes and lanes allow a credit loop: packets that wait for each other in a cycle.
    #[serde(default)]
    pub allow_credit_loops: bool,
    /// The links between nodes.
    pub links: Links,
    /// How every switch is built: buffers, queues, arbiter.
    #[serde(default)]
    pub switches: Switches,
    /// The network adapters of the hosts.
    #[serde(default)]
    pub adapters: Adapters,
    /// The congestion management scheme.
    #[serde(default)]
    pub scheme: Scheme,
    /// The traffic: who sends what to whom. One entry per class of traffic.
    #[schemars(length(min = 1))]
    pub traffic: Vec<Traffic>,
    /// How long to run, and what to measure.
    pub measure: Measure,
    /// How the run is computed.
    #[serde(default, skip_serializing_if = "Run::is_default")]
    pub run: Run,
    /// A parameter sweep: lists of values by dotted path, such as "traffic.0.arrivals.poisson.load". There is a run for
    /// each combination.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "sweep")]
    pub sweep: BTreeMap<String, Vec<serde_json::Value>>,
}

/// Keys may be nested tables as well, as TOML makes of a dotted key without quotation marks.
fn sweep(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "additionalProperties": { "type": ["array", "object"] } })
}

fn one() -> u64 {
    1
}
