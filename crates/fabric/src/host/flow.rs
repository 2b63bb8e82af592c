//! A flow: an ordered series of packets from one host, with its window, its pace and what it has to send.

use congestree_units::{Rate, Time};
use congestree_wire::{FlowId, HostId};

/// No source, message or host.
pub(crate) const NONE: u32 = u32::MAX;

/// A flow at work: what every packet of it needs. One cache line: with a flow for every pair of hosts each packet finds
/// its flow somewhere else.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Flow {
    /// The next packet is allowed from here on.
    pub next_at: Time,
    /// When the packet sent last started.
    pub last_start: Time,
    /// Payload bytes left of the message being sent; zero if there is none.
    pub remaining: u64,
    /// When that message was made.
    pub created: Time,
    /// Data packets sent so far, which is the number of the next one.
    pub sent: u32,
    /// Its reaction to marks, among those at work; `NONE` if it has heard nothing of late.
    pub throttle: u32,
    /// The host that the message goes to.
    pub target: HostId,
    /// The sending host.
    pub host: HostId,
    /// Its place among the flows of its host.
    pub slot: u32,
    /// Where its next message is: the source that feeds it alone, or, of a flow that messages are pushed to, the first
    /// behind the one being sent. `NONE` if there is none.
    pub supplier: u32,
    /// Bytes of the packet sent last, on the wire.
    pub last_size: u32,
    /// The lane of its packets.
    pub lane: u8,
    /// Where its packets come from.
    pub supply: Supply,
    /// Whether its window takes another packet.
    pub window: WindowState,
    /// It has no rate limit, and its reaction point has heard nothing yet: its cold half says nothing about its pace.
    pub plain: bool,
}

/// The cold half of a flow: what not every packet needs. One cache line, so that nothing of it is missed twice.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct FlowCold {
    /// The earliest pace event that is scheduled; never if there is none.
    pub wake_at: Time,
    /// A fixed limit on its rate.
    pub rate_limit: Option<Rate>,
    /// Packets on their way unacknowledged.
    pub outstanding: u32,
    /// How many there may be.
    pub window: u32,
    /// Payload of each message of a greedy flow whose messages are all alike, so that its source need not be asked; zero if it
    /// must be.
    pub repeats: u32,
    /// The last message pushed behind the one being sent.
    pub last_message: u32,
    /// The receiving host, or `NONE` if each message goes elsewhere.
    pub destination: HostId,
    /// The flow whose pace it goes by: itself, or the first of its host and service level.
    pub pacer: FlowId,
    /// Its ON period, counted modulo 65,536.
    pub epoch: u16,
    /// Its traffic class.
    pub class: u16,
    /// It has one destination, where its packets must come in as they were sent.
    pub ordered: bool,
    /// Its packets that have been lost, as far as later ones have told.
    pub missed: u32,
    /// Its service level.
    pub service: u8,
}

/// Whether the window of a flow takes another packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WindowState {
    /// Its packets are not acknowledged, so nobody counts.
    None,
    /// It does.
    Open,
    /// It does not before an ACK comes in.
    Full,
}

/// What has come in of a flow. Apart from the flow, because a host looks at one when it sends and at the other when it
/// receives, and with a flow for every pair of hosts neither is in the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub(crate) struct ReceivedTotals {
    /// Bytes so far.
    pub bytes: u64,
    /// Packets so far, and the marked ones among them.
    pub packets: u32,
    pub marked: u32,
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
        self.window != WindowState::Full
            && match self.supply {
                Supply::Greedy { on } => on,
                Supply::Pulled => self.remaining > 0 && self.created <= now,
                Supply::Pushed => self.remaining > 0,
            }
    }
}

impl FlowCold {
    /// Whether the window takes another packet, if packets are acknowledged.
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
