//! The single enum of all events, and the order of events within an instant.
//!
//! An event is packed into the 64-bit rank of an agenda entry: its kind, then the id of the object that it happens to,
//! then further details. So the order within an instant is that of the variants: links fail, tails leave, links handle
//! frames, heads arrive, tails arrive, ports hear their neighbours, pauses change, hosts receive, ACKs become ready,
//! timers run out, hosts grant credit to senders, sources and ranks act, paced flows may send again, packets finish
//! crossing a switch, and at last every port that can send decides. No two different events of one instant share both
//! kind and id, so the order is total and does not depend on the order in which events were scheduled.

use congestree_wire::{FlowId, HostId, PacketId, PortId};

/// What can happen. The order of the variants is the order of work within one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// Links go down, come up or change their rates, or switches get new tables.
    Fault,
    /// The tail of a data packet has left the switch by an output; scheduled only if something counts what buffers
    /// hold.
    Left {
        /// The output.
        output: PortId,
        /// The input whose buffer it left, counted from the first of its switch.
        input: u16,
        /// The lane in which it left.
        lane: u8,
        /// The lane in which it came in.
        buffer_lane: u8,
    },
    /// Something is due on a link whose two ends exchange messages about frames or credits.
    Link {
        /// The port at which a frame comes in, whose receiver sends a control word, or that sends frames again.
        port: PortId,
        /// What is due.
        due: OnLink,
    },
    /// A packet has become routable at a switch.
    Arrive {
        /// The input port.
        input: PortId,
        /// The packet.
        packet: PacketId,
    },
    /// A data packet has come in completely at a switch; scheduled only if a marker needs to know about full buffers.
    Tail {
        /// The input port.
        input: PortId,
        /// Its lane.
        lane: u8,
    },
    /// A port acts on what its neighbour told it.
    Notice {
        /// The port that was told.
        port: PortId,
        /// Where the notice is kept.
        place: u32,
    },
    /// Something that has to do with pauses is due at a port.
    Pause {
        /// The port.
        port: PortId,
        /// The lane.
        lane: u8,
        /// What is due.
        due: Due,
    },
    /// A packet has come in completely at a host.
    Deliver {
        /// The host.
        host: HostId,
        /// The packet.
        packet: PacketId,
    },
    /// An ACK that a host has been preparing is ready to leave.
    Answer {
        /// The host.
        host: HostId,
    },
    /// A timer of a flow with a transport may have run out.
    Timer {
        /// The flow.
        flow: FlowId,
        /// Which end of the flow the timer belongs to.
        end: FlowEnd,
    },
    /// A receiving host may grant bytes to its senders, in turn.
    Grants {
        /// The host.
        host: HostId,
    },
    /// A source starts, makes a message, turns ON or OFF, or stops.
    Source {
        /// The source.
        source: u32,
        /// What it does.
        turn: SourceTurn,
    },
    /// Something that a rank of an application waits for has happened.
    Rank {
        /// The rank, counted through all jobs.
        rank: u32,
        /// What has happened, packed by `jobs::ranks::about`.
        about: u32,
    },
    /// The rate limit of a flow allows another packet.
    Pace {
        /// The flow.
        flow: FlowId,
    },
    /// A packet that has crossed a switch starts on its link.
    Depart {
        /// The output.
        output: PortId,
        /// The packet.
        packet: PacketId,
    },
    /// The end of the warm-up: totals count from here.
    WarmUp,
    /// A check for deadlock.
    DeadlockCheck,
    /// A port may be able to send.
    Decide {
        /// The port.
        port: PortId,
    },
}

/// An end of a flow with a transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlowEnd {
    /// The sender, which sends again what was lost.
    Sender,
    /// The receiver, which acknowledges.
    Receiver,
}

/// The code for grants in the timer field, after those of the two ends.
const GRANTS: u64 = 2;
const ENDS: [FlowEnd; 2] = [FlowEnd::Sender, FlowEnd::Receiver];

/// What is due on a link whose two ends exchange messages about frames or credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnLink {
    /// The oldest frame on the link has come in completely.
    Frame,
    /// The receiver may report which frames have come in.
    Word,
    /// The sender has heard nothing for too long and sends again.
    Replay,
    /// The receiver may report how many cells are free again.
    Credit,
    /// The sender reports how many cells it has consumed.
    Heal,
}

const ON_LINK: [OnLink; 5] = [OnLink::Frame, OnLink::Word, OnLink::Replay, OnLink::Credit, OnLink::Heal];

/// What is due at a port with pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// A packet has been drained from the receive buffer of the host.
    Drained,
    /// The host begins to pause its switch, however much room it has (a pause storm).
    StormBegins,
    /// The host stops doing so.
    StormEnds,
    /// A pause must be sent again, because it would run out otherwise.
    Refresh,
    /// A pause runs out.
    Expire,
    /// A pause has lasted for the detection time of the watchdog.
    Detect,
    /// A pause that lasted too long may have ended.
    Restore,
}

const DUES: [Due; 7] =
    [Due::Drained, Due::StormBegins, Due::StormEnds, Due::Refresh, Due::Expire, Due::Detect, Due::Restore];

/// What a source does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceTurn {
    /// It starts.
    Start,
    /// It goes from ON to OFF or back.
    Toggle,
    /// It stops.
    Stop,
    /// It makes a message.
    Message,
}

const KIND: u32 = 58;
const ID: u32 = 32;
/// All ids must be below this.
pub(crate) const MAX_ID: u32 = 1 << (KIND - ID);

/// The place of the decisions of outputs and hosts in the order of an instant: after all events.
pub(crate) const DECISIONS: u32 = u32::MAX;

impl Event {
    /// The event packed into a rank.
    #[inline]
    pub(crate) fn rank(self) -> u64 {
        let (kind, id, about) = match self {
            Event::Fault => (0, 0, 0),
            Event::Left { output, input, lane, buffer_lane } => {
                (1, output.0, u64::from(input) << 8 | u64::from(lane) << 4 | u64::from(buffer_lane))
            }
            Event::Link { port, due } => (2, port.0, due as u64),
            Event::Arrive { input, packet } => (3, input.0, u64::from(packet.0)),
            Event::Tail { input, lane } => (4, input.0, u64::from(lane)),
            Event::Notice { port, place } => (5, port.0, u64::from(place)),
            Event::Pause { port, lane, due } => (6, port.0, (due as u64) << 4 | u64::from(lane)),
            Event::Deliver { host, packet } => (7, host.0, u64::from(packet.0)),
            Event::Answer { host } => (8, host.0, 0),
            Event::Timer { flow, end } => (9, flow.0, end as u64),
            Event::Grants { host } => (9, host.0, GRANTS),
            Event::Source { source, turn } => (10, source, turn as u64),
            Event::Rank { rank, about } => (11, rank, u64::from(about)),
            Event::Pace { flow } => (12, flow.0, 0),
            Event::Depart { output, packet } => (13, output.0, u64::from(packet.0)),
            Event::WarmUp => (14, 0, 0),
            Event::DeadlockCheck => (15, 0, 0),
            Event::Decide { port } => (16, port.0, 0),
        };
        kind << KIND | u64::from(id) << ID | about
    }

    /// The place of an event with this rank in the order of its instant: kind and id.
    #[inline(always)]
    pub(crate) const fn place(rank: u64) -> u32 {
        (rank >> ID) as u32
    }

    /// The event packed in this rank.
    #[inline(always)]
    pub(crate) fn from_rank(rank: u64) -> Self {
        let id = (rank >> ID) as u32 & (MAX_ID - 1);
        let about = rank as u32;
        match rank >> KIND {
            0 => Event::Fault,
            1 => {
                let (lane, buffer_lane) = ((about >> 4 & 15) as u8, (about & 15) as u8);
                Event::Left { output: PortId(id), input: (about >> 8) as u16, lane, buffer_lane }
            }
            2 => Event::Link { port: PortId(id), due: ON_LINK[(about as usize).min(ON_LINK.len() - 1)] },
            3 => Event::Arrive { input: PortId(id), packet: PacketId(about) },
            4 => Event::Tail { input: PortId(id), lane: about as u8 },
            5 => Event::Notice { port: PortId(id), place: about },
            6 => Event::Pause { port: PortId(id), lane: (about & 15) as u8, due: DUES[about as usize >> 4] },
            7 => Event::Deliver { host: HostId(id), packet: PacketId(about) },
            8 => Event::Answer { host: HostId(id) },
            9 if about == GRANTS as u32 => Event::Grants { host: HostId(id) },
            9 => Event::Timer { flow: FlowId(id), end: ENDS[(about as usize).min(ENDS.len() - 1)] },
            10 => Event::Source {
                source: id,
                turn: match about {
                    0 => SourceTurn::Start,
                    1 => SourceTurn::Toggle,
                    2 => SourceTurn::Stop,
                    _ => SourceTurn::Message,
                },
            },
            11 => Event::Rank { rank: id, about },
            12 => Event::Pace { flow: FlowId(id) },
            13 => Event::Depart { output: PortId(id), packet: PacketId(about) },
            14 => Event::WarmUp,
            15 => Event::DeadlockCheck,
            _ => Event::Decide { port: PortId(id) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One event of each kind, in order.
    fn events() -> [Event; 20] {
        [
            Event::Fault,
            Event::Left { output: PortId(7), input: u16::MAX, lane: 14, buffer_lane: 13 },
            Event::Link { port: PortId(3), due: OnLink::Frame },
            Event::Link { port: PortId(3), due: OnLink::Replay },
            Event::Arrive { input: PortId(MAX_ID - 1), packet: PacketId(4_000_000_000) },
            Event::Tail { input: PortId(1), lane: 3 },
            Event::Notice { port: PortId(4), place: 77 },
            Event::Pause { port: PortId(4), lane: 14, due: Due::Drained },
            Event::Pause { port: PortId(5), lane: 0, due: Due::Restore },
            Event::Deliver { host: HostId(2), packet: PacketId(0) },
            Event::Answer { host: HostId(8) },
            Event::Timer { flow: FlowId(3), end: FlowEnd::Receiver },
            Event::Grants { host: HostId(3) },
            Event::Source { source: 5, turn: SourceTurn::Message },
            Event::Rank { rank: 4, about: u32::MAX },
            Event::Pace { flow: FlowId(9) },
            Event::Depart { output: PortId(12), packet: PacketId(3) },
            Event::WarmUp,
            Event::DeadlockCheck,
            Event::Decide { port: PortId(MAX_ID - 1) },
        ]
    }

    #[test]
    fn every_event_survives_the_agenda() {
        for event in events() {
            assert_eq!(Event::from_rank(event.rank()), event);
        }
    }

    #[test]
    fn events_have_their_places_in_the_order_of_kinds_and_what_is_left_to_decide_comes_last() {
        let places = events().map(|event| Event::place(event.rank()));
        assert!(places.is_sorted());
        assert!(places[places.len() - 1] < DECISIONS);
    }

    #[test]
    fn tails_leave_before_heads_arrive_and_decisions_come_last() {
        let left = Event::Left { output: PortId(900), input: 0, lane: 0, buffer_lane: 0 }.rank();
        let arrive = Event::Arrive { input: PortId(5), packet: PacketId(1) }.rank();
        let decide = Event::Decide { port: PortId(0) }.rank();
        assert!(left < arrive && arrive < decide);
    }
}
