//! What a transport is told, what it answers, and what it declares of itself.

use congestree_units::{Bytes, Rate, Span, Time};

use super::{AnyGrants, AnyReceiver, ControlPackets, Gauges, Header, LossCounts, ReceiverParams};
use crate::check::{Diagnostics, Setting};
use crate::host::bounds::{LossTimer, MostWindow};
use crate::host::react::{Feedback, LinkView};

/// What a transport may know of its position.
#[derive(Clone, Copy, Debug)]
pub struct HostLink {
    /// Rate of the link of its host.
    pub line: Rate,
    /// A full packet on the wire.
    pub packet: Bytes,
}

/// The content of an ACK.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ack {
    /// All packets below this number have arrived.
    pub number: u32,
    /// When the packet that caused the ACK was sent (its time stamp, sent back).
    pub stamp: Time,
    /// Feedback about the packets that it acknowledges, if a reaction point needs it.
    pub feedback: Feedback,
    /// The packet that caused the ACK came behind a missing one.
    pub behind_gap: bool,
}

/// The path of a flow, for a transport that depends on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathView {
    /// A number that is unique to this flow in the run, and that differs with the seed.
    pub salt: u64,
    /// From the start of a full packet until its ACK arrives, if nothing else is in flight.
    pub round_trip: Span,
    /// Bytes that a data packet carries on top of its payload.
    pub header: Bytes,
}

/// What a data packet carries of its transport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// Which path it takes.
    pub entropy: u16,
    /// Whether an answer is requested at once.
    pub asks: bool,
    /// It was sent before.
    pub again: bool,
    /// The number up to which the sender could use grants.
    pub quanta: u32,
}

/// A packet that a transport wants to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The number of the packet.
    pub sequence: u32,
    /// The earliest start.
    pub at: Time,
    /// It fills a gap in the received packets, and counts as in flight already: no window holds it back.
    pub fills: bool,
}

impl Next {
    /// A packet that may start at once.
    pub fn at_once(sequence: u32, fills: bool) -> Self {
        Self { sequence, at: Time::START, fills }
    }
}

/// The sending side of one flow.
pub trait Transport {
    /// Called once, before anything else: the path of its flow.
    fn at_path(&mut self, _path: PathView) {}

    /// Called before `on_work`: bytes on the wire of the last packet of the coming group; the others are full.
    fn on_last(&mut self, _size: Bytes) {}

    /// There is a new group: the packets up to and without `end`. All packets before have been sent at least once; they
    /// are acknowledged, unless the transport [follows on](TransportKind::follows_on).
    fn on_work(&mut self, now: Time, end: u32, link: HostLink);

    /// The group ends with what has been sent so far. Returns one more than its last packet.
    fn on_cut(&mut self, now: Time) -> u32;

    /// The packet named by `next` starts now, with this many bytes on the wire.
    fn on_sent(&mut self, now: Time, size: Bytes, link: HostLink);

    /// An ACK has come in.
    fn on_ack(&mut self, now: Time, ack: Ack, link: HostLink);

    /// An answer has arrived: an ACK, or another message of the receiver.
    fn on_answer(&mut self, now: Time, header: &Header, link: HostLink) {
        let &Header { number, stamp, feedback, behind_gap, .. } = header;
        self.on_ack(now, Ack { number, stamp, feedback, behind_gap }, link);
    }

    /// The transport header of the packet named by `next`, called just before it starts. `sharers` flows of its host
    /// have a packet to send, including this one.
    fn label(&mut self, _now: Time, _link: HostLink, _sharers: u32) -> Label {
        Label::default()
    }

    /// A request to be sent to the receiver now, if there is one. Called after its timer.
    fn request(&mut self, _now: Time, _link: HostLink) -> Option<Header> {
        None
    }

    /// The timer is due.
    fn on_timer(&mut self, now: Time, link: HostLink);

    /// When its timer expires; never if it has none.
    fn next_timer(&self) -> Time;

    /// The packet that it sends next; `None` if it sends nothing before something else happens.
    fn next(&self) -> Option<Next>;

    /// Prefetches into the cache what the next packet or answer will need, if that is not part of the transport itself.
    /// It affects only the speed.
    fn fetch(&self) {}

    /// One more than the highest packet ever sent.
    fn sent(&self) -> u32;

    /// The number up to which everything has been acknowledged.
    fn acknowledged(&self) -> u32;

    /// Packets that are known to have arrived, in order or not.
    fn arrived(&self) -> u32 {
        self.acknowledged()
    }

    /// Packets in flight: sent, and neither known to have arrived nor to be sent again.
    fn in_flight(&self) -> u32;

    /// Bytes of its state that it keeps outside itself, before anything has happened: for estimates of memory.
    fn boxed(&self) -> usize {
        0
    }

    /// What went wrong so far.
    fn loss_counts(&self) -> LossCounts {
        LossCounts::default()
    }

    /// Control packets so far.
    fn control(&self) -> ControlPackets {
        ControlPackets::default()
    }

    /// Its inner state. For probes.
    fn gauges(&self) -> Gauges;
}

/// What a transport declares beside its parameters: the fabric and the checks of a scenario use nothing else.
pub trait TransportKind {
    /// Reports everything that cannot work, each at its field.
    fn check(&self, _setting: &Setting, _found: &mut Diagnostics) {}

    /// How the receiver answers, if it accepts packets in order and acknowledges up to the first missing one.
    fn receiver(&self) -> Option<ReceiverParams>;

    /// The receiver; `None` if there is none, so that nothing is ever sent again.
    fn build_receiver(&self) -> Option<AnyReceiver> {
        self.receiver().map(AnyReceiver::of)
    }

    /// Whether the reaction to marks decides how fast to send.
    fn leaves_the_rate(&self) -> bool {
        false
    }

    /// Whether a message may begin when all packets of the one before have been sent, and need not wait until they are
    /// acknowledged.
    fn follows_on(&self) -> bool {
        false
    }

    /// Whether its packets carry headers, by which switches distinguish paths and receivers answer packets
    /// individually.
    fn has_headers(&self) -> bool {
        false
    }

    /// Whether its receivers answer packets whose payload a switch has cut off.
    fn hears_of_trims(&self) -> bool {
        false
    }

    /// The largest window of a flow with this path, if a parameter bounds that whatever the path.
    fn most_window(&self, _path: LinkView) -> Option<MostWindow> {
        None
    }

    /// The times without an answer after which it takes packets for lost; none if they follow the round trips that it
    /// measures.
    fn loss_timers(&self) -> Vec<LossTimer> {
        Vec::new()
    }

    /// The lane of control packets; `None`: that of the data.
    fn control_lane(&self) -> Option<u8> {
        None
    }

    /// Whether receivers grant credit to their senders.
    fn grants_credit(&self) -> bool {
        false
    }

    /// The grants of a host whose link has the rate `line`, if receivers grant credit. `farthest` returns the round
    /// trip without load from the farthest host that sends to it.
    fn grants(&self, _line: Rate, _farthest: impl FnOnce() -> Span) -> Option<AnyGrants> {
        None
    }
}
