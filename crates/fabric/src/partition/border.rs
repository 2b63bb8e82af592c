//! What crosses a cut: letters from one part to another, written while a window is worked off and read before the next.

use std::sync::Arc;

use congestree_schemes::transport::Header;
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, Packet, PacketId, PortId};

use crate::control::telemetry::Written;
use crate::jobs::ranks::UnderWay;
use crate::link::frames::Notice;

/// What one part has to tell another.
#[derive(Clone, Debug)]
pub(crate) enum Letter {
    /// A packet will be routable at a switch.
    Packet {
        /// When.
        at: Time,
        /// The input that it comes in by.
        input: PortId,
        /// The packet, which is in the pool of one part at a time.
        packet: Packet,
    },
    /// What the packet of the letter before carries for its transport, if transports have headers.
    Header {
        /// The input that it comes in by.
        input: PortId,
        /// What it carries.
        header: Header,
    },
    /// What switches have written into it, if they do.
    Telemetry {
        /// The input that it comes in by.
        input: PortId,
        /// What they have written.
        written: Written,
    },
    /// Where it is bound for, if it may go round by another switch.
    Detour {
        /// The input that it comes in by.
        input: PortId,
        /// As in the table of detours.
        bound: HostId,
    },
    /// Room is given back.
    Credit {
        /// From when on it may be used.
        at: Time,
        /// The output that may use it.
        output: PortId,
        /// Its lane.
        lane: u8,
        /// How much.
        units: u16,
    },
    /// A flow that comes and goes has finished: for all other parts.
    Finished {
        /// Its record.
        flow: FlowId,
        /// When.
        at: Time,
        /// Where.
        host: HostId,
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
    /// A frame will be heard.
    Notice {
        /// When.
        at: Time,
        /// The port that hears it.
        port: PortId,
        /// What it says.
        notice: Notice,
    },
}

impl Letter {
    /// When it begins to matter, if not by another letter.
    pub(crate) fn at(&self) -> Time {
        match self {
            Letter::Packet { at, .. } | Letter::Credit { at, .. } | Letter::Notice { at, .. } => *at,
            Letter::Header { .. }
            | Letter::Telemetry { .. }
            | Letter::Detour { .. }
            | Letter::Finished { .. }
            | Letter::Message { .. } => Time::NEVER,
        }
    }

    /// The port that it is about, in the part that it goes to, unless it goes to all.
    pub(super) fn port(&self) -> Option<PortId> {
        match self {
            Letter::Finished { .. } => None,
            Letter::Message { host, .. } => Some(host.port()),
            Letter::Packet { input: port, .. }
            | Letter::Header { input: port, .. }
            | Letter::Telemetry { input: port, .. }
            | Letter::Detour { input: port, .. }
            | Letter::Credit { output: port, .. }
            | Letter::Notice { port, .. } => Some(*port),
        }
    }
}

/// The border of a part.
#[derive(Debug)]
pub(crate) struct Border {
    /// Which part this is, of how many.
    pub part: u16,
    pub(super) parts: u16,
    /// The part of every port; empty if the network is not cut.
    pub of_port: Arc<[u16]>,
    /// The packet of another part that was taken in last.
    pub(super) last_in: Option<PacketId>,
    /// Packets that leave, in the pool until their window ends.
    pub(super) packets: Vec<(Time, PortId, PacketId)>,
    /// What else is to be told.
    pub(super) letters: Vec<Letter>,
    /// When all jobs had finished as far as they are here; kept if the run ends with them.
    pub over_at: Time,
}

impl Default for Border {
    fn default() -> Self {
        Self {
            part: 0,
            parts: 0,
            of_port: Arc::default(),
            last_in: None,
            packets: Vec::new(),
            letters: Vec::new(),
            over_at: Time::NEVER,
        }
    }
}

impl Border {
    /// The network is cut.
    #[inline]
    pub(crate) fn cut(&self) -> bool {
        self.parts > 1
    }

    /// Whether the network is cut, and the port is of another part.
    #[inline(always)]
    pub(crate) fn is_away(&self, port: PortId) -> bool {
        self.of_port.get(port.index()).is_some_and(|&part| part != self.part)
    }

    /// A packet will be routable at an input of another part.
    pub(crate) fn packet(&mut self, at: Time, input: PortId, id: PacketId) {
        self.packets.push((at, input, id));
    }

    /// A flow that comes and goes has finished at a host of this part.
    #[inline]
    pub(crate) fn finished(&mut self, flow: FlowId, at: Time, host: HostId) {
        if self.cut() {
            self.write(Letter::Finished { flow, at, host });
        }
    }

    /// Something else is to be told.
    #[cold]
    #[inline(never)]
    pub(crate) fn write(&mut self, letter: Letter) {
        self.letters.push(letter);
    }
}
