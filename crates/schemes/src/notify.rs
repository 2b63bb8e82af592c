//! How a mark comes back to the source.

use congestree_units::Bytes;
use serde::{Deserialize, Serialize};

/// What brings marks back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NotifyParams {
    /// The ACK of the marked packet: every data packet is acknowledged.
    Ack,
    /// A congestion notification packet for each marked packet; nothing for others.
    Cnp(CnpParams),
}

/// Parameters of congestion notification packets (Gran, Paper I, section 3.2.2).
///
/// A host sends them before its data. They are never marked, and in switches they wait like any other packet of their
/// lane: to let them pass, give them a lane of their own and that lane a high priority.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CnpParams {
    /// Bytes on the wire. Default 64 B.
    pub size: Bytes,
    /// The lane in which they travel. Absent: that of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 14))]
    pub lane: Option<u8>,
}

impl Default for CnpParams {
    fn default() -> Self {
        Self { size: Bytes(64), lane: None }
    }
}
