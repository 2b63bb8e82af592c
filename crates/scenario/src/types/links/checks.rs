//! Links that damage frames, and links that send them again.

use congestree_units::{Bytes, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How often links damage packets. With errors, the receiving end of a link takes in the whole packet before it
/// forwards it. Give either packets or bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Errors {
    /// Packet error rate of every link, whatever the size of a packet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub packets: Option<f64>,
    /// Bit error rate of every link. A packet with a wrong bit is damaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub bits: Option<f64>,
    /// Share of the damaged packets that the receiving end does not notice at all. Default 0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub unseen: f64,
    /// Share of the control words (ACKs and NACKs of links.retry, messages with credits) that are lost. Default 0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub words: f64,
}

/// Link-level retry (LLR of Ultra Ethernet, UEC 1.0 section 5.1). A packet that was damaged on a link is sent again,
/// followed by all packets sent after it (go-back-N), so that nothing is lost and the order is kept. Packets are
/// numbered; control words (ACK or NACK, 8 bytes, sent between packets) tell the sender which packets have been
/// received.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Retry {
    /// Size of the replay buffer of a port in packets: the most that may be unacknowledged. When it is full the port
    /// starts no new packet. Default 264.
    #[schemars(range(min = 1, max = 500_000))]
    pub frames: u32,
    /// Size of the replay buffer in bytes. Packets that are sent again ignore pauses, so with `flow_control = "pfc"`
    /// each lane needs this much more headroom. Default 135 kB.
    pub bytes: Bytes,
    /// Least spacing of the control words of a port, as the number of bytes that its link carries in that time. Default
    /// 2,048 B.
    pub spacing: Bytes,
    /// A port that has received no new ACK for this long sends its whole replay buffer again. Absent: twice the longest
    /// time from the start of a packet until its ACK is received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Span>,
}

impl Default for Retry {
    /// The defaults of a switch of 400 Gbit/s (SONiC, `doc/llr`), spacing as in SAI.
    fn default() -> Self {
        Self { frames: 264, bytes: Bytes(135_000), spacing: Bytes(2_048), timeout: None }
    }
}
