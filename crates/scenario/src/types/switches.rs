//! How every switch is organised.

use std::borrow::Cow;

use congestree_units::{Bytes, Rate, Span};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::Room;

/// The switches, all alike: buffers at the input ports, queues over them, read ports, an arbiter at each output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Switches {
    /// Buffer of one input port and lane: in packets ("4 packets") with packet-slots, in bytes ("64 KiB") with
    /// byte-credits and pfc.
    pub buffer: Room,
    /// Buffers of the lanes from lane 0 on, where they are not all like `buffer`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 15))]
    pub lane_buffers: Vec<Room>,
    /// One memory for all ports, which takes the place of `buffer`. Absent: inputs have memory of their own. Only with pfc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_memory: Option<SharedMemory>,
    /// Bytes that find room at each output, in each lane; a crossbar brings them there from the inputs, as fast as need be.
    /// Absent: outputs have no memory. Only with pfc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_buffer: Option<Bytes>,
    /// Bytes that may wait for one output, in each lane; what finds no room is dropped. Only with flow_control = "none",
    /// which has no use for `buffer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_queue: Option<Bytes>,
    /// `output_queue` is that of links of this rate, and in proportion at others. Absent: the same at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_queue_rate: Option<Rate>,
    /// Data that finds no room in switches.output_queue is trimmed: its header goes on, in a lane of its own. Absent: it is
    /// dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trim: Option<Trim>,
    /// Share of the packets that every switch loses at random. Only with flow_control = "none".
    #[schemars(range(min = 0.0, max = 1.0))]
    pub random_loss: f64,
    /// Which queues the buffer of an input is divided into.
    pub queues: Queues,
    /// How these queues share the buffer. With queues = "voqnet" every queue has a buffer of its own anyway.
    pub memory: Memory,
    /// How many packets may be read from one input buffer at the same time: "one", "all" (as many as there are
    /// outputs) or a number.
    pub read_ports: ReadPorts,
    /// Rate at which packets are read from the input buffers, if the crossbar has a speed of its own; absent: as fast as
    /// the link of their output takes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossbar: Option<Rate>,
    /// Packets that an output holds between a crossbar with a speed of its own and its link.
    #[schemars(range(min = 1, max = 255))]
    pub output_packets: u8,
    /// How an output chooses among the packets that wait for it.
    pub arbiter: Arbiter,
    /// When a packet may leave again.
    pub switching: Switching,
    /// From the head (cut-through) or the tail (store-and-forward) of a packet coming in until its head may leave.
    pub forwarding_delay: Span,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            buffer: Room::Bytes(Bytes(64 << 10)),
            lane_buffers: Vec::new(),
            shared_memory: None,
            output_buffer: None,
            output_queue: None,
            output_queue_rate: None,
            trim: None,
            random_loss: 0.0,
            queues: Queues::Voq,
            memory: Memory::Shared,
            read_ports: ReadPorts::All,
            crossbar: None,
            output_packets: 2,
            arbiter: Arbiter::RoundRobin,
            switching: Switching::CutThrough,
            forwarding_delay: Span::from_ns(100),
        }
    }
}

/// How switches trim packets (Ultra Ethernet).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Trim {
    /// Bytes on the wire that are left of a packet. Default 64 B.
    pub size: Bytes,
    /// The lane in which headers go on. Default 1. The share of that lane is for links.lane_arbiter to say: "strict" puts it
    /// first, weights or quanta bound it.
    #[schemars(range(max = 14))]
    pub lane: u8,
    /// Bytes that may wait for one output in that lane; more is dropped. Absent: twice switches.output_queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Bytes>,
    /// Which packet is trimmed.
    pub victim: Victim,
}

impl Default for Trim {
    fn default() -> Self {
        Self { size: Bytes(64), lane: 1, queue: None, victim: Victim::Either }
    }
}

/// Which packet is trimmed when one finds no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Victim {
    /// The one that comes, or the newest that waits: a coin decides. Only with switches.arbiter = "fifo".
    Either,
    /// The one that comes.
    Arriving,
}

/// One memory for all ports of a switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SharedMemory {
    /// All of it.
    pub size: Bytes,
    /// What every input port and lane has for itself.
    pub reserved: Bytes,
    /// What every input port and lossless lane has for what comes in after a pause was asked for. Absent: as much as its
    /// link needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headroom: Option<Bytes>,
    /// In place of `headroom`: so many times what the link carries in its delay. The HPCC simulator has 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1024.0))]
    pub headroom_delays: Option<f64>,
    /// All the headroom of a switch, if its ports share it: `headroom` is then the most that one input and lane may
    /// have of it. Less than all links together need is refused, unless links.flow_control.pfc.losses says otherwise.
    /// Absent: every port has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headroom_pool: Option<Bytes>,
    /// Of a lane that is never paused, this times the shared memory that is free may wait for one output.
    #[schemars(range(min = 0.0, max = 1024.0))]
    pub lossy_alpha: f64,
}

impl Default for SharedMemory {
    fn default() -> Self {
        Self {
            size: Bytes(32_000_000),
            reserved: Bytes(4_000),
            headroom: None,
            headroom_delays: None,
            headroom_pool: None,
            lossy_alpha: 1.0,
        }
    }
}

/// The queues of one input port and lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Queues {
    /// A virtual output queue for each output: packets for one output never wait for those of another.
    Voq,
    /// One first-in first-out queue: only its head can be forwarded.
    Single,
    /// A queue with credits of its own for each destination, at switches and behind hosts: nothing ever waits for what
    /// goes elsewhere (VOQnet).
    Voqnet(Voqnet),
    /// Some queues; a packet joins the one that is its destination's number modulo theirs (destination-based buffer
    /// management, [nachiondo2010]).
    Dbbm(Dbbm),
    /// Some queues; a packet joins the one that is the number of its output at this switch modulo theirs (output-based
    /// queue assignment, [escudero2011obqa]).
    Obqa(Obqa),
}

/// A queue for each destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Voqnet {
    /// Buffer of one queue: in packets with packet-slots, in bytes with byte-credits. It takes the place of
    /// switches.buffer. The default is 64 packets of 2 KiB, as in Gran's Paper VI.
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
    /// How many queues an input has, in each lane.
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
    /// How many queues an input has, in each lane.
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
    /// Any queue may take all of it, so that a hot one can hog it.
    Shared,
    /// Every queue has an equal share for itself, and credits of its own for it. With "voq" the shares are one less than
    /// the ports of the switch: nothing leaves where it came in.
    Reserved,
    /// Dynamic sizes: every queue has a reserve and a limit, and what nobody has reserved is shared (dynamically allocated
    /// multi-queues, [tamir1992]).
    Damq(Damq),
}

/// Queues of dynamic size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Damq {
    /// Room that each queue has for itself; absent: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserve: Option<Room>,
    /// Most room that one queue may take; absent: all that is not reserved for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Room>,
}

/// How many packets may be read from one input buffer at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadPorts {
    /// One.
    One,
    /// As many as there are outputs.
    All,
    /// So many.
    Number(u8),
}

impl Serialize for ReadPorts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ReadPorts::One => serializer.serialize_str("one"),
            ReadPorts::All => serializer.serialize_str("all"),
            ReadPorts::Number(count) => serializer.serialize_u8(*count),
        }
    }
}

impl<'de> Deserialize<'de> for ReadPorts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(u8),
            Word(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(count) => Ok(ReadPorts::Number(count)),
            Written::Word(word) if word == "one" => Ok(ReadPorts::One),
            Written::Word(word) if word == "all" => Ok(ReadPorts::All),
            Written::Word(_) => Err(D::Error::custom("expected \"one\", \"all\" or a number")),
        }
    }
}

impl JsonSchema for ReadPorts {
    fn schema_name() -> Cow<'static, str> {
        "ReadPorts".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "How many packets may be read from one input buffer at the same time.",
            "oneOf": [
                { "type": "string", "const": "one", "description": "One." },
                { "type": "string", "const": "all", "description": "As many as there are outputs." },
                { "type": "integer", "format": "uint8", "minimum": 1, "maximum": 255, "description": "So many." }
            ]
        })
    }
}

/// How an output chooses its next packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arbiter {
    /// The inputs in turn.
    RoundRobin,
    /// Oldest first; a younger packet may pass while the input of the oldest one is busy.
    Fifo(Fifo),
    /// Inputs and outputs of a switch are matched together: request, grant, accept ([mckeown1999]).
    Islip(Islip),
}

/// Matching by iSLIP.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Islip {
    /// Rounds of request, grant and accept; absent: until no more ports can be matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 255))]
    pub iterations: Option<u8>,
    /// When a switch finds a matching.
    pub matching: Matching,
}

/// When a switch finds a matching.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Matching {
    /// Whenever something has become free or has arrived.
    #[default]
    Asynchronous,
    /// Once in each slot: the time that a full packet takes through the crossbar, or else over the fastest link.
    Slotted,
}

/// Oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Fifo {
    /// How often the oldest packet may be passed by younger ones; absent: any number of times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bypass_limit: Option<u32>,
}

/// When a packet may leave a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Switching {
    /// As soon as its head has been routed, at a pace at which its bytes never run out.
    CutThrough,
    /// When all of it has come in.
    StoreAndForward,
}
