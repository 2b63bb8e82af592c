//! How a host transmits its packets over a lossy network: what is sent next and when, and what is sent again.
//!
//! A transport is the sending side of one flow. It knows its packets by their numbers, counted from zero, and receives
//! its work in *groups* (a message, or an endless series): the packets up to a number. The [`InOrderReceiver`] at the
//! other end accepts them in order and answers with ACKs. Both are pure state machines: they are told what happened and
//! when, and answer what they want to do; the fabric keeps their timers and moves their packets.

use congestree_units::{Bytes, Rate, Span, Time};

use crate::check::{Complaints, Setting};
use crate::host::react::Feedback;

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
    /// Which way it takes.
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

/// The sending side of one flow.
pub trait Transport {
    /// Called once, before anything else: the path of its flow.
    fn at_path(&mut self, _path: PathView) {}

    /// Called before `on_work`: bytes on the wire of the last packet of the coming group; the others are full.
    fn on_last(&mut self, _size: Bytes) {}

    /// There is a new group: the packets up to and without `end`. All packets before are acknowledged.
    fn on_work(&mut self, now: Time, end: u32, link: HostLink);

    /// The group ends with what has been sent so far. Returns one more than its last packet.
    fn on_cut(&mut self, now: Time) -> u32;

    /// The packet named by `next` starts now, with this many bytes on the wire.
    fn on_sent(&mut self, now: Time, size: Bytes, link: HostLink);

    /// An ACK has come in.
    fn on_ack(&mut self, now: Time, ack: Ack, link: HostLink);

    /// An answer has arrived: an ACK, or another message of the receiver.
    fn on_answer(&mut self, now: Time, header: &Header, link: HostLink) {
        self.on_ack(now, Ack { number: header.number, stamp: header.stamp, feedback: header.feedback }, link);
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

    /// The number up to which everything has been acknowledged.
    fn acknowledged(&self) -> u32;

    /// Packets that are known to have arrived, in order or not.
    fn arrived(&self) -> u32 {
        self.acknowledged()
    }

    /// Packets in flight: sent, and neither known to have arrived nor to be sent again.
    fn in_flight(&self) -> u32;

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
    /// Complains about everything that cannot work, each at its field.
    fn check(&self, _setting: &Setting, _found: &mut Complaints) {}

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

    /// Whether its packets carry headers, by which switches distinguish paths and receivers answer packets
    /// individually.
    fn has_headers(&self) -> bool {
        false
    }

    /// Whether its receivers answer packets whose payload a switch has cut off.
    fn hears_of_trims(&self) -> bool {
        false
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

parts! {
    /// Any transport a scenario can name. One a flow, in a table of its own: the size of a variant does not matter.
    #[allow(clippy::large_enum_variant)]
    AnyTransport / TransportParams: Transport {
        /// No transport: packets are never retransmitted. Lossless links need nothing more.
        None = none::Unrepeated(NoParams),
        /// Delay-based rate control with probing, for data centres (EFL).
        Efl = efl::Efl(EflParams),
        /// TCP NewReno.
        NewReno = new_reno::NewReno(NewRenoParams),
        /// Go-back-N as in RoCE adapters, at the rate that the reaction to marks allows.
        GoBackN = go_back_n::GoBackN(GoBackNParams),
        /// Ultra Ethernet transport: packets over many paths, acknowledged selectively, with a sender window (NSCC) or
        /// receiver credit (RCCC).
        Uet = uet::Uet(UetParams),
        /// IRN: selective repeat inside a window of the bandwidth-delay product, for RoCE on lossy links.
        Irn = irn::Irn(IrnParams),
    }
}

mod any_receiver;
mod forecast;
mod grants;
mod header;
mod numbers;
mod receiver;
mod round_trip;

pub use any_receiver::{AnyReceiver, Received};
pub use grants::{AnyGrants, FIRST, Grant, Grants, QUANTUM};
pub use header::{Arrived, Header, Role};
pub use receiver::{InOrderReceiver, Receipt, ReceiverParams};

impl Transport for AnyTransport {
    fn at_path(&mut self, path: PathView) {
        each!(self, part => part.at_path(path));
    }

    fn on_last(&mut self, size: Bytes) {
        each!(self, part => part.on_last(size));
    }

    fn on_answer(&mut self, now: Time, header: &Header, link: HostLink) {
        each!(self, part => part.on_answer(now, header, link));
    }

    fn label(&mut self, now: Time, link: HostLink, sharers: u32) -> Label {
        each!(self, part => part.label(now, link, sharers))
    }

    fn request(&mut self, now: Time, link: HostLink) -> Option<Header> {
        each!(self, part => part.request(now, link))
    }

    fn on_work(&mut self, now: Time, end: u32, link: HostLink) {
        each!(self, part => part.on_work(now, end, link));
    }

    fn on_cut(&mut self, now: Time) -> u32 {
        each!(self, part => part.on_cut(now))
    }

    fn on_sent(&mut self, now: Time, size: Bytes, link: HostLink) {
        each!(self, part => part.on_sent(now, size, link));
    }

    fn on_ack(&mut self, now: Time, ack: Ack, link: HostLink) {
        each!(self, part => part.on_ack(now, ack, link));
    }

    fn on_timer(&mut self, now: Time, link: HostLink) {
        each!(self, part => part.on_timer(now, link));
    }

    fn next_timer(&self) -> Time {
        each!(self, part => part.next_timer())
    }

    fn next(&self) -> Option<Next> {
        each!(self, part => part.next())
    }

    fn fetch(&self) {
        each!(self, part => part.fetch())
    }

    fn acknowledged(&self) -> u32 {
        each!(self, part => part.acknowledged())
    }

    fn arrived(&self) -> u32 {
        each!(self, part => part.arrived())
    }

    fn in_flight(&self) -> u32 {
        each!(self, part => part.in_flight())
    }

    fn loss_counts(&self) -> LossCounts {
        each!(self, part => part.loss_counts())
    }

    fn control(&self) -> ControlPackets {
        each!(self, part => part.control())
    }

    fn gauges(&self) -> Gauges {
        each!(self, part => part.gauges())
    }
}

impl TransportParams {
    /// How the receiver answers, if it accepts packets in order.
    pub fn receiver(&self) -> Option<ReceiverParams> {
        each_of!(self, kind => kind.receiver())
    }

    /// The receiver; `None` if there is none.
    pub fn build_receiver(&self) -> Option<AnyReceiver> {
        each_of!(self, kind => kind.build_receiver())
    }

    /// Whether lost packets are sent again.
    pub fn repairs(&self) -> bool {
        self.build_receiver().is_some()
    }

    /// Whether the reaction to marks decides how fast to send.
    pub fn leaves_the_rate(&self) -> bool {
        each_of!(self, kind => kind.leaves_the_rate())
    }

    /// Whether its packets carry headers, by which switches distinguish paths and receivers answer packets
    /// individually.
    pub fn has_headers(&self) -> bool {
        each_of!(self, kind => kind.has_headers())
    }

    /// Whether its receivers answer packets whose payload a switch has cut off.
    pub fn hears_of_trims(&self) -> bool {
        each_of!(self, kind => kind.hears_of_trims())
    }

    /// The lane of control packets; `None`: that of the data.
    pub fn control_lane(&self) -> Option<u8> {
        each_of!(self, kind => kind.control_lane())
    }

    /// Whether receivers grant credit to their senders.
    pub fn grants_credit(&self) -> bool {
        each_of!(self, kind => kind.grants_credit())
    }

    /// The grants of a host whose link has the rate `line`, if receivers grant credit. `farthest` returns the round
    /// trip without load from the farthest host that sends to it.
    pub fn grants(&self, line: Rate, farthest: impl FnOnce() -> Span) -> Option<AnyGrants> {
        each_of!(self, kind => kind.grants(line, farthest))
    }
}

/// A receiver must not delay its ACKs for longer than the sender waits for them (the field `name`).
fn check_flush(flush: Option<Span>, every: u32, (name, timeout): (&str, Span), found: &mut Complaints) {
    if flush == Some(Span::ZERO) {
        found.complain("ack_flush", "no packet would wait for its ACK", "give a time above zero, or ack_every = 1");
    }
    if let Some(flush) = flush
        && every > 1
        && flush >= timeout
        && timeout > Span::ZERO
    {
        let fact =
            format!("an ACK held back for {flush} comes after the sender has given up waiting ({name}, {timeout})");
        found.complain("ack_flush", fact, format!("make it shorter than {name}"));
    }
}

/// Checks the time without answers after which a loss is assumed.
fn check_timeout(field: &str, timeout: Span, fact: &str, found: &mut Complaints) {
    if timeout == Span::ZERO {
        found.complain(field, fact, "give a time above zero");
    }
}
