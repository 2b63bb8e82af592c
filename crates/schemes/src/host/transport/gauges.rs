//! What can be seen of a transport from outside: its phase, its inner state, and what it has counted.

use congestree_units::Span;

/// The phase of a transport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransportPhase {
    /// It has nothing to send, and everything is acknowledged.
    #[default]
    Idle,
    /// It sends a few packets at line rate to see how far apart their ACKs come back.
    BandwidthProbing,
    /// It sends slowly until the network has answered.
    DelayProbing,
    /// Its window grows with every ACK.
    SlowStart,
    /// It keeps the rate or window that the network can carry.
    CongestionAvoidance,
    /// It repairs a loss.
    Recovery,
}

impl TransportPhase {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            TransportPhase::Idle => "idle",
            TransportPhase::BandwidthProbing => "bandwidth-probing",
            TransportPhase::DelayProbing => "delay-probing",
            TransportPhase::SlowStart => "slow-start",
            TransportPhase::CongestionAvoidance => "congestion-avoidance",
            TransportPhase::Recovery => "recovery",
        }
    }
}

/// The inner state of a transport, for probes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gauges {
    /// What it is doing.
    pub phase: TransportPhase,
    /// Rate at which it sends, in bytes per second; for a window, the window over the round-trip time.
    pub rate: f64,
    /// Number of packets that may be in flight; zero if the rate alone decides.
    pub window: f64,
    /// Round-trip time of the last ACK with new information.
    pub measured: Span,
    /// The round-trip time that the transport expects now; the measured one if it does not predict.
    pub predicted: Span,
}

/// What went wrong so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LossCounts {
    /// Packets sent again.
    pub resent: u64,
    /// Losses detected by duplicate ACKs.
    pub losses: u64,
    /// Losses detected only by a timer.
    pub timeouts: u64,
}

/// Control packets of a transport that distinguishes them, as its sender has seen them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ControlPackets {
    /// ACKs heard.
    pub acks: u64,
    /// NACKs heard.
    pub nacks: u64,
    /// Grants heard.
    pub grants: u64,
    /// Requests sent.
    pub requests: u64,
}
