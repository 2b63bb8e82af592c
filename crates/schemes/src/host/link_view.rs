//! The position of a flow in the network: the link of its host, and its path.

use congestree_units::{Bytes, Rate, Span};

/// What a part may know of the position of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkView {
    /// Rate of the link of its host.
    pub line: Rate,
    /// A full packet on the wire.
    pub packet: Bytes,
    /// From the start of a full packet until its ACK arrives, if nothing else is in flight.
    pub round_trip: Span,
    /// Switches on the way.
    pub hops: u32,
}

impl Default for LinkView {
    fn default() -> Self {
        Self { line: Rate::from_gbps(25), packet: Bytes(1_048), round_trip: Span::ZERO, hops: 0 }
    }
}

impl LinkView {
    /// Number of full packets that keep the link busy for a round trip (the bandwidth-delay product), at least one.
    pub fn packets_in_flight(&self) -> u32 {
        let time = self.line.time_for(self.packet).0.max(1);
        u32::try_from(self.round_trip.0.div_ceil(time)).unwrap_or(u32::MAX).max(1)
    }

    /// This view with the round trip of another path, if one is given.
    pub fn with_round_trip(self, round_trip: Option<Span>) -> Self {
        Self { round_trip: round_trip.unwrap_or(self.round_trip), ..self }
    }

    /// Number of full packets that keep the link busy for a round trip, with its fraction.
    pub fn exact_packets_in_flight(&self) -> f64 {
        self.round_trip.0 as f64 / self.line.time_for(self.packet).0.max(1) as f64
    }
}
