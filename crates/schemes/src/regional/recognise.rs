//! Recognition (CFR): which flows go through a root. Now and then a packet's flow is written into a small memory (CAM),
//! over the oldest entry; who is in it is harmful. Flows that send much are found often, and stay.

/// The harmful flows of one output, as many as it has room for.
#[derive(Clone, Debug, Default)]
pub struct Recognised {
    flows: Vec<u32>,
    /// Where the next is written once the memory is full.
    next: usize,
    /// Packets until the next is looked at.
    until_look: u32,
}

impl Recognised {
    /// The flows.
    pub fn flows(&self) -> &[u32] {
        &self.flows
    }

    /// A flow is one of them.
    #[inline]
    pub fn has(&self, flow: u32) -> bool {
        self.flows.contains(&flow)
    }

    /// A packet of a flow goes through the root: one of every so many is looked at. Answers whether this one was.
    pub fn on_packet(&mut self, flow: u32, room: u32, every: u32) -> bool {
        if self.until_look > 1 {
            self.until_look -= 1;
            return false;
        }
        self.until_look = every;
        self.write(flow, room);
        true
    }

    fn write(&mut self, flow: u32, room: u32) {
        if self.has(flow) {
            return;
        }
        if self.flows.len() < room as usize {
            self.flows.push(flow);
        } else {
            self.flows[self.next] = flow;
            self.next = (self.next + 1) % self.flows.len();
        }
    }

    /// These are harmful too, as a root has told.
    pub fn add(&mut self, flows: &[u32], room: u32) {
        flows.iter().for_each(|&flow| self.write(flow, room));
    }

    /// Nobody is harmful any more.
    pub fn forget(&mut self) {
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
        assert_eq!((0..100).filter(|&packet| memory.on_packet(packet, 4, 10)).count(), 10);
        // 0, 10, 20, 30 fill it; 40 to 70 and then 80, 90 take their places.
        assert_eq!(memory.flows(), [80, 90, 60, 70]);
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
}
