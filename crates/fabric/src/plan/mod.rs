//! The plan of a run: everything the fabric is built from, checked, resolved, and free of names to look up.
//!
//! `scenario` makes a plan from a file; nothing in here can be inconsistent once it has passed that check.

use std::sync::Arc;

use congestree_schemes::acks::AckRule;
use congestree_schemes::isolate::Rules;
use congestree_schemes::isolate::flow_queues::FlowRules;
use congestree_schemes::rcm::RcmParams;
use congestree_schemes::{MarkParams, NotifyParams, ReactParams, RouteParams, TransportParams};
use congestree_topology::{EqualCost, Graph, LaneMap, Routes};
use congestree_traffic::{Program, SourcePlan};
use congestree_units::{Bytes, Rate, Span, Time};

pub(crate) mod build;
mod checks;
mod faults;
mod pauses;
pub(crate) mod rules;

pub use checks::{ChecksPlan, ErrorPlan, ErrorRate, RetryPlan};
pub use faults::{FailurePlan, FaultsPlan, TablesPlan};
pub use pauses::{Headroom, PauseWatchdog, PfcPlan, SharedPlan, Storm, Threshold};

/// A whole run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed of every random stream.
    pub seed: u64,
    /// Hosts, switches and links, with rates and delays.
    pub graph: Graph,
    /// For each switch, the next link to every host.
    pub routes: Routes,
    /// All shortest ways, if switches choose among them.
    pub ways: Option<EqualCost>,
    /// In which lane packets leave a switch; `None`: in the one in which they came in.
    pub lane_map: Option<LaneMap>,
    /// Virtual lanes on every link.
    pub lanes: u8,
    /// Weights by which lanes share a link; `None`: they take turns.
    pub lane_weights: Option<LaneWeights>,
    /// Lanes that go before others, and quanta by which the rest share a link; `None`: they take turns.
    pub lane_schedule: Option<LaneSchedule>,
    /// How room downstream is promised.
    pub flow_control: FlowControl,
    /// Which lanes are paused, and when; only where links promise no room.
    pub pfc: Option<PfcPlan>,
    /// What links do to frames, and what is done about it.
    pub checks: ChecksPlan,
    /// Which links fail, and how routes follow.
    pub faults: FaultsPlan,
    /// How every switch is organised.
    pub switch: SwitchPlan,
    /// How every host attaches.
    pub adapter: AdapterPlan,
    /// Which parts manage congestion.
    pub scheme: SchemePlan,
    /// Ordered packet series; ids are positions.
    pub flows: Vec<FlowPlan>,
    /// Message generators; each feeds one flow, or one flow per destination.
    pub sources: Vec<SourcePlan>,
    /// Applications with a program.
    pub jobs: Vec<JobPlan>,
    /// Names of the traffic entries, by class id.
    pub classes: Vec<String>,
    /// How long to run and what to look at.
    pub measure: MeasurePlan,
}

/// How the receiver of a link promises room to its sender.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowControl {
    /// The unit in which room is counted.
    pub unit: CreditUnit,
    /// From the tail leaving a buffer until the sender upstream may use the room; `None`: the delay of the link on which the
    /// credit goes back.
    pub credit_delay: Option<Span>,
    /// Control packets (ACKs) need credits too; otherwise they have room of their own.
    pub control_uses_credits: bool,
    /// Bytes that a packet takes besides its own, where room is counted in blocks.
    pub overhead: u32,
    /// Credits come back in messages; `None`: one by one.
    pub messages: Option<CreditMessages>,
}

/// How credits come back in messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CreditMessages {
    /// Least bytes of link time from one message of a port to the next.
    pub spacing: Bytes,
    /// The same for a message that says nothing new, where some are lost.
    pub repeat: Bytes,
    /// From one time that a sender tells what it has consumed to the next.
    pub heal: Span,
}

impl Plan {
    /// Neighbours tell each other more than credits.
    pub fn neighbours_talk(&self) -> bool {
        self.pfc.is_some()
            || self.scheme.isolate.is_some()
            || self.scheme.flow_queues.is_some()
            || self.scheme.rcm.is_some()
            || self.checks.retry.is_some()
            || self.flow_control.messages.is_some()
    }

    /// The packets of a flow may overtake each other.
    pub fn reorders(&self) -> bool {
        self.scheme.reorders() || self.faults.reroutes()
    }

    /// The largest packet on the wire.
    pub fn largest(&self) -> Bytes {
        let notification = match &self.scheme.notify {
            NotifyParams::Cnp(cnp) => cnp.size,
            _ => Bytes(0),
        };
        self.adapter.full().max(self.adapter.ack).max(notification)
    }
}

/// Two tables of lanes and weights, see `link::lanes::weighted`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneWeights {
    /// Lanes that go first, with their weights in units of 64 bytes.
    pub high: Vec<(u8, u8)>,
    /// The others.
    pub low: Vec<(u8, u8)>,
    /// After more than this many units of 4,096 bytes from `high` a packet of `low` may go first; 255: never.
    pub limit: u8,
}

/// Strict priorities and deficit round robin, see `link::lanes::schedule`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneSchedule {
    /// Lanes that go first, in this order.
    pub strict: Vec<u8>,
    /// The others, with the bytes that each may send in a turn.
    pub shares: Vec<(u8, u32)>,
}

/// The unit in which buffer room is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditUnit {
    /// One unit holds one packet of any size.
    Slot,
    /// Nothing is promised: senders never wait, and what finds no room is dropped.
    None,
    /// Nothing is promised, but a receiver that runs out of room says so: see [`PfcPlan`]. A packet takes a unit of as
    /// many as anybody could want, or of none.
    Pause,
    /// One unit holds this many bytes; a packet takes as many as it needs, rounded up.
    Block(Bytes),
}

impl CreditUnit {
    /// Bytes that a unit stands for; a slot for none in particular.
    pub fn bytes(self) -> Bytes {
        match self {
            CreditUnit::None | CreditUnit::Slot => Bytes(0),
            CreditUnit::Pause => Bytes(1),
            CreditUnit::Block(block) => block,
        }
    }
}

/// A switch: memory at the input ports, queues over it, read ports, an arbiter at each output.
#[derive(Clone, Debug, PartialEq)]
pub struct SwitchPlan {
    /// Room of each lane at an input port, in credit units; in bytes where senders are paused.
    pub buffer_units: Vec<u32>,
    /// Most bytes that wait for one output in one lane; what does not fit is dropped. `None`: nothing ever is.
    pub output_queue: Option<Bytes>,
    /// The queues are as long as that at links of this rate, and in proportion at others; `None`: at all.
    pub output_queue_rate: Option<Rate>,
    /// What finds no room there is trimmed and not dropped.
    pub trim: Option<TrimPlan>,
    /// Share of the packets that are lost at random when they join such a queue.
    pub random_loss: f64,
    /// One memory for all ports, where senders are paused; `None`: `buffer_units` for each input and lane.
    pub shared_memory: Option<SharedPlan>,
    /// Room for packets at each output and lane, which a crossbar fills from the inputs; `None`: outputs have no memory.
    pub output_buffer: Option<Bytes>,
    /// Which queues the buffer of an input is divided into.
    pub queues: QueueMap,
    /// Queues that every input has besides, for congested flows to be set aside in.
    pub set_aside: u8,
    /// Congested flows are set aside, as far as there are queues.
    pub isolates: bool,
    /// How these queues share the buffer.
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

/// Packets that find no room lose their payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrimPlan {
    /// What is left of one on the wire.
    pub size: Bytes,
    /// The lane in which it goes on.
    pub lane: u8,
    /// Most bytes that wait for one output in that lane.
    pub queue: Bytes,
    /// The newest that waits may be trimmed in place of the one that comes, each as likely as the other.
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
    /// Queues of an input with so many ports beside it, in each lane; as many as destinations (VOQnet) is not counted.
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
    /// Every queue has `reserve` units for itself and at most `limit` in all; what nobody has reserved is shared.
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
    /// The switch is more than the two plain kinds of queues over shared memory, each output choosing for itself.
    pub fn elaborate(&self) -> bool {
        !matches!(self.queues, QueueMap::Single | QueueMap::Voq)
            || self.isolates
            || self.memory != Memory::Shared
            || self.crossbar.is_some()
            || matches!(self.arbiter, ArbiterPlan::Islip { .. })
    }

    /// Queues have room of their own, or packets take theirs before they start on the link: the books are in tables of
    /// their own. Otherwise room behind a link is credit, as it is for plain switches.
    pub fn books_rooms(&self) -> bool {
        self.memory != Memory::Shared || self.queues == QueueMap::PerDestination || self.crossbar.is_some()
    }

    /// The queues as plain switches have them; elaborate ones have tables of their own.
    pub fn plain_queues(&self) -> QueueMap {
        if self.elaborate() { QueueMap::Voq } else { self.queues }
    }

    /// Units that the queues of an input share, that each has for itself, and the most that each may have, in a lane of
    /// an input of a switch with so many ports. A packet never leaves where it came in, so that one queue for each
    /// output is one less than there are ports.
    pub fn rooms(&self, lane: usize, radix: u16) -> (u32, u32, u32) {
        let units = self.buffer_units[lane];
        let queues = match self.queues {
            QueueMap::Voq => u32::from(radix).saturating_sub(1).max(1),
            map => map.queues(radix),
        };
        match self.memory {
            // The buffer is that of one destination.
            _ if self.queues == QueueMap::PerDestination => (0, units, units),
            Memory::Shared => (units, 0, u32::MAX),
            Memory::Reserved => (0, units / queues, units / queues),
            Memory::Damq { reserve, limit } => (units.saturating_sub(queues * reserve), reserve, limit),
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

/// A host's attachment to the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdapterPlan {
    /// Largest payload of a data packet.
    pub mtu: Bytes,
    /// Bytes that every data packet carries on top of its payload.
    pub header: Bytes,
    /// Size of an ACK on the wire.
    pub ack: Bytes,
    /// At most one data packet per its own time at this rate (a slow host bus); `None`: the link is the limit.
    pub injection_rate: Option<Rate>,
    /// Rate at which received packets leave the receive buffer; `None`: at once.
    pub drain_rate: Option<Rate>,
    /// Room of one lane of the receive buffer, in credit units (bytes where senders are paused); `None`: always enough.
    pub receive_units: Option<u32>,
    /// Packets that a host holds between its flows and its link; `None`: flows have the link to themselves.
    pub injection_buffer: Option<u32>,
    /// What a message costs from when it is posted until its first packet may start (T0).
    pub message_cost: Span,
    /// Most messages of a flow that are posted and not done; `None`: any number.
    pub queue_depth: Option<u32>,
    /// Which packets an ACK answers, of flows without a transport; `None`: every packet has its own.
    pub acks: Option<AckRule>,
    /// From the last byte of a data packet until its ACK may leave.
    pub ack_turnaround: Span,
}

impl AdapterPlan {
    /// The largest data packet on the wire.
    pub fn full(&self) -> Bytes {
        self.mtu + self.header
    }
}

impl FlowControl {
    /// Credit units that a packet of this size takes.
    #[inline]
    pub fn units(&self, size: u32) -> u16 {
        match self.unit {
            CreditUnit::None => 0,
            CreditUnit::Slot | CreditUnit::Pause => 1,
            CreditUnit::Block(Bytes(64)) => (size + self.overhead).div_ceil(64) as u16,
            CreditUnit::Block(block) => u64::from(size + self.overhead).div_ceil(block.0) as u16,
        }
    }
}

/// The parts that manage congestion.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemePlan {
    /// By what rules congested flows are set aside; `None`: never.
    pub isolate: Option<Rules>,
    /// By what rules flows stand in queues of their own; `None`: they do not.
    pub flow_queues: Option<FlowRules>,
    /// What switches do to packets.
    pub mark: MarkParams,
    /// How marks come back to sources.
    pub notify: NotifyParams,
    /// What sources do when they hear of marks.
    pub react: ReactParams,
    /// How switches choose among several ways.
    pub route: RouteParams,
    /// Regional congestion mitigation, if there is any.
    pub rcm: Option<RcmParams>,
    /// How hosts repair losses.
    pub transport: TransportParams,
    /// A source's rate limit outlives its ON periods.
    pub persistent: bool,
}

impl SchemePlan {
    /// The packets of a flow may overtake each other.
    pub fn reorders(&self) -> bool {
        self.route.reorders() || self.rcm.as_ref().is_some_and(|rcm| rcm.reroute)
    }
}

/// An ordered series of packets from one host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowPlan {
    /// The sending host (index into `graph.hosts`).
    pub source: u32,
    /// The receiving host; `None` if each message goes elsewhere (then there is no window and no reaction).
    pub destination: Option<u32>,
    /// Which traffic entry it belongs to.
    pub class: u16,
    /// Its service level.
    pub service: u8,
    /// The lane its packets travel in.
    pub lane: u8,
    /// Packets that may be on their way unacknowledged; `None`: any number.
    pub window: Option<u32>,
    /// Its packets are acknowledged.
    pub acked: bool,
    /// A fixed limit on the rate of data packets, start to start, in wire bytes.
    pub rate_limit: Option<Rate>,
}

/// An application: ranks on hosts, and the program of each.
#[derive(Clone, Debug, PartialEq)]
pub struct JobPlan {
    /// Its name: that of its traffic entry.
    pub name: String,
    /// Which traffic entry it is.
    pub class: u16,
    /// What its ranks do.
    pub program: Arc<Program>,
    /// The host of every rank.
    pub hosts: Vec<u32>,
    /// By operation: the flow that a send goes by; `u32::MAX` if it stays on its host, and for all else.
    pub flows: Vec<u32>,
    /// By operation: the flow in the other direction, if there is a rendezvous; otherwise empty.
    pub back: Vec<u32>,
    /// When its ranks begin.
    pub start: Time,
    /// How often each rank runs its program, once after the other.
    pub repeat: u32,
    /// When a send has finished.
    pub send_end: SendEnd,
    /// Time on a processor of the rank that each send and each receive takes.
    pub overhead: Span,
    /// Messages of at least this size are announced, and sent when the receive is posted; `None`: none is.
    pub rendezvous: Option<Bytes>,
    /// How ranks on one host exchange messages.
    pub memory: HostMemory,
    /// How ranks on different hosts of a node do; `None`: over the network.
    pub node: Option<NodeLinks>,
}

/// Links inside nodes, one for each host and direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeLinks {
    /// Hosts of a node, neighbours in number.
    pub hosts: u32,
    /// Of each link.
    pub rate: Rate,
    /// From the end of a message at its sender until it is there.
    pub delay: Span,
}

impl NodeLinks {
    /// Two hosts are of one node.
    pub fn join(&self, a: u32, b: u32) -> bool {
        a / self.hosts == b / self.hosts
    }
}

/// When a send has finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendEnd {
    /// When the last packet of the message has left the host.
    Left,
    /// When all of the message has been delivered.
    Delivered,
}

/// The memory of a host, as a way from rank to rank.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HostMemory {
    /// Rate at which a rank copies messages, one after the other; `None`: at once.
    pub rate: Option<Rate>,
    /// From the end of the copy until the message is there.
    pub delay: Span,
}

/// Which facts to record, and for how long.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasurePlan {
    /// The end of the run.
    pub duration: Time,
    /// Totals count from here.
    pub warm_up: Time,
    /// Length of the bins of the time series.
    pub bin: Span,
    /// From one look at the fabric to the next (congestion trees).
    pub look_every: Span,
    /// Which recorders are on.
    pub probes: congestree_probes::ProbeSet,
    /// Stop with a report if an output has waited this long for room that can never come.
    pub watchdog: Span,
    /// Audit the conservation laws during the run, not only at its end.
    pub audit: bool,
    /// The run is over when all jobs have finished.
    pub until_jobs_end: bool,
}
