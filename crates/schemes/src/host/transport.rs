//! How a host transmits its packets over a lossy network: what is sent next and when, and what is sent again.
//!
//! A transport is the sending side of one flow. It knows its packets by their numbers, counted from zero, and receives
//! its work in *groups* (a message, or an endless series): the packets up to a number. The [`InOrderReceiver`] at the
//! other end accepts them in order and answers with ACKs. Both are pure state machines: they are told what happened and
//! when, and answer what they want to do; the fabric keeps their timers and moves their packets.

use congestree_units::{Bytes, Rate, Span, Time};

use crate::check::Diagnostics;
use crate::host::bounds::{LossTimer, MostWindow};
use crate::host::react::LinkView;

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
mod contract;
mod gauges;
mod grants;
mod header;
mod numbers;
mod receiver;

pub use any_receiver::{AnyReceiver, Received};
pub use contract::{Ack, HostLink, Label, Next, PathView, Transport, TransportKind};
pub use gauges::{ControlPackets, Gauges, LossCounts, TransportPhase};
pub use grants::{AnyGrants, Condition, FIRST, Grant, Grants, QUANTUM};
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

    fn sent(&self) -> u32 {
        each!(self, part => part.sent())
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

    fn boxed(&self) -> usize {
        each!(self, part => part.boxed())
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

    /// Whether a message may begin when all packets of the one before have been sent.
    pub fn follows_on(&self) -> bool {
        each_of!(self, kind => kind.follows_on())
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

    /// The largest window of a flow with this path, if a parameter bounds that whatever the path.
    pub fn most_window(&self, path: LinkView) -> Option<MostWindow> {
        each_of!(self, kind => kind.most_window(path))
    }

    /// The times without an answer after which it takes packets for lost; none if they follow the round trips that it
    /// measures.
    pub fn loss_timers(&self) -> Vec<LossTimer> {
        each_of!(self, kind => kind.loss_timers())
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
fn check_flush(flush: Option<Span>, every: u32, (name, timeout): (&str, Span), found: &mut Diagnostics) {
    if flush == Some(Span::ZERO) {
        found.report("ack_flush", "no packet would wait for its ACK", "give a time above zero, or ack_every = 1");
    }
    if let Some(flush) = flush
        && every > 1
        && flush >= timeout
        && timeout > Span::ZERO
    {
        let fact =
            format!("an ACK held back for {flush} comes after the sender has given up waiting ({name}, {timeout})");
        found.report("ack_flush", fact, format!("make it shorter than {name}"));
    }
}

/// A receiver that acknowledges each packet by itself delays no ACK. Not for a transport with a usual delay, which is in
/// its resolved scenarios whatever `every` is.
fn check_idle_flush(flush: Option<Span>, every: u32, found: &mut Diagnostics) {
    let idle = every == 1 && flush.is_some_and(|flush| flush > Span::ZERO);
    let why = "every packet has its own ACK (ack_every)";
    found.check_idle("ack_flush", idle, why, "leave it out, or make ack_every larger");
}

/// Checks the time without answers after which a loss is assumed.
fn check_timeout(field: &str, timeout: Span, fact: &str, found: &mut Diagnostics) {
    if timeout == Span::ZERO {
        found.report(field, fact, "give a time above zero");
    }
}
