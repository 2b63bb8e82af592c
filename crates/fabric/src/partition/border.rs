//! What crosses a cut: mail from one part to another, written while a window is worked off, and read before it can
//! matter.

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
use crate::switch::routes::ways::Came;

/// What one part has to tell another after a window: what comes thousands of times in columns of its own, the rest in letters.
#[derive(Debug, Default)]
pub(crate) struct Mail {
    /// Packets, each of which will be routable at its input when it is ready; where links send again, when a frame with it is taken.
    pub(super) packets: Vec<Packet>,
    /// By packet: what it carries for its transport, if transports have headers.
    pub(super) headers: Vec<Header>,
    /// By packet: what switches have written into it, if they do.
    pub(super) written: Vec<Written>,
    /// By packet: from which queue it comes, if flows have queues of their own.
    pub(super) packet_states: Vec<PacketState>,
    /// By packet: as in the table of detours, if it may go round by another switch.
    pub(super) bound: Vec<HostId>,
    /// Frames on links that send again.
    pub(super) frames: Vec<FrameAway>,
    /// Room that is given back.
    pub(super) credits: Vec<Credit>,
    /// By credit: the queue whose room it was, if queues have room of their own.
    pub(super) rooms: Vec<QueueId>,
    /// What came in of flows to several hosts.
    pub(super) came: Vec<Came>,
    /// All else, in the order in which it came about.
    pub(super) letters: Vec<Letter>,
}

/// A frame is on a link that sends again. The packet in it is told once, when it starts for the first time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameAway {
    /// When all of it is in.
    pub at: Time,
    /// The port at which it comes in.
    pub input: PortId,
    /// The frame.
    pub flying: Flying,
}

/// Room is given back to an output of another part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credit {
    /// From when on it may be used.
    pub at: Time,
    /// The output that may use it.
    pub output: PortId,
    /// How much.
    pub units: u16,
    /// Its lane.
    pub lane: u8,
}

/// What comes seldom.
#[derive(Clone, Debug)]
pub(crate) enum Letter {
    /// A flow that comes and goes has finished: for all other parts.
    Finished {
        /// Its record.
        flow: FlowId,
        /// When.
        at: Time,
        /// Where.
        host: HostId,
    },
    /// A transport begins with a message, of which probes want to hear.
    Group {
        /// The host that it goes to.
        host: HostId,
        /// By which flow.
        flow: FlowId,
        /// One more than the number of its last packet.
        end: u32,
    },
    /// A message of a job was sent.
    Message {
        /// The host that it goes to.
        host: HostId,
        /// By which flow.
        flow: FlowId,
        /// What is known of it.
        message: UnderWay,
    },
    /// A message of a job was sent inside a node.
    Inside {
        /// When it is told.
        at: Time,
        /// The host that it goes to.
        host: HostId,
        /// What is known of it.
        message: UnderWay,
    },
    /// The sender of a message inside a node will hear that it is in.
    SendEnds {
        /// When.
        at: Time,
        /// Its host.
        host: HostId,
        /// Its rank.
        rank: u32,
        /// The operation that sent it.
        send: u32,
    },
    /// A packet was marked: what was the rate limit of its flow?
    LimitAsked {
        /// The host of its source.
        host: HostId,
        /// The flow whose pace it goes by.
        pacer: FlowId,
        /// When it was marked.
        at: Time,
        /// And where in that instant.
        when: MarkedWhen,
        /// The output that marked it.
        output: PortId,
        /// How many that output has marked, this one too.
        number: u64,
    },
    /// A frame will be heard.
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
        /// How congested it is.
        degree: u8,
        /// The number of the output at its switch.
        output: u16,
        /// The output that it is about.
        about: PortId,
        /// Its harmful flows, as switches tell them.
        flows: Vec<u32>,
    },
    /// A packet is lost on its link: who counts cells hears of it.
    Lost {
        /// When it would come in.
        at: Time,
        /// Where.
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
    /// There is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        let lengths = [self.packets.len(), self.frames.len(), self.credits.len(), self.came.len(), self.letters.len()];
        lengths.iter().all(|&length| length == 0)
    }

    /// What goes beside packets goes beside each of them, or beside none: so a packet and what is its own have the same place.
    /// So have credits of queues and what queues they are of.
    pub(super) fn is_aligned(&self) -> bool {
        let beside = [self.headers.len(), self.written.len(), self.packet_states.len(), self.bound.len()];
        let of_packets = beside.iter().all(|&column| column == 0 || column == self.packets.len());
        of_packets && (self.rooms.is_empty() || self.rooms.len() == self.credits.len())
    }
}

impl Letter {
    /// When something happens because of it alone.
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

    /// The port that it is about, in the part that it goes to, unless it goes to all.
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
    /// The ports of other parts, a bit each: small enough to be asked for every packet that starts. Empty if the network is
    /// not cut.
    away: Vec<u64>,
    /// What is to be told after this window, by part; empty if the network is not cut.
    pub(super) mails: Vec<Mail>,
    /// There is something in some of them.
    pub(super) wrote: bool,
    /// When anything of that begins to matter.
    pub(super) due: Time,
    /// When all jobs had finished as far as they are here; kept if the run ends with them.
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
    /// That of a part of so many.
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

    /// Whether the network is cut, and the port is of another part; `PortId::NONE` is not.
    #[inline(always)]
    pub(crate) fn is_away(&self, port: PortId) -> bool {
        self.cut && self.away.get(port.index() / 64).is_some_and(|ports| ports >> (port.0 % 64) & 1 != 0)
    }

    /// The mail for the part of a port, in which something begins to matter at `at`.
    #[inline(always)]
    pub(super) fn mail(&mut self, port: PortId, at: Time) -> &mut Mail {
        self.due = self.due.min(at);
        self.wrote = true;
        &mut self.mails[usize::from(self.of_port[port.index()])]
    }

    /// Room is given back.
    #[inline(never)]
    pub(crate) fn credit(&mut self, credit: Credit) {
        self.mail(credit.output, credit.at).credits.push(credit);
    }

    /// A frame is on its link.
    pub(crate) fn frame(&mut self, frame: FrameAway) {
        self.mail(frame.input, frame.at).frames.push(frame);
    }

    /// A flow that comes and goes has finished at a host of this part.
    #[inline]
    pub(crate) fn finished(&mut self, flow: FlowId, at: Time, host: HostId) {
        if self.cut() {
            self.write(Letter::Finished { flow, at, host });
        }
    }

    /// Room that a queue has for itself comes back.
    #[cold]
    #[inline(never)]
    pub(crate) fn credit_of(&mut self, queue: QueueId, credit: Credit) {
        let mail = self.mail(credit.output, credit.at);
        mail.credits.push(credit);
        mail.rooms.push(queue);
    }

    /// A packet of a flow that begins at a port of another part has come in here.
    pub(crate) fn came_in(&mut self, source: PortId, came: Came) {
        self.mail(source, Time::NEVER).came.push(came);
    }

    /// Something else is to be told.
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
