//! How every switch is organised.

use std::borrow::Cow;

use congestree_units::{Bytes, Rate, Span};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::Room;

/// The switches; all are built alike, with buffers and queues at the input ports and an arbiter at each output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Switches {
    /// Buffer of one input port and lane: in packets ("4 packets") with packet-slots, in bytes ("64 KiB") with
    /// byte-credits and pfc.
    pub buffer: Room,
    /// Buffer of each lane, from lane 0 on, if the lanes differ. Replaces `buffer`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 15))]
    pub lane_buffers: Vec<Room>,
    /// One buffer memory for all ports, in place of `buffer`. Absent: every input port has its own memory. Only with
    /// pfc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_memory: Option<SharedMemory>,
    /// Output buffer of each output port and lane, in bytes. The crossbar fills it from the inputs without a limit on
    /// its speed. Absent: outputs have no buffer. Only with pfc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_buffer: Option<Bytes>,
    /// Bytes that may wait for one output in each lane; packets that do not fit are dropped. Only with flow_control =
    /// "none", which does not use `buffer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_queue: Option<Bytes>,
    /// `output_queue` is for links of this rate, and scales in proportion to the rate of other links. Absent: the same
    /// for all rates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_queue_rate: Option<Rate>,
    /// Packet trimming: of a data packet that does not fit into switches.output_queue only the header is forwarded, in
    /// a lane of its own. Absent: the packet is dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trim: Option<Trim>,
    /// Share of the packets that every switch drops at random. Only with flow_control = "none".
    #[schemars(range(min = 0.0, max = 1.0))]
    pub random_loss: f64,
    /// The queues into which the buffer of an input port is divided.
    pub queues: Queues,
    /// How the queues share the buffer. Not used with queues = "voqnet", where every queue has its own buffer.
    pub memory: Memory,
    /// How many packets can be read from one input buffer at the same time: "one", "all" (as many as there are outputs)
    /// or a number.
    pub read_ports: ReadPorts,
    /// Rate of the crossbar: how fast a packet is read from an input buffer. Absent: as fast as the link of its output
    /// port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossbar: Option<Rate>,
    /// Packets that an output holds between the crossbar and the link. Only used with `crossbar`.
    #[schemars(range(min = 1, max = 255))]
    pub output_packets: u8,
    /// How an output port chooses the next packet among those that wait for it.
    pub arbiter: Arbiter,
    /// When a packet may be forwarded.
    pub switching: Switching,
    /// Forwarding latency: from the arrival of a packet's head (cut-through) or tail (store-and-forward) until its head
    /// may leave.
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
    /// Size of a trimmed packet on the wire. Default 64 B.
    pub size: Bytes,
    /// The lane of trimmed packets. Default 1. links.lane_arbiter gives this lane its share of the link: "strict" puts
    /// it first, weights or quanta limit it.
    #[schemars(range(max = 14))]
    pub lane: u8,
    /// Bytes that may wait for one output in that lane; packets that do not fit are dropped. Absent: twice
    /// switches.output_queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Bytes>,
    /// Which packet is trimmed: the arriving one, or perhaps one that waits.
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
    /// The arriving packet or the newest one in the queue, each with probability 1/2. Only with switches.arbiter =
    /// "fifo".
    Either,
    /// The arriving packet.
    Arriving,
}

/// A buffer memory that all ports of a switch share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SharedMemory {
    /// Size of the whole memory.
    pub size: Bytes,
    /// Reserved for each input port and lane.
    pub reserved: Bytes,
    /// Headroom of each input port and lossless lane: room for what still arrives after a pause frame was sent. Absent:
    /// as much as its link needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headroom: Option<Bytes>,
    /// In place of `headroom`: the headroom as a multiple of rate times propagation delay of the link. The HPCC
    /// simulator has 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1024.0))]
    pub headroom_delays: Option<f64>,
    /// Size of the headroom pool, if the ports share their headroom: `headroom` is then the most that one input and
    /// lane may take of it. A pool that is smaller than what all links together need is refused, unless
    /// links.flow_control.pfc.losses says otherwise. Absent: every port has its own headroom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headroom_pool: Option<Bytes>,
    /// Dynamic threshold of lossy lanes (never paused): for one output this times the free shared memory may wait.
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

/// How many packets can be read from one input buffer at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadPorts {
    /// One packet at a time.
    One,
    /// As many packets as there are outputs.
    All,
    /// A number of packets.
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
            "description": "How many packets can be read from one input buffer at the same time.",
            "oneOf": [
                { "type": "string", "const": "one", "description": "One packet at a time." },
                { "type": "string", "const": "all", "description": "As many packets as there are outputs." },
                { "type": "integer", "format": "uint8", "minimum": 1, "maximum": 255, "description": "Number of packets." }
            ]
        })
    }
}

/// How an output chooses its next packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arbiter {
    /// Round robin over the inputs.
    RoundRobin,
    /// Oldest packet first; a younger one may go ahead while the input of the oldest is busy.
    Fifo(Fifo),
    /// iSLIP: inputs and outputs of a switch are matched by request, grant and accept ([mckeown1999]).
    Islip(Islip),
}

/// Matching by iSLIP.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Islip {
    /// Iterations of request, grant and accept. Absent: until no more ports can be matched.
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
    /// Whenever a port has become free or a packet has arrived.
    #[default]
    Asynchronous,
    /// Once per slot: the time that a full packet takes through the crossbar, or, without a crossbar rate, over the
    /// fastest link.
    Slotted,
}

/// Oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Fifo {
    /// How many younger packets may go ahead of the oldest one. Absent: any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bypass_limit: Option<u32>,
}

/// When a packet may leave a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Switching {
    /// As soon as its head has been routed; not faster than its bytes come in.
    CutThrough,
    /// When the whole packet has come in.
    StoreAndForward,
}
