//! A flow: an ordered series of packets from one host, with its window, its pace and what it has to send.

use congestree_schemes::{AnyReaction, ReactionPoint, react::Sent};
use congestree_units::{Bytes, Rate, Time};

use crate::port::Serialiser;

/// No source, message or host.
pub(crate) const NONE: u32 = u32::MAX;

/// A flow at work.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// The sending host.
    pub host: u32,
    /// Its place among the flows of its host.
    pub slot: u32,
    /// The receiving host, or `NONE` if each message goes elsewhere.
    pub destination: u32,
    /// The source that feeds it alone, or `NONE` if messages are pushed to it.
    pub source: u32,
    /// Its traffic class.
    pub class: u16,
    /// The lane of its packets.
    pub lane: u8,
    /// Its packets are acknowledged.
    pub acked: bool,

    /// Where its packets come from.
    pub supply: Supply,
    /// Payload bytes left of the message being sent; zero if there is none.
    pub remaining: u64,
    /// When that message was made.
    pub created: Time,
    /// The host that message goes to.
    pub target: u32,
    /// Messages pushed behind it.
    pub first_message: u32,
    /// The last of them.
    pub last_message: u32,

    /// Number of the next packet.
    pub sequence: u32,
    /// Packets on their way unacknowledged, and how many there may be.
    pub outstanding: u32,
    /// How many there may be.
    pub window: u32,
    /// Its ON period, counted modulo 65,536.
    pub epoch: u16,
    /// The flow whose throttle it goes by: itself, or the first of its host and service level.
    pub pacer: u32,
    /// How fast it may go on, and whoever goes by it.
    pub throttle: Throttle,
    /// The earliest pace event that is scheduled; never if there is none.
    pub wake_at: Time,
    /// A fixed limit on its rate.
    pub rate_limit: Option<Rate>,

    /// Data packets sent so far.
    pub sent: u64,
}

/// What has come in of a flow. Apart from the flow, because a host looks at one when it sends and at the other when it
/// receives, and with a flow for every pair of hosts neither is in the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Receipt {
    /// Bytes so far.
    pub bytes: u64,
    /// Packets so far, and the marked ones among them.
    pub packets: u32,
    pub marked: u32,
    /// Number of the next packet to be delivered.
    pub expected: u32,
    /// The host that sends it.
    pub source: u32,
    /// Its traffic class.
    pub class: u16,
    /// Its packets are acknowledged.
    pub acked: bool,
    /// It has one destination, where its packets must come in as they were sent.
    pub ordered: bool,
}

/// A reaction point at work.
#[derive(Clone, Debug)]
pub(crate) struct Throttle {
    /// Its reaction to marks.
    pub reaction: AnyReaction,
    /// The next packet is allowed from here on.
    pub next_at: Time,
    /// When the packet sent last started.
    pub last_start: Time,
    /// Bytes of that packet, on the wire.
    pub last_size: u32,
}

/// Where packets come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supply {
    /// There is always another one while it is ON.
    Greedy {
        /// It is ON.
        on: bool,
    },
    /// Its source is asked for the next message when the last one is sent.
    Pulled,
    /// A source shared with other flows pushes messages to it, as they are made or when the host has nothing else to
    /// send.
    Pushed,
}

/// Counts of a flow.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FlowMeter {
    pub sent: u64,
    pub packets: u64,
    pub bytes: u64,
    pub marked: u64,
}

impl Flow {
    /// It has a packet that could go now, as far as message and window are concerned.
    #[inline]
    pub(crate) fn has_packet(&self, now: Time) -> bool {
        self.outstanding < self.window
            && match self.supply {
                Supply::Greedy { on } => on,
                Supply::Pulled => self.remaining > 0 && self.created <= now,
                Supply::Pushed => self.remaining > 0,
            }
    }
}

impl Throttle {
    /// Sets when the next packet is allowed, from the start and size of the last one.
    #[inline]
    pub(crate) fn set_pace(&mut self, link: &mut Serialiser, rate_limit: Option<Rate>) {
        let last = Sent { start: self.last_start, time: link.time(self.last_size), full: link.full };
        self.next_at = self.reaction.next_start(last);
        if let Some(rate) = rate_limit {
            let paced = self.last_start + rate.time_for(Bytes(u64::from(self.last_size)));
            self.next_at = self.next_at.max(paced);
        }
    }
}
