//! How hosts are attached to the network.

use congestree_schemes::acks::AckRule;
use congestree_units::{Bytes, Rate, Span};

/// A host's attachment to the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdapterPlan {
    /// Largest payload of a data packet.
    pub mtu: Bytes,
    /// Bytes that every data packet carries on top of its payload.
    pub header: Bytes,
    /// Size of an ACK on the wire.
    pub ack: Bytes,
    /// At most one data packet per packet time at this rate (a slow host bus); `None`: the link is the limit.
    pub injection_rate: Option<Rate>,
    /// Rate at which received packets leave the receive buffer; `None`: at once.
    pub drain_rate: Option<Rate>,
    /// Room of one lane of the receive buffer, in credit units (bytes where senders are paused); `None`: always enough.
    pub receive_units: Option<u32>,
    /// Packets that a host holds between its flows and its link; `None`: flows have the link to themselves.
    pub injection_buffer: Option<u32>,
    /// The delay that a message costs from when it is posted until its first packet may start (T0).
    pub message_cost: Span,
    /// The most messages of a flow that may be posted and not complete; `None`: any number.
    pub queue_depth: Option<u32>,
    /// Which packets an ACK acknowledges, for flows without a transport; `None`: every packet has its own ACK.
    pub acks: Option<AckRule>,
    /// From the last byte of a data packet until its ACK may leave.
    pub ack_turnaround: Span,
    /// The lane of ACKs of flows without a transport; `None`: that of their data.
    pub ack_lane: Option<u8>,
}

impl AdapterPlan {
    /// The largest data packet on the wire.
    pub fn full(&self) -> Bytes {
        self.mtu + self.header
    }
}

/// The memory of a host, as a path from rank to rank.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HostMemory {
    /// Rate at which a rank copies messages, one after the other; `None`: at once.
    pub rate: Option<Rate>,
    /// From the end of the copy until the message has arrived.
    pub delay: Span,
}
