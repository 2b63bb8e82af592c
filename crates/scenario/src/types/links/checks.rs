//! Links that damage frames, and links that send them again.

use congestree_units::{Bytes, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How often links damage frames. The far end then waits for the whole of every frame before it goes on. Give packets or
/// bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Errors {
    /// The share of packets that are damaged on every link, whatever their size.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub packets: Option<f64>,
    /// The share of bits that are; a packet with a wrong bit is damaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub bits: Option<f64>,
    /// The share of damaged packets of which the far end sees nothing at all: not even that they were damaged. Default 0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub unseen: f64,
    /// The share of the words of links.retry, and of messages with credits, that are lost. Default 0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub words: f64,
}

/// Link-level retry (LLR of Ultra Ethernet, UEC 1.0 section 5.1): what was damaged on a link is sent again on it, with all that
/// came behind it, so that nothing is lost and order is kept. Every packet has a number; a word (ACK or NACK, 8 bytes between
/// packets) tells the sender how far packets have come in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Retry {
    /// Most packets that a port keeps until they are acknowledged; it starts no more before. Default 264.
    #[schemars(range(min = 1, max = 500_000))]
    pub frames: u32,
    /// Most bytes of them. What is sent again does not wait for a pause to end, so that with `flow_control = "pfc"` each lane needs
    /// so much more headroom. Default 135 kB.
    pub bytes: Bytes,
    /// From one word of a port to the next at least the time that so many bytes take on its link. Default 2,048 B.
    pub spacing: Bytes,
    /// A port that has heard nothing new for so long sends all that it keeps again. Absent: twice the longest time from the
    /// start of a packet until its ACK is heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Span>,
}

impl Default for Retry {
    /// What a switch of 400 Gbit/s has by default (SONiC, `doc/llr`), spacing as in SAI.
    fn default() -> Self {
        Self { frames: 264, bytes: Bytes(135_000), spacing: Bytes(2_048), timeout: None }
    }
}
