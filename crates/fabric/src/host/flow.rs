//! A flow: an ordered series of packets from one host, with its window, its pace and what it has to send.

use congestree_units::{Rate, Time};
use congestree_wire::{FlowId, HostId};

/// No source, message or host.
pub(crate) const NONE: u32 = u32::MAX;

/// The state of a flow that every packet needs. One cache line: with a flow for every pair of hosts, each packet's
/// flow has to be fetched from memory.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Flow {
    /// When the next packet is allowed.
    pub next_at: Time,
    /// When the packet sent last started.
    pub last_start: Time,
    /// Payload bytes left of the message being sent; zero if there is none.
    pub remaining: u64,
    /// When that message was made.
    pub created: Time,
    /// Data packets sent so far, which is the number of the next one.
    pub sent: u32,
    /// Its reaction point's place among the active ones; `NONE` if it has had no recent signal.
    pub throttle: u32,
    /// The host to which the message goes.
    pub target: HostId,
    /// The sending host.
    pub host: HostId,
    /// Its place among the flows of its host.
    pub slot: u32,
    /// Where its next message is: the source that feeds only this flow or, for a flow that messages are pushed to,
    /// the first message behind the one being sent. `NONE` if there is none.
    pub supplier: u32,
    /// Bytes of the packet sent last, on the wire.
    pub last_size: u32,
    /// The lane of its packets.
    pub lane: u8,
    /// How it gets its packets.
    pub supply: Supply,
    /// Whether its window allows another packet.
    pub window: WindowState,
    /// It has no rate limit, and its reaction point has had no signal yet: its cold half does not affect its pace.
    pub plain: bool,
}

/// The cold half of a flow: state that not every packet needs. One cache line, so that an access costs at most one
/// cache miss.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct FlowCold {
    /// The earliest pace event on the agenda; never if there is none.
    pub wake_at: Time,
    /// A fixed limit on its rate.
    pub rate_limit: Option<Rate>,
    /// Packets sent and not acknowledged yet.
    pub outstanding: u32,
    /// The most packets that may be outstanding.
    pub window: u32,
    /// Payload of each message of a greedy flow whose messages are all alike, so that its source need not be asked;
    /// zero if it must be.
    pub repeats: u32,
    /// The last message pushed behind the one being sent.
    pub last_message: u32,
    /// The receiving host, or `NONE` if it differs from message to message.
    pub destination: HostId,
    /// The flow whose pace applies to it: itself, or the first flow of its host and service level.
    pub pacer: FlowId,
    /// The number of its ON period, modulo 65,536.
    pub epoch: u16,
    /// Its traffic class.
    pub class: u16,
    /// It has one destination, where its packets must arrive in order.
    pub ordered: bool,
    /// How many of its packets have been lost, as far as later arrivals have shown.
    pub missed: u32,
    /// Its service level.
    pub service: u8,
}

/// Whether the window of a flow allows another packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WindowState {
    /// There is no window: its packets are not acknowledged.
    None,
    /// Another packet may be sent.
    Open,
    /// No packet may be sent before an ACK arrives.
    Full,
}

/// What has arrived of a flow. It is apart from the flow, because a host reads one when it sends and the other when
/// it receives, and with a flow for every pair of hosts neither is in the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub(crate) struct ReceivedTotals {
    /// Bytes so far.
    pub bytes: u64,
    /// Packets so far, and the marked ones among them.
    pub packets: u32,
    pub marked: u32,
}

/// How a flow gets its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supply {
    /// While it is ON there is always another packet.
    Greedy {
        /// It is ON.
        on: bool,
    },
    /// It asks its source for the next message when the last one has been sent.
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
    /// It has a packet that could go now, as far as its message and window allow.
    #[inline]
    pub(crate) fn has_packet(&self, now: Time) -> bool {
        self.window != WindowState::Full && self.has_message(now)
    }

    /// Not all of its message has been sent, or acknowledged if its transport waits for that; or there is always another.
    #[inline]
    pub(crate) fn has_message(&self, now: Time) -> bool {
        match self.supply {
            Supply::Greedy { on } => on,
            Supply::Pulled => self.remaining > 0 && self.created <= now,
            Supply::Pushed => self.remaining > 0,
        }
    }
}

impl FlowCold {
    /// Whether the window allows another packet, if packets are acknowledged.
    pub(crate) fn window(&self) -> WindowState {
        if self.outstanding < self.window { WindowState::Open } else { WindowState::Full }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_every_packet_needs_of_a_flow_is_one_cache_line_and_a_quarter() {
        assert_eq!((size_of::<super::Flow>(), size_of::<super::ReceivedTotals>()), (64, 16));
    }
}
