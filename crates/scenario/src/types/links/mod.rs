//! Links: rate, delay, lanes, and flow control.

pub(super) mod checks;
pub(super) mod faults;
mod losses;
pub(super) mod pfc;
pub(super) mod room;

use std::collections::BTreeMap;

use congestree_topology::routing::Hop;
use congestree_units::{Bytes, Rate, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Errors, Faults, Pfc, Retry};

/// The links. All have the same properties unless the topology gives a link its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Links {
    /// Rate of each direction.
    pub rate: Rate,
    /// Propagation delay of each direction.
    #[serde(default)]
    pub delay: Span,
    /// Number of virtual lanes (VLs). Each has its own buffer at the receiving end of every link.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 15))]
    pub lanes: u8,
    /// The virtual lane of each service level, from level 0 on (SL-to-VL mapping). Service levels beyond the end of the
    /// list use lane 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    pub service_lanes: Vec<u8>,
    /// The virtual lane of each destination, for traffic entries that have no `lane`. Absent: the service level
    /// decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_lanes: Option<DestinationLanes>,
    /// The lane in which a packet leaves a switch, hop by hop. Absent: the lane in which it arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hop_lanes: Option<HopLanes>,
    /// How the lanes share the bandwidth of a link.
    #[serde(default)]
    pub lane_arbiter: LaneArbiter,
    /// Link-level flow control: how the receiver of a link keeps the sender from overrunning its buffer.
    #[serde(default)]
    pub flow_control: FlowControl,
    /// How often links damage packets. Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<Errors>,
    /// Link-level retry: the sender of a link repeats packets that were damaged on it. Absent: damaged packets are
    /// lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// Links that fail during the run. Absent: no link fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<Faults>,
}

/// Which lane the packets for a host travel in. Hosts that congest a link then hold up only those of their own lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DestinationLanes {
    /// The hosts of each switch take the lanes in turn, in the order of the hosts. Destinations on the same switch are
    /// in different lanes, as far as there are enough lanes (vFtree, [guay2011]).
    BySwitch(LaneList),
    /// The lane of a destination is its host number modulo the number of lanes.
    Modulo(LaneList),
    /// A table of hosts and their lanes. Packets for hosts that are not in it use the lane of their service level.
    Given(GivenLanes),
}

/// In which lane packets leave a switch. A queue of an input holds packets that leave in one lane; room is that of the lane
/// in which they came in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HopLanes {
    /// The outgoing lane depends on the incoming lane, as when a second lane breaks the credit loop of a ring
    /// [dally1987]. Where no entry matches, packets stay in their lane.
    ByLane(HopLaneList),
    /// The outgoing lane depends on the service level, which a packet keeps from end to end (SL-to-VL mapping for every
    /// pair of ports, as in InfiniBand). Where no entry matches, links.service_lanes decides.
    ByService(HopLaneList),
    /// The lanes that keep the topology's own routes free of credit loops: a second lane after a global link of a
    /// dragonfly, and after the wrap-around link of a torus ring. After the intermediate switch of a non-minimal route,
    /// packets use a second set of such lanes.
    ByRoute,
    /// The lane number grows by one with every hop between switches. This keeps any routes free of credit loops if
    /// there are as many lanes as the longest path has such hops. From the last lane on, packets stay in it.
    ByHop,
}

/// Paths through switches and their lanes; where several entries match, the last one applies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HopLaneList {
    /// Entries with a path through a switch and its lanes.
    pub hops: Vec<HopLane>,
}

/// Paths through a switch, and the lanes in which packets leave it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HopLane {
    /// Name of the switch. Absent: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// Where packets come from: the name of the neighbouring node, or the number of the ingress port. Absent: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Hop>,
    /// Where packets go: the name of the neighbouring node, or the number of the egress port. Absent: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Hop>,
    /// The outgoing lane for each incoming lane, or for each service level, from 0 on. Lanes beyond the end of the list
    /// stay unchanged.
    #[schemars(length(min = 1, max = 16))]
    pub lanes: Vec<u8>,
}

/// Lanes that are used in turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LaneList {
    /// The lanes. Absent: all of links.lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 15))]
    pub lanes: Option<Vec<u8>>,
}

/// The lane of each host, given one by one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenLanes {
    /// The lane of each host, by the name of the host.
    pub lanes: BTreeMap<String, u8>,
}

/// How the lanes of a link share it (VL arbitration).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LaneArbiter {
    /// Lanes take turns, packet by packet.
    #[default]
    RoundRobin,
    /// Weighted by two tables, of high and of low priority, as in InfiniBand.
    Weighted(Weighted),
    /// Strict priority: some lanes always go before others.
    Strict(Strict),
    /// Deficit round robin: lanes share the link by bytes; some lanes may have strict priority.
    Drr(Drr),
}

/// Lanes that go before others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Strict {
    /// The lanes, highest priority first. Absent: the lane with the highest number first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 15))]
    pub order: Option<Vec<u8>>,
}

/// Lanes that share a link by bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drr {
    /// Lanes with strict priority over all others, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 15))]
    pub first: Vec<u8>,
    /// The other lanes, which take turns in this order.
    #[schemars(length(max = 15))]
    pub shares: Vec<Share>,
}

/// A lane and its quantum.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// The lane.
    #[schemars(range(max = 14))]
    pub lane: u8,
    /// Bytes that the lane may send in one turn, at least a packet. What is left over is kept for its next turn.
    pub quantum: Bytes,
}

/// Tables of lanes and weights. Lanes of the high table go first, until they have used up their limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Weighted {
    /// The high-priority table.
    #[schemars(length(max = 64))]
    pub high: Vec<Weight>,
    /// The low-priority table.
    #[schemars(length(max = 64))]
    pub low: Vec<Weight>,
    /// Limit of the high-priority table, in units of 4 KiB: when it has sent more than this, one packet of the
    /// low-priority table may go first. 255: no limit. Default 255.
    pub limit: u8,
}

impl Default for Weighted {
    fn default() -> Self {
        Self { high: Vec::new(), low: Vec::new(), limit: 255 }
    }
}

/// An entry of a table of the lane arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// The lane.
    #[schemars(range(max = 14))]
    pub lane: u8,
    /// How much the lane may send in one turn, in units of 64 bytes; 0: nothing. Each packet counts as whole units,
    /// rounded up.
    pub weight: u8,
}

/// Link-level flow control: how the receiver of a link keeps the sender from overrunning its buffer. With credits or
/// slots no packet is ever lost for lack of room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FlowControl {
    /// Credits count the free buffer in blocks of bytes, as in InfiniBand.
    ByteCredits(ByteCredits),
    /// Credits count the free buffer in packets, whatever their size.
    PacketSlots(PacketSlots),
    /// Priority flow control (PFC) of lossless Ethernet: a receiver whose buffer fills up pauses its sender, lane by
    /// lane.
    Pfc(Pfc),
    /// No link-level flow control: senders never wait, and packets that do not fit into switches.output_queue are
    /// dropped.
    None,
}

impl Default for FlowControl {
    fn default() -> Self {
        FlowControl::ByteCredits(ByteCredits::default())
    }
}

/// Room counted in blocks of bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ByteCredits {
    /// Bytes of buffer that one credit represents. The size of a packet is rounded up to whole credits.
    pub block: Bytes,
    /// Time from the tail of a packet leaving the buffer until the upstream sender may use its credit. Default: the
    /// propagation delay of the link on which the credit goes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_delay: Option<Span>,
    /// Whether control packets (ACKs, CNPs) need credits.
    pub control: ControlRoom,
    /// Bytes of buffer that every packet takes in addition to its own, before rounding up. Default 0 B.
    pub overhead: Bytes,
    /// Credits come back in messages that occupy the link, as in the credit-based flow control (CBFC) of Ultra
    /// Ethernet; its cells are the blocks here (128 B by default there). Absent: credits come back for every packet,
    /// after credit_delay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<CreditMessages>,
}

impl Default for ByteCredits {
    fn default() -> Self {
        Self {
            block: Bytes(64),
            credit_delay: None,
            control: ControlRoom::Credited,
            overhead: Bytes(0),
            messages: None,
        }
    }
}

/// Credits that come back in messages (CBFC, UEC 1.0 section 5.2). A message of 8 bytes, sent between packets, carries
/// the total number of blocks that have been freed in one lane since the start. Lanes with newly freed blocks take
/// turns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CreditMessages {
    /// Least spacing of the messages of a port, as the number of bytes that its link carries in that time. Default
    /// 6,400 B.
    pub spacing: Bytes,
    /// After the time that the link takes for this many bytes, a message that may have been lost is repeated; only if
    /// links.errors loses words. At least spacing and 8 B. Default 262,144 B.
    pub repeat: Bytes,
    /// How often a sender reports the credits that it has used, in a message of 64 bytes, so that the receiver can give
    /// back the credits of packets that were lost on the link. Default 256 us.
    pub heal: Span,
}

impl Default for CreditMessages {
    /// As in SAI (`doc/CBFC`).
    fn default() -> Self {
        Self { spacing: Bytes(6_400), repeat: Bytes(262_144), heal: Span::from_us(256) }
    }
}

/// Room counted in packets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PacketSlots {
    /// Time from the tail of a packet leaving the buffer until the upstream sender may use its credit. Default: the
    /// propagation delay of the link on which the credit goes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_delay: Option<Span>,
    /// Whether control packets (ACKs, CNPs) need slots.
    pub control: ControlRoom,
}

impl Default for PacketSlots {
    fn default() -> Self {
        Self { credit_delay: None, control: ControlRoom::OwnRoom }
    }
}

/// Room for control packets (ACKs, CNPs).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ControlRoom {
    /// They have a buffer of their own, which is always large enough.
    OwnRoom,
    /// They need credits like data packets.
    Credited,
}

fn one() -> u8 {
    1
}
