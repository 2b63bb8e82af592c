//! Facts and measures.
//!
//! The fabric emits facts through [`Probe`]; what they are used for is decided here, outside the engine. With
//! [`Silent`] the calls vanish at compile time. Nothing that a probe does can change what happens.

mod bins;
mod built_in;
mod histogram;
mod isolation;
mod recorder;
mod recordings;
mod table;
pub mod trees;

pub use built_in::NetworkSize;
pub use isolation::{BlockedBehind, Detection, InUse, Injected};
pub use recorder::Recorder;
pub use recordings::{ProbeSet, Recording};
pub use table::{Column, Named, Table, Values};

use std::any::Any;

use congestree_units::{Span, Time};

use trees::look::{Look, NextChannels};

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
    /// How often only a timer detected a loss.
    pub timeouts: u64,
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
    /// The input buffer (port id) that became full, if that was the trigger.
    pub input: Option<u32>,
    /// Departures that were still to be marked before.
    pub before: u32,
    /// Departures to be marked now.
    pub due: u32,
    /// Data packets in the switch for the output.
    pub present: u32,
}

/// A packet that is marked.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// When.
    pub at: Time,
    /// The output that marks it.
    pub output: u32,
    /// How many packets that output has marked, including this one.
    pub number: u64,
    /// Its flow.
    pub flow: u32,
    /// Its number in the flow.
    pub sequence: u32,
    /// The rate limit of the flow, as R_max/r, before anything is sent in that instant. NaN: its source is in another
    /// part of the network, which reports it later ([`Probe::limit_when_marked`]).
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
    Looked,
    /// It passed while the output paced flows.
    Paced {
        /// Its flow was harmful.
        harmful: bool,
    },
    /// It took another way than by this output.
    Rerouted {
        /// Its flow was harmful.
        harmful: bool,
    },
}

/// The facts that the fabric reports as it runs. All methods do nothing unless overridden.
pub trait Probe {
    /// The warm-up is over: everything reported from now on comes after it, even within the same instant.
    fn warmed_up(&mut self) {}
    /// A packet starts on a link.
    fn sent(&mut self, _sending: Sending) {}
    /// A data packet has arrived at its host.
    fn delivered(&mut self, _delivery: Delivery) {}
    /// Flow control held `port` from one instant to another while a packet waited.
    fn blocked(&mut self, _port: u32, _from: Time, _to: Time) {}
    /// A lane has a packet to send and no credit for it.
    fn waits(&mut self, _now: Time, _port: u32, _lane: u8) {}
    /// The buffer of input `port` now holds this many data packets.
    fn held(&mut self, _now: Time, _port: u32, _packets: u32) {}
    /// The rate limit of a flow is now R_max/`times`.
    fn limit(&mut self, _now: Time, _flow: u32, _times: f64) {}
    /// A buffer became full: a new event. `buffered` lists the flow of each packet in it.
    fn full(&mut self, _now: Time, _input: u32, _buffered: &mut dyn Iterator<Item = u32>) {}
    /// A marking policy was triggered for an output.
    fn triggered(&mut self, _trigger: Trigger) {}
    /// A packet was marked.
    fn marked(&mut self, _mark: Mark) {}
    /// Completes a [`Mark`]: the limit of the flow when `output` marked the packet with this `number`. Only called in
    /// parts of a network.
    fn limit_when_marked(&mut self, _output: u32, _number: u64, _limit: f64) {}
    /// The source was told of a marked packet.
    fn echoed(&mut self, _now: Time, _flow: u32, _sequence: u32) {}
    /// An output and lane has entered the congestion state, or left it. `credit`: as in [`Mark`].
    fn congestion(&mut self, _now: Time, _output: u32, _lane: u8, _entered: bool, _credit: f64) {}
    /// What is now in use in the memory of an input, or of a host.
    fn isolated(&mut self, _now: Time, _in_use: InUse) {}
    /// The probe needs the traffic classes of what is delivered.
    fn wants_classes(&self) -> bool {
        false
    }
    /// The probe needs facts about lines and set-aside queues.
    fn wants_isolation(&self) -> bool {
        false
    }
    /// An input has declared the root of a tree.
    fn detected(&mut self, _detection: Detection) {}
    /// The probe needs declared roots.
    fn wants_detections(&self) -> bool {
        false
    }
    /// A packet leaves a queue in which it waited behind packets for other outputs.
    fn blocked_behind(&mut self, _blocked: BlockedBehind) {}
    /// The probe needs facts about head-of-line blocking.
    fn wants_hol_blocking(&self) -> bool {
        false
    }
    /// A host has taken a packet from its flows.
    fn injected(&mut self, _packet: Injected) {}
    /// The probe needs what hosts take from their flows.
    fn wants_injection_audit(&self) -> bool {
        false
    }
    /// The state of an output in its region may have changed.
    fn region(&mut self, _now: Time, _output: u32, _state: RegionState) {}
    /// An output has begun this window.
    fn region_window(&mut self, _now: Time, _output: u32, _window: RegionWindow) {}
    /// Something happened to a packet of a flow at an output of a region.
    fn region_flow(&mut self, _now: Time, _output: u32, _flow: u32, _what: RegionFlow) {}
    /// The probe needs facts about regions.
    fn wants_regions(&self) -> bool {
        false
    }
    /// The probe needs the bytes that wait for outputs: `queued`.
    fn wants_fill(&self) -> bool {
        false
    }
    /// The probe needs what inputs hold: `buffered`.
    fn wants_buffered(&self) -> bool {
        self.wants_fill()
    }
    /// This many bytes wait for `output` now.
    fn queued(&mut self, _now: Time, _output: u32, _bytes: u64) {}
    /// A packet of `flow` was dropped: the queue of `output` had no room.
    fn dropped(&mut self, _now: Time, _output: u32, _flow: u32) {}
    /// The buffer behind the link out of `port` now holds this many bytes of a lane (where senders are paused).
    fn buffered(&mut self, _now: Time, _port: u32, _lane: u8, _bytes: u64) {}
    /// `port` starts to send a frame that tells its neighbour to pause a lane, or to go on.
    fn pause_sent(&mut self, _now: Time, _port: u32, _lane: u8, _pause: bool) {}
    /// `port` acts on such a frame.
    fn pause_heard(&mut self, _now: Time, _port: u32, _lane: u8, _pause: bool) {}
    /// The time for which `port` was told to pause in a lane is over.
    fn pause_expired(&mut self, _now: Time, _port: u32, _lane: u8) {}
    /// From now on `port` is paused in a lane, or no longer is.
    fn paused(&mut self, _now: Time, _port: u32, _lane: u8, _paused: bool) {}
    /// The watchdog acts at `port`, because a lane has been paused for too long; or it stops acting.
    fn storm(&mut self, _now: Time, _port: u32, _lane: u8, _begins: bool) {}
    /// A message has arrived whole.
    fn transferred(&mut self, _transfer: Transfer) {}
    /// From now on the sender of a message knows this about it. Only called in parts of a network: there `transferred`
    /// reports what the receiver knows, which is the flow and the instant.
    fn transferring(&mut self, _transfer: Transfer) {}
    /// The probe needs completed messages of transports.
    fn wants_transfers(&self) -> bool {
        false
    }
    /// A message of an application has been delivered.
    fn message(&mut self, _message: MessageFact) {}
    /// A finite flow has finished.
    fn completed(&mut self, _completion: Completion) {}

    /// An ACK for `packets` packets of a finite flow has come in at its source. `record` is the id under which the flow
    /// ran, or still runs, and `created` is when its message was made.
    fn acknowledged(&mut self, _at: Time, _record: u32, _created: Time, _packets: u32) {}
    /// Rows to be handed over during the run, if there are enough of them; the rest comes with [`Probe::tables`].
    fn batch(&mut self, _names: &Names) -> Option<Table> {
        None
    }
    /// A transport has got an ACK, or its timer has run out.
    fn transport(&mut self, _state: TransportState) {}
    /// The probe needs the state of transports.
    fn wants_transport(&self) -> bool {
        false
    }
    /// When the probe needs the next look at the fabric.
    fn look_due(&self) -> Time {
        Time::NEVER
    }
    /// An empty look to be filled in, which reuses the memory of the last one.
    fn blank_look(&mut self) -> Look {
        Look::default()
    }
    /// A look at the present state of the fabric; a look cannot change anything.
    fn look(&mut self, _look: Look, _ways: &dyn NextChannels) {}
    /// Everything reported from now on belongs to this place in the order of an instant. Only called in parts of a
    /// network.
    fn happens(&mut self, _place: u32) {}
    /// Parts of a network can record it independently: [`Probe::take_in_part`] says how their records are combined.
    /// Asked of recorders with files of their own; if one says no, the run is in one part.
    fn adds_up(&self) -> bool {
        false
    }
    /// Adds what the same recorder of a part of the network has recorded.
    fn take_in_part(&mut self, _part: &dyn Any) {}
    /// The run is over.
    fn finish(&mut self, _end: Time) {}
    /// The probe needs rate limits.
    fn wants_limits(&self) -> bool {
        false
    }
    /// The probe needs a list of the flows in a full buffer.
    fn wants_events(&self) -> bool {
        false
    }
    /// What was recorded.
    fn tables(&mut self, _names: &Names) -> Vec<Table> {
        Vec::new()
    }
}

/// Names that tables show instead of ids.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Of ports: "A->B".
    pub ports: Vec<String>,
    /// Of the node that a port belongs to.
    pub nodes: Vec<String>,
    /// Of traffic classes.
    pub classes: Vec<String>,
}

/// Records nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Probe for Silent {}

/// A probe that every part of a network can have one of: combined, they have seen what a single one would have seen.
pub trait Parted: Probe + Send {
    /// Adds what the probe of a part has seen; `sends` says of a flow whether its source is in that part.
    fn take_in(&mut self, part: Self, sends: &dyn Fn(u32) -> bool);
    /// From now on a look of this part goes to the probe of the whole network, which puts the looks of all parts
    /// together.
    fn give_look_away(&mut self);
}

impl Parted for Silent {
    fn take_in(&mut self, _part: Self, _sends: &dyn Fn(u32) -> bool) {}
    fn give_look_away(&mut self) {}
}

/// When and how finely to record.
#[derive(Clone, Copy, Debug)]
pub struct MeasurementWindow {
    /// Totals count from here; series begin at zero.
    pub warm_up: Time,
    /// Simulated time at which the run ends.
    pub end: Time,
    /// Length of a bin.
    pub bin: Span,
    /// From one look at the fabric to the next.
    pub sampling_interval: Span,
}
