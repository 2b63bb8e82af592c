//! iSLIP: outputs and inputs of a switch are matched in rounds of request, grant and accept [mckeown1999].
//!
//! 1. *Request.* Every input requests all outputs for which it has a packet that could go.
//! 2. *Grant.* Every output that is still free grants the request that comes next in a fixed circle of inputs,
//!    beginning with its grant pointer.
//! 3. *Accept.* Every input accepts, of the grants it got, the one that comes next in a fixed circle of outputs,
//!    beginning with its accept pointer; an input with several read ports accepts as many as it can read.
//!
//! What was accepted is matched, and the rounds go on among those that are left. The pointers move one beyond what was
//! matched, and only in the first round and only if the grant was accepted: so pointers that clash drift apart, and
//! nobody starves.
//!
//! The switch finds matchings whenever something in it has become free or has arrived, until nobody is left who could be
//! matched (asynchronous), or one at the beginning of every slot of a fixed length.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::{Span, Time};

use crate::fabric::Fabric;
use crate::plan::ArbiterPlan;
use crate::switch::arbiter::next_in;
use crate::switch::general::Offer;
use crate::tune::variants::Variant;

/// The pointers of all switches, and room to think.
#[derive(Debug, Default)]
pub(crate) struct Islip {
    /// By output: the input that its circle begins with.
    grant: Vec<u16>,
    /// By input: the output that its circle begins with.
    accept: Vec<u16>,
    /// By switch: the round of decisions in which it was matched last.
    done: Vec<u64>,
    desk: Desk,
}

/// One matching in the making. Numbers are local to the switch.
#[derive(Debug, Default)]
struct Desk {
    words: usize,
    /// By output: the inputs that request it.
    requests: Vec<u64>,
    /// By input: the outputs that grant to it in this round.
    grants: Vec<u64>,
    /// By input: packets that can still be read from it.
    reads: Vec<u16>,
    /// Output and input.
    matched: Vec<(u16, u16)>,
}

impl Islip {
    pub(crate) fn new(on: bool, ports: usize, switches: usize, words: usize) -> Self {
        if !on {
            return Self::default();
        }
        let desk = Desk { words, ..Desk::default() };
        Self { grant: vec![0; ports], accept: vec![0; ports], done: vec![u64::MAX; switches], desk }
    }
}

impl Desk {
    /// Matches those with requests, in so many rounds (any number if absent) with these pointers.
    fn match_up(&mut self, rounds: Option<u8>, grant: &mut [u16], accept: &mut [u16]) {
        let (radix, words) = (grant.len(), self.words);
        self.matched.clear();
        let mut round = 0;
        while rounds.is_none_or(|rounds| round < rounds) {
            self.grants.clear();
            self.grants.resize(radix * words, 0);
            for (output, &start) in grant.iter().enumerate() {
                let set = &self.requests[output * words..(output + 1) * words];
                if let Some(input) = next_in(set, usize::from(start)) {
                    self.grants[input * words + output / 64] |= 1 << (output % 64);
                }
            }
            let before = self.matched.len();
            for (input, accept) in accept.iter_mut().enumerate() {
                let mut start = usize::from(*accept);
                while self.reads[input] > 0
                    && let Some(output) = next_in(&self.grants[input * words..(input + 1) * words], start)
                {
                    self.grants[input * words + output / 64] &= !(1 << (output % 64));
                    self.requests[output * words..(output + 1) * words].fill(0);
                    self.reads[input] -= 1;
                    self.matched.push((output as u16, input as u16));
                    start = (output + 1) % radix;
                    if round == 0 {
                        grant[output] = ((input + 1) % radix) as u16;
                        *accept = start as u16;
                    }
                }
                if self.reads[input] == 0 {
                    for output in 0..radix {
                        self.requests[output * words + input / 64] &= !(1 << (input % 64));
                    }
                }
            }
            if self.matched.len() == before {
                break;
            }
            round = round.saturating_add(1);
        }
    }
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Matches the switch of an output, once for all its outputs that decide in this instant.
    pub(crate) fn match_switch(&mut self, output: u32) {
        let ArbiterPlan::Islip { rounds, slot } = self.rules.arbiter else { return };
        if let Some(slot) = slot
            && !self.now.0.is_multiple_of(slot.0)
        {
            return self.wake_by(output, Time(self.now.0.next_multiple_of(slot.0)));
        }
        let base = self.links.outs[output as usize].base;
        let side = self.links.ins[base as usize];
        let (radix, switch) = (usize::from(side.radix), side.switch as usize);
        let done = &mut self.switches.islip.done[switch];
        if *done == self.records.events {
            return;
        }
        *done = self.records.events;
        let mut desk = std::mem::take(&mut self.switches.islip.desk);
        loop {
            self.collect(base, &mut desk);
            let ports = base as usize..base as usize + radix;
            desk.match_up(
                rounds,
                &mut self.switches.islip.grant[ports.clone()],
                &mut self.switches.islip.accept[ports],
            );
            for &(output, input) in &desk.matched {
                self.serve(base + u32::from(output), base + u32::from(input));
            }
            // Whom few rounds have left over is matched at once, or in the next slot.
            if rounds.is_none() || slot.is_some() || desk.matched.is_empty() {
                break;
            }
        }
        self.switches.islip.desk = desk;
        for output in base..base + u32::from(side.radix) {
            self.arrange(output, slot);
        }
    }

    /// Who could send to whom now.
    fn collect(&mut self, base: u32, desk: &mut Desk) {
        let side = self.links.ins[base as usize];
        let (radix, words) = (usize::from(side.radix), self.switches.words);
        desk.requests.clear();
        desk.requests.resize(radix * words, 0);
        desk.reads.clear();
        for input in base..base + radix as u32 {
            desk.reads.push(self.free_reads(input));
        }
        for (local, output) in (base..base + radix as u32).enumerate() {
            if self.frame_first(output) || self.open_at(output) > self.now {
                continue;
            }
            for lane in 0..self.rules.lanes as u8 {
                self.settle_rooms(output, lane);
                let place = self.at(output, lane);
                for word in 0..words {
                    let mut set = self.requests(place)[word] & !desk.requests[local * words + word];
                    while set != 0 {
                        let input = word * 64 + set.trailing_zeros() as usize;
                        set &= set - 1;
                        if let Offer::Queue(_) = self.offer(output, lane, base + input as u32) {
                            desk.requests[local * words + word] |= 1 << (input % 64);
                        }
                    }
                }
            }
        }
    }

    /// The output serves the input: the next of its lanes in turn that has something.
    fn serve(&mut self, output: u32, input: u32) {
        let mut lane = self.links.outs[output as usize].lane_turn;
        for _ in 0..self.rules.lanes {
            lane = if usize::from(lane) + 1 == self.rules.lanes { 0 } else { lane + 1 };
            if let Offer::Queue(queue) = self.offer(output, lane, input) {
                return self.cross(output, lane, input, queue);
            }
        }
    }

    /// An output that was not matched is asked again when that may change.
    fn arrange(&mut self, output: u32, slot: Option<Span>) {
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
        let base = self.links.outs[output as usize].base;
        let words = self.switches.words;
        let (mut blocked, mut left_over) = (false, false);
        for lane in 0..self.rules.lanes as u8 {
            let place = self.at(output, lane);
            let (mut free, mut starved) = (Time::NEVER, false);
            for word in 0..words {
                let mut set = self.requests(place)[word];
                while set != 0 {
                    let input = base + (word * 64) as u32 + set.trailing_zeros();
                    set &= set - 1;
                    match self.offer(output, lane, input) {
                        Offer::Queue(_) => left_over = true,
                        Offer::Later(at) => free = free.min(at),
                        Offer::NoRoom(at) => {
                            starved = true;
                            free = free.min(at);
                        }
                    }
                }
            }
            self.wait_for(output, lane, starved, free);
            blocked |= starved;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn desk(radix: usize, requests: &[(usize, usize)]) -> Desk {
        let mut desk = Desk { words: 1, requests: vec![0; radix], reads: vec![1; radix], ..Desk::default() };
        for &(input, output) in requests {
            desk.requests[output] |= 1 << input;
        }
        desk
    }

    #[test]
    fn pointers_move_only_if_the_grant_is_accepted_in_the_first_round() {
        let (mut grant, mut accept) = ([0; 4], [0; 4]);
        let mut both = desk(4, &[(0, 0), (0, 1), (2, 1), (2, 3), (3, 3)]);
        both.match_up(Some(2), &mut grant, &mut accept);
        // Outputs 0 and 1 grant to input 0, which accepts output 0; output 3 grants to input 2. Then 1 has nobody left.
        assert_eq!(both.matched, [(0, 0), (3, 2)]);
        assert_eq!((grant, accept), ([1, 0, 0, 3], [1, 0, 0, 0]));
    }

    #[test]
    fn a_second_round_fills_what_the_first_left_and_moves_no_pointer() {
        let (mut grant, mut accept) = ([0; 4], [0; 4]);
        let requests = [(0, 0), (0, 1), (1, 1)];
        let mut one = desk(4, &requests);
        one.match_up(Some(1), &mut grant, &mut accept);
        assert_eq!(one.matched, [(0, 0)]);
        let (mut grant, mut accept) = ([0; 4], [0; 4]);
        let mut two = desk(4, &requests);
        two.match_up(Some(2), &mut grant, &mut accept);
        assert_eq!(two.matched, [(0, 0), (1, 1)]);
        assert_eq!((grant, accept), ([1, 0, 0, 0], [1, 0, 0, 0]));
    }

    #[test]
    fn full_demand_drifts_into_a_perfect_matching_with_one_round() {
        let (mut grant, mut accept) = ([0; 8], [0; 8]);
        let everything: Vec<(usize, usize)> = (0..8).flat_map(|i| (0..8).map(move |o| (i, o))).collect();
        let mut sizes = Vec::new();
        for _ in 0..40 {
            let mut slot = desk(8, &everything);
            slot.match_up(Some(1), &mut grant, &mut accept);
            sizes.push(slot.matched.len());
        }
        assert_eq!(sizes[0], 1);
        assert!(sizes[20..].iter().all(|&size| size == 8), "{sizes:?}");
    }

    #[test]
    fn an_input_with_two_read_ports_accepts_two_grants() {
        let (mut grant, mut accept) = ([0; 4], [0; 4]);
        let mut wide = desk(4, &[(0, 0), (0, 1), (0, 2)]);
        wide.reads[0] = 2;
        wide.match_up(Some(1), &mut grant, &mut accept);
        assert_eq!(wide.matched, [(0, 0), (1, 0)]);
    }
}
