//! How every host attaches to its link.

use congestree_units::{Bytes, Rate, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Room;

/// The adapters of the hosts, all alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Adapters {
    /// Largest payload of a data packet.
    pub mtu: Bytes,
    /// Bytes that every data packet carries on top of its payload.
    pub header: Bytes,
    /// Size of an ACK on the wire.
    pub ack: Bytes,
    /// Several packets answered by one ACK (coalesced ACKs), of flows without a transport. Absent: an ACK for every packet that is
    /// acknowledged at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acks: Option<Acks>,
    /// From the last byte of a data packet at its receiver until its ACK can leave: what the adapter takes to check and place
    /// the packet. Many are turned around at a time. ACKs and NACKs of transports wait alike, notifications (CNPs) do not.
    /// Absent: no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ack_turnaround: Option<Span>,
    /// The lane in which ACKs of flows without a transport travel, such as one that `links.lane_arbiter` lets go first. Absent: that of
    /// their data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 14))]
    pub ack_lane: Option<u8>,
    /// What a message costs its host before its first packet can start (T0): software, doorbell, the adapter's reading of the work
    /// request. Messages of different flows are posted side by side, and those of one as far as `queue_depth` allows.
    /// Absent: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_cost: Option<Span>,
    /// Messages of a flow (a queue pair) that are posted and not done: the last byte has left, or where packets are acknowledged
    /// its ACK is in. Absent: any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub queue_depth: Option<u32>,
    /// Packets of a flow that may be on their way unacknowledged. Absent: no limit, and no ACKs unless the scheme
    /// reacts to marks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub window: Option<u32>,
    /// Rate at which a host can put data packets on its link, start to start (a slow host bus). Absent: the link is
    /// the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub injection_rate: Option<Rate>,
    /// Rate at which received packets leave the receive buffer (a slow receiver); needs flow control. Absent: at
    /// once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drain_rate: Option<Rate>,
    /// Receive buffer of a host, per lane; "4 packets" with packet-slots, "16 KiB" with byte-credits and pfc. Absent: always
    /// enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receive_buffer: Option<Room>,
    /// Packets that a host holds between its flows and its link, in one first-in first-out queue and the queues that a
    /// scheme sets aside; flows fill it whenever the link is idle. Absent: flows have the link to themselves, and none waits
    /// behind another.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub injection_buffer: Option<u32>,
    /// Links inside nodes of several hosts, such as NVLink: messages of jobs between hosts of a node take them. Absent: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeLinks>,
}

/// Which packets of a flow one ACK answers. It carries time stamp and telemetry of the last of them, and all have met the same:
/// before a packet with another mark those that wait are answered (RFC 8257, section 3.2), if a reaction wants to hear of marks
/// from ACKs. The last packet of a message is answered at once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Acks {
    /// An ACK when so many packets have come in.
    #[schemars(range(min = 1, max = 255))]
    pub every: u32,
    /// The longest that a packet waits for its ACK.
    pub after: Span,
}

/// Links inside a node. Each of its hosts, an accelerator with its adapter, has one into a switch that never blocks; a
/// message occupies those of both ends for as long as it takes, in the order in which messages are sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeLinks {
    /// Hosts of a node: neighbours in the order of hosts.
    #[schemars(range(min = 2))]
    pub hosts: u32,
    /// Rate of each link, in each direction.
    pub rate: Rate,
    /// From the end of a message at its sender until it is there.
    #[serde(default)]
    pub delay: Span,
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
