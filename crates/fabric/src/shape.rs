//! What is known of a network when the engine is compiled.
//!
//! Most networks are alike in what the inner loop asks all the time: virtual output queues that can all be read at
//! once, round robin, at most 64 ports, no losses, nobody who counts packets in buffers. For those the engine is compiled
//! once more with the answers filled in: as [`Usual`] if they have one lane and nothing else, which saves an eighth of the
//! instructions, and as [`Isolating`] if congested flows are set aside. All do the same.

use congestree_kernel::Agenda;
use congestree_probes::Probe;

use crate::fabric::Fabric;
use crate::plan::{ArbiterPlan, CreditUnit, Plan, QueueMap};
use crate::port::In;

/// Whether the answers are known.
pub(crate) trait Shape {
    /// They are those of [`Usual`] networks.
    const USUAL: bool;
    /// They are those of [`Isolating`] networks.
    const ISOLATING: bool;
    /// They are those that the two have in common.
    const PLAIN: bool = Self::USUAL || Self::ISOLATING;
}

/// Any network.
pub(crate) struct Any;

impl Shape for Any {
    const USUAL: bool = false;
    const ISOLATING: bool = false;
}

/// A network like most.
pub(crate) struct Usual;

impl Shape for Usual {
    const USUAL: bool = true;
    const ISOLATING: bool = false;
}

impl Usual {
    /// The plan is of such a network.
    pub(crate) fn fits(plan: &Plan) -> bool {
        is_plain(plan)
            && plan.lanes == 1
            && !plan.switch.elaborate()
            && !plan.measure.probes.counts_buffers()
            && !plan.neighbours_talk()
            && plan.adapter.injection_buffer.is_none()
    }
}

/// One with a queue for each output, from which congested flows are set aside.
pub(crate) struct Isolating;

impl Shape for Isolating {
    const USUAL: bool = false;
    const ISOLATING: bool = true;
}

impl Isolating {
    /// The plan is of such a network.
    pub(crate) fn fits(plan: &Plan) -> bool {
        is_plain(plan) && plan.scheme.isolate.is_some() && !plan.switch.books_rooms()
    }
}

/// What [`Usual`] and [`Isolating`] networks have in common.
fn is_plain(plan: &Plan) -> bool {
    let ports = plan.graph.ports();
    plan.lane_weights.is_none()
        && plan.lane_schedule.is_none()
        && plan.switch.queues == QueueMap::Voq
        && plan.switch.arbiter == ArbiterPlan::RoundRobin
        && plan.switch.read_ports.is_none()
        && plan.switch.output_queue.is_none()
        && plan.ways.is_none()
        && plan.switch.output_buffer.is_none()
        && !plan.scheme.transport.repairs()
        && plan.jobs.is_empty()
        && !plan.scheme.mark.counts_packets()
        && !plan.comes_and_goes()
        && ports.switches.iter().all(|switch| switch.len() <= 64)
}

impl<A: Agenda, P: Probe, S: Shape> Fabric<A, P, S> {
    /// Virtual lanes on every link.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> usize {
        if S::USUAL { 1 } else { self.lanes }
    }

    /// Words of a set of the inputs of one switch.
    #[inline(always)]
    pub(crate) fn words(&self) -> usize {
        if S::PLAIN { 1 } else { self.words }
    }

    /// Which queues the buffer of an input is divided into.
    #[inline(always)]
    pub(crate) fn queue_map(&self) -> QueueMap {
        if S::PLAIN { QueueMap::Voq } else { self.queue_map }
    }

    /// Which queue a packet joins at the input of an elaborate switch.
    #[inline(always)]
    pub(crate) fn input_map(&self) -> QueueMap {
        if S::PLAIN { QueueMap::Voq } else { self.inputs.map }
    }

    /// How an output chooses its next packet.
    #[inline(always)]
    pub(crate) fn arbiter(&self) -> ArbiterPlan {
        if S::PLAIN { ArbiterPlan::RoundRobin } else { self.arbiter }
    }

    /// Only so many packets may be read from one input at a time.
    #[inline(always)]
    pub(crate) fn limited_reads(&self) -> bool {
        !S::PLAIN && !self.reads.is_empty()
    }

    /// Lanes have priorities or quanta.
    #[inline(always)]
    pub(crate) fn schedules_lanes(&self) -> bool {
        !S::PLAIN && self.lane_schedule.is_some()
    }

    /// Lanes share a link by weights.
    #[inline(always)]
    pub(crate) fn weighs_lanes(&self) -> bool {
        !S::PLAIN && self.lane_weights.is_some()
    }

    /// Somebody wants to know what buffers hold, packet by packet.
    #[inline(always)]
    pub(crate) fn counts(&self) -> bool {
        !S::USUAL && self.counts
    }

    /// Switches have queues, rooms, matchings or a crossbar beyond the plain ones.
    #[inline(always)]
    pub(crate) fn elaborate(&self) -> bool {
        S::ISOLATING || (!S::USUAL && self.inputs.on)
    }

    /// Room behind links is booked by queue (`rooms.rs`) instead of being credit.
    #[inline(always)]
    pub(crate) fn books_rooms(&self) -> bool {
        !S::PLAIN && self.rooms.on
    }

    /// Packets cross a switch at a speed of its own.
    #[inline(always)]
    pub(crate) fn has_crossbar(&self) -> bool {
        !S::PLAIN && self.crossbar.speed.is_some()
    }

    /// Congested flows are set aside.
    #[inline(always)]
    pub(crate) fn isolates(&self) -> bool {
        S::ISOLATING || (!S::USUAL && !self.isolation.cams.is_empty())
    }

    /// Hosts hold packets between their flows and their links.
    #[inline(always)]
    pub(crate) fn stages(&self) -> bool {
        !S::USUAL && self.injection.room > 0
    }

    /// Congested outputs tell their neighbours, and pace flows.
    #[inline(always)]
    pub(crate) fn regions(&self) -> bool {
        !S::PLAIN && self.regional.on
    }

    /// Switches choose among several ways.
    #[inline(always)]
    pub(crate) fn chooses_ways(&self) -> bool {
        !S::PLAIN && self.ways.on
    }

    /// Links may lose packets.
    #[inline(always)]
    pub(crate) fn loses(&self) -> bool {
        !S::PLAIN && self.output_queues.on
    }

    /// Flows have a transport.
    #[inline(always)]
    pub(crate) fn transports(&self) -> bool {
        !S::PLAIN && !self.connections.is_empty()
    }

    /// Neighbours have something to tell each other.
    #[inline(always)]
    pub(crate) fn neighbours_talk(&self) -> bool {
        S::ISOLATING || (!S::USUAL && self.neighbours.on)
    }

    /// Receivers pause their senders instead of giving credit.
    #[inline(always)]
    pub(crate) fn pauses(&self) -> bool {
        !S::PLAIN && self.flow_control.unit == CreditUnit::Pause
    }

    /// There are applications with a program.
    #[inline(always)]
    pub(crate) fn runs_programs(&self) -> bool {
        !S::PLAIN && self.ranks.is_some()
    }

    /// There may be flows that come and go.
    #[inline(always)]
    pub(crate) fn has_finite_flows(&self) -> bool {
        !S::PLAIN && self.finite.on
    }

    /// Outputs have memory, which is filled from the inputs.
    #[inline(always)]
    pub(crate) fn buffers_outputs(&self) -> bool {
        !S::PLAIN && self.output_buffers.room.is_some()
    }

    /// There are markers that go by packets.
    #[inline(always)]
    pub(crate) fn marks_by_packets(&self) -> bool {
        !S::PLAIN && self.marking.by_packets
    }

    /// The place of a queue of an input and lane.
    #[inline(always)]
    pub(crate) fn queue(&self, side: &In, lane: u8, local: u16) -> usize {
        side.queue(self.queue_map(), if S::USUAL { 0 } else { lane }, local)
    }

    /// The place of a port and lane in tables that are by both.
    #[inline(always)]
    pub(crate) fn at(&self, port: u32, lane: u8) -> usize {
        if S::USUAL { port as usize } else { port as usize * self.lanes + usize::from(lane) }
    }
}
