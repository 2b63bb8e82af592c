//! First-in first-out lists of packets, threaded through the packets themselves.

use congestree_wire::{PacketId, Pool};

/// A list of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct List {
    /// The packet that has waited longest.
    pub head: PacketId,
    tail: PacketId,
}

impl List {
    pub(crate) const EMPTY: List = List { head: PacketId::NONE, tail: PacketId::NONE };

    /// A list of one packet.
    #[inline]
    pub(crate) fn only(packets: &mut Pool, id: PacketId) -> Self {
        packets[id].next = PacketId::NONE;
        Self { head: id, tail: id }
    }

    /// The packet that came last.
    #[inline]
    pub(crate) fn last(&self) -> PacketId {
        self.tail
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.head == PacketId::NONE
    }

    /// Adds a packet at the end; `true` if it is now the head.
    #[inline]
    pub(crate) fn push(&mut self, packets: &mut Pool, id: PacketId) -> bool {
        if self.is_empty() {
            *self = Self::only(packets, id);
            return true;
        }
        packets[id].next = PacketId::NONE;
        packets[self.tail].next = id;
        self.tail = id;
        false
    }

    /// Takes the head away.
    #[inline]
    pub(crate) fn pop(&mut self, packets: &Pool) {
        self.head = packets[self.head].next;
    }

    /// Takes out the packet behind `before` (the head if there is none before).
    pub(crate) fn unlink(&mut self, packets: &mut Pool, before: Option<PacketId>) {
        let Some(before) = before else { return self.pop(packets) };
        let id = packets[before].next;
        let next = packets[id].next;
        packets[before].next = next;
        if next == PacketId::NONE {
            self.tail = before;
        }
    }

    /// The packets, oldest first.
    pub(crate) fn iter(self, packets: &Pool) -> impl Iterator<Item = PacketId> {
        std::iter::successors((!self.is_empty()).then_some(self.head), |id| {
            let next = packets[*id].next;
            (next != PacketId::NONE).then_some(next)
        })
    }
}
