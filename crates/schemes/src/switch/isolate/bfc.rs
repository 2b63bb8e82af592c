//! BFC, backpressure flow control: flows have queues of their own at every output, and a queue that grows too long
//! stops only those queues of the neighbour that feed it. Sources need not react: pressure is passed back hop by hop,
//! flow by flow.
//!
//! | here             | BFC                          | reading |
//! |------------------|------------------------------|---------|
//! | `queues`         | physical queues of a port    | 32, the least of its 32 to 128 |
//! | `flow_ids`       | entries of the flow table    | 16,384; one table for each output, a flow is known by its hash |
//! | `hop_round_trip` | *H*, one-hop round trip      | from the links of the switch, if absent |
//! | `sticky`         | hysteresis of an assignment  | 2 *H*, if absent |
//! | `first_ahead`    | high-priority queue          | for the first packet of each flow |
//! | threshold        | *H* · *C* / *N*              | *C*: rate of the output; *N*: its queues with packets that may go |
//!
//! A packet that finds its queue, including itself, longer than the threshold is *charged* to the queue that it came
//! from: the first such packet stops that queue, and when the last has left it may send again. Readings: a queue is
//! *empty* when it contains no packet; the first empty queue is used that may send and that no flow keeps, if there is
//! one (if it were used whatever its last user left behind, a sparse flow would wait for that user's stop); stops and
//! gos are sent individually, a go as soon as it is due.
//!
//! Backpressure Flow Control, NSDI 2022, section 3.

use congestree_units::{Bytes, Span};
use serde::{Deserialize, Serialize};

use super::flow_queues::FlowRules;
use super::{InBand, Isolation, IsolationRules, Notices, check_notices};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of BFC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BfcParams {
    /// Flow queues of every output. Default 32.
    #[schemars(range(min = 1, max = 1024))]
    pub queues: u16,
    /// Flow identifiers (hash values) of an output: two flows with the same hash are one to it. Default 16384.
    #[schemars(range(min = 1))]
    pub flow_ids: u32,
    /// One-hop round-trip time: from the start of a packet upstream until a stop that it causes takes effect there.
    /// Absent: the longest such time over the links into the switch, including the wait for one packet on the way back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hop_round_trip: Option<Span>,
    /// Time for which a flow without packets keeps its queue. Absent: twice hop_round_trip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sticky: Option<Span>,
    /// The first packet of a flow goes through a high-priority queue that is never stopped. Default true.
    pub first_ahead: bool,
    /// How stop and go notices travel. Default: on the link, 64 B.
    pub notices: Notices,
}

impl Default for BfcParams {
    fn default() -> Self {
        Self {
            queues: 32,
            flow_ids: 16_384,
            hop_round_trip: None,
            sticky: None,
            first_ahead: true,
            notices: Notices::InBand(InBand::default()),
        }
    }
}

impl Check for BfcParams {
    fn check(&self, _setting: &Setting, found: &mut Diagnostics) {
        if self.hop_round_trip == Some(Span::ZERO) {
            let fact = "every packet would find its queue too long";
            let remedy = "give a time above zero, or leave it out to have it from the links";
            found.report("hop_round_trip", fact, remedy);
        }
        if let (Some(sticky), Some(round_trip)) = (self.sticky, self.hop_round_trip)
            && sticky < round_trip
        {
            let fact = format!(
                "a flow would lose its queue after {sticky}, before a stop is obeyed, which takes {round_trip}"
            );
            found.report("sticky", fact, "give at least hop_round_trip, or leave it out for twice as much");
        }
        if u32::from(self.queues) > self.flow_ids {
            let (queues, ids) = (self.queues, self.flow_ids);
            let fact = format!("{ids} flows are told apart, and {queues} queues would never all be in use");
            found.report("flow_ids", fact, "make it larger, or take fewer queues");
        }
        check_notices(self.notices, found);
        if let Notices::InBand(way) = self.notices
            && way.size > MOST_BYTES
        {
            let fact = format!("a notice of {} would hold packets up", way.size);
            found.report("notices.in-band.size", fact, format!("give at most {MOST_BYTES}"));
        }
    }
}

/// The largest size of a frame between neighbours.
const MOST_BYTES: Bytes = Bytes(9_216);

/// Isolation by BFC.
#[derive(Clone, Debug)]
pub struct Bfc(FlowRules);

impl Bfc {
    /// With these parameters.
    pub fn new(params: &BfcParams) -> Self {
        Self(FlowRules {
            queues: params.queues,
            flow_ids: params.flow_ids,
            hop_round_trip: params.hop_round_trip,
            sticky: params.sticky,
            first_ahead: params.first_ahead,
            notices: params.notices,
        })
    }
}

impl Isolation for Bfc {
    fn rules(&self) -> Option<IsolationRules> {
        None
    }

    fn flow_rules(&self) -> Option<FlowRules> {
        Some(self.0.clone())
    }
}
