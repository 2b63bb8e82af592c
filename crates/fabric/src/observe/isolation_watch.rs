//! What is remembered about isolation between events, for its probes.

use congestree_units::{Span, Time};
use congestree_wire::{PacketId, PortId};

use crate::by_packet::{ByPacket, swap_entries};

/// The demand for an output at present, and since demand for it last began without a break. It comes from packets that
/// wait for the output, except those that are isolated in a stopped queue, which request nothing until they may go
/// again.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    /// Data packets that request the output now.
    pub(super) requesting: u32,
    pub(super) since: Time,
    /// Bytes of these packets, and of those that have crossed since the demand began.
    pub(super) bytes: u64,
    /// By input: packets that request the output, or have crossed since the demand began.
    pub(super) inputs: Vec<(PortId, u32)>,
}

impl Demand {
    pub(super) fn none(since: Time) -> Self {
        Self { requesting: 0, since, bytes: 0, inputs: Vec::new() }
    }

    /// `packets` more at an input request the output from now on.
    pub(super) fn more(&mut self, now: Time, input: PortId, packets: u32, bytes: u64) {
        if self.requesting == 0 {
            self.since = now;
            self.bytes = 0;
            self.inputs.clear();
        }
        self.requesting += packets;
        self.bytes += bytes;
        match self.inputs.iter_mut().find(|(place, _)| *place == input) {
            Some((_, count)) => *count += packets,
            None => self.inputs.push((input, packets)),
        }
    }

    /// They no longer request it, although they have not crossed.
    pub(super) fn less(&mut self, input: PortId, packets: u32, bytes: u64) {
        self.requesting -= packets;
        self.bytes -= bytes;
        for (_, count) in self.inputs.iter_mut().filter(|(place, _)| *place == input) {
            *count -= packets;
        }
    }
}

/// Tables that grow when they are used.
#[derive(Debug, Default)]
pub(crate) struct IsolationTables {
    /// By output.
    pub(super) offers: Vec<Demand>,
    /// By queue: when its present head became the head.
    pub(super) heads: Vec<Time>,
    /// By packet: the classes of packets that it has stood behind in its queue, and for how long.
    pub(super) stood: Vec<Vec<(u16, Span)>>,
}

impl ByPacket for IsolationTables {
    fn swap(&mut self, a: PacketId, b: PacketId) {
        swap_entries(&mut self.stood, a, b, Vec::new());
    }
}

/// The entry of an id in a table, which is enlarged if necessary.
pub(super) fn at<T: Clone>(table: &mut Vec<T>, id: usize, empty: T) -> &mut T {
    if table.len() <= id {
        table.resize(id + 1, empty);
    }
    &mut table[id]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stopped_asks_for_nothing_and_does_not_make_a_period_longer() {
        let mut offer = Demand::none(Time(0));
        offer.more(Time(1), PortId(4), 2, 200);
        offer.less(PortId(4), 2, 200);
        assert_eq!((offer.requesting, offer.bytes, &offer.inputs[..]), (0, 0, &[(PortId(4), 0)][..]));
        offer.more(Time(9), PortId(5), 1, 100);
        offer.more(Time(10), PortId(4), 2, 200);
        assert_eq!((offer.requesting, offer.since, offer.bytes), (3, Time(9), 300));
        assert_eq!(offer.inputs, [(PortId(5), 1), (PortId(4), 2)]);
    }
}
