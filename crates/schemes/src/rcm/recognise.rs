//! Recognition (CFR): which flows go through a root. Now and then a packet's flow is written into a small memory (CAM), in
//! turn into each of its entries; who is in it is harmful. A flow that sends much has many entries, by its share of the
//! packets, and stays; one that was seen once is overwritten when the turn comes round.

/// The harmful flows of one output.
#[derive(Clone, Debug, Default)]
pub struct Recognised {
    /// What was written, a flow as often as it was found.
    entries: Vec<u32>,
    /// Each of those once.
    flows: Vec<u32>,
    /// The entry that is written next once the memory is full.
    next: usize,
    /// Packets until the next is looked at.
    until_look: u32,
}

/// A look at a packet for its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// It was not the time to look.
    NotNow,
    /// It is written down.
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

    /// A packet of a flow goes through the root: one of every so many is looked at, and written down.
    pub fn on_packet(&mut self, flow: u32, room: u32, every: u32) -> Look {
        if self.until_look > 1 {
            self.until_look -= 1;
            return Look::NotNow;
        }
        self.until_look = every;
        Look::Written { others: self.write(flow, room) }
    }

    /// Answers whether others are harmful now.
    fn write(&mut self, flow: u32, room: u32) -> bool {
        let mut others = !self.has(flow);
        if others {
            self.flows.push(flow);
        }
        if self.entries.len() < room as usize {
            self.entries.push(flow);
            return others;
        }
        let gone = std::mem::replace(&mut self.entries[self.next], flow);
        self.next = (self.next + 1) % self.entries.len();
        if !self.entries.contains(&gone) {
            self.flows.retain(|&one| one != gone);
            others = true;
        }
        others
    }

    /// These are harmful too, as a root has told.
    pub fn add(&mut self, flows: &[u32], room: u32) {
        for &flow in flows {
            if !self.has(flow) {
                self.write(flow, room);
            }
        }
    }

    /// Nobody is harmful any more.
    pub fn forget(&mut self) {
        self.entries.clear();
        self.flows.clear();
        (self.next, self.until_look) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tenth_packet_is_written_down_and_the_oldest_entry_goes_first() {
        let mut memory = Recognised::default();
        assert_eq!((0..100).filter(|&packet| memory.on_packet(packet, 4, 10) != Look::NotNow).count(), 10);
        // 0, 10, 20, 30 fill it; 40 to 70 and then 80, 90 take their places.
        assert_eq!(memory.flows(), [60, 70, 80, 90]);
        assert!(memory.has(60) && !memory.has(50));
    }

    #[test]
    fn a_large_flow_is_found_among_many_small_ones() {
        let mut memory = Recognised::default();
        // Two of three packets are of flow 7.
        for i in 0..3_000u32 {
            memory.on_packet(if i % 3 == 0 { 1_000 + i } else { 7 }, 16, 10);
        }
        assert!(memory.has(7));
    }

    #[test]
    fn entries_are_shared_by_packets_and_who_sends_no_more_is_forgotten() {
        let mut memory = Recognised::default();
        // Every second look is at flow 7, the others at four in turn; flow 9 was there once.
        assert_eq!(memory.on_packet(9, 16, 1), Look::Written { others: true });
        for i in 0..32u32 {
            memory.on_packet(if i % 2 == 0 { 7 } else { i / 2 % 4 }, 16, 1);
        }
        let entries = |flow: u32| memory.entries.iter().filter(|&&one| one == flow).count();
        assert_eq!([7, 0, 1, 2, 3, 9].map(entries), [8, 2, 2, 2, 2, 0]);
        assert_eq!(memory.flows().len(), 5);
        assert!(!memory.has(9));
        assert_eq!(memory.on_packet(7, 16, 1), Look::Written { others: false });
    }
}
