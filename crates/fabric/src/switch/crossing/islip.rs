//! The pointers of iSLIP, and the tables in which a matching is computed.

use congestree_wire::{IndexVec, PortId, SwitchId};

use crate::switch::round_robin::next_in;

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
    /// By input: the outputs that grant to it in this round.
    grants: Vec<u64>,
    /// By input: how many more packets can be read from it.
    pub(super) reads: Vec<u16>,
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
    /// Matches the ports with requests in at most `rounds` rounds (no limit if absent), with these pointers.
    pub(super) fn match_up(&mut self, rounds: Option<u8>, grant: &mut [u16], accept: &mut [u16]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn matching(radix: usize, requests: &[(usize, usize)]) -> Matching {
        let mut matching =
            Matching { words: 1, requests: vec![0; radix], reads: vec![1; radix], ..Matching::default() };
        for &(input, output) in requests {
            matching.requests[output] |= 1 << input;
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
}
