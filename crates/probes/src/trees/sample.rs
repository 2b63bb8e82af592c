//! A sample of a fabric: what the analysis of congestion trees needs to know about one instant, and nothing else.

use congestree_units::Time;

/// The state of all links and of everything that waits, at one instant.
#[derive(Clone, Debug, Default)]
pub struct FabricSample {
    /// The instant; the sample shows the state after everything in it has happened.
    pub at: Time,
    /// Bytes of a full data packet on the wire.
    pub packet: u64,
    /// By channel. A channel is a lane of a link in one direction, with the buffer that it feeds; its id is that of the
    /// sending port times the lanes of a link, plus the lane.
    pub channels: Vec<Channel>,
    /// All packets that wait, port by port.
    pub waiting: Vec<Backlog>,
    /// By port: where its entries in `waiting` end; those of the next port follow.
    pub ends: Vec<usize>,
    /// Some recorder needs credits.
    pub asks_credits: bool,
    /// In that case, by channel: bytes that flow control allows its sender to start, if links promise room by credits
    /// and the value does not depend on the destination.
    pub credits: Vec<Option<u64>>,
}

impl FabricSample {
    /// Lanes of a link.
    pub fn lanes(&self) -> usize {
        (self.channels.len() / self.ends.len().max(1)).max(1)
    }

    /// Joins what the parts of a network have seen at the same instant to one sample of the whole network: every port and
    /// its channels are taken from the part that has the port.
    pub fn join(samples: &[FabricSample], of_port: impl Fn(usize) -> usize) -> Self {
        let Some(first) = samples.first() else { return Self::default() };
        let mut whole =
            Self { at: first.at, packet: first.packet, asks_credits: first.asks_credits, ..Self::default() };
        let ports = first.ends.len();
        let lanes = first.lanes();
        for port in 0..ports {
            let seen = &samples[of_port(port)];
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
    /// The link is sending, or can take no packet for another reason of its own: its replay buffer is full or sends
    /// again, a packet crosses to it, or it has used the present slot of a matching.
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
    /// The label by which switches that distinguish flows choose their paths.
    pub label: u64,
    /// Bytes on the wire.
    pub bytes: u64,
    /// The channel by which the first packet of their queue leaves. If that is another channel than `output`, they
    /// stand behind that packet, and `output` cannot send them yet (in queues that outputs share).
    pub front: u32,
    /// They have crossed to the buffer of their output: they take no room where they came in.
    pub over: bool,
    /// They are in a set-aside queue that an isolation scheme has stopped: they request nothing, even if `output` is
    /// free.
    pub stopped: bool,
    /// Flow control allows them to start on `output`; where a switch is matched in slots, it did so when the present one
    /// began, and they were there.
    pub fits: bool,
}

impl Backlog {
    /// Packets for another channel are at the head of their queue (head-of-line blocking).
    pub fn is_hol_blocked(&self) -> bool {
        self.front != self.output
    }
}

/// Instead of a buffer: the packets are still in the host that made them.
pub const SOURCE: u32 = u32::MAX;

/// Which channels packets take.
pub trait NextChannels {
    /// The channel by which a packet with that destination and label leaves the far end of `channel`; `None` if that is
    /// a host.
    fn next(&self, channel: u32, destination: u32, label: u64) -> Option<u32>;
}
