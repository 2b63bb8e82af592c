//! The queues of inputs, and how they share the memory of an input.

use congestree_units::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::types::Room;

/// The queues of one input port and lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Queues {
    /// A virtual output queue (VOQ) for each output: packets never wait behind those for another output.
    Voq,
    /// One FIFO queue: only the packet at its head can be forwarded, so head-of-line blocking occurs.
    Single,
    /// A queue with its own credits for each destination, in switches and hosts: no head-of-line blocking anywhere
    /// (VOQnet).
    Voqnet(Voqnet),
    /// A few queues; the destination's number modulo `queues` selects one (destination-based buffer management,
    /// [nachiondo2010]).
    Dbbm(Dbbm),
    /// A few queues; the output port's number modulo `queues` selects one (output-based queue assignment,
    /// [escudero2011obqa]).
    Obqa(Obqa),
}

/// A queue for each destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Voqnet {
    /// Buffer of one queue, in place of switches.buffer: in packets with packet-slots, in bytes with byte-credits. The
    /// default is 64 packets of 2 KiB, as in Gran's Paper VI.
    pub buffer: Room,
}

impl Default for Voqnet {
    fn default() -> Self {
        Self { buffer: Room::Bytes(Bytes(128 << 10)) }
    }
}

/// Queues by destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Dbbm {
    /// Queues of an input port, in each lane.
    #[schemars(range(min = 1, max = 4096))]
    pub queues: u16,
}

impl Default for Dbbm {
    fn default() -> Self {
        Self { queues: 8 }
    }
}

/// Queues by output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Obqa {
    /// Queues of an input port, in each lane.
    #[schemars(range(min = 1, max = 4096))]
    pub queues: u16,
}

impl Default for Obqa {
    fn default() -> Self {
        Self { queues: 4 }
    }
}

/// How the queues of an input (and lane) share its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Memory {
    /// Any queue may take the whole buffer, so that a congested queue can fill it.
    Shared,
    /// Every queue has an equal share of its own, with its own credits. With "voq" there is one share less than the
    /// switch has ports, as nothing leaves by the port where it came in.
    Reserved,
    /// Dynamic sizes: every queue has a reserve and a limit, and shares the rest (dynamically allocated multi-queues,
    /// [tamir1992]).
    Damq(Damq),
}

/// Queues of dynamic size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Damq {
    /// Room that is reserved for each queue. Absent: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserve: Option<Room>,
    /// The most room that one queue may take. Absent: all that is not reserved for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Room>,
}
