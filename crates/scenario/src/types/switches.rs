//! How every switch is organised.

use congestree_units::{Bytes, Rate, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Room;

mod arbiters;
mod queues;

pub use arbiters::{Arbiter, Fifo, Islip, Matching, ReadPorts, Switching};
pub use queues::{Damq, Dbbm, Memory, Obqa, Queues, Voqnet};

/// The switches; all are built alike, with buffers and queues at the input ports and an arbiter at each output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Switches {
    /// Buffer of one input port and lane: in packets ("4 packets") with packet-slots, in bytes ("64 KiB") with
    /// byte-credits and pfc.
    pub buffer: Room,
    /// Buffer of each lane, from lane 0 on, if the lanes differ. Replaces `buffer`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1, max = 15))]
    pub lane_buffers: Vec<Room>,
    /// One buffer memory for all ports, in place of `buffer`. Absent: every input port has its own memory. Only with
    /// pfc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_memory: Option<SharedMemory>,
    /// Output buffer of each output port and lane, in bytes. The crossbar fills it from the inputs without a limit on
    /// its speed. Absent: outputs have no buffer. Only with pfc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_buffer: Option<Bytes>,
    /// Bytes that may wait for one output in each lane; packets that do not fit are dropped. The lane of `trim` has a
    /// queue of its own. Only with flow_control = "none", which does not use `buffer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_queue: Option<Bytes>,
    /// `output_queue` and `trim.queue` are for links of this rate, and scale in proportion to the rate of other links.
    /// Absent: the same for all rates.
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

impl Switches {
    /// Whether the queues of an input share the room of their lane, so that its credits are counted by lane.
    pub fn have_room_by_lane(&self) -> bool {
        self.memory == Memory::Shared && !matches!(self.queues, Queues::Voqnet(_))
    }

    /// Whether inputs are plain queues over shared memory, by output or a single one, without crossbar and matching.
    pub fn are_plain(&self) -> bool {
        self.memory == Memory::Shared
            && self.crossbar.is_none()
            && matches!(self.queues, Queues::Voq | Queues::Single)
            && !matches!(self.arbiter, Arbiter::Islip(_))
    }
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
    /// switches.output_queue. Both are for links of switches.output_queue_rate, where that is given, and scale alike.
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
