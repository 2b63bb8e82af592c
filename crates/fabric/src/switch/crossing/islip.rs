//! The pointers of iSLIP, and the tables in which a matching is computed.

use congestree_wire::{IndexVec, PortId, SwitchId};

use crate::switch::round_robin::{members_of_word, next_in};

/// The pointers of all switches, and scratch space for a matching.
#[derive(Debug, Default)]
pub(crate) struct Islip {
    /// By output: the input at which its cyclic order begins.
    pub(super) grant: IndexVec<PortId, u16>,
    /// By input: the output at which its cyclic order begins.
    pub(super) accept: IndexVec<PortId, u16>,
    /// By switch: the round of decisions in which it was last matched.
    pub(super) done: IndexVec<SwitchId, u64>,
    pub(super) matching: Matching,
}

/// One matching being computed. Port numbers are local to the switch.
#[derive(Debug, Default)]
pub(super) struct Matching {
    words: usize,
    /// By output: the inputs that request it.
    pub(super) requests: Vec<u64>,
    /// The outputs that may be requested and are not matched.
    wanted: Vec<u64>,
    /// By input: the outputs that grant to it in this round.
    grants: Vec<u64>,
    /// The inputs with grants in this round.
    granted: Vec<u64>,
    /// By input: how many more packets can be read from it.
    pub(super) reads: Vec<u16>,
    /// The inputs that can be read.
    pub(super) free: Vec<u64>,
    /// Matched pairs: output and input.
    pub(super) matched: Vec<(u16, u16)>,
}

impl Islip {
    pub(crate) fn new(on: bool, ports: usize, switches: usize, words: usize) -> Self {
        if !on {
            return Self::default();
        }
        let matching = Matching { words, ..Matching::default() };
        Self {
            grant: vec![0; ports].into(),
            accept: vec![0; ports].into(),
            done: vec![u64::MAX; switches].into(),
            matching,
        }
    }
}

impl Matching {
    /// No output is requested yet; `reads` says by input how many packets can be read from it.
    pub(super) fn begin(&mut self, reads: impl Iterator<Item = u16>) {
        let words = self.words;
        self.reads.clear();
        self.reads.extend(reads);
        for (table, length) in [
            (&mut self.free, words),
            (&mut self.wanted, words),
            (&mut self.granted, words),
            (&mut self.requests, words * self.reads.len()),
            (&mut self.grants, words * self.reads.len()),
        ] {
            table.clear();
            table.resize(length, 0);
        }
        for (input, _) in self.reads.iter().enumerate().filter(|&(_, &reads)| reads > 0) {
            self.free[input / 64] |= 1 << (input % 64);
        }
    }

    /// An input that can be read requests an output.
    pub(super) fn request(&mut self, output: usize, input: usize) {
        self.requests[output * self.words + input / 64] |= 1 << (input % 64);
        self.wanted[output / 64] |= 1 << (output % 64);
    }

    /// Matches the ports with requests in at most `rounds` rounds (no limit if absent), with these pointers.
    pub(super) fn match_up(&mut self, rounds: Option<u8>, grant: &mut [u16], accept: &mut [u16]) {
        self.matched.clear();
        let mut round = 0;
        while rounds.is_none_or(|rounds| round < rounds) {
            self.grant(grant);
            let before = self.matched.len();
            for word in 0..self.words {
                for input in members_of_word(word, std::mem::take(&mut self.granted[word])) {
                    self.accept(input, round == 0, grant, &mut accept[input]);
                }
            }
            if self.matched.len() == before {
                break;
            }
            round = round.saturating_add(1);
        }
    }

    /// Every output that is not matched grants one of the requests of inputs that can be read.
    fn grant(&mut self, start: &[u16]) {
        let words = self.words;
        for word in 0..words {
            for output in members_of_word(word, self.wanted[word]) {
                let set = &mut self.requests[output * words..(output + 1) * words];
                set.iter_mut().zip(&self.free).for_each(|(inputs, free)| *inputs &= free);
                let Some(input) = next_in(set, usize::from(start[output])) else {
                    self.wanted[word] &= !(1 << (output % 64));
                    continue;
                };
                self.grants[input * words + word] |= 1 << (output % 64);
                self.granted[input / 64] |= 1 << (input % 64);
            }
        }
    }

    /// An input accepts of its grants as many as it can read, and gives the others back.
    fn accept(&mut self, input: usize, moves: bool, grant: &mut [u16], accept: &mut u16) {
        let (radix, words) = (grant.len(), self.words);
        let grants = &mut self.grants[input * words..(input + 1) * words];
        let mut start = usize::from(*accept);
        while self.reads[input] > 0
            && let Some(output) = next_in(grants, start)
        {
            grants[output / 64] &= !(1 << (output % 64));
            self.wanted[output / 64] &= !(1 << (output % 64));
            self.reads[input] -= 1;
            self.matched.push((output as u16, input as u16));
            start = (output + 1) % radix;
            if moves {
                grant[output] = ((input + 1) % radix) as u16;
                *accept = start as u16;
            }
        }
        grants.fill(0);
        if self.reads[input] == 0 {
            self.free[input / 64] &= !(1 << (input % 64));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matching(radix: usize, requests: &[(usize, usize)]) -> Matching {
        let mut matching = Matching { words: radix.div_ceil(64), ..Matching::default() };
        matching.begin(std::iter::repeat_n(1, radix));
        for &(input, output) in requests {
            matching.request(output, input);
        }
        matching
    }

    #[test]
    fn pointers_move_only_if_the_grant_is_accepted_in_the_first_round() {
        let (mut grant, mut accept) = ([0; 4], [0; 4]);
        let mut both = matching(4, &[(0, 0), (0, 1), (2, 1), (2, 3), (3, 3)]);
        both.match_up(Some(2), &mut grant, &mut accept);
        // Outputs 0 and 1 grant to input 0, which accepts output 0; output 3 grants to input 2. No input is left for
        // output 1.
        assert_eq!(both.matched, [(0, 0), (3, 2)]);
        assert_eq!((grant, accept), ([1, 0, 0, 3], [1, 0, 0, 0]));
    }

    #[test]
    fn a_second_round_fills_what_the_first_left_and_moves_no_pointer() {
        let (mut grant, mut accept) = ([0; 4], [0; 4]);
        let requests = [(0, 0), (0, 1), (1, 1)];
        let mut one = matching(4, &requests);
        one.match_up(Some(1), &mut grant, &mut accept);
        assert_eq!(one.matched, [(0, 0)]);
        let (mut grant, mut accept) = ([0; 4], [0; 4]);
        let mut two = matching(4, &requests);
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
            let mut slot = matching(8, &everything);
            slot.match_up(Some(1), &mut grant, &mut accept);
            sizes.push(slot.matched.len());
        }
        assert_eq!(sizes[0], 1);
        assert!(sizes[20..].iter().all(|&size| size == 8), "{sizes:?}");
    }

    #[test]
    fn an_input_with_two_read_ports_accepts_two_grants() {
        let (mut grant, mut accept) = ([0; 4], [0; 4]);
        let mut wide = matching(4, &[(0, 0), (0, 1), (0, 2)]);
        wide.reads[0] = 2;
        wide.match_up(Some(1), &mut grant, &mut accept);
        assert_eq!(wide.matched, [(0, 0), (1, 0)]);
    }

    #[test]
    fn outputs_that_nobody_requests_and_inputs_without_grants_are_passed_over() {
        let (mut grant, mut accept) = ([0; 130], [0; 130]);
        let mut few = matching(130, &[(129, 64), (3, 64)]);
        // Something that a look at any other output would find.
        let untouched = !0;
        few.requests[..64 * 3].fill(untouched);
        few.match_up(None, &mut grant, &mut accept);
        assert_eq!(few.matched, [(64, 3)]);
        assert!(few.requests[..64 * 3].iter().all(|&word| word == untouched));
        assert!(few.grants.iter().chain(&few.granted).all(|&word| word == 0));
    }
}
