//! The plan of a run: everything the fabric is built from, checked and resolved, with no names left to look up.
//!
//! `scenario` makes a plan from a file; a plan that has passed its checks cannot be inconsistent.

use std::sync::Arc;

use congestree_schemes::isolate::flow_queues::FlowRules;
use congestree_schemes::isolate::{IsolationRules, Notices};
use congestree_schemes::regional::RegionalParams;
use congestree_schemes::{MarkParams, NotifyParams, ReactParams, RouteParams, TransportParams};
use congestree_topology::{EqualCost, Graph, LaneMap, Routes};
use congestree_traffic::{FlowMapping, SourcePlan};
use congestree_units::{Bytes, Rate, Span, Time};
use congestree_wire::{FlowId, IndexVec, PortId};

pub(crate) mod build;
mod checks;
mod credits;
mod faults;
mod hosts;
mod lanes;
mod pauses;
pub(crate) mod rules;
mod switches;
mod traffic;

pub use checks::{ChecksPlan, ErrorPlan, ErrorRate, RetryPlan};
pub use credits::{CreditMessages, CreditUnit, FlowControl};
pub use faults::{FailurePlan, FaultsPlan, TablesPlan};
pub use hosts::{AdapterPlan, HostMemory};
pub use lanes::{LaneSchedule, LaneWeights};
pub use pauses::{Headroom, PauseWatchdog, PfcPlan, SharedPlan, Storm, Threshold};
pub use switches::{ArbiterPlan, CrossbarPlan, Memory, QueueMap, SwitchPlan, Switching, TrimPlan};
pub use traffic::{FlowPlan, JobPlan, NodeLinks, SendEnd};

/// A whole run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed of every random stream.
    pub seed: u64,
    /// Hosts, switches and links, with rates and delays.
    pub graph: Graph,
    /// For each switch, the next link to every host.
    pub routes: Routes,
    /// All shortest paths, if switches choose among them.
    pub equal_cost: Option<EqualCost>,
    /// In which lane packets leave a switch; `None`: in the one in which they came in.
    pub lane_map: Option<Arc<LaneMap>>,
    /// Virtual lanes on every link.
    pub lanes: u8,
    /// Weights by which lanes share a link; `None`: they take turns.
    pub lane_weights: Option<LaneWeights>,
    /// Lanes that go before others, and quanta by which the rest share a link; `None`: they take turns.
    pub lane_schedule: Option<LaneSchedule>,
    /// How room downstream is promised.
    pub flow_control: FlowControl,
    /// Which lanes are paused, and when; only if links promise no room.
    pub pfc: Option<PfcPlan>,
    /// What links do to frames, and what is done about it.
    pub checks: ChecksPlan,
    /// Which links fail, and how routes follow.
    pub faults: FaultsPlan,
    /// How every switch is organised.
    pub switch: SwitchPlan,
    /// How every host attaches.
    pub adapter: AdapterPlan,
    /// Which parts manage congestion.
    pub scheme: SchemePlan,
    /// Ordered packet series; ids are positions.
    pub flows: IndexVec<FlowId, FlowPlan>,
    /// Message generators; each feeds one flow, or one flow per destination.
    pub sources: Vec<SourcePlan>,
    /// Applications with a program.
    pub jobs: Vec<Arc<JobPlan>>,
    /// Names of the traffic entries, by class id.
    pub classes: Vec<String>,
    /// How long to run and what to look at.
    pub measure: MeasurePlan,
}

impl Plan {
    /// Neighbours send each other more than credits.
    pub fn neighbours_talk(&self) -> bool {
        self.pfc.is_some()
            || self.scheme.isolate.is_some()
            || self.scheme.flow_queues.is_some()
            || self.scheme.regional.is_some()
            || self.checks.retry.is_some()
            || self.flow_control.messages.is_some()
    }

    /// Whether hosts serve one lane after another: by weights, priorities or quanta.
    pub(crate) fn serves_lanes_in_order(&self) -> bool {
        self.lane_weights.is_some() || self.lane_schedule.is_some()
    }

    /// By flow: whether its source ever sends to its destination. A source that draws destinations has a flow for each
    /// host, itself included, so that a flow is found by its destination; it may not send to all of them.
    pub fn sent_flows(&self) -> IndexVec<FlowId, bool> {
        let mut sent: IndexVec<FlowId, bool> = vec![true; self.flows.len()].into();
        for source in &self.sources {
            if let FlowMapping::PerDestination { base } = source.mapping {
                for host in 0..self.graph.hosts.len() as u32 {
                    sent[FlowId(base + host)] = source.profile.pattern.reaches(source.host, host);
                }
            }
        }
        sent
    }

    /// The rate of each port's link without failures.
    pub(crate) fn whole_rates(&self) -> IndexVec<PortId, Rate> {
        let wired = self.graph.ports();
        wired.hosts.iter().chain(&wired.switches).flatten().map(|port| port.out.rate).collect()
    }

    /// The packets of a flow may overtake each other.
    pub fn reorders(&self) -> bool {
        self.scheme.reorders() || self.faults.reroutes()
    }

    /// Packets may be lost, and nothing sends them again.
    pub fn loses_for_good(&self) -> bool {
        let drops = self.pfc.as_ref().is_some_and(|pfc| !pfc.stop_at_loss);
        drops && !self.scheme.transport.repairs()
    }

    /// When switches forward packets. Links that check frames wait for their tails.
    pub fn switching(&self) -> Switching {
        if self.checks.any() { Switching::StoreForward } else { self.switch.switching }
    }

    /// Any output may read from any queue of an input, one at a time: see [`SwitchPlan::has_input_queues`].
    pub fn has_input_queues(&self) -> bool {
        self.switch.has_input_queues(self.scheme.isolate.is_some())
    }

    /// Additional queues of every input, in which congested flows are isolated.
    pub fn isolated_queues(&self) -> u8 {
        self.scheme.isolate.as_ref().map_or(0, |rules| rules.queues)
    }

    /// The kind of queues in the table of plain queues; queues that inputs have beyond those have a table of their own.
    pub(crate) fn plain_queues(&self) -> QueueMap {
        if self.has_input_queues() { QueueMap::Voq } else { self.switch.queues }
    }

    /// The largest packet on the wire.
    pub fn largest(&self) -> Bytes {
        let notification = self.scheme.notify.packet().map_or(Bytes(0), |cnp| cnp.size);
        self.adapter.full().max(self.adapter.ack).max(notification)
    }

    /// The largest notice of isolation or of a region that travels in band.
    pub fn largest_notice(&self) -> Bytes {
        let of_lines = self.scheme.isolate.iter().map(|rules| rules.notices);
        let of_queues = self.scheme.flow_queues.iter().map(|rules| rules.notices);
        let of_regions = self.scheme.regional.iter().map(|rules| rules.notice);
        let in_band =
            of_lines.chain(of_queues).map(|way| if let Notices::InBand(way) = way { way.size } else { Bytes(0) });
        in_band.chain(of_regions).max().unwrap_or(Bytes(0))
    }
}

/// The parts that manage congestion.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemePlan {
    /// The rules by which congested flows are isolated; `None`: never.
    pub isolate: Option<IsolationRules>,
    /// The rules by which flows get queues of their own; `None`: they do not.
    pub flow_queues: Option<FlowRules>,
    /// What switches do to packets.
    pub mark: MarkParams,
    /// How marks come back to sources.
    pub notify: NotifyParams,
    /// What sources do when they hear of marks.
    pub react: ReactParams,
    /// How switches choose among several paths.
    pub route: RouteParams,
    /// Regional congestion mitigation, if there is any.
    pub regional: Option<RegionalParams>,
    /// How hosts repair losses.
    pub transport: TransportParams,
    /// A source's rate limit outlives its ON periods.
    pub persistent: bool,
}

impl SchemePlan {
    /// The packets of a flow may overtake each other.
    pub fn reorders(&self) -> bool {
        self.route.reorders() || self.regional.as_ref().is_some_and(|regional| regional.reroute)
    }
}

/// Which facts to record, and for how long.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasurePlan {
    /// The end of the run.
    pub duration: Time,
    /// Totals count from here.
    pub warm_up: Time,
    /// Length of the bins of the time series.
    pub bin: Span,
    /// From one sample of the fabric to the next (congestion trees).
    pub sampling_interval: Span,
    /// Which recorders are on.
    pub probes: congestree_probes::ProbeSet,
    /// Stop with a report if an output has waited this long for room that can never come.
    pub deadlock_timeout: Span,
    /// Audit the conservation laws during the run, not only at its end.
    pub audit: bool,
    /// The run is over when all jobs have finished.
    pub until_jobs_end: bool,
}
