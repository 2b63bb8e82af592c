//! Requests: for every lane of an output, the set of inputs that have a packet for it.
//!
//! Sets of up to 64 inputs are kept with the lane of the output, which the arbiter reads anyway. Larger switches have
//! a table. With several lanes a small table says in which of them anything waits: usually only one, and the data of
//! the other lanes may not be in the cache.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_wire::PortId;

use crate::fabric::Fabric;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The inputs that have a packet for a lane of an output, one bit each.
    #[inline(always)]
    pub(crate) fn requests(&self, place: usize) -> &[u64] {
        match self.has_large_switches() {
            false => std::slice::from_ref(&self.links.out_lanes[place].requests),
            true => &self.switches.request_sets[place * self.switches.words..][..self.switches.words],
        }
    }

    #[inline(always)]
    fn requests_mut(&mut self, place: usize) -> &mut [u64] {
        match self.has_large_switches() {
            false => std::slice::from_mut(&mut self.links.out_lanes[place].requests),
            true => &mut self.switches.request_sets[place * self.switches.words..][..self.switches.words],
        }
    }

    /// The input now has a packet for the output. Returns whether it had one before.
    #[inline(always)]
    pub(crate) fn request(&mut self, output: PortId, lane: u8, local_input: u32) -> bool {
        let place = self.at(output, lane);
        let word = &mut self.requests_mut(place)[local_input as usize / 64];
        let bit = 1 << (local_input % 64);
        let had = *word & bit != 0;
        *word |= bit;
        if self.has_several_lanes() {
            self.switches.waiting_lanes[output] |= 1 << lane;
        }
        had
    }

    /// The input no longer has a packet for the output.
    #[inline(always)]
    pub(crate) fn end_request(&mut self, output: PortId, lane: u8, local_input: u32) {
        let place = self.at(output, lane);
        self.requests_mut(place)[local_input as usize / 64] &= !(1 << (local_input % 64));
        if self.has_several_lanes() && self.requests(place).iter().all(|&word| word == 0) {
            self.switches.waiting_lanes[output] &= !(1 << lane);
        }
    }

    /// The lanes of an output for which some input has a packet, one bit each.
    #[inline(always)]
    pub(crate) fn requested_lanes(&self, output: PortId) -> u16 {
        match self.lanes() {
            1 => u16::from(self.requests(output.index()).iter().any(|&word| word != 0)),
            _ => self.switches.waiting_lanes[output],
        }
    }
}
