//! An output of a switch may send: it chooses a lane and a packet, or a time to try again. Arrival is in
//! `switch/arrival.rs`, the arbiters are in `switch/arbiter.rs`, departure is in `switch/departure.rs`.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::{PacketId, PortId};

use crate::fabric::Fabric;
use crate::plan::ArbiterPlan;
use crate::switch::arbiter::Decision;
use crate::switch::round_robin::next_in;
use crate::tune::variants::Variant;

/// Result of trying to send from one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Went {
    /// A packet of this many bytes has started.
    Sent(u32),
    /// A packet could go, but it is larger than allowed.
    TooLarge,
    /// No packet can go.
    Nothing,
}

impl Went {
    /// A packet has started.
    fn sent(self) -> bool {
        matches!(self, Went::Sent(_))
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The output may send: it chooses a packet and sends it, or arranges to be asked again. A frame for the
    /// neighbour goes first.
    #[inline]
    pub(crate) fn forward(&mut self, output: PortId) {
        self.control_chooses(output);
        if self.frame_first(output) {
            return;
        }
        if let ArbiterPlan::Islip { .. } = self.arbiter() {
            return self.match_switch(output);
        }
        let open_at = self.open_at(output);
        if open_at > self.now {
            if self.has_waiting(output) {
                self.wake_by(output, open_at);
            }
            return;
        }
        let mut blocked = false;
        if self.weighs_lanes() {
            if self.forward_by_weight(output, &mut blocked) {
                return;
            }
        } else if self.schedules_lanes() {
            if self.forward_by_schedule(output, &mut blocked) {
                return;
            }
        } else if self.lanes() == 1 && !self.has_input_queues() {
            if self.forward_lane(output, 0, u32::MAX, &mut blocked).sent() {
                return;
            }
        } else {
            let mut lane = self.links.outs[output].lane_turn;
            let mut left = self.lanes_to_try(output);
            while let Some(next) = next_in(&[left], usize::from(lane) + 1) {
                left &= !(1 << next);
                lane = next as u8;
                if self.forward_lane(output, lane, u32::MAX, &mut blocked).sent() {
                    return;
                }
            }
        }
        if blocked {
            self.note_blocked(output);
        } else {
            self.note_unblocked(output);
        }
    }

    /// The lanes that may have something for an output, one bit each.
    #[inline(always)]
    fn lanes_to_try(&self, output: PortId) -> u64 {
        match self.has_input_queues() {
            true => u64::from(self.requested_lanes(output)),
            false => (1 << self.lanes()) - 1,
        }
    }

    /// Tries the lanes of an output in the order of their weights. Returns whether one has sent.
    fn forward_by_weight(&mut self, output: PortId, blocked: &mut bool) -> bool {
        let Some(weights) = self.links.lane_weights.take() else { return false };
        let turn = self.links.lane_turns[output];
        let sent = turn.order(&weights).find_map(|candidate| {
            match self.forward_lane(output, candidate.lane, u32::MAX, blocked) {
                Went::Sent(bytes) => Some((candidate, bytes)),
                Went::TooLarge | Went::Nothing => None,
            }
        });
        self.links.lane_weights = Some(weights);
        if let Some((candidate, bytes)) = sent {
            self.links.lane_turns[output].sends(candidate, bytes);
        }
        sent.is_some()
    }

    /// The strict-priority lane at this place in their order.
    #[inline(always)]
    pub(crate) fn strict_lane(&self, place: usize) -> Option<u8> {
        self.links.lane_schedule.as_ref().and_then(|schedule| schedule.strict.get(place).copied())
    }

    /// Tries the lanes of an output by priority and quantum. Returns whether one has sent.
    fn forward_by_schedule(&mut self, output: PortId, blocked: &mut bool) -> bool {
        self.forget_if_idle(output);
        for place in 0.. {
            let Some(lane) = self.strict_lane(place) else { break };
            if self.forward_lane(output, lane, u32::MAX, blocked).sent() {
                return true;
            }
        }
        self.shares_lanes() && self.forward_by_share(output, blocked)
    }

    /// Tries the lanes that share what the strict lanes leave.
    fn forward_by_share(&mut self, output: PortId, blocked: &mut bool) -> bool {
        let Some(schedule) = self.links.lane_schedule.take() else { return false };
        let mut deficits = std::mem::take(&mut self.links.deficits[output]);
        let mut sent = false;
        for tried in schedule.strict.len().. {
            let Some(next) = deficits.next(&schedule, tried) else { break };
            match self.forward_lane(output, next.lane, next.most, blocked) {
                Went::Sent(bytes) => {
                    deficits.sends(next, bytes);
                    sent = true;
                    break;
                }
                Went::TooLarge => {}
                Went::Nothing => deficits.passes(next),
            }
        }
        self.links.deficits[output] = deficits;
        self.links.lane_schedule = Some(schedule);
        sent
    }

    /// Sends the next packet of a lane if one of at most `most` bytes can go; otherwise arranges to be asked again.
    #[inline(always)]
    fn forward_lane(&mut self, output: PortId, lane: u8, most: u32, blocked: &mut bool) -> Went {
        if self.pauses() && self.drops(output, lane) {
            self.drop_waiting(output, lane);
            return Went::Nothing;
        }
        match self.choose(output, lane) {
            Decision::Nothing => {}
            Decision::Send { id, .. } if most != u32::MAX && self.packets[id].size > most => return Went::TooLarge,
            Decision::Send { id, place } => {
                let size = self.packets[id].size;
                self.send(output, lane, id, place);
                return Went::Sent(size);
            }
            Decision::Wait { starved, blocked: held, input_free } => {
                *blocked |= held;
                self.wait(output, lane, starved, held, input_free);
            }
        }
        Went::Nothing
    }

    /// The output cannot send in this lane. It is asked again when there is room for `starved` units (if it lacks
    /// any; `held` if it lacks nothing else), or when inputs can be read.
    #[inline(always)]
    pub(crate) fn wait(&mut self, output: PortId, lane: u8, starved: u32, held: bool, input_free: Time) {
        if held && self.has_several_lanes() {
            self.probe.waits(self.now, output.0, lane);
        }
        if starved > 0 {
            self.await_room(output, lane, starved);
        }
        if input_free != Time::NEVER {
            self.wake_by(output, input_free);
        }
    }

    /// A frame for the neighbour goes before any other packet crosses, but behind what the output holds already.
    /// Returns whether there was one.
    #[inline]
    pub(crate) fn frame_first(&mut self, output: PortId) -> bool {
        self.neighbours_talk() && (self.links.neighbours.any_waits() || self.retries()) && self.own_frame_first(output)
    }

    #[inline(never)]
    fn own_frame_first(&mut self, output: PortId) -> bool {
        if !self.links.neighbours.waits(output) {
            return self.retries() && self.retry_first(output);
        }
        let busy_until = self.links.outs[output].busy_until;
        let free_at =
            if self.has_crossbar() { self.switches.crossbar.emptied_at(output).max(busy_until) } else { busy_until };
        if free_at > self.now {
            self.wake_by(output, free_at);
        } else {
            self.send_frame(output);
        }
        true
    }

    /// A packet or frame waits for this output.
    #[inline]
    pub(crate) fn has_waiting(&self, output: PortId) -> bool {
        if self.neighbours_talk() && self.links.neighbours.waits(output) {
            return true;
        }
        if self.queues_flows() && self.switches.flow_queues.outputs[output].has_eligible(&self.switches.queues) {
            return true;
        }
        if self.serves_oldest_at_output() || self.buffers_outputs() {
            let mut queues = (0..self.lanes() as u8).map(|lane| self.queue_at_output(output, lane));
            let waits = queues.any(|queue| self.switches.queues.head(queue) != PacketId::NONE);
            if waits {
                return true;
            }
        }
        self.requested_lanes(output) != 0
    }

    /// Something (a packet, a control packet or a frame) is about to start on this link. If the link has been idle,
    /// all lanes lose the deficits that they had left.
    #[inline]
    pub(crate) fn forget_if_idle(&mut self, port: PortId) {
        if self.shares_lanes() && self.links.outs[port].busy_until < self.now {
            self.links.deficits[port].forget();
        }
    }
}
