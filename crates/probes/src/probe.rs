//! Whoever is told of facts: a probe, and one that every part of a network can have.

use std::any::Any;

use congestree_units::{Span, Time};

use crate::facts::{
    BlockedBehind, Completion, Delivery, Detection, InUse, Injected, Mark, MessageFact, RegionFlow, RegionState,
    RegionWindow, Sending, SentPacket, Transfer, TransportState, Trigger,
};
use crate::table::Table;
use crate::trees::sample::{FabricSample, NextChannels};

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
    /// The buffer of an input and lane became full. `buffered` lists the flow of each packet in it.
    fn full(&mut self, _now: Time, _input: u32, _lane: u8, _buffered: &mut dyn Iterator<Item = u32>) {}
    /// A marking policy was triggered for an output.
    fn triggered(&mut self, _trigger: Trigger) {}
    /// A packet was marked.
    fn marked(&mut self, _mark: Mark) {}
    /// Completes a [`Mark`]: the limit of the flow when `output` marked the packet with this `number`. Only called in
    /// parts of a network.
    fn limit_when_marked(&mut self, _output: u32, _number: u64, _limit: f64) {}
    /// The source was told of a marked packet.
    fn echoed(&mut self, _now: Time, _packet: SentPacket) {}
    /// A packet, `marked` or not, has no answer of its own: the answer to the packet of its flow that started at `later`
    /// is for both.
    fn answered_together(&mut self, _packet: SentPacket, _marked: bool, _later: Time) {}
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
    /// A host has taken a packet from its flows. `gap`: from the start of a packet that took this time on the link to
    /// the start of the next, by the rate limit at this instant.
    fn injected(&mut self, _packet: Injected, _gap: &dyn Fn(Span) -> Span) {}
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
    /// A packet of `flow` was dropped, for want of room in the queue of `output` or behind it, or because nothing may
    /// leave there for too long. Of a flow by message it is the flow of its source.
    fn dropped(&mut self, _now: Time, _output: u32, _flow: u32) {}
    /// The buffer behind the link out of `port` now holds this many bytes of a lane (where senders are paused).
    fn buffered(&mut self, _now: Time, _port: u32, _lane: u8, _bytes: u64) {}
    /// `port` sends the bytes of a frame again, after an error on the link.
    fn sent_again(&mut self, _at: Time, _until: Time, _port: u32, _bytes: u32) {}
    /// `port` starts to send a frame that tells its neighbour to pause a lane, or to go on.
    fn pause_sent(&mut self, _now: Time, _port: u32, _lane: u8, _pause: bool) {}
    /// `port` receives such a frame.
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
    /// When the probe needs the next sample of the fabric.
    fn sample_due(&self) -> Time {
        Time::NEVER
    }
    /// An empty sample to be filled in, which reuses the memory of the last one.
    fn blank_sample(&mut self) -> FabricSample {
        FabricSample::default()
    }
    /// Takes a sample of the present state of the fabric, with the memory of which the next one begins. Recorders are
    /// told of it by [`Probe::sampled`].
    fn take_sample(&mut self, _sample: FabricSample, _routes: &dyn NextChannels) {}
    /// A sample of the fabric was taken; a sample cannot change anything.
    fn sampled(&mut self, _sample: &FabricSample, _routes: &dyn NextChannels) {}
    /// The probe needs credits in samples.
    fn wants_credits(&self) -> bool {
        false
    }
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
    /// From now on a sample of this part goes to the probe of the whole network, which puts the samples of all parts
    /// together.
    fn give_sample_away(&mut self);
}

impl Parted for Silent {
    fn take_in(&mut self, _part: Self, _sends: &dyn Fn(u32) -> bool) {}
    fn give_sample_away(&mut self) {}
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
    /// From one sample of the fabric to the next.
    pub sampling_interval: Span,
}
