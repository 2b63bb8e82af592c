//! Links: rate, delay, lanes, and how room is promised.

pub(super) mod checks;
pub(super) mod faults;
pub(super) mod pfc;
pub(super) mod room;

use std::collections::BTreeMap;

use congestree_topology::routing::Hop;
use congestree_units::{Bytes, Rate, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Errors, Failure, Faults, Pfc, Retry};

/// The links; all alike unless the topology says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Links {
    /// Rate of each direction.
    pub rate: Rate,
    /// Propagation delay of each direction.
    #[serde(default)]
    pub delay: Span,
    /// Virtual lanes: classes of traffic with a buffer of their own on every link.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 15))]
    pub lanes: u8,
    /// The lane of each service level, from level 0 on (SL-to-VL); levels beyond the end travel in lane 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    pub service_lanes: Vec<u8>,
    /// The lane of each destination, for entries of traffic without a `lane` of their own. Absent: service levels decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_lanes: Option<DestinationLanes>,
    /// In which lane packets leave a switch, hop by hop. Absent: in the one in which they came in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hop_lanes: Option<HopLanes>,
    /// How the lanes of a link share it.
    #[serde(default)]
    pub lane_arbiter: LaneArbiter,
    /// How the receiver of a link promises room to the sender.
    #[serde(default)]
    pub flow_control: FlowControl,
    /// How often links damage packets. Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<Errors>,
    /// What was damaged on a link is sent again on it. Absent: it is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// Links that fail while the run goes on. Absent: none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<Faults>,
}

impl Links {
    /// Packets may be lost between two hosts: nobody promises room for them, or links damage them, or go down.
    pub fn lose(&self) -> bool {
        let goes_down = self.faults.as_ref().is_some_and(|faults| faults.failures.iter().any(Failure::is_down));
        matches!(self.flow_control, FlowControl::None)
            || (self.errors.is_some() && self.retry.is_none())
            || (goes_down && !self.keeps_all())
    }

    /// What was on a link that went down is sent again, and what waits for one waits as long as it takes.
    fn keeps_all(&self) -> bool {
        let patient = self.faults.as_ref().is_none_or(Faults::waits);
        self.retry.is_some() && patient
    }
}

/// Which lane the packets for a host travel in. Hosts that congest a link then hold up only those of their own lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DestinationLanes {
    /// The hosts of each switch take the lanes in turn, in the order of the hosts: whoever shares a last switch is in
    /// different lanes as far as there are lanes (vFtree, [guay2011]).
    BySwitch(LaneList),
    /// All hosts take the lanes in turn: the number of the host modulo the number of lanes.
    Modulo(LaneList),
    /// Written out: host and lane. Packets for hosts that are not named travel as their service level says.
    Given(GivenLanes),
}

/// In which lane packets leave a switch. A queue of an input holds packets that leave in one lane; room is that of the lane
/// in which they came in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HopLanes {
    /// The next lane follows from the one in which a packet came in, as where rings are cut by a second lane [dally1987].
    /// Where nothing is written packets stay in their lane.
    ByLane(HopLaneList),
    /// The next lane follows from the service level, which a packet keeps from end to end (SL-to-VL mapping at every pair of
    /// ports, as in InfiniBand). Where nothing is written it is that of links.service_lanes.
    ByService(HopLaneList),
    /// As the topology's own routes need it to be free of circles: a second lane after a global link of a dragonfly, and
    /// where a ring of a torus closes. With detours those lanes once more after the turn.
    ByRoute,
    /// One lane further with every hop from switch to switch, which frees any routes of circles if there are as many lanes
    /// as the longest way has such hops. The last lane is kept.
    ByHop,
}

/// Ways through switches and their lanes; where several match, the last one holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HopLaneList {
    /// The ways through switches.
    pub hops: Vec<HopLane>,
}

/// Ways through a switch, and the lanes in which packets leave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HopLane {
    /// Name of the switch. Absent: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// Name of the node that packets come from, or number of the port by which they come in. Absent: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Hop>,
    /// Name of the node that they go to, or number of the port by which they leave. Absent: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Hop>,
    /// The lane for each lane, or service level, from 0 on; what is beyond the end is left as it was.
    #[schemars(length(min = 1, max = 16))]
    pub lanes: Vec<u8>,
}

/// Lanes to be taken in turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LaneList {
    /// The lanes. Absent: all of links.lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 15))]
    pub lanes: Option<Vec<u8>>,
}

/// Lanes of hosts, written out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenLanes {
    /// For each host its lane.
    pub lanes: BTreeMap<String, u8>,
}

/// How the lanes of a link share it (VL arbitration).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LaneArbiter {
    /// Lanes take turns, packet by packet.
    #[default]
    RoundRobin,
    /// By two tables of weights, as InfiniBand has them.
    Weighted(Weighted),
    /// Some lanes always before others.
    Strict(Strict),
    /// Deficit round robin: the lanes share the link by bytes, perhaps after some that go first.
    Drr(Drr),
}

/// Lanes that go before others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Strict {
    /// Lanes in the order in which they may go. Absent: the highest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 15))]
    pub order: Option<Vec<u8>>,
}

/// Lanes that share a link by bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drr {
    /// Lanes that go before all others, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 15))]
    pub first: Vec<u8>,
    /// The others, which take turns in this order.
    #[schemars(length(max = 15))]
    pub shares: Vec<Share>,
}

/// What a lane may send when its turn comes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// The lane.
    #[schemars(range(max = 14))]
    pub lane: u8,
    /// Bytes, at least a packet; what is left over is kept for its next turn.
    pub quantum: Bytes,
}

/// Tables of lanes and weights. Lanes of the high table go first, until they have used up their limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Weighted {
    /// Lanes that go first.
    #[schemars(length(max = 64))]
    pub high: Vec<Weight>,
    /// The other lanes.
    #[schemars(length(max = 64))]
    pub low: Vec<Weight>,
    /// When the high table has sent more than this many units of 4 KiB, a packet of the low one may go first; 255: never.
    /// Default 255.
    pub limit: u8,
}

impl Default for Weighted {
    fn default() -> Self {
        Self { high: Vec::new(), low: Vec::new(), limit: 255 }
    }
}

/// An entry of a table of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// The lane.
    #[schemars(range(max = 14))]
    pub lane: u8,
    /// Units of 64 bytes that it may send at a stretch; 0: none.
    pub weight: u8,
}

/// How the receiver of a link promises room to the sender. With either promise nothing is ever lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FlowControl {
    /// Room is counted in blocks of bytes, as InfiniBand does.
    ByteCredits(ByteCredits),
    /// Room is counted in packets, whatever their size.
    PacketSlots(PacketSlots),
    /// Nothing is promised, but a receiver that runs out of room pauses its sender, lane by lane, as lossless Ethernet does.
    Pfc(Pfc),
    /// Nothing is promised: senders never wait, and what finds no room in switches.output_queue is dropped.
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
    /// Bytes that one credit stands for; a packet takes as many credits as it needs, rounded up.
    pub block: Bytes,
    /// From the tail of a packet leaving a buffer until the sender upstream may use the room. Default: the propagation delay
    /// of the link on which the credit goes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_delay: Option<Span>,
    /// Whether control packets (ACKs, CNPs) take credits.
    pub control: ControlRoom,
    /// Bytes that every packet takes on top of its own before it is rounded up. Default 0 B.
    pub overhead: Bytes,
    /// Credits come back in messages that take time on the link, and not one by one: credit-based flow control (CBFC) of
    /// Ultra Ethernet, with blocks as its cells (128 B by default there). Absent: for every packet, after credit_delay.
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

/// Credits that come back in messages (CBFC, UEC 1.0 section 5.2). A message of 8 bytes, between packets, tells how many blocks of one
/// lane have ever been freed; lanes with news take turns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CreditMessages {
    /// From one message of a port to the next at least the time that so many bytes take on its link. Default 6,400 B.
    pub spacing: Bytes,
    /// After the time of so many bytes it is told once more what may not have been heard; only where links.errors loses
    /// words. Default 262,144 B.
    pub repeat: Bytes,
    /// How often a sender tells what it has consumed, in 64 bytes, so that the receiver knows of packets that were lost on
    /// the link. Default 256 us.
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
    /// From the tail of a packet leaving a buffer until the sender upstream may use the room. Default: the propagation delay
    /// of the link on which the credit goes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_delay: Option<Span>,
    /// Whether control packets (ACKs, CNPs) take slots.
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
    /// They have room of their own, always enough.
    OwnRoom,
    /// They need credits as data packets do.
    Credited,
}

fn one() -> u8 {
    1
}
