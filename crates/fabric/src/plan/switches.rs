//! How switches are organised.

use congestree_units::{Bytes, Rate, Span};

use super::SharedPlan;

/// A switch: memory at the input ports, queues over it, read ports, an arbiter at each output.
#[derive(Clone, Debug, PartialEq)]
pub struct SwitchPlan {
    /// Room of each lane at an input port, in credit units; in bytes where senders are paused.
    pub buffer_units: Vec<u32>,
    /// Most bytes that wait for one output in one lane; what does not fit is dropped. `None`: nothing ever is.
    pub output_queue: Option<Bytes>,
    /// The queue length holds at links of this rate, and is in proportion at others; `None`: it holds at all links.
    pub output_queue_rate: Option<Rate>,
    /// Packets that find no room there are trimmed instead of dropped.
    pub trim: Option<TrimPlan>,
    /// Share of the packets that are lost at random when they join such a queue.
    pub random_loss: f64,
    /// One memory for all ports, where senders are paused; `None`: `buffer_units` for each input and lane.
    pub shared_memory: Option<SharedPlan>,
    /// Room for packets at each output and lane, which a crossbar fills from the inputs; `None`: outputs have no memory.
    pub output_buffer: Option<Bytes>,
    /// Which queues the buffer of an input is divided into.
    pub queues: QueueMap,
    /// How the queues of an input share its buffer.
    pub memory: Memory,
    /// How many packets may be read from one input at the same time; `None`: as many as there are outputs.
    pub read_ports: Option<u8>,
    /// A crossbar with a speed of its own; `None`: packets cross as fast as the link of their output takes them.
    pub crossbar: Option<CrossbarPlan>,
    /// How an output chooses among the packets that wait for it.
    pub arbiter: ArbiterPlan,
    /// When a packet may leave again.
    pub switching: Switching,
    /// From the head (cut-through) or the tail (store-and-forward) of a packet coming in until its head can leave.
    pub forwarding_delay: Span,
}

/// Trimming: packets that find no room lose their payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrimPlan {
    /// The size of a trimmed packet on the wire.
    pub size: Bytes,
    /// The lane in which it goes on.
    pub lane: u8,
    /// Most bytes that wait for one output in that lane, at links of `output_queue_rate` if there is one.
    pub queue: Bytes,
    /// The newest waiting packet may be trimmed in place of the one that arrives, each with the same probability.
    pub either: bool,
}

/// The queues of one input port (and lane).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueMap {
    /// One first-in first-out queue: only its head can be forwarded.
    Single,
    /// A virtual output queue for each output.
    #[default]
    Voq,
    /// A queue for each destination (VOQnet).
    PerDestination,
    /// A queue for the destinations that leave the same remainder (DBBM).
    ByDestination {
        /// How many.
        queues: u16,
    },
    /// A queue for the outputs whose numbers leave the same remainder (OBQA).
    ByOutput {
        /// How many.
        queues: u16,
    },
}

impl QueueMap {
    /// Number of queues of an input of a switch with `radix` ports, in each lane; a queue for each destination (VOQnet)
    /// is not counted.
    pub fn queues(self, radix: u16) -> u32 {
        match self {
            QueueMap::Single | QueueMap::PerDestination => 1,
            QueueMap::Voq => u32::from(radix),
            QueueMap::ByDestination { queues } | QueueMap::ByOutput { queues } => u32::from(queues),
        }
    }
}

/// How the queues of an input share its buffer (in each lane).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// Any queue may take all of it.
    #[default]
    Shared,
    /// Every queue has an equal share for itself.
    Reserved,
    /// Every queue has `reserve` units for itself and at most `limit` in all; what no queue has reserved is shared.
    Damq {
        /// Units for each queue.
        reserve: u32,
        /// Most units of a queue.
        limit: u32,
    },
}

/// A crossbar with a speed of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossbarPlan {
    /// Rate at which a packet is read from its input.
    pub rate: Rate,
    /// Packets that an output holds between crossbar and link.
    pub output_packets: u8,
}

impl SwitchPlan {
    /// Any output may read from any queue of an input, one at a time. That is so if there is more than a queue for each
    /// output, or a single queue, over shared memory, and each output chooses for itself; or if congested flows are
    /// isolated.
    pub fn has_input_queues(&self, isolates: bool) -> bool {
        !matches!(self.queues, QueueMap::Single | QueueMap::Voq)
            || isolates
            || self.memory != Memory::Shared
            || self.crossbar.is_some()
            || matches!(self.arbiter, ArbiterPlan::Islip { .. })
    }

    /// The queues behind a link have room of their own, and not all of them the same.
    pub fn has_queue_credits(&self) -> bool {
        self.memory != Memory::Shared || self.queues == QueueMap::PerDestination
    }

    /// Most bytes that wait in one lane for an output whose link has this rate, if that is limited.
    pub fn output_queue_at(&self, rate: Rate) -> Option<Bytes> {
        Some(self.output_queue?.at_rate(rate, self.output_queue_rate))
    }

    /// Most bytes of trimmed packets that wait for an output whose link has this rate, if there are any.
    pub fn trim_queue_at(&self, rate: Rate) -> Option<Bytes> {
        Some(self.trim?.queue.at_rate(rate, self.output_queue_rate))
    }

    /// For a lane of an input of a switch with `radix` ports: units that the queues share, units that each queue has
    /// for itself, and the most that each may have. A packet never leaves by the port where it came in, so if there is
    /// a queue for each output, there is one queue less than there are ports.
    pub fn credit_units(&self, lane: usize, radix: u16) -> (u32, u32, u32) {
        let units = self.buffer_units[lane];
        let queues = match self.queues {
            QueueMap::Voq => u32::from(radix).saturating_sub(1).max(1),
            map => map.queues(radix),
        };
        match self.memory {
            // The buffer size is that for one destination.
            _ if self.queues == QueueMap::PerDestination => (0, units, units),
            Memory::Shared => (units, 0, u32::MAX),
            Memory::Reserved => (0, units / queues, units / queues),
            Memory::Damq { reserve, limit } => (units.saturating_sub(queues.saturating_mul(reserve)), reserve, limit),
        }
    }
}

/// How an output chooses its next packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArbiterPlan {
    /// The inputs in turn.
    RoundRobin,
    /// All outputs of a switch together, by iSLIP.
    Islip {
        /// Rounds of request, grant and accept; `None`: until nobody can be matched any more.
        rounds: Option<u8>,
        /// Length of the slots at whose beginnings a matching is found; `None`: whenever something changes.
        slot: Option<Span>,
    },
    /// Oldest first; a younger packet may pass while the oldest one's input is busy.
    Fifo {
        /// How often the oldest packet may be passed; `None`: any number of times.
        bypass_limit: Option<u32>,
    },
}

/// When a packet may leave a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switching {
    /// As soon as its head has been routed, at a pace at which its bytes never run out.
    CutThrough,
    /// When all of it has come in.
    StoreForward,
}
