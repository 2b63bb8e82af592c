//! A host's attachment to its link: the control packets that wait there, and whose turn it was.

use congestree_units::{Rate, Span, Time};

use crate::link::port::Serialiser;
use crate::plan::AdapterPlan;
use crate::switch::queues::list::List;

/// A host. One cache line, as a port is.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Host {
    /// Control packets (ACKs, CNPs) that wait to be sent.
    pub control: List,
    /// Its flows: their place in `host_flows`, or with the bit `IN_A_ROW` the id of the first of all.
    pub first_flow: u32,
    /// Its words in `ready`.
    pub first_word: u32,
    /// The end of them.
    pub end_word: u32,
    /// How many bits of them are set.
    pub ready: u32,
    /// The flow that sent last, by its place among the flows of the host.
    pub turn: u32,
    /// Its steady sources, in `generators`, that make a message when nothing else can be sent.
    pub first_generator: u32,
    /// The end of them.
    pub end_generator: u32,
    /// Packets that will be heard of when they are in, where others are only counted.
    pub expected: u32,
    /// The host bus allows the next data packet from here on.
    pub inject_at: Time,
    /// What was received so far has been drained by here.
    pub drained_at: Time,
    /// One bit a word in `ready`, for the first 64 of them: it is not zero.
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

    /// The time between two data packets if the first has so many bytes; nothing if only the link counts.
    #[inline(always)]
    pub(crate) fn between(&mut self, size: u32) -> Option<Span> {
        self.out.as_mut().map(|bus| bus.time(size))
    }

    /// Packets take a time into memory.
    #[inline(always)]
    pub(crate) fn drains_slowly(&self) -> bool {
        self.into.is_some()
    }

    /// The time that a packet takes into memory; nothing if it is there at once.
    #[inline(always)]
    pub(crate) fn drains(&mut self, size: u32) -> Option<Span> {
        self.into.as_mut().map(|bus| bus.time(size))
    }
}

/// The ids of a host's flows follow each other, so that they need not be looked up.
pub(crate) const IN_A_ROW: u32 = 1 << 31;

/// A congestion notification packet in the making.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cnp {
    /// Bytes on the wire.
    pub size: u32,
    /// Its lane; that of the data if absent.
    pub lane: Option<u8>,
    /// At most one for each flow in so long.
    pub interval: Span,
    /// Its source acts on it so long after it has come in.
    pub delay: Span,
}
