//! What crosses a cut: mail from one part to another. It is written while a window is worked off, and read before it
//! can matter.

use std::sync::Arc;

use congestree_schemes::isolate;
use congestree_schemes::transport::Header;
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, Packet, PortId, QueueId};

use crate::control::past_limits::MarkedWhen;
use crate::control::telemetry::Written;
use crate::jobs::ranks::UnderWay;
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
    fn at(&self) -> Time {
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
    fn port(&self) -> Option<PortId> {
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

/// The border of a part.
#[derive(Debug)]
pub(crate) struct Border {
    /// The network is cut.
    cut: bool,
    /// Which part this is.
    pub part: u16,
    /// The part of every port; empty if the network is not cut.
    of_port: Arc<[u16]>,
    /// The ports of other parts, one bit each: small enough to be tested for every packet that starts. Empty if the
    /// network is not cut.
    away: Vec<u64>,
    /// Mail to be delivered after this window, by receiving part; empty if the network is not cut.
    pub(super) mails: Vec<Mail>,
    /// Some of these mails are not empty.
    pub(super) wrote: bool,
    /// The earliest instant at which any of it begins to matter.
    pub(super) due: Time,
    /// When all jobs had finished, as far as their ranks are in this part; kept if the run ends with its jobs.
    pub over_at: Time,
}

impl Default for Border {
    fn default() -> Self {
        let (due, over_at) = (Time::NEVER, Time::NEVER);
        Self {
            cut: false,
            part: 0,
            of_port: Arc::default(),
            away: Vec::new(),
            mails: Vec::new(),
            wrote: false,
            due,
            over_at,
        }
    }
}

impl Border {
    /// The border of one of `parts` parts.
    pub(super) fn new(part: u16, parts: u16, of_port: Arc<[u16]>) -> Self {
        let mails = (0..parts).map(|_| Mail::default()).collect();
        let others = |ports: &[u16]| (0..).zip(ports).map(|(bit, &of)| u64::from(of != part) << bit).sum();
        let away = of_port.chunks(64).map(others).collect();
        Self { cut: true, part, of_port, away, mails, ..Self::default() }
    }

    /// The network is cut.
    #[inline]
    pub(crate) fn cut(&self) -> bool {
        self.cut
    }

    /// Whether the network is cut and the port belongs to another part; false for `PortId::NONE`.
    #[inline(always)]
    pub(crate) fn is_away(&self, port: PortId) -> bool {
        self.cut && self.away.get(port.index() / 64).is_some_and(|ports| ports >> (port.0 % 64) & 1 != 0)
    }

    /// The mail for the part of a port; something in it begins to matter at `at`.
    #[inline(always)]
    pub(super) fn mail(&mut self, port: PortId, at: Time) -> &mut Mail {
        self.due = self.due.min(at);
        self.wrote = true;
        &mut self.mails[usize::from(self.of_port[port.index()])]
    }

    /// Gives room back to an output of another part.
    #[inline(never)]
    pub(crate) fn credit(&mut self, credit: Credit) {
        self.mail(credit.output, credit.at).credits.push(credit);
    }

    /// A frame is in flight on its link.
    pub(crate) fn frame(&mut self, frame: FrameAway) {
        self.mail(frame.input, frame.at).frames.push(frame);
    }

    /// A finite flow has finished at a host of this part.
    #[inline]
    pub(crate) fn finished(&mut self, flow: FlowId, at: Time, host: HostId) {
        if self.cut() {
            self.write(Letter::Finished { flow, at, host });
        }
    }

    /// Gives back room that a queue has for itself.
    #[cold]
    #[inline(never)]
    pub(crate) fn credit_of(&mut self, queue: QueueId, credit: Credit) {
        let mail = self.mail(credit.output, credit.at);
        mail.credits.push(credit);
        mail.credit_queues.push(queue);
    }

    /// A packet of a flow whose source port is in another part has come in here.
    pub(crate) fn came_in(&mut self, source: PortId, came: Came) {
        self.mail(source, Time::NEVER).came.push(came);
    }

    /// Writes a letter.
    #[cold]
    #[inline(never)]
    pub(crate) fn write(&mut self, letter: Letter) {
        match letter.port() {
            Some(port) => self.mail(port, letter.at()).letters.push(letter),
            None => {
                let others = (0..).zip(&mut self.mails).filter(|&(part, _)| part != self.part);
                others.for_each(|(_, mail)| mail.letters.push(letter.clone()));
                self.wrote = true;
            }
        }
    }
}
