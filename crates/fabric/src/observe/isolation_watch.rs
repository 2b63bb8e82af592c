//! What is remembered from one look at isolation to the next.

use congestree_units::{Span, Time};
use congestree_wire::PortId;

/// What asks for an output, and what has since something has been asking for it without a break: packets that wait for it,
/// but for those set aside in a queue that is stopped. These ask for nothing until they may go again.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    /// Data packets that ask for it now.
    pub(super) requesting: u32,
    pub(super) since: Time,
    /// Bytes of these, and of those that have crossed since then.
    pub(super) bytes: u64,
    /// By input: packets that ask for it, or have crossed since then.
    pub(super) inputs: Vec<(PortId, u32)>,
}

impl Demand {
    pub(super) fn fresh(since: Time) -> Self {
        Self { requesting: 0, since, bytes: 0, inputs: Vec::new() }
    }

    /// So many packets at an input ask for it from now on.
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

    /// They no longer do, though they have not crossed.
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
    /// By queue: when its head came to be its head.
    pub(super) heads: Vec<Time>,
    /// By packet: behind packets of which classes it has stood in its queue, and for how long.
    pub(super) stood: Vec<Vec<(u16, Span)>>,
}

/// The place of an id in a table, which grows as far.
pub(super) fn at<T: Clone>(table: &mut Vec<T>, id: usize, fresh: T) -> &mut T {
    if table.len() <= id {
        table.resize(id + 1, fresh);
    }
    &mut table[id]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stopped_asks_for_nothing_and_does_not_make_a_period_longer() {
        let mut offer = Demand::fresh(Time(0));
        offer.more(Time(1), PortId(4), 2, 200);
        offer.less(PortId(4), 2, 200);
        assert_eq!((offer.requesting, offer.bytes, &offer.inputs[..]), (0, 0, &[(PortId(4), 0)][..]));
        offer.more(Time(9), PortId(5), 1, 100);
        offer.more(Time(10), PortId(4), 2, 200);
        assert_eq!((offer.requesting, offer.since, offer.bytes), (3, Time(9), 300));
        assert_eq!(offer.inputs, [(PortId(5), 1), (PortId(4), 2)]);
    }
}
