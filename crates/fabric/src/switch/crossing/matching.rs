//! iSLIP: outputs and inputs of a switch are matched in rounds of request, grant and accept [mckeown1999].
//!
//! 1. *Request.* Every input requests all outputs for which it has a packet that could go.
//! 2. *Grant.* Every output that is still free grants the request that comes next in a fixed cyclic order of inputs,
//!    beginning with its grant pointer.
//! 3. *Accept.* Every input accepts, of the grants it got, the one that comes next in a fixed cyclic order of outputs,
//!    beginning with its accept pointer; an input with several read ports accepts as many as it can read.
//!
//! Accepted pairs are matched, and the rounds go on among the ports that are left. A pointer moves to one beyond the
//! port that was matched, and only in the first round and if the grant was accepted. So pointers that clash drift
//! apart, and no port starves.
//!
//! The switch computes matchings whenever something in it has become free or has arrived, until no more ports can be
//! matched (asynchronous), or one matching at the beginning of every slot of a fixed length.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Span, Time};
use congestree_wire::PortId;

use crate::fabric::Fabric;
use crate::plan::ArbiterPlan;
use crate::switch::arbiter::{Offer, QueuePosition};
use crate::switch::crossing::islip::Matching;
use crate::switch::round_robin::{members, members_of_word};
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Matches the switch of an output, once for all its outputs that decide at this instant.
    pub(crate) fn match_switch(&mut self, output: PortId) {
        let ArbiterPlan::Islip { rounds, slot } = self.rules.arbiter else { return };
        if let Some(slot) = slot
            && !self.now.0.is_multiple_of(slot.0)
        {
            return self.wake_by(output, Time(self.now.0.next_multiple_of(slot.0)));
        }
        let base = self.links.outs[output].base;
        let side = self.links.ins[base];
        let (radix, switch) = (usize::from(side.radix), side.switch);
        let done = &mut self.switches.islip.done[switch];
        if *done == self.records.events {
            return;
        }
        *done = self.records.events;
        let mut matching = std::mem::take(&mut self.switches.islip.matching);
        loop {
            self.collect(base, &mut matching);
            let ports = base..base + radix as u32;
            matching.match_up(
                rounds,
                &mut self.switches.islip.grant[ports.clone()],
                &mut self.switches.islip.accept[ports],
            );
            for &(output, input) in &matching.matched {
                self.serve(base + u32::from(output), base + u32::from(input));
            }
            // Ports that a limited number of rounds has left unmatched are matched in another pass at once, or in the
            // next slot.
            if rounds.is_none() || slot.is_some() || matching.matched.is_empty() {
                break;
            }
        }
        self.switches.islip.matching = matching;
        for output in PortId::each(base..base + u32::from(side.radix)) {
            self.arrange(output, slot);
        }
    }

    /// Collects which inputs could send to which outputs now.
    fn collect(&mut self, base: PortId, matching: &mut Matching) {
        let side = self.links.ins[base];
        let (radix, words) = (usize::from(side.radix), self.switches.words);
        matching.begin(PortId::each(base..base + radix as u32).map(|input| self.free_reads(input)));
        for (local, output) in PortId::each(base..base + radix as u32).enumerate() {
            if self.frame_first(output) || self.open_at(output) > self.now {
                continue;
            }
            for lane in 0..self.rules.lanes as u8 {
                let place = self.at(output, lane);
                self.settle(place);
                for word in 0..words {
                    let known = matching.requests[local * words + word];
                    let new = self.requests(place)[word] & matching.free[word] & !known;
                    for input in members_of_word(word, new) {
                        if let Offer::Queue(_) = self.offer(output, lane, base + input as u32) {
                            matching.request(local, input);
                        }
                    }
                }
            }
        }
    }

    /// The output serves the input: the next of its lanes in turn that has a packet to send.
    fn serve(&mut self, output: PortId, input: PortId) {
        let mut lane = self.links.outs[output].lane_turn;
        for _ in 0..self.rules.lanes {
            lane = if usize::from(lane) + 1 == self.rules.lanes { 0 } else { lane + 1 };
            if let Offer::Queue(queue) = self.offer(output, lane, input) {
                let head = self.switches.inputs.queues[queue].list.head;
                return self.send(output, lane, head, QueuePosition::Queue(queue));
            }
        }
    }

    /// Arranges for an output that was not matched to be asked again when that may change.
    fn arrange(&mut self, output: PortId, slot: Option<Span>) {
        if !self.has_waiting(output) {
            return self.note_unblocked(output);
        }
        let open_at = self.open_at(output);
        if open_at > self.now {
            return self.wake_by(output, open_at);
        }
        let held = self.retries() && self.is_full(output);
        if held || self.neighbours_talk() && self.links.neighbours.waits(output) {
            return;
        }
        let base = self.links.outs[output].base;
        let (mut blocked, mut left_over) = (false, false);
        for lane in 0..self.rules.lanes as u8 {
            let place = self.at(output, lane);
            let (mut free, mut starved) = (Time::NEVER, u32::MAX);
            for input in members(self.requests(place)) {
                match self.offer(output, lane, base + input as u32) {
                    Offer::Queue(_) => left_over = true,
                    Offer::Later(at) => free = free.min(at),
                    Offer::NoRoom { units, at } => {
                        starved = starved.min(units);
                        free = free.min(at);
                    }
                }
            }
            let held = starved != u32::MAX;
            self.wait(output, lane, if held { starved } else { 0 }, held, free);
            blocked |= held;
        }
        if left_over && let Some(slot) = slot {
            self.wake_by(output, self.now + slot);
        }
        if blocked && !left_over {
            self.note_blocked(output);
        } else {
            self.note_unblocked(output);
        }
    }
}
