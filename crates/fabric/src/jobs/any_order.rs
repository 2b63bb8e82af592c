//! Messages over a transport that delivers packets in any order (Ultra Ethernet's RUD): each counts as received when all
//! of its own packets have come in, whatever is missing of those before it.
//!
//! Only messages that a receive could take for each other keep their order, as MPI demands: those from one rank to
//! another that have the same tag, or all of them if the receiver takes messages from any rank or with any tag. A message
//! that has been granted has its receive already, and is not among them.

use congestree_traffic::matching::Mailboxes;
use congestree_wire::FlowId;

use crate::host::flow::NONE;
use crate::jobs::ranks::{MessageFifo, Ranks};
use crate::jobs::under_way::{Leg, UnderWay};

impl Ranks {
    /// A packet of a flow has come in: takes out of the flow the messages that count as received with it.
    pub(super) fn whole_alone(&mut self, flow: FlowId, sequence: u32) -> Vec<u32> {
        let mut received = Vec::new();
        // Flows that come and go are not in this table.
        let Some(fifo) = self.fifos.get_mut(flow) else { return received };
        if fifo.seen.wrapping_sub(sequence) as i32 <= 0 {
            fifo.seen = sequence.wrapping_add(1);
        }
        let MessageFifo { first, seen, .. } = *fifo;
        let (mut before, mut id) = (NONE, first);
        // Packet numbers wrap around, but a flow has fewer packets in flight than half of all numbers.
        while id != NONE && sequence.wrapping_sub(self.under_way[id as usize].end) as i32 >= 0 {
            (before, id) = (id, self.under_way[id as usize].next);
        }
        if id == NONE {
            return received;
        }
        self.under_way[id as usize].missing -= 1;
        let whole = self.under_way[id as usize];
        if whole.missing > 0 || self.any_alike(first, id) {
            return received;
        }
        // Those like it have waited for it, up to the first that is not complete. Of a message beyond the last packet seen
        // nothing has come in: thousands may have been sent at once.
        while id != NONE {
            let message = self.under_way[id as usize];
            if !self.alike(&whole, &message) && !received.is_empty() {
                before = id;
            } else if message.missing > 0 {
                break;
            } else {
                self.take_out(flow, before, id);
                received.push(id);
            }
            if message.end.wrapping_sub(seen) as i32 >= 0 {
                break;
            }
            id = message.next;
        }
        received
    }

    /// Whether a message from this one on, before that with the given id, is like that.
    fn any_alike(&self, first: u32, id: u32) -> bool {
        let (mut other, whole) = (first, &self.under_way[id as usize]);
        while other != id && !self.alike(&self.under_way[other as usize], whole) {
            other = self.under_way[other as usize].next;
        }
        other != id
    }

    /// Some receive could take one of two messages of a flow for the other.
    fn alike(&self, one: &UnderWay, other: &UnderWay) -> bool {
        let open = |message: &UnderWay| message.leg != Leg::Grant && message.receive == NONE;
        let program = &self.jobs[one.job as usize].plan.program;
        open(one) && open(other) && Mailboxes::mixes_up(program, one.send, other.send)
    }

    /// Takes a message out of its flow. Its numbers fall to the message before it: no packet with them is still missing.
    fn take_out(&mut self, flow: FlowId, before: u32, id: u32) {
        let UnderWay { next, end, .. } = self.under_way[id as usize];
        let fifo = &mut self.fifos[flow];
        match before {
            NONE => (fifo.first, fifo.end) = (next, end),
            before => (self.under_way[before as usize].next, self.under_way[before as usize].end) = (next, end),
        }
        if next == NONE {
            fifo.last = before;
        }
    }
}
