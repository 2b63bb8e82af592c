//! Recognition (CFR): which flows go through a root. From time to time a packet's flow is written into a small memory
//! (CAM), over the oldest entry; the flows in it are harmful. Flows that send much are found often, and stay.
//!
//! In section 3.3 packets are sampled periodically and their flows written cyclically. A period can meet the same
//! sender of a round robin at each sample; random sampling cannot. A flow has one entry, or one for each sample
//! ([`Entries`]).

use super::{Entries, RegionalParams};

/// The harmful flows of one output, as many as it has room for.
#[derive(Clone, Debug, Default)]
pub struct Recognised {
    flows: Vec<u32>,
    /// A flow as often as it was written, where that counts.
    entries: Vec<u32>,
    /// Where the next is written once the memory is full.
    next: usize,
    /// Packets until the next sample.
    until_sample: u32,
}

/// A packet goes through a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognition {
    /// It is not sampled.
    Passed,
    /// Its flow is written down.
    Written {
        /// Others are harmful now than before.
        others: bool,
    },
}

impl Recognised {
    /// The flows, each once.
    pub fn flows(&self) -> &[u32] {
        &self.flows
    }

    /// A flow is one of them.
    #[inline]
    pub fn has(&self, flow: u32) -> bool {
        self.flows.contains(&flow)
    }

    /// A packet of a flow goes through the root. `drawn` says whether it is sampled at random; otherwise every n-th
    /// packet is.
    pub fn on_packet(&mut self, flow: u32, params: &RegionalParams, drawn: Option<bool>) -> Recognition {
        match drawn {
            Some(false) => return Recognition::Passed,
            Some(true) => {}
            None if self.until_sample > 1 => {
                self.until_sample -= 1;
                return Recognition::Passed;
            }
            None => self.until_sample = params.flow_sample_every,
        }
        Recognition::Written { others: self.write(flow, params) }
    }

    /// Returns whether the set of harmful flows has changed.
    fn write(&mut self, flow: u32, params: &RegionalParams) -> bool {
        let (new, room) = (!self.has(flow), params.flows as usize);
        match params.flow_entries {
            Entries::OneAFlow if !new => {}
            Entries::OneAFlow if self.flows.len() < room => self.flows.push(flow),
            Entries::OneAFlow => {
                self.flows[self.next] = flow;
                self.next = (self.next + 1) % self.flows.len();
            }
            Entries::OneASample => {
                if new {
                    self.flows.push(flow);
                }
                if self.entries.len() < room {
                    self.entries.push(flow);
                    return new;
                }
                let gone = std::mem::replace(&mut self.entries[self.next], flow);
                self.next = (self.next + 1) % room;
                if !self.entries.contains(&gone) {
                    self.flows.retain(|&one| one != gone);
                    return true;
                }
            }
        }
        new
    }

    /// These flows are harmful too, as a root has reported.
    pub fn add(&mut self, flows: &[u32], params: &RegionalParams) {
        for &flow in flows {
            self.write(flow, params);
        }
    }

    /// No flow is harmful any more.
    pub fn forget(&mut self) {
        self.flows.clear();
        self.entries.clear();
        (self.next, self.until_sample) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(flows: u32, flow_sample_every: u32, flow_entries: Entries) -> RegionalParams {
        RegionalParams { flows, flow_sample_every, flow_entries, ..Default::default() }
    }

    #[test]
    fn every_tenth_packet_is_written_down_and_the_oldest_entry_goes_first() {
        for entries in [Entries::OneAFlow, Entries::OneASample] {
            let (mut memory, params) = (Recognised::default(), with(4, 10, entries));
            assert_eq!(
                (0..100).filter(|&flow| memory.on_packet(flow, &params, None) != Recognition::Passed).count(),
                10
            );
            // 0, 10, 20, 30 fill it; 40 to 70 and then 80, 90 take their places.
            let mut flows = memory.flows().to_vec();
            flows.sort_unstable();
            assert_eq!(flows, [60, 70, 80, 90]);
            assert!(memory.has(60) && !memory.has(50));
        }
    }

    #[test]
    fn a_large_flow_is_found_among_many_small_ones() {
        let (mut memory, params) = (Recognised::default(), with(16, 10, Entries::OneAFlow));
        // Two of three packets are of flow 7.
        for i in 0..3_000u32 {
            memory.on_packet(if i % 3 == 0 { 1_000 + i } else { 7 }, &params, None);
        }
        assert!(memory.has(7));
    }

    #[test]
    fn with_an_entry_a_sample_they_go_by_share_and_who_sends_no_more_is_forgotten() {
        let (mut memory, params) = (Recognised::default(), with(16, 1, Entries::OneASample));
        assert_eq!(memory.on_packet(9, &params, None), Recognition::Written { others: true });
        // Every second sample is flow 7, the others are four flows in turn.
        for i in 0..32u32 {
            memory.on_packet(if i % 2 == 0 { 7 } else { i / 2 % 4 }, &params, None);
        }
        let entries = |flow: u32| memory.entries.iter().filter(|&&one| one == flow).count();
        assert_eq!([7, 0, 1, 2, 3, 9].map(entries), [8, 2, 2, 2, 2, 0]);
        assert_eq!(memory.flows().len(), 5);
        assert!(!memory.has(9));
        assert_eq!(memory.on_packet(7, &params, None), Recognition::Written { others: false });
    }

    #[test]
    fn random_draws_say_who_is_sampled_whatever_the_period() {
        let (mut memory, params) = (Recognised::default(), with(16, 10, Entries::OneAFlow));
        assert_eq!(memory.on_packet(1, &params, Some(false)), Recognition::Passed);
        assert_eq!(memory.on_packet(2, &params, Some(true)), Recognition::Written { others: true });
        assert_eq!(memory.on_packet(3, &params, Some(true)), Recognition::Written { others: true });
        assert_eq!(memory.flows(), [2, 3]);
    }
}
