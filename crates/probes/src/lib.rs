//! Facts and measures.
//!
//! The fabric emits facts through [`Probe`]; what is made of them is decided here, outside the engine. With
//! [`Silent`] the calls vanish at compile time. Nothing a probe does can change what happens.

mod bins;
mod histogram;
mod isolation;
mod recorder;
mod recordings;
mod table;
pub mod trees;

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
    /// It tells a source of congestion.
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
    /// Times that only a timer told of a loss.
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
    /// The flow on whose account it goes: that of its source.
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
    /// How long that takes if there is nothing else on the way.
    pub ideal: Span,
    /// Its data packets.
    pub packets: u64,
    /// How many of them arrived marked.
    pub marked: u64,
    /// Under which id it ran, which another flow may have next.
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
    /// What it is doing.
    pub phase: &'static str,
    /// Its rate, in bytes per second.
    pub rate: f64,
    /// Its window, in packets; zero if it has none.
    pub window: f64,
    /// The round-trip time that it measured last.
    pub measured: Span,
    /// The round-trip time that it reckons with.
    pub predicted: Span,
}

/// A trigger of a marking policy.
#[derive(Clone, Copy, Debug)]
pub struct Trigger {
    /// When.
    pub at: Time,
    /// The output concerned (port id).
    pub output: u32,
    /// The input buffer that became full (port id), if that was it.
    pub input: Option<u32>,
    /// Departures that were still to be marked.
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
    /// How many packets that output has marked, this one too.
    pub number: u64,
    /// Its flow.
    pub flow: u32,
    /// Its number in the flow.
    pub sequence: u32,
    /// The rate limit of the flow, as R_max/r, before anything is sent in that instant. NaN: its source is in another part of the
    /// network, which tells it later ([`Probe::limit_when_marked`]).
    pub limit: f64,
    /// Bytes that flow control lets the output send in that lane now, this packet too; NaN if there are no credits.
    pub credit: f64,
}

/// What an output knows of the region of congestion that it is in, if any (RCM).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionState {
    /// Its own degree of congestion; zero if it has none.
    pub own: u8,
    /// The highest that it was told of outputs beyond it; zero if there is none.
    pub told: u8,
    /// What it passes on.
    pub degree: u8,
}

/// A window in which an output paces harmful flows (RCM).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionWindow {
    /// Its number at the output, from 1.
    pub number: u64,
    /// Bytes of all flows after which it ends.
    pub bytes: u64,
    /// When it ends at the latest after its start.
    pub lasts: Span,
    /// Bytes that harmful flows may send in it.
    pub harmful: f64,
    /// Those of the window before, or of the measurement.
    pub before: f64,
}

/// What happened to a packet of a flow at an output of a region (RCM).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionFlow {
    /// It was looked at, and its flow written down as harmful.
    Looked,
    /// It passed while the output paced flows; its flow was harmful or not.
    Paced {
        /// It was.
        harmful: bool,
    },
    /// It took another way than by this output; its flow was harmful or not.
    Rerouted {
        /// It was.
        harmful: bool,
    },
}

/// What the fabric tells as it runs. All methods do nothing unless overridden.
pub trait Probe {
    /// The warm-up is over: what is told from now on comes after it, be it of the same instant.
    fn warmed_up(&mut self) {}
    /// A packet starts on a link.
    fn sent(&mut self, _sending: Sending) {}
    /// A data packet has arrived at its host.
    fn delivered(&mut self, _delivery: Delivery) {}
    /// Flow control held `port` from one instant to another while a packet waited.
    fn blocked(&mut self, _port: u32, _from: Time, _to: Time) {}
    /// A lane has a packet to send and no credit for it.
    fn waits(&mut self, _now: Time, _port: u32, _lane: u8) {}
    /// The buffer of input `port` now holds so many data packets.
    fn held(&mut self, _now: Time, _port: u32, _packets: u32) {}
    /// The rate limit of a flow is now R_max/`times`.
    fn limit(&mut self, _now: Time, _flow: u32, _times: f64) {}
    /// A buffer became full: a new event. `buffered` lists the flow of each packet in it.
    fn full(&mut self, _now: Time, _input: u32, _buffered: &mut dyn Iterator<Item = u32>) {}
    /// A marking policy was triggered for an output.
    fn triggered(&mut self, _trigger: Trigger) {}
    /// A packet was marked.
    fn marked(&mut self, _mark: Mark) {}
    /// What a [`Mark`] had not told: the limit of the flow when `output` marked the packet of this `number`. Said in parts of a
    /// network only.
    fn limit_when_marked(&mut self, _output: u32, _number: u64, _limit: f64) {}
    /// The source heard of a marked packet.
    fn echoed(&mut self, _now: Time, _flow: u32, _sequence: u32) {}
    /// An output and lane has entered the congestion state, or left it. `credit`: as in [`Mark`].
    fn congestion(&mut self, _now: Time, _output: u32, _lane: u8, _entered: bool, _credit: f64) {}
    /// What the memory of an input, or of a host, has in use now.
    fn isolated(&mut self, _now: Time, _in_use: InUse) {}
    /// Wants to know the traffic classes of what is delivered.
    fn wants_classes(&self) -> bool {
        false
    }
    /// Wants to hear of lines and set-aside queues.
    fn wants_isolation(&self) -> bool {
        false
    }
    /// An input has declared the root of a tree.
    fn detected(&mut self, _detection: Detection) {}
    /// Wants to hear of declared roots.
    fn wants_detections(&self) -> bool {
        false
    }
    /// A packet leaves a queue in which it stood behind packets for other outputs.
    fn blocked_behind(&mut self, _blocked: BlockedBehind) {}
    /// Wants to hear of head-of-line blocking.
    fn wants_hol_blocking(&self) -> bool {
        false
    }
    /// A host has taken a packet from its flows.
    fn injected(&mut self, _packet: Injected) {}
    /// Wants to hear of what hosts take from their flows.
    fn wants_injection_audit(&self) -> bool {
        false
    }
    /// The region that an output is in has changed, or not.
    fn region(&mut self, _now: Time, _output: u32, _state: RegionState) {}
    /// An output is in this window.
    fn region_window(&mut self, _now: Time, _output: u32, _window: RegionWindow) {}
    /// Something happened to a packet of a flow at an output of a region.
    fn region_flow(&mut self, _now: Time, _output: u32, _flow: u32, _what: RegionFlow) {}
    /// Wants to hear of regions.
    fn wants_regions(&self) -> bool {
        false
    }
    /// Wants to hear what waits for outputs: `queued`.
    fn wants_fill(&self) -> bool {
        false
    }
    /// Wants to hear what inputs hold: `buffered`.
    fn wants_buffered(&self) -> bool {
        self.wants_fill()
    }
    /// So many bytes wait for `output` now.
    fn queued(&mut self, _now: Time, _output: u32, _bytes: u64) {}
    /// A packet of `flow` was dropped: the queue of `output` had no room.
    fn dropped(&mut self, _now: Time, _output: u32, _flow: u32) {}
    /// The buffer behind the link out of `port` holds so many bytes of a lane (where senders are paused).
    fn buffered(&mut self, _now: Time, _port: u32, _lane: u8, _bytes: u64) {}
    /// `port` starts to send a frame that tells its neighbour to pause in a lane, or to go on.
    fn pause_sent(&mut self, _now: Time, _port: u32, _lane: u8, _pause: bool) {}
    /// `port` acts on such a frame.
    fn pause_heard(&mut self, _now: Time, _port: u32, _lane: u8, _pause: bool) {}
    /// The time for which `port` was told to pause in a lane is over.
    fn pause_expired(&mut self, _now: Time, _port: u32, _lane: u8) {}
    /// `port` is paused in a lane from now on, or no more.
    fn paused(&mut self, _now: Time, _port: u32, _lane: u8, _paused: bool) {}
    /// The watchdog steps in at `port`, because a lane is paused for too long; or it steps back.
    fn storm(&mut self, _now: Time, _port: u32, _lane: u8, _begins: bool) {}
    /// A message has arrived whole.
    fn transferred(&mut self, _transfer: Transfer) {}
    /// What the sender of a message knows of it is this from now on. Said in parts of a network only: there `transferred` tells
    /// what the receiver knows, which is the flow and the instant.
    fn transferring(&mut self, _transfer: Transfer) {}
    /// Wants to hear of that.
    fn wants_transfers(&self) -> bool {
        false
    }
    /// A message of an application has been delivered.
    fn message(&mut self, _message: MessageFact) {}
    /// A finite flow has finished.
    fn completed(&mut self, _completion: Completion) {}

    /// An ACK of so many packets of a finite flow is in at its source. The flow ran, or still runs, under this id, and its
    /// message was made then.
    fn acknowledged(&mut self, _at: Time, _record: u32, _created: Time, _packets: u32) {}
    /// Rows of which there are enough to be handed over before the run is over; the rest comes with [`Probe::tables`].
    fn batch(&mut self, _names: &Names) -> Option<Table> {
        None
    }
    /// A transport has heard an ACK, or its timer.
    fn transport(&mut self, _state: TransportState) {}
    /// Wants the state of transports.
    fn wants_transport(&self) -> bool {
        false
    }
    /// When it wants to look at the fabric next.
    fn look_due(&self) -> Time {
        Time::NEVER
    }
    /// A look to be filled in, with the memory of the last one.
    fn blank_look(&mut self) -> Look {
        Look::default()
    }
    /// The fabric as it is; nothing can be changed by looking.
    fn look(&mut self, _look: Look, _ways: &dyn NextChannels) {}
    /// What is told from now on belongs to this place in the order of an instant. Said in parts of a network only.
    fn happens(&mut self, _place: u32) {}
    /// Parts of a network can record it by themselves: [`Probe::take_in_part`] says how they add up. Asked of recorders with files of
    /// their own; a run with one that says no is in one part.
    fn adds_up(&self) -> bool {
        false
    }
    /// Takes in what the same recorder of a part of the network has seen.
    fn take_in_part(&mut self, _part: &dyn Any) {}
    /// The run is over.
    fn finish(&mut self, _end: Time) {}
    /// Wants to hear of rate limits.
    fn wants_limits(&self) -> bool {
        false
    }
    /// Wants the flows in a full buffer listed.
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

/// A probe of which every part of a network can have one: together they have seen what one for all would have.
pub trait Parted: Probe + Send {
    /// Takes in what the probe of a part has seen; `sends` tells of a flow whether its source is in that part.
    fn take_in(&mut self, part: Self, sends: &dyn Fn(u32) -> bool);
    /// What a part has seen of a look that was due goes to the probe of the whole network, which puts it together.
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
