//! The questions that the inner loop asks about a network, answered at compile time by the variant as far as possible.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::{PortId, QueueId};

use crate::fabric::Fabric;
use crate::link::port::In;
use crate::plan::rules::{APART, LOUD};
use crate::plan::{ArbiterPlan, QueueMap};
use crate::tune::features::{Feature, all_features};
use crate::tune::variants::Variant;

macro_rules! questions {
    ($($(#[$doc:meta])* $feature:ident, $question:ident: |$plan:ident| $test:expr;)*) => {
        impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
            $(
                $(#[$doc])*
                #[inline(always)]
                pub(crate) fn $question(&self) -> bool {
                    if const { !S::MAY.has(Feature::$feature) } {
                        return false;
                    }
                    if const { S::ALWAYS.has(Feature::$feature) } {
                        return true;
                    }
                    self.features.has(Feature::$feature)
                }
            )*
        }
    };
}

all_features!(questions);

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Markers see packets when an output chooses them. Those that go by the bytes waiting for a link see them start on
    /// it, which is later behind a crossbar.
    #[inline(always)]
    pub(crate) fn marks_when_chosen(&self) -> bool {
        let by_waiting = self.marks_by_waiting() && !self.has_crossbar();
        by_waiting || self.marks_by_packets() || self.marks_by_fill() || self.marks_by_root()
    }

    /// Ports that decide in one instant do not influence each other, and nothing depends on their order.
    #[inline(always)]
    pub(crate) fn decides_apart(&self) -> bool {
        S::ALWAYS.within(APART) && self.rules.decides_apart
    }

    /// A packet that comes in at a host is only counted, unless it must be answered.
    #[inline(always)]
    pub(crate) fn receives_quietly(&self) -> bool {
        !S::ALWAYS.meets(LOUD) && self.rules.receives_quietly
    }

    /// Virtual lanes on every link.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> usize {
        if const { S::MAY.has(Feature::SeveralLanes) } { self.rules.lanes } else { 1 }
    }

    /// Which queues the buffer of an input is divided into.
    #[inline(always)]
    pub(crate) fn queue_map(&self) -> QueueMap {
        if const { S::MAY.has(Feature::OtherQueues) } { self.rules.queue_map } else { QueueMap::Voq }
    }

    /// Which queue a packet joins among those that inputs have beyond the plain ones.
    #[inline(always)]
    pub(crate) fn input_map(&self) -> QueueMap {
        if const { S::MAY.has(Feature::OtherQueues) } { self.switches.inputs.map } else { QueueMap::Voq }
    }

    /// How an output chooses its next packet.
    #[inline(always)]
    pub(crate) fn arbiter(&self) -> ArbiterPlan {
        if const { S::MAY.has(Feature::OtherArbiter) } { self.rules.arbiter } else { ArbiterPlan::RoundRobin }
    }

    /// All packets that wait for an output, from any input, stand in one queue there, oldest first.
    #[inline(always)]
    pub(crate) fn serves_oldest_at_output(&self) -> bool {
        matches!(self.arbiter(), ArbiterPlan::Fifo { .. }) && self.queue_map() == QueueMap::Voq
    }

    /// The packets that an input holds for an output stand in a list of their own until they start on the link.
    #[inline(always)]
    pub(crate) fn has_plain_voqs(&self) -> bool {
        !self.has_input_queues()
            && !self.has_other_queues()
            && !self.has_other_arbiter()
            && !self.buffers_outputs()
            && !self.regions()
            && !self.queues_flows()
    }

    /// The queue of an input and lane.
    #[inline(always)]
    pub(crate) fn queue(&self, side: &In, lane: u8, local: u16) -> QueueId {
        side.queue(self.queue_map(), if const { S::MAY.has(Feature::SeveralLanes) } { lane } else { 0 }, local)
    }

    /// The queue at an output, by lane, if there is one.
    #[inline(always)]
    pub(crate) fn queue_at_output(&self, output: PortId, lane: u8) -> QueueId {
        self.switches.first_at_outputs + self.at(output, lane) as u32
    }

    /// The index of a port and lane in tables indexed by both.
    #[inline(always)]
    pub(crate) fn at(&self, port: PortId, lane: u8) -> usize {
        match const { S::MAY.has(Feature::SeveralLanes) } {
            true => port.index() * self.rules.lanes + usize::from(lane),
            false => port.index(),
        }
    }
}
