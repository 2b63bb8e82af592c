//! The facts that the fabric reports: what happened, where and when, in plain numbers.

use congestree_units::{Span, Time};

mod isolation;

pub use isolation::{BlockedBehind, Detection, InUse, Injected};

/// A data packet that has arrived at its host.
#[derive(Clone, Copy, Debug)]
pub struct Delivery {
    /// When its last byte was in.
    pub at: Time,
    /// Its flow.
    pub flow: u32,
    /// The flow's traffic class.
    pub class: u16,
    /// Its number in the flow.
    pub sequence: u32,
    /// Bytes on the wire.
    pub size: u32,
    /// It met congestion.
    pub marked: bool,
    /// When its message was made.
    pub created: Time,
    /// When its first bit left the source.
    pub injected: Time,
}

/// A packet that starts on a link.
#[derive(Clone, Copy, Debug)]
pub struct Sending {
    /// When it starts.
    pub at: Time,
    /// When its tail will have left.
    pub until: Time,
    /// The port that sends it.
    pub port: u32,
    /// The port that receives it.
    pub peer: u32,
    /// Its lane.
    pub lane: u8,
    /// Bytes on the wire.
    pub size: u32,
    /// It is a data packet that met congestion.
    pub fecn: bool,
    /// It tells a source about congestion.
    pub becn: bool,
}

/// A message that has arrived whole (flows with a transport).
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// Its flow.
    pub flow: u32,
    /// The flow's traffic class.
    pub class: u16,
    /// Its number in the flow, from 1.
    pub number: u32,
    /// Its payload.
    pub bytes: u64,
    /// When it was made.
    pub created: Time,
    /// When its first bit left the source.
    pub started: Time,
    /// When its last byte was in.
    pub finished: Time,
    /// Packets of it that were sent again.
    pub resent: u64,
    /// Timeouts of its flow while it was the oldest message on its way.
    pub timeouts: u64,
}

impl Transfer {
    /// A message of a flow of which nothing else is known yet.
    pub fn of_flow(flow: u32, class: u16) -> Self {
        let never = Time::NEVER;
        Self {
            flow,
            class,
            number: 0,
            bytes: 0,
            created: never,
            started: never,
            finished: never,
            resent: 0,
            timeouts: 0,
        }
    }
}

/// A message from rank to rank of an application that has been delivered.
#[derive(Clone, Copy, Debug)]
pub struct MessageFact {
    /// The traffic class of its job.
    pub class: u16,
    /// The sending rank.
    pub from: u32,
    /// The receiving rank.
    pub to: u32,
    /// Its tag.
    pub tag: u32,
    /// Its payload.
    pub bytes: u64,
    /// When it was sent.
    pub made: Time,
    /// When its last byte was in.
    pub at: Time,
}

/// A finite flow that has finished.
#[derive(Clone, Copy, Debug)]
pub struct Completion {
    /// Its number among all finite flows of the run, in the order in which they were made.
    pub number: u64,
    /// The flow that it is accounted to: that of its source.
    pub flow: u32,
    /// Its traffic class.
    pub class: u16,
    /// The host that sent it.
    pub source: u32,
    /// The host that received it.
    pub destination: u32,
    /// Its payload.
    pub bytes: u64,
    /// When its message was made.
    pub created: Time,
    /// When its last byte was in.
    pub finished: Time,
    /// How long it would take on an otherwise idle fabric.
    pub ideal: Span,
    /// Its data packets.
    pub packets: u64,
    /// How many of them arrived marked.
    pub marked: u64,
    /// The id under which it ran, which another flow may get next.
    pub record: u32,
    /// Its packets are acknowledged.
    pub acked: bool,
}

/// The state of a transport after an ACK or a timeout, or with a new phase.
#[derive(Clone, Copy, Debug)]
pub struct TransportState {
    /// When.
    pub at: Time,
    /// The flow.
    pub flow: u32,
    /// What has just happened: `group`, `sent`, `end`, `ack` or `timer`.
    pub event: &'static str,
    /// The phase that it is in.
    pub phase: &'static str,
    /// Its rate, in bytes per second.
    pub rate: f64,
    /// Its window, in packets; zero if it has none.
    pub window: f64,
    /// The last round-trip time that it measured.
    pub measured: Span,
    /// The round-trip time that it predicts.
    pub predicted: Span,
}

/// A trigger of a marking policy.
#[derive(Clone, Copy, Debug)]
pub struct Trigger {
    /// When.
    pub at: Time,
    /// The output concerned (port id).
    pub output: u32,
    /// The lane in which it is concerned.
    pub lane: u8,
    /// The input buffer (port id) that became full, if that was the trigger.
    pub input: Option<u32>,
    /// Departures that were still to be marked before.
    pub before: u32,
    /// Departures to be marked now.
    pub due: u32,
    /// Data packets in the switch for the output.
    pub present: u32,
}

/// A packet as it was sent: no flow starts two packets at one instant. A number would not do: a packet that is sent
/// again has the same number, and finite flows of one source share an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SentPacket {
    /// The id under which its flow ran, which another flow may get next.
    pub flow: u32,
    /// When it started.
    pub injected: Time,
}

/// A packet that is marked.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// When.
    pub at: Time,
    /// The output that marks it.
    pub output: u32,
    /// The lane in which it leaves.
    pub lane: u8,
    /// How many packets that output has marked, including this one.
    pub number: u64,
    /// The flow under which it is reported.
    pub flow: u32,
    /// Which packet it is.
    pub packet: SentPacket,
    /// The rate limit of the flow, as R_max/r, before anything is sent in that instant. NaN: its source is in another
    /// part of the network, which reports it later ([`crate::Probe::limit_when_marked`]).
    pub limit: f64,
    /// Bytes that flow control allows the output to send in that lane now, including this packet; NaN if there are no
    /// credits.
    pub credit: f64,
}

/// What an output knows about the region of congestion that it is in, if any (RCM).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionState {
    /// Its own degree of congestion; zero if it has none.
    pub own: u8,
    /// The highest degree that outputs downstream have reported to it; zero if none has.
    pub told: u8,
    /// The degree that it passes on upstream.
    pub degree: u8,
}

/// A window in which an output paces harmful flows (RCM).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionWindow {
    /// Its number at the output, from 1.
    pub number: u64,
    /// Bytes of all flows after which it ends.
    pub bytes: u64,
    /// The longest time after its start at which it ends.
    pub lasts: Span,
    /// Bytes that harmful flows may send in it.
    pub harmful: f64,
    /// The same of the previous window, or of the measurement.
    pub before: f64,
}

/// What happened to a packet of a flow at an output of a region (RCM).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionFlow {
    /// It was sampled, and its flow was recorded as harmful.
    Sampled,
    /// It passed while the output paced flows.
    Paced {
        /// Its flow was harmful.
        harmful: bool,
    },
    /// It took another path than by this output.
    Rerouted {
        /// Its flow was harmful.
        harmful: bool,
    },
}
