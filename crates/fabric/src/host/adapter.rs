//! A host's attachment to its link: the control packets that wait there, and the flow that sent last.

use congestree_units::{Rate, Span, Time};

use crate::link::port::Serialiser;
use crate::plan::AdapterPlan;
use crate::switch::queues::list::List;

/// A host. One cache line, like a port.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Host {
    /// Control packets (ACKs, CNPs) that wait to be sent.
    pub control: List,
    /// Its flows: their place in `host_flows`, or with the bit `IN_A_ROW` the id of the first one.
    pub first_flow: u32,
    /// The first of its words in `ready`.
    pub first_word: u32,
    /// The end of its words in `ready`.
    pub end_word: u32,
    /// How many bits in these words are set.
    pub ready: u32,
    /// The flow that sent last, by its place among the flows of the host.
    pub turn: u32,
    /// Its first polled source in `polled`: these make a message when nothing else can be sent.
    pub first_polled: u32,
    /// The end of its polled sources.
    pub end_polled: u32,
    /// Packets whose arrival will be an event, where other arrivals are only counted.
    pub expected: u32,
    /// When the host bus allows the next data packet.
    pub inject_at: Time,
    /// When everything received so far has been drained.
    pub drained_at: Time,
    /// One bit for each of the first 64 words in `ready`: the word is not zero.
    pub filled: u64,
}

/// How fast adapters move bytes between their links and the memory of their hosts; all alike.
pub(crate) struct Bus {
    out: Option<Serialiser>,
    into: Option<Serialiser>,
}

impl Bus {
    /// The bus of the adapters of a plan.
    pub(crate) fn new(adapter: &AdapterPlan) -> Self {
        let full = adapter.full();
        let serialiser = |rate: Option<Rate>| rate.map(|rate| Serialiser::new(rate, full));
        Self { out: serialiser(adapter.injection_rate), into: serialiser(adapter.drain_rate) }
    }

    /// The time between two data packets if the first has this many bytes; absent if only the link limits the rate.
    #[inline(always)]
    pub(crate) fn between(&mut self, size: u32) -> Option<Span> {
        self.out.as_mut().map(|bus| bus.time(size))
    }

    /// Packets take time to be drained into memory.
    #[inline(always)]
    pub(crate) fn drains_slowly(&self) -> bool {
        self.into.is_some()
    }

    /// The time that a packet takes to be drained into memory; absent if it takes none.
    #[inline(always)]
    pub(crate) fn drains(&mut self, size: u32) -> Option<Span> {
        self.into.as_mut().map(|bus| bus.time(size))
    }
}

/// The ids of a host's flows are consecutive, so no table is needed.
pub(crate) const IN_A_ROW: u32 = 1 << 31;
