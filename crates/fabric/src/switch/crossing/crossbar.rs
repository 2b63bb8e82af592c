//! A crossbar with a speed of its own.
//!
//! Without a speed of its own, a packet goes from the memory of its input to the link of its output as fast as that
//! link takes it. With one, it is read at the speed of the crossbar, and the output holds a few packets between
//! crossbar and link: one comes in while others wait or leave. A packet crosses only if there is room for it at the
//! far end of the link, so what an output holds never blocks, and the time at which each packet leaves is known when
//! it crosses. On a link that is faster than the crossbar a packet starts just late enough that the link does not run
//! out of its bytes.

use congestree_units::{Span, Time};
use congestree_wire::{IndexVec, PortId};

use crate::link::port::Serialiser;
use crate::plan::Plan;

/// The crossbars of all switches.
#[derive(Debug, Default)]
pub(crate) struct Crossbar {
    /// Speed at which inputs are read, if it is not that of the link.
    pub speed: Option<Serialiser>,
    /// Most packets that an output holds.
    slots: usize,
    /// By output: when the tail of the packet that crossed last has crossed.
    crossed: IndexVec<PortId, Time>,
    /// By output and slot (a ring that begins with the slot to be filled next): when the tail of the packet in it has
    /// left.
    leaves: Vec<Time>,
    /// By output: the slot that is filled next.
    next: IndexVec<PortId, u8>,
}

impl Crossbar {
    pub(crate) fn new(plan: &Plan, ports: usize) -> Self {
        let Some(crossbar) = plan.switch.crossbar else { return Self::default() };
        let slots = usize::from(crossbar.output_packets);
        Self {
            speed: Some(Serialiser::new(crossbar.rate, plan.adapter.full())),
            slots,
            crossed: vec![Time::START; ports].into(),
            leaves: vec![Time::START; ports * slots],
            next: vec![0; ports].into(),
        }
    }

    /// Merges what the outputs of a part of the network hold.
    pub(crate) fn take_from(&mut self, part: &Self, owns: impl Fn(PortId) -> bool) {
        for (port, &crossed) in part.crossed.with_ids().filter(|&(port, _)| owns(port)) {
            let slots = port.index() * self.slots..(port.index() + 1) * self.slots;
            (self.crossed[port], self.next[port]) = (crossed, part.next[port]);
            self.leaves[slots.clone()].copy_from_slice(&part.leaves[slots]);
        }
    }

    /// When an output can take the next packet: the last one has crossed, and the oldest one that it holds has left.
    #[inline]
    pub(crate) fn open_at(&self, output: PortId) -> Time {
        self.crossed[output].max(self.leaves[output.index() * self.slots + usize::from(self.next[output])])
    }

    /// When the last packet that an output holds will have left.
    pub(crate) fn emptied_at(&self, output: PortId) -> Time {
        let last = (usize::from(self.next[output]) + self.slots - 1) % self.slots;
        self.leaves[output.index() * self.slots + last]
    }

    /// A packet crosses until `over` and starts on the link when that is free, but not before `earliest`; its tail
    /// leaves `time` later. Returns the start.
    pub(super) fn fill(&mut self, output: PortId, over: Time, earliest: Time, time: Span) -> Time {
        let start = self.emptied_at(output).max(earliest);
        let slot = usize::from(self.next[output]);
        self.crossed[output] = over;
        self.leaves[output.index() * self.slots + slot] = start + time;
        self.next[output] = ((slot + 1) % self.slots) as u8;
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossbar(slots: usize) -> Crossbar {
        Crossbar {
            speed: None,
            slots,
            crossed: vec![Time::START].into(),
            leaves: vec![Time::START; slots],
            next: vec![0].into(),
        }
    }

    #[test]
    fn an_output_with_two_places_takes_one_packet_while_another_leaves() {
        // Crossing takes 1, the link 2.
        let mut output = crossbar(2);
        assert_eq!(output.fill(PortId(0), Time(1), Time(0), Span(2)), Time(0));
        assert_eq!(output.open_at(PortId(0)), Time(1));
        assert_eq!(output.fill(PortId(0), Time(2), Time(1), Span(2)), Time(2));
        // Both slots are taken until the first packet has left.
        assert_eq!(output.open_at(PortId(0)), Time(2));
        assert_eq!(output.fill(PortId(0), Time(3), Time(2), Span(2)), Time(4));
        assert_eq!(output.open_at(PortId(0)), Time(4));
    }

    #[test]
    fn with_one_place_the_crossbar_waits_for_the_link() {
        let mut output = crossbar(1);
        assert_eq!(output.fill(PortId(0), Time(1), Time(0), Span(2)), Time(0));
        assert_eq!(output.open_at(PortId(0)), Time(2));
    }
}
