//! What a network may have beyond the plainest one: one list.
//!
//! Every line makes three things: the question that the inner loop asks (`fabric.pauses()`), the test whether a plan has
//! it, and a bit that a compiled variant leaves out, may have, or always has. So nobody can ask for what a
//! variant left out, and a variant cannot forget what a plan needs.

use congestree_schemes::isolate::Notices;
use congestree_schemes::telemetry::Telemetry;
use congestree_topology::Node;
use congestree_units::Span;

use crate::plan::{ArbiterPlan, CreditUnit, Plan, QueueMap};

/// A set of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features(u64);

impl Features {
    /// None at all.
    pub(crate) const NONE: Features = Features(0);
    /// All of them.
    pub(crate) const ALL: Features = Features(u64::MAX);

    /// Those of a list.
    pub(crate) const fn list(list: &[Feature]) -> Features {
        let (mut bits, mut i) = (0, 0);
        while i < list.len() {
            bits |= 1 << list[i] as u64;
            i += 1;
        }
        Features(bits)
    }

    /// Those of either set.
    pub(crate) const fn and(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    /// The feature is in the set.
    #[inline(always)]
    pub(crate) const fn has(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u64 != 0
    }

    /// Some of the set are in the other, too.
    pub(crate) const fn meets(self, other: Features) -> bool {
        self.0 & other.0 != 0
    }

    /// All of the set are in the other, too.
    pub(crate) const fn within(self, other: Features) -> bool {
        self.0 & !other.0 == 0
    }
}

/// The list, for whoever makes something of every line: `$make` gets all of it.
macro_rules! all_features {
    ($make:ident) => {
        $make! {
            /// There are several lanes.
            SeveralLanes, has_several_lanes: |plan| plan.lanes > 1;
            /// Some switch has more than 64 ports.
            LargeSwitches, has_large_switches: |plan| most_ports(plan) > 64;
            /// Some links differ in rate, or a crossbar from the links.
            MixedRates, has_mixed_rates: |plan| plan.switch.crossbar.is_some() || has_two_rates(plan);
            /// Inputs have other queues than one for each output.
            OtherQueues, has_other_queues: |plan| plan.switch.queues != QueueMap::Voq;
            /// Outputs do not simply serve their inputs in turn.
            OtherArbiter, has_other_arbiter: |plan| plan.switch.arbiter != ArbiterPlan::RoundRobin;
            /// Only so many packets may be read from one input at a time.
            LimitedReads, limited_reads: |plan| plan.switch.read_ports.is_some();
            /// Lanes have priorities or quanta.
            LaneSchedule, schedules_lanes: |plan| plan.lane_schedule.is_some();
            /// Some have quanta.
            LaneShares, shares_lanes: |plan| plan.lane_schedule.as_ref().is_some_and(|schedule| !schedule.shares.is_empty());
            /// Lanes share a link by weights.
            LaneWeights, weighs_lanes: |plan| plan.lane_weights.is_some();
            /// Somebody wants to know what buffers hold, packet by packet.
            CountsPackets, counts: |plan| plan.scheme.mark.counts_packets() || plan.measure.probes.counts_buffers();
            /// Somebody wants to know how many bytes wait for an output.
            CountsWaiting, counts_waiting: |plan| counts_waiting(plan);
            /// Inputs have queues of any kind, each read by one output at a time (`switch/queues/inputs.rs`).
            InputQueues, has_input_queues: |plan| plan.switch.has_input_queues();
            /// Queues have room of their own behind links (`link/credits/own_rooms.rs`).
            RoomByQueue, has_room_by_queue: |plan| plan.switch.has_room_by_queue();
            /// Packets cross a switch at a speed of its own.
            Crossbar, has_crossbar: |plan| plan.switch.crossbar.is_some();
            /// Outputs have memory, which is filled from the inputs.
            OutputBuffers, buffers_outputs: |plan| plan.switch.output_buffer.is_some();
            /// Congested flows are set aside.
            Isolates, isolates: |plan| plan.scheme.isolate.is_some();
            /// Flows have queues of their own at outputs.
            QueuesFlows, queues_flows: |plan| plan.scheme.flow_queues.is_some();
            /// Hosts hold packets between their flows and their links.
            Stages, stages: |plan| plan.adapter.injection_buffer.is_some();
            /// Messages cost something before they are sent.
            Posts, posts: |plan| crate::host::messages::posting::posts(plan);
            /// One ACK answers several packets.
            Coalesces, coalesces: |plan| plan.coalesces();
            /// ACKs take hosts a time.
            Turnaround, turns_around: |plan| plan.adapter.ack_turnaround > Span::ZERO;
            /// Congested outputs tell their neighbours, and pace flows.
            Regions, regions: |plan| plan.scheme.regional.is_some();
            /// Switches choose among several next hops.
            ChoosesWays, chooses_ways: |plan| plan.ways.is_some() || plan.scheme.route.detours() > 0;
            /// Packets may leave a switch in another lane than they came in.
            MapsLanes, maps_lanes: |plan| plan.lane_map.is_some();
            /// Flow control holds senders: they need credit, or may be paused.
            HoldsSenders, holds_senders: |plan| plan.flow_control.unit != CreditUnit::None || plan.switch.has_room_by_queue();
            /// Links may lose packets.
            Loses, loses: |plan| plan.switch.output_queue.is_some();
            /// Links look at frames before these go on.
            ChecksFrames, checks_frames: |plan| plan.checks.any();
            /// Links fail while the run goes on.
            Fails, fails: |plan| plan.faults.any();
            /// Links send again what they have damaged.
            Retries, retries: |plan| plan.checks.retry.is_some();
            /// Credits come back in messages.
            TellsCredit, tells_credit: |plan| plan.flow_control.messages.is_some();
            /// Flows have a transport that repairs losses.
            Transports, transports: |plan| plan.scheme.transport.repairs();
            /// Packets have headers of their transport beside them.
            Headers, has_headers: |plan| plan.scheme.transport.has_headers();
            /// Switches write into packets what reaction points want to know.
            Telemeters, telemeters: |plan| plan.scheme.react.needs().telemetry != Telemetry::None;
            /// They are told of what packets that start make of buffers, after all that start in an instant.
            TalksLate, talks_late: |plan| plan.flow_control.unit == CreditUnit::Pause
                || plan.scheme.flow_queues.is_some()
                || plan.scheme.regional.is_some()
                || plan.scheme.isolate.as_ref().is_some_and(|rules| matches!(rules.notices, Notices::InBand(_)));
            /// Neighbours have something to tell each other.
            NeighboursTalk, neighbours_talk: |plan| plan.neighbours_talk();
            /// Receivers pause their senders instead of giving credit.
            Pauses, pauses: |plan| plan.flow_control.unit == CreditUnit::Pause;
            /// There are applications with a program.
            Programs, runs_programs: |plan| !plan.jobs.is_empty();
            /// Flows come and go.
            FiniteFlows, has_finite_flows: |plan| plan.comes_and_goes();
            /// There are markers that go by packets.
            MarksByPackets, marks_by_packets: |plan| plan.scheme.mark.counts_packets();
            /// There are markers that go by the fill of queues.
            MarksByFill, marks_by_fill: |plan| plan.scheme.mark.watches_fill();
            /// There are markers that go by what waits for outputs.
            MarksByWaiting, marks_by_waiting: |plan| plan.scheme.mark.watches_waiting();
            /// There are markers that follow the roots that isolation finds.
            MarksByRoot, marks_by_root: |plan| plan.scheme.mark.follows_roots();
        }
    };
}
pub(crate) use all_features;

macro_rules! features {
    ($($(#[$doc:meta])* $feature:ident, $question:ident: |$plan:ident| $test:expr;)*) => {
        /// Something that a network may have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Feature {
            $($(#[$doc])* $feature,)*
        }

        impl Features {
            /// Those that the network of a plan has.
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

            /// Those in the set, by name.
            pub(crate) fn names(self) -> Vec<&'static str> {
                let all = [$((Feature::$feature, stringify!($question))),*];
                all.into_iter().filter(|&(feature, _)| self.has(feature)).map(|(_, name)| name).collect()
            }
        }
    };
}

all_features!(features);

/// Ports of the largest switch.
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

/// Queues are bounded; markers, routers, regions, telemetry or a shared memory go by what waits; or a watchdog or a probe looks at it.
fn counts_waiting(plan: &Plan) -> bool {
    let pauses = plan.pfc.as_ref().is_some_and(|pfc| pfc.watchdog.is_some() || plan.switch.shared_memory.is_some());
    plan.switch.output_queue.is_some()
        || plan.scheme.mark.watches_waiting()
        || plan.scheme.route.goes_by_queues()
        || plan.scheme.regional.is_some()
        || plan.scheme.react.needs().telemetry != Telemetry::None
        || pauses
        || plan.pfc.is_some() && plan.measure.probes.counts_waiting()
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
