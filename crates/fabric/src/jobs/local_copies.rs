//! Messages in flight that do not use the network: they go through the memory of a host, or over the links inside a
//! node.
//!
//! Messages from one rank to another never overtake each other. Several may come in at one instant, since a message may
//! have no bytes, and the order of events does not say which was sent first. So an event of a message stands for the
//! oldest one of its two ranks: their messages come in at times that never decrease.

use std::collections::BTreeMap;

use crate::host::flow::NONE;
use crate::jobs::under_way::UnderWay;
use crate::plan::JobPlan;

/// The messages of a job that do not use the network.
#[derive(Clone, Debug)]
pub(super) struct Copies {
    /// By sending operation: the fifo of its two ranks; empty if all messages use the network.
    fifo_of: Vec<u32>,
    fifos: Vec<CopyFifo>,
}

/// The messages from one rank to another, oldest first.
#[derive(Clone, Copy, Debug)]
struct CopyFifo {
    first: u32,
    last: u32,
    /// The first message of which the receiver has not been told; kept inside nodes.
    untold: u32,
}

impl CopyFifo {
    const EMPTY: CopyFifo = CopyFifo { first: NONE, last: NONE, untold: NONE };
}

impl Copies {
    /// No messages are in flight.
    pub(super) fn none(plan: &JobPlan) -> Self {
        let mut places = BTreeMap::new();
        let mut fifo_of = vec![NONE; if plan.copies() { plan.program.operations().len() } else { 0 }];
        for (send, from, to) in plan.sends_copied() {
            let next = places.len() as u32;
            fifo_of[send as usize] = *places.entry((from, to)).or_insert(next);
        }
        Self { fifo_of, fifos: vec![CopyFifo::EMPTY; places.len()] }
    }

    /// Records a message behind the others of its ranks.
    pub(super) fn push(&mut self, under_way: &mut [UnderWay], message: u32) {
        let fifo = self.of(under_way[message as usize].send);
        match std::mem::replace(&mut fifo.last, message) {
            NONE => fifo.first = message,
            last => under_way[last as usize].next = message,
        }
        if fifo.untold == NONE {
            fifo.untold = message;
        }
    }

    /// The receiver is told of the oldest message of the ranks of this operation that it does not know.
    pub(super) fn tell(&mut self, under_way: &[UnderWay], send: u32) -> Option<u32> {
        let fifo = self.of(send);
        let id = fifo.untold;
        fifo.untold = under_way.get(id as usize)?.next;
        Some(id)
    }

    /// The oldest message of the ranks of this operation has come in.
    pub(super) fn pop(&mut self, under_way: &[UnderWay], send: u32) -> u32 {
        let fifo = self.of(send);
        let id = fifo.first;
        fifo.first = under_way[id as usize].next;
        if fifo.first == NONE {
            *fifo = CopyFifo::EMPTY;
        }
        id
    }

    fn of(&mut self, send: u32) -> &mut CopyFifo {
        &mut self.fifos[self.fifo_of[send as usize] as usize]
    }
}
