//! The injection memory of a host: its queues, and the packets in them.

use congestree_wire::{HostId, IndexVec, PacketId, Pool};
use prefetch_index::prefetch_index;

use crate::plan::Plan;
use crate::switch::queues::list::List;

/// The memory of one host.
#[derive(Clone, Copy, Debug)]
pub(super) struct InjectionMemory {
    /// Packets in it.
    pub(super) packets: u32,
    /// The queue that sent last.
    pub(super) turn: u8,
}

/// A queue of a memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct HostQueue {
    pub(super) list: List,
    pub(super) packets: u32,
}

/// The memories of all hosts. Empty if flows send directly on the link.
#[derive(Debug, Default)]
pub(crate) struct Injection {
    /// How many packets a memory holds; zero if there is none.
    pub room: u32,
    pub(super) memories: IndexVec<HostId, InjectionMemory>,
    /// By host: the normal queue, then the set-aside queues.
    pub(super) queues: Vec<HostQueue>,
    /// Number of queues of a host.
    pub(super) each: usize,
}

impl Injection {
    pub(crate) fn new(plan: &Plan) -> Self {
        let Some(room) = plan.adapter.injection_buffer else { return Self::default() };
        let hosts = plan.graph.hosts.len();
        let each = 1 + plan.scheme.isolate.as_ref().map_or(0, |rules| usize::from(rules.queues));
        let empty = HostQueue { list: List::EMPTY, packets: 0 };
        Self {
            room,
            memories: vec![InjectionMemory { packets: 0, turn: 0 }; hosts].into(),
            queues: vec![empty; hosts * each],
            each,
        }
    }

    /// The memory of a host holds at least one packet.
    pub(crate) fn waits(&self, host: HostId) -> bool {
        self.memories[host].packets > 0
    }

    /// Prefetches what a host will read, see `tune/prefetch.rs`.
    #[inline]
    pub(crate) fn fetch(&self, host: HostId) {
        if self.room > 0 {
            self.memories.prefetch(host);
            prefetch_index(&self.queues, self.at(host, 0));
            prefetch_index(&self.queues, self.at(host, self.each - 1));
        }
    }

    /// The packets that are first in the queues of a host.
    #[inline]
    pub(crate) fn heads(&self, host: HostId) -> impl Iterator<Item = PacketId> + '_ {
        let queues = &self.queues[self.at(host, 0)..self.at(host + 1, 0)];
        queues.iter().map(|queue| queue.list.head).filter(|head| *head != PacketId::NONE)
    }

    pub(super) fn at(&self, host: HostId, queue: usize) -> usize {
        host.index() * self.each + queue
    }

    pub(super) fn head(&self, host: HostId, queue: usize) -> PacketId {
        self.queues[self.at(host, queue)].list.head
    }

    /// Adds a packet at the end of a queue of a host.
    pub(super) fn push(&mut self, host: HostId, queue: usize, packets: &mut Pool, id: PacketId) {
        let place = self.at(host, queue);
        self.queues[place].list.push(packets, id);
        self.queues[place].packets += 1;
    }

    /// Takes the first packet out of a queue of a host that is not empty. Returns it, and how many are left there.
    pub(super) fn pop(&mut self, host: HostId, queue: usize, packets: &Pool) -> (PacketId, u32) {
        let place = self.at(host, queue);
        let queue = &mut self.queues[place];
        let id = queue.list.head;
        queue.list.pop(packets);
        queue.packets -= 1;
        (id, queue.packets)
    }
}
