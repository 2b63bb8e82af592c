//! The features that a network may have beyond the plainest one, in a single list.
//!
//! Every line defines three things: the question that the inner loop asks (`fabric.pauses()`), the test whether a plan
//! has the feature, and a bit that a compiled variant declares as left out, possible, or always present. So no code can
//! ask for what a variant left out, and a variant cannot forget what a plan needs.

use congestree_schemes::isolate::Notices;
use congestree_schemes::telemetry::Telemetry;
use congestree_topology::Node;
use congestree_units::Span;

use crate::host::flow_groups::FlowGroups;
use crate::plan::{ArbiterPlan, CreditUnit, Plan, QueueMap};

/// A set of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features(u64);

impl Features {
    /// None at all.
    pub(crate) const NONE: Features = Features(0);
    /// All of them.
    pub(crate) const ALL: Features = Features(u64::MAX);

    /// The features in a list.
    pub(crate) const fn list(list: &[Feature]) -> Features {
        let (mut bits, mut i) = (0, 0);
        while i < list.len() {
            bits |= 1 << list[i] as u64;
            i += 1;
        }
        Features(bits)
    }

    /// The features that are in either set.
    pub(crate) const fn and(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    /// The feature is in the set.
    #[inline(always)]
    pub(crate) const fn has(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u64 != 0
    }

    /// Some features of this set are in the other set, too.
    pub(crate) const fn meets(self, other: Features) -> bool {
        self.0 & other.0 != 0
    }

    /// All features of this set are in the other set, too.
    pub(crate) const fn within(self, other: Features) -> bool {
        self.0 & !other.0 == 0
    }
}

/// The list of features. `$make` is the macro that receives all lines and generates code from them.
macro_rules! all_features {
    ($make:ident) => {
        $make! {
            /// There is more than one lane.
            SeveralLanes, has_several_lanes: |plan| plan.lanes > 1;
            /// Flow control or a throttle may hold some flows of a host while others may send.
            GroupsFlows, groups_flows: |plan| FlowGroups::are_there(plan);
            /// Some switch has more than 64 ports.
            LargeSwitches, has_large_switches: |plan| most_ports(plan) > 64;
            /// Some links differ in rate, or there is a crossbar with a rate of its own.
            MixedRates, has_mixed_rates: |plan| plan.switch.crossbar.is_some() || has_two_rates(plan);
            /// Inputs have queues other than one for each output (VOQ).
            OtherQueues, has_other_queues: |plan| plan.switch.queues != QueueMap::Voq;
            /// Outputs do not simply serve their inputs round robin.
            OtherArbiter, has_other_arbiter: |plan| plan.switch.arbiter != ArbiterPlan::RoundRobin;
            /// Only a limited number of packets may be read from one input at a time.
            LimitedReads, limited_reads: |plan| plan.switch.read_ports.is_some();
            /// Lanes have strict priorities or quanta.
            LaneSchedule, schedules_lanes: |plan| plan.lane_schedule.is_some();
            /// Some lanes have quanta (deficit round robin).
            LaneShares, shares_lanes: |plan| plan.lane_schedule.as_ref().is_some_and(|schedule| !schedule.shares.is_empty());
            /// Lanes share a link by weights.
            LaneWeights, weighs_lanes: |plan| plan.lane_weights.is_some();
            /// A marker or a probe counts what buffers hold, packet by packet.
            CountsPackets, counts: |plan| plan.scheme.mark.counts_packets() || plan.measure.probes.counts_buffers();
            /// Something needs to know how many bytes wait for an output.
            CountsWaiting, counts_waiting: |plan| counts_waiting(plan);
            /// Inputs have queues of any kind, each read by one output at a time (`switch/queues/inputs.rs`).
            InputQueues, has_input_queues: |plan| plan.has_input_queues();
            /// Queues have reserved room of their own behind links (`link/credits/queue_credits.rs`).
            QueueCredits, has_queue_credits: |plan| plan.switch.has_queue_credits();
            /// Packets cross a switch at a rate of its own.
            Crossbar, has_crossbar: |plan| plan.switch.crossbar.is_some();
            /// Outputs have buffers, which are filled from the inputs.
            OutputBuffers, buffers_outputs: |plan| plan.switch.output_buffer.is_some();
            /// Congested flows are isolated in queues of their own.
            Isolates, isolates: |plan| plan.scheme.isolate.is_some();
            /// Flows have queues of their own at outputs.
            QueuesFlows, queues_flows: |plan| plan.scheme.flow_queues.is_some();
            /// Hosts have an injection buffer between their flows and their link.
            Stages, stages: |plan| plan.adapter.injection_buffer.is_some();
            /// Messages have a cost before they are sent.
            Posts, posts: |plan| crate::host::messages::posting::posts(plan);
            /// One ACK acknowledges several packets.
            Coalesces, coalesces: |plan| plan.coalesces();
            /// Hosts take time to send an ACK.
            Turnaround, turns_around: |plan| plan.adapter.ack_turnaround > Span::ZERO;
            /// Congested outputs notify their neighbours and pace flows (regional schemes).
            Regions, regions: |plan| plan.scheme.regional.is_some();
            /// Switches choose among several next hops.
            ChoosesPaths, chooses_paths: |plan| plan.equal_cost.is_some() || plan.scheme.route.detours() > 0;
            /// Packets may leave a switch in another lane than the one in which they came in.
            MapsLanes, maps_lanes: |plan| plan.lane_map.is_some();
            /// Flow control holds senders: they need credit, or may be paused.
            HoldsSenders, holds_senders: |plan| plan.flow_control.unit != CreditUnit::None || plan.switch.has_queue_credits();
            /// Links may lose packets.
            Loses, loses: |plan| plan.switch.output_queue.is_some();
            /// Links check frames before passing them on.
            ChecksFrames, checks_frames: |plan| plan.checks.any();
            /// Links fail during the run.
            Fails, fails: |plan| plan.faults.any();
            /// Links retransmit frames that they have damaged.
            Retries, retries: |plan| plan.checks.retry.is_some();
            /// Credits come back in messages.
            TellsCredit, tells_credit: |plan| plan.flow_control.messages.is_some();
            /// Flows have a transport that repairs losses.
            Transports, transports: |plan| plan.scheme.transport.repairs();
            /// Packets have transport headers, which are stored beside them.
            Headers, has_headers: |plan| plan.scheme.transport.has_headers();
            /// Switches write telemetry into packets for the reaction points.
            Telemeters, telemeters: |plan| plan.scheme.react.needs().telemetry != Telemetry::None;
            /// Neighbours are told of the effects on buffers after all packets of an instant have started.
            TalksLate, talks_late: |plan| plan.flow_control.unit == CreditUnit::Pause
                || plan.scheme.flow_queues.is_some()
                || plan.scheme.regional.is_some()
                || plan.scheme.isolate.as_ref().is_some_and(|rules| matches!(rules.notices, Notices::InBand(_)));
            /// Neighbours send each other notices.
            NeighboursTalk, neighbours_talk: |plan| plan.neighbours_talk();
            /// Receivers pause their senders instead of giving credit.
            Pauses, pauses: |plan| plan.flow_control.unit == CreditUnit::Pause;
            /// There are applications with a program.
            Programs, runs_programs: |plan| !plan.jobs.is_empty();
            /// Flows come and go during the run.
            FiniteFlows, has_finite_flows: |plan| plan.comes_and_goes();
            /// Some markers look at packets in buffers.
            MarksByPackets, marks_by_packets: |plan| plan.scheme.mark.counts_packets();
            /// Some markers look at the fill of queues.
            MarksByFill, marks_by_fill: |plan| plan.scheme.mark.watches_fill();
            /// Some markers look at the bytes waiting for outputs.
            MarksByWaiting, marks_by_waiting: |plan| plan.scheme.mark.watches_waiting();
            /// Some markers follow the congestion roots that isolation finds.
            MarksByRoot, marks_by_root: |plan| plan.scheme.mark.follows_roots();
        }
    };
}
pub(crate) use all_features;

macro_rules! features {
    ($($(#[$doc:meta])* $feature:ident, $question:ident: |$plan:ident| $test:expr;)*) => {
        /// A feature that a network may have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Feature {
            $($(#[$doc])* $feature,)*
        }

        impl Features {
            /// The features of the network of a plan.
            pub(crate) fn of(plan: &Plan) -> Features {
                let mut features = Features::NONE;
                $({
                    let $plan = plan;
                    if $test {
                        features = features.and(Features::list(&[Feature::$feature]));
                    }
                })*
                features
            }

            /// The names of the features in the set.
            pub(crate) fn names(self) -> Vec<&'static str> {
                let all = [$((Feature::$feature, stringify!($question))),*];
                all.into_iter().filter(|&(feature, _)| self.has(feature)).map(|(_, name)| name).collect()
            }
        }
    };
}

all_features!(features);

/// Number of ports of the largest switch.
fn most_ports(plan: &Plan) -> u32 {
    let mut ports = vec![0u32; plan.graph.switches.len()];
    for node in plan.graph.links.iter().flat_map(|link| [link.a, link.b]) {
        if let Node::Switch(switch) = node {
            ports[switch as usize] += 1;
        }
    }
    ports.into_iter().max().unwrap_or(0)
}

fn has_two_rates(plan: &Plan) -> bool {
    let mut rates = plan.graph.links.iter().flat_map(|link| [link.ab.rate, link.ba.rate]);
    let first = rates.next();
    rates.any(|rate| Some(rate) != first) || plan.faults.failures.iter().any(|failure| failure.rates.is_some())
}

/// Whether waiting bytes must be counted: queues are bounded; or markers, routing, regions, telemetry or a shared
/// memory depend on what waits; or a watchdog or a probe looks at it.
fn counts_waiting(plan: &Plan) -> bool {
    let pauses = plan.pfc.as_ref().is_some_and(|pfc| pfc.watchdog.is_some() || plan.switch.shared_memory.is_some());
    plan.switch.output_queue.is_some()
        || plan.scheme.mark.watches_waiting()
        || plan.scheme.route.goes_by_queues()
        || plan.scheme.regional.is_some()
        || plan.scheme.react.needs().telemetry != Telemetry::None
        || pauses
        || plan.measure.probes.counts_waiting()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_told_apart() {
        let one = Features::list(&[Feature::Pauses, Feature::Loses]);
        assert!(one.has(Feature::Loses) && !one.has(Feature::Regions));
        assert!(one.within(one.and(Features::list(&[Feature::Regions]))) && !Features::ALL.within(one));
        assert_eq!(one.names(), ["loses", "pauses"]);
    }

    #[test]
    fn there_is_a_bit_for_each() {
        assert!((Feature::MarksByRoot as u32) < u64::BITS);
    }
}
