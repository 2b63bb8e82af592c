//! Sizes from a table, and messages from a list: inline, or in a file beside the scenario.

use congestree_units::{Bytes, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A table of sizes and cumulative shares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Cdf {
    /// A published table (data-mining, enterprise, web-search), or a file relative to the folder of the scenario: on
    /// each line a size in bytes and the share of messages that are no larger, up to 1 or up to 100.
    Name(String),
    /// The table itself.
    Rows(#[schemars(length(min = 1))] Vec<CdfRow>),
}

/// A row of a table of sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CdfRow {
    /// A size.
    pub size: Bytes,
    /// Share of the messages that are no larger. The last is 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
}

/// A list of messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum List {
    /// A file relative to the folder of the scenario: a line `at,from,to,message`, then a line for each message, such as
    /// `10 us, h0, h7, 64 KiB`.
    File(String),
    /// The messages themselves.
    Rows(#[schemars(length(min = 1))] Vec<ListRow>),
}

/// A message of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRow {
    /// When it is made, counted from the start of the entry.
    pub at: Time,
    /// The sending host.
    pub from: String,
    /// The receiving host.
    pub to: String,
    /// Its payload.
    pub message: Bytes,
}

/// What makes a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Flows {
    /// Everything that a source sends to one host.
    #[default]
    ByPair,
    /// Every message is a flow of its own, with its own reaction to marks and its own window. It ends when its last
    /// byte has arrived; the probe completions records how long that took.
    ByMessage,
}
