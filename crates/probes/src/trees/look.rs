//! A look at a fabric: what an analyser of congestion trees needs to know of one instant, and nothing else.

use congestree_units::Time;

/// The state of all links and of everything that waits, at one instant.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// When: after all that happened in this instant.
    pub at: Time,
    /// Bytes of a full data packet on the wire.
    pub packet: u64,
    /// By channel. A channel is a lane of a link in one direction, with the buffer that it feeds; its id is that of the
    /// sending port times the lanes of a link, plus the lane.
    pub channels: Vec<Channel>,
    /// What waits, port by port.
    pub waiting: Vec<Backlog>,
    /// By port: where in this list what waits at that port ends; from port to port it goes on.
    pub ends: Vec<usize>,
    /// Somebody wants to know of credits.
    pub asks_credits: bool,
    /// If so, by channel: bytes that flow control lets its sender start, where links promise room by credits and it can be told
    /// without a destination.
    pub credits: Vec<Option<u64>>,
}

impl Look {
    /// Lanes of a link.
    pub fn lanes(&self) -> usize {
        (self.channels.len() / self.ends.len().max(1)).max(1)
    }

    /// One look at a whole network made of what its parts have seen at the same instant: every port, and every one of its
    /// channels, as the part saw it that has the port.
    pub fn join(glimpses: &[Look], of_port: impl Fn(usize) -> usize) -> Self {
        let Some(first) = glimpses.first() else { return Self::default() };
        let mut whole =
            Self { at: first.at, packet: first.packet, asks_credits: first.asks_credits, ..Self::default() };
        let ports = first.ends.len();
        let lanes = first.lanes();
        for port in 0..ports {
            let seen = &glimpses[of_port(port)];
            let start = port.checked_sub(1).map_or(0, |before| seen.ends[before]);
            whole.waiting.extend_from_slice(&seen.waiting[start..seen.ends[port]]);
            whole.ends.push(whole.waiting.len());
            let channels = port * lanes..(port + 1) * lanes;
            whole.channels.extend_from_slice(&seen.channels[channels.clone()]);
            whole.credits.extend(seen.credits.get(channels).unwrap_or_default());
        }
        whole
    }
}

/// A lane of a link in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channel {
    /// Bits per second of the link.
    pub rate: u64,
    /// It ends at a host.
    pub to_host: bool,
    /// The link is sending.
    pub busy: bool,
    /// A packet waits for it, and flow control does not let it start: there is no credit for it, or it is paused.
    pub held: bool,
}

/// Packets of one flow that wait at one place for the same channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// The channel that feeds the buffer they wait in; [`SOURCE`] if they have not left their host.
    pub buffer: u32,
    /// The channel that they go on by.
    pub output: u32,
    /// Their flow.
    pub flow: u32,
    /// The host they go to.
    pub destination: u32,
    /// What switches that tell flows apart choose their ways by.
    pub label: u64,
    /// Bytes on the wire.
    pub bytes: u64,
    /// The channel that the first of their queue goes on by. If that is another, they stand behind it, and `output` cannot
    /// have them yet (queues that outputs share).
    pub front: u32,
    /// They have gone over to the buffer of their output: they take no room where they came in.
    pub over: bool,
    /// They are set aside in a queue that an isolation scheme has stopped: they ask for nothing, whatever `output` has.
    pub stopped: bool,
    /// Flow control lets them start on `output`.
    pub fits: bool,
}

impl Backlog {
    /// Packets for another channel come first in their queue.
    pub fn behind(&self) -> bool {
        self.front != self.output
    }
}

/// In place of a buffer: the host that made the packets.
pub const SOURCE: u32 = u32::MAX;

/// Which way packets go.
pub trait NextChannels {
    /// The channel by which a packet for `destination` with that label goes on from the far end of `channel`; `None` if that
    /// is a host.
    fn next(&self, channel: u32, destination: u32, label: u64) -> Option<u32>;
}
