//! First-in first-out lists of packets, threaded through the packets themselves.

use congestree_wire::{IndexVec, PacketId, Pool, QueueId};

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

    /// Adds a packet at the end; returns `true` if it is now the head.
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

    /// Removes the head.
    #[inline]
    pub(crate) fn pop(&mut self, packets: &Pool) {
        self.head = packets[self.head].next;
    }

    /// Removes the packet behind `before` (the head if `before` is absent).
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

/// Many lists, by number. A large network has tens of millions of lists, each part of a parallel run has all of them,
/// and most stay empty. The numbers are stored inverted, so that an empty list is all zeros and takes no memory
/// before it is first written.
#[derive(Debug)]
pub(crate) struct Lists(IndexVec<QueueId, [u32; 2]>);

impl Lists {
    /// This many empty lists.
    pub(crate) fn new(count: usize) -> Self {
        Self(vec![[0; 2]; count].into())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Memory of the table (B).
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    /// The packet that has waited longest.
    #[inline(always)]
    pub(crate) fn head(&self, number: QueueId) -> PacketId {
        PacketId(!self.0[number][0])
    }

    #[inline(always)]
    pub(crate) fn set_head(&mut self, number: QueueId, id: PacketId) {
        self.0[number][0] = !id.0;
    }

    #[inline(always)]
    pub(crate) fn get(&self, number: QueueId) -> List {
        let [head, tail] = self.0[number];
        List { head: PacketId(!head), tail: PacketId(!tail) }
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, number: QueueId, list: List) {
        self.0[number] = [!list.head.0, !list.tail.0];
    }

    /// Changes a list in place.
    #[inline(always)]
    pub(crate) fn change<T>(&mut self, number: QueueId, change: impl FnOnce(&mut List) -> T) -> T {
        let mut list = self.get(number);
        let answer = change(&mut list);
        self.set(number, list);
        answer
    }

    /// The lists that are not empty, with their numbers.
    pub(crate) fn filled(&self) -> impl Iterator<Item = (QueueId, List)> + '_ {
        self.0.ids().map(|number| (number, self.get(number))).filter(|(_, list)| !list.is_empty())
    }

    /// Prefetches a list that will soon be read.
    #[inline]
    pub(crate) fn fetch(&self, number: QueueId) {
        self.0.prefetch(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_empty_until_something_is_put_into_them() {
        let (mut lists, [b, c]) = (Lists::new(3), [1, 2].map(QueueId));
        assert_eq!(lists.get(b), List::EMPTY);
        assert_eq!(lists.head(c), PacketId::NONE);
        let list = List { head: PacketId(0), tail: PacketId(7) };
        lists.set(b, list);
        assert_eq!((lists.get(b), lists.head(b)), (list, PacketId(0)));
        assert_eq!(lists.filled().collect::<Vec<_>>(), [(b, list)]);
        lists.set_head(b, PacketId::NONE);
        assert_eq!(lists.filled().count(), 0);
    }
}
