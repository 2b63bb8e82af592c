//! What crosses a cut: mail from one part to another. It is written while a window is worked off, and read before it
//! can matter.

use congestree_schemes::isolate;
use congestree_schemes::transport::Header;
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, Packet, PortId, QueueId};

use crate::control::past_limits::MarkedWhen;
use crate::control::telemetry::Written;
use crate::jobs::under_way::UnderWay;
use crate::link::checked::ends::Flying;
use crate::link::frames::ControlFrame;
use crate::switch::queues::by_flow::table::PacketState;
use crate::switch::routes::path_choice::Came;

/// What one part has to tell another after a window: frequent things in vectors of their own, everything else as
/// letters.
#[derive(Debug, Default)]
pub(crate) struct Mail {
    /// Packets; the `ready` of each is when it can be routed at its input. On links that send again: when a frame with
    /// the packet is accepted.
    pub(super) packets: Vec<Packet>,
    /// By packet: its transport header, if transports have headers.
    pub(super) headers: Vec<Header>,
    /// By packet: the telemetry that switches have written into it, if they do.
    pub(super) written: Vec<Written>,
    /// By packet: the queue that it comes from, if flows have queues of their own.
    pub(super) packet_states: Vec<PacketState>,
    /// By packet: its entry in the table of detours, if it may go round by another switch.
    pub(super) bound: Vec<HostId>,
    /// Frames on links that send again.
    pub(super) frames: Vec<FrameAway>,
    /// Room that is given back to outputs.
    pub(super) credits: Vec<Credit>,
    /// By credit: the queue whose space it was, if queues have space of their own.
    pub(super) credit_queues: Vec<QueueId>,
    /// Packets of flows to several hosts that have come in.
    pub(super) came: Vec<Came>,
    /// All else, in the order in which it happened.
    pub(super) letters: Vec<Letter>,
}

/// A frame in flight on a link that sends again. The packet in it is told only once, when it starts for the first time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameAway {
    /// When the frame has come in completely.
    pub at: Time,
    /// The port at which it comes in.
    pub input: PortId,
    /// The frame.
    pub flying: Flying,
}

/// Room is given back to an output of another part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credit {
    /// From when on the room may be used.
    pub at: Time,
    /// The output that may use it.
    pub output: PortId,
    /// How much (credit units).
    pub units: u16,
    /// Its lane.
    pub lane: u8,
}

/// Rare things.
#[derive(Clone, Debug)]
pub(crate) enum Letter {
    /// A finite flow has finished; this is told to all other parts.
    Finished {
        /// Its record.
        flow: FlowId,
        /// When.
        at: Time,
        /// Where.
        host: HostId,
    },
    /// A transport begins with a message that probes need to know about.
    Group {
        /// The host that the message goes to.
        host: HostId,
        /// The flow that carries it.
        flow: FlowId,
        /// Its number in the flow.
        number: u32,
        /// One more than the number of its last packet.
        end: u32,
    },
    /// A message of a job was sent.
    Message {
        /// The host that the message goes to.
        host: HostId,
        /// The flow that carries it.
        flow: FlowId,
        /// What is known of it.
        message: UnderWay,
    },
    /// A message of a job was sent over links inside a node.
    Inside {
        /// When its receiver is told.
        at: Time,
        /// The host that the message goes to.
        host: HostId,
        /// What is known of it.
        message: UnderWay,
    },
    /// The sender of a message inside a node will hear that the message has come in.
    SendEnds {
        /// When.
        at: Time,
        /// The sender's host.
        host: HostId,
        /// The sending rank.
        rank: u32,
        /// The operation that sent it.
        send: u32,
    },
    /// A packet was marked: the source's part is asked for the rate limit that the flow had.
    LimitAsked {
        /// The host of its source.
        host: HostId,
        /// The flow whose rate limit applies.
        pacer: FlowId,
        /// When it was marked.
        at: Time,
        /// The place of the marking in the order of that instant.
        when: MarkedWhen,
        /// The output that marked it.
        output: PortId,
        /// How many packets that output has marked, including this one.
        number: u64,
    },
    /// A control frame will be heard.
    Notice {
        /// When.
        at: Time,
        /// The port that hears it.
        port: PortId,
        /// What it says.
        notice: ControlFrame,
    },
    /// A notice about a region.
    Region {
        /// When.
        at: Time,
        /// The port that hears it.
        port: PortId,
        /// The degree of congestion.
        degree: u8,
        /// The number of the output at its switch.
        output: u16,
        /// The output that the notice is about.
        about: PortId,
        /// Its harmful flows, as switches name them.
        flows: Vec<u32>,
    },
    /// A packet is lost on its link: the end that counts cells is told.
    Lost {
        /// When it would have come in.
        at: Time,
        /// At which port.
        port: PortId,
        /// In which lane.
        lane: u8,
        /// Its cells.
        cells: u16,
    },
    /// A notice about a line of an isolation scheme.
    Line {
        /// When.
        at: Time,
        /// The port that hears it.
        port: PortId,
        /// What it says.
        says: isolate::Notice,
    },
}

impl Mail {
    /// The mail is empty.
    pub(super) fn is_empty(&self) -> bool {
        let lengths = [self.packets.len(), self.frames.len(), self.credits.len(), self.came.len(), self.letters.len()];
        lengths.iter().all(|&length| length == 0)
    }

    /// The vectors of what belongs to packets have one entry for each packet, or none at all, so that a packet and its
    /// data have the same index. The same holds for credits and their queues.
    pub(super) fn is_aligned(&self) -> bool {
        let beside = [self.headers.len(), self.written.len(), self.packet_states.len(), self.bound.len()];
        let of_packets = beside.iter().all(|&column| column == 0 || column == self.packets.len());
        of_packets && (self.credit_queues.is_empty() || self.credit_queues.len() == self.credits.len())
    }
}

impl Letter {
    /// When this letter by itself makes something happen.
    pub(super) fn at(&self) -> Time {
        match self {
            Letter::Notice { at, .. }
            | Letter::Region { at, .. }
            | Letter::Line { at, .. }
            | Letter::Inside { at, .. }
            | Letter::SendEnds { at, .. }
            | Letter::Lost { at, .. } => *at,
            Letter::Finished { .. } | Letter::Message { .. } | Letter::Group { .. } | Letter::LimitAsked { .. } => {
                Time::NEVER
            }
        }
    }

    /// The port that it is about, in the receiving part; none if it goes to all parts.
    pub(super) fn port(&self) -> Option<PortId> {
        match self {
            Letter::Finished { .. } => None,
            Letter::Message { host, .. }
            | Letter::Group { host, .. }
            | Letter::LimitAsked { host, .. }
            | Letter::Inside { host, .. }
            | Letter::SendEnds { host, .. } => Some(host.port()),
            Letter::Notice { port, .. }
            | Letter::Region { port, .. }
            | Letter::Line { port, .. }
            | Letter::Lost { port, .. } => Some(*port),
        }
    }
}
