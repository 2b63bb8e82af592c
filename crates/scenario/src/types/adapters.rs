//! How every host attaches to its link.

use congestree_units::{Bytes, Rate, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Room;

/// The network adapters of the hosts; all are alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Adapters {
    /// Largest payload of a data packet.
    pub mtu: Bytes,
    /// Header bytes of every data packet, in addition to its payload.
    pub header: Bytes,
    /// Size of an ACK on the wire.
    pub ack: Bytes,
    /// Coalesced ACKs: one ACK answers several packets, for flows without a transport. Absent: one ACK per packet, if
    /// packets are acknowledged at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acks: Option<Acks>,
    /// Time from the last byte of a data packet at its receiver until its ACK can leave: the receiving adapter checks
    /// and places the packet. This is pipelined: packets do not wait for each other. ACKs and NACKs of transports are
    /// delayed as well, notifications (CNPs) are not. Absent: no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ack_turnaround: Option<Span>,
    /// The virtual lane of ACKs, for flows without a transport; for example one to which `links.lane_arbiter` gives
    /// priority. Absent: the lane of their data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 14))]
    pub ack_lane: Option<u8>,
    /// Start-up time of a message at its host before its first packet can start (T0): software, doorbell, reading of
    /// the work request by the adapter. Messages of different flows are posted in parallel, messages of one flow as far
    /// as `queue_depth` allows. Absent: no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_cost: Option<Span>,
    /// The most messages of a flow (a queue pair) that are posted and not complete. A message is complete when its last
    /// byte has left or, where packets are acknowledged, when the ACK of that byte is in. Absent: any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub queue_depth: Option<u32>,
    /// The most unacknowledged packets of a flow. Absent: no limit. Packets are then acknowledged only if the scheme
    /// needs ACKs (`scheme.notify = "ack"` with a reaction) or a transport sends them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub window: Option<u32>,
    /// Highest rate at which a host injects data packets, measured from start to start (a slow host bus). Absent: the
    /// link is the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub injection_rate: Option<Rate>,
    /// Rate at which received packets leave the receive buffer (a slow receiver). Needs flow control. Absent: they
    /// leave at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drain_rate: Option<Rate>,
    /// Receive buffer of a host, per lane: in packets ("4 packets") with packet-slots, in bytes ("16 KiB") with
    /// byte-credits and pfc. Absent: it is always large enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receive_buffer: Option<Room>,
    /// Packets that a host holds between its flows and its link, in one FIFO queue and the queues of an isolation
    /// scheme. The flows fill it whenever the link is idle. Absent: every flow has direct access to the link, so none
    /// waits behind another.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub injection_buffer: Option<u32>,
    /// Links inside nodes of several hosts, such as NVLink, for messages of jobs between hosts of the same node.
    /// Absent: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeLinks>,
}

/// Which packets of a flow one ACK answers. The ACK carries the time stamp and telemetry of the last of them. If a
/// reaction takes marks from ACKs, all packets of one ACK are marked or none is: when the mark changes, the packets
/// that wait are answered first (RFC 8257, section 3.2). The last packet of a message is answered at once; a greedy source
/// has messages only if they cost something (`message_cost`, `queue_depth`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Acks {
    /// Packets after which an ACK is sent.
    #[schemars(range(min = 1, max = 255))]
    pub every: u32,
    /// The longest that a received packet waits until its ACK is sent.
    pub flush: Span,
}

/// Links inside a node. Each host of the node (an accelerator with its adapter) has one link to a switch that never
/// blocks. A message occupies the links of both ends while it is transferred; messages go in the order in which they
/// are sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeLinks {
    /// Hosts of a node; they follow each other in the order of hosts.
    #[schemars(range(min = 2))]
    pub hosts: u32,
    /// Rate of each link, in each direction.
    pub rate: Rate,
    /// Time from the end of a message at its sender until it has arrived.
    #[serde(default)]
    pub delay: Span,
}

impl Adapters {
    /// Size of a data packet with the largest payload, and its header.
    pub fn full_packet(&self) -> Bytes {
        Bytes(self.mtu.0.saturating_add(self.header.0))
    }

    /// Size of the largest packet, be it of data or an ACK.
    pub fn largest_packet(&self) -> Bytes {
        self.full_packet().max(self.ack)
    }
}

impl Default for Adapters {
    fn default() -> Self {
        Self {
            mtu: Bytes(2048),
            header: Bytes(20),
            ack: Bytes(20),
            acks: None,
            ack_turnaround: None,
            ack_lane: None,
            message_cost: None,
            queue_depth: None,
            window: None,
            injection_rate: None,
            drain_rate: None,
            receive_buffer: None,
            injection_buffer: None,
            node: None,
        }
    }
}
