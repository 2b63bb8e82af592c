//! The sending end: which packets are in flight, which are lost, and whether another may be sent.
//!
//! ```text
//! may send: something to send, and (rccc) credit > 0, and (nscc) in flight + size <= window
//! first:    lost packets, lowest number first; then new ones
//! lost:     a NACK says so, or nothing was heard of a packet for `timeout`
//! ```
//!
//! The bytes in flight follow the bytes that the receiver reports, not numbers, so that lost ACKs do no harm. Before
//! the first answer a sender that needs credit may use the largest window; what is left of it when the first answer
//! arrives is void. If a packet was found lost only by a timer, and neither window nor credit allows it, a request is
//! sent for it, at most once per round trip. The same holds for anything that waits for credit while nothing is in
//! flight, because a grant may have been lost. And when its source stops, a sender asks for the state of the last
//! packets, once per round trip: none of them could say that it was the last, so the receiver need not answer them.
//!
//! Ultra Ethernet Specification 1.0, section 3.5; uet-htsim, `UecSrc`. Requests have no number of their own here; ACKs
//! carry no window penalty.

use std::sync::Arc;

use congestree_units::{Bytes, Span, Time};

use prefetch_index::prefetch_index;

use super::super::grants::{FIRST, QUANTUM};
use super::super::header::{Header, Role};
use super::super::{
    Ack, ControlPackets, Gauges, HostLink, Label, LossCounts, Next, PathView, Transport, TransportPhase,
};
use flight::Flight;

use super::nscc::{Nscc, NsccAck, NsccParams, NsccPath};
use super::{UetParams, product};
use crate::host::paths::{AnyPaths, Fared, Paths};

/// The sending side of one flow.
#[derive(Clone, Debug)]
pub struct Uet {
    state: Box<State>,
}

/// The credit that the receiver has granted, and how more is requested.
#[derive(Clone, Copy, Debug)]
struct Credit {
    /// Bytes that may be sent with this credit; the last number granted.
    bytes: i64,
    granted: u32,
    /// No answer has arrived yet.
    speculating: bool,
    requested_at: Option<Time>,
    wants_request: bool,
    /// When it requests credit, because it has none and nothing is in flight, or the reception state, because nothing
    /// more will follow; never otherwise.
    ask_at: Time,
}

/// The data that every packet and every answer needs are together, and first: with a thousand flows they are in no
/// nearby cache.
#[derive(Clone, Debug)]
#[repr(C)]
struct State {
    flight: Flight,
    /// One more than the last packet that there is.
    end: u32,
    /// Bytes on the wire of a full packet, and of the last.
    full: u32,
    last: u32,
    received: u64,
    credit: Credit,
    /// Its source has stopped, and not all packets sent are known to have arrived.
    cut: bool,
    rules: Arc<Rules>,
    window: Option<Nscc>,
    paths: AnyPaths,
    control: ControlPackets,
    measured: Span,
    loss_counts: LossCounts,
    path: PathView,
}

/// The parameters, which all flows share.
#[derive(Debug)]
struct Rules {
    params: UetParams,
    nscc: Option<Arc<NsccParams>>,
    /// Whether the receiver's credit decides what may be sent.
    credit: bool,
}

impl Rules {
    fn new(params: &UetParams) -> Self {
        Self { nscc: params.window().cloned().map(Arc::new), credit: params.credit().is_some(), params: params.clone() }
    }
}

impl Uet {
    /// A flow that has nothing to send and does not know its path yet.
    pub fn new(params: &UetParams) -> Self {
        Self {
            state: Box::new(State {
                paths: params.paths.build(),
                window: None,
                path: PathView::default(),
                flight: Flight::default(),
                end: 0,
                full: 0,
                last: 0,
                received: 0,
                cut: false,
                credit: Credit {
                    bytes: 0,
                    granted: FIRST,
                    speculating: true,
                    requested_at: None,
                    wants_request: false,
                    ask_at: Time::NEVER,
                },
                measured: Span::ZERO,
                loss_counts: LossCounts::default(),
                control: ControlPackets::default(),
                rules: Arc::new(Rules::new(params)),
            }),
        }
    }

    /// Bytes in flight, and their allowed number, if the sender limits them.
    pub fn flight(&self) -> (u64, Option<u64>) {
        (self.state.flight.on_its_way(), self.state.window.as_ref().map(Nscc::window))
    }
}

impl State {
    fn round_trip(&self) -> Span {
        self.rules.params.round_trip.unwrap_or(self.path.round_trip)
    }

    fn most_window(&self, link: HostLink) -> f64 {
        self.rules.params.most_window * product(link.line, self.round_trip())
    }

    fn settle(&mut self, now: Time, link: HostLink) {
        if self.full != 0 {
            return;
        }
        self.full = link.packet.0 as u32;
        self.credit.bytes = self.most_window(link) as i64;
        let path = NsccPath {
            line: link.line,
            packet: link.packet.0,
            segment: link.packet.0 - self.path.header.0.min(link.packet.0),
            round_trip: self.round_trip(),
            most_window: self.rules.params.most_window,
        };
        self.window = self.rules.nscc.as_ref().map(|params| Nscc::new(params, path, now));
    }

    fn size_of(&self, sequence: u32) -> u32 {
        match self.flight.size_of(sequence) {
            Some(size) => size,
            None if sequence.wrapping_add(1) == self.end => self.last,
            None => self.full,
        }
    }

    /// The lost packet with the lowest number, or the next new one.
    fn due(&self) -> Option<u32> {
        self.flight.first_lost().or((self.flight.next < self.end).then_some(self.flight.next))
    }

    fn may_send(&self, size: u32) -> bool {
        let credit = !self.rules.credit || self.credit.bytes > 0;
        let room =
            self.window.as_ref().is_none_or(|window| self.flight.on_its_way() + u64::from(size) <= window.window());
        credit && room
    }

    /// Bytes that have not been sent yet.
    fn backlog(&self) -> u64 {
        let packets = u64::from(self.end - self.flight.next);
        if packets == 0 { 0 } else { (packets - 1) * u64::from(self.full) + u64::from(self.last) }
    }

    /// The number up to which it could use credit. `sharers` flows of its host have something to send, including this
    /// one.
    fn wish(&self, link: HostLink, sharers: u32) -> u32 {
        let backlog = self.backlog();
        let mut bytes = (backlog + self.flight.lost_bytes).min(self.most_window(link) as u64);
        if let Some(window) = &self.window {
            bytes = bytes.min(window.window() + u64::from(self.full));
        }
        let mut bytes = bytes as i64 - self.credit.bytes;
        if self.credit.speculating && backlog > 0 {
            bytes = bytes.max(i64::from(self.full));
        }
        let share = bytes.max(0) as u64 / u64::from(sharers.max(1));
        self.credit.granted + share.div_ceil(QUANTUM) as u32
    }

    /// The round trip that an answer measures, if it is clear which transmission it answers.
    fn sample(&mut self, now: Time, header: &Header) -> Option<Span> {
        self.flight.answered(header.cause, header.again).map(|sent_at| now.since(sent_at))
    }

    /// The first answer ends the sending without credit.
    fn answered(&mut self) {
        if std::mem::take(&mut self.credit.speculating) {
            self.credit.bytes = self.credit.bytes.min(0);
        }
    }

    fn on_ack(&mut self, now: Time, header: &Header) {
        let bytes = header.received.saturating_sub(self.received);
        self.received += bytes;
        let sample = if header.to_request { None } else { self.sample(now, header) };
        if let Some(round_trip) = sample {
            self.measured = round_trip;
            if let Some(window) = &mut self.window {
                window.measured(round_trip);
            }
        }
        self.flight.advance(header.number);
        let mut bits = header.bits;
        while bits != 0 {
            self.flight.arrive(header.base.saturating_add(bits.trailing_zeros()));
            bits &= bits - 1;
        }
        self.flight.bytes -= bytes as i64;
        self.flight.forget_found();
        if !header.to_request {
            self.paths.on_answer(header.entropy, if header.marked() { Fared::Marked } else { Fared::Good });
        }
        let in_flight = self.flight.on_its_way();
        if let Some(window) = &mut self.window {
            let delay = sample.map(|round_trip| Span(round_trip.0 - window.base().0.min(round_trip.0)));
            window.on_ack(now, NsccAck { bytes, marked: header.marked(), delay, in_flight });
        }
        self.control.acks += 1;
        self.answered();
    }

    fn on_nack(&mut self, now: Time, header: &Header) {
        self.control.nacks += 1;
        self.answered();
        let sample = self.sample(now, header);
        if let (Some(round_trip), Some(window)) = (sample, &mut self.window) {
            window.measured(round_trip);
        }
        let Some(size) = self.flight.lose(header.cause) else { return };
        self.loss_counts.losses += 1;
        let (in_flight, forgives) = (self.flight.on_its_way(), self.rules.credit && header.last_hop);
        if let Some(window) = &mut self.window {
            window.on_trimmed(now, u64::from(size), in_flight, forgives);
        }
        // A trim in front of the receiver is no fault of the path.
        let fared = match (header.last_hop, header.marked()) {
            (false, _) => Fared::Trimmed,
            (true, true) => Fared::Marked,
            (true, false) => Fared::Good,
        };
        self.paths.on_answer(header.entropy, fared);
    }

    fn on_grant(&mut self, header: &Header, link: HostLink) {
        self.control.grants += 1;
        self.answered();
        let quanta = header.quanta.saturating_sub(self.credit.granted);
        self.credit.granted += quanta;
        let most = self.most_window(link) as i64;
        self.credit.bytes = (self.credit.bytes + i64::from(quanta) * QUANTUM as i64).min(most.max(self.credit.bytes));
    }

    /// Removes transmissions that no longer matter, and checks whether it is left without credit.
    fn tidy(&mut self, now: Time) {
        let idle = self.flight.tidy();
        let stuck = self.rules.credit && self.credit.bytes <= 0 && idle && self.due().is_some();
        self.cut &= self.flight.first < self.end;
        let asks = stuck || (self.cut && !idle);
        self.credit.ask_at = match (asks, self.credit.ask_at) {
            (false, _) => Time::NEVER,
            (true, Time::NEVER) => now + self.round_trip(),
            (true, at) => at,
        };
    }
}

impl Transport for Uet {
    fn at_path(&mut self, path: PathView) {
        self.state.path = path;
        self.state.paths.at_flow(path.salt);
    }

    fn on_last(&mut self, size: Bytes) {
        self.state.last = size.0 as u32;
    }

    fn on_work(&mut self, now: Time, end: u32, link: HostLink) {
        let state = &mut *self.state;
        state.settle(now, link);
        if state.last == 0 {
            state.last = state.full;
        }
        (state.end, state.cut) = (end, false);
        state.tidy(now);
    }

    fn on_cut(&mut self, now: Time) -> u32 {
        let state = &mut *self.state;
        (state.end, state.cut) = (state.flight.next, true);
        state.tidy(now);
        state.end
    }

    fn label(&mut self, now: Time, link: HostLink, sharers: u32) -> Label {
        let state = &mut *self.state;
        let Some(sequence) = state.due() else { return Label::default() };
        let again = sequence < state.flight.next;
        let size = state.size_of(sequence);
        let most = state.window.as_ref().map_or(0.0, Nscc::packets) as u32;
        let closes = state.window.as_ref().is_some_and(|window| {
            state.flight.on_its_way() + u64::from(size) + u64::from(state.full) > window.window()
        });
        let spent = state.rules.credit && state.credit.bytes <= i64::from(size);
        Label {
            entropy: state.paths.next(now, most),
            asks: again || sequence + 1 == state.end || closes || spent,
            again,
            quanta: state.wish(link, sharers),
        }
    }

    fn on_sent(&mut self, now: Time, size: Bytes, _link: HostLink) {
        let state = &mut *self.state;
        let Some(sequence) = state.due() else { return };
        let size = size.0 as u32;
        if sequence < state.flight.next {
            state.loss_counts.resent += 1;
            state.flight.send_again(now, size);
        } else {
            state.flight.send(now, size);
        }
        state.credit.bytes -= i64::from(size);
        state.tidy(now);
    }

    fn on_ack(&mut self, now: Time, ack: Ack, link: HostLink) {
        let bytes = (self.state.flight.first..ack.number.min(self.state.flight.next))
            .map(|n| u64::from(self.state.size_of(n)))
            .sum::<u64>();
        let received = self.state.received + bytes;
        let cause = ack.number.saturating_sub(1);
        self.on_answer(
            now,
            &Header { role: Role::Ack, number: ack.number, cause, received, ..Header::default() },
            link,
        );
    }

    fn on_answer(&mut self, now: Time, header: &Header, link: HostLink) {
        let state = &mut *self.state;
        match header.role {
            Role::Ack => state.on_ack(now, header),
            Role::Nack => state.on_nack(now, header),
            Role::Grant => state.on_grant(header, link),
            Role::Data | Role::Trimmed | Role::Request => {}
        }
        state.tidy(now);
    }

    fn on_timer(&mut self, now: Time, _link: HostLink) {
        let state = &mut *self.state;
        state.tidy(now);
        if state.credit.ask_at <= now {
            state.credit.ask_at = now + if state.cut { state.round_trip() } else { state.rules.params.timeout };
            (state.credit.requested_at, state.credit.wants_request) = (Some(now), true);
        }
        let due = state.flight.oldest().filter(|&(_, at)| at + state.rules.params.timeout <= now);
        let Some((sequence, _)) = due else { return };
        let Some(size) = state.flight.lose(sequence) else { return };
        state.loss_counts.timeouts += 1;
        if let Some(window) = &mut state.window {
            window.on_timeout(u64::from(size));
        }
        state.paths.on_timeout(now);
        state.tidy(now);
        let pause = state.round_trip();
        let rested = state.credit.requested_at.is_none_or(|before| now.since(before) >= pause);
        if state.rules.credit && !state.may_send(size) && rested {
            (state.credit.requested_at, state.credit.wants_request) = (Some(now), true);
        }
    }

    fn request(&mut self, now: Time, link: HostLink) -> Option<Header> {
        let state = &mut *self.state;
        if !std::mem::take(&mut state.credit.wants_request) {
            return None;
        }
        state.control.requests += 1;
        let entropy = state.paths.next(now, 0);
        Some(Header {
            role: Role::Request,
            entropy,
            quanta: state.wish(link, 1),
            cause: state.flight.first,
            ..Header::default()
        })
    }

    fn next_timer(&self) -> Time {
        let oldest = self.state.flight.oldest().map_or(Time::NEVER, |(_, at)| at + self.state.rules.params.timeout);
        oldest.min(self.state.credit.ask_at)
    }

    fn next(&self) -> Option<Next> {
        let sequence = self.state.due()?;
        let may = self.state.may_send(self.state.size_of(sequence));
        may.then_some(Next::at_once(sequence, false))
    }

    fn fetch(&self) {
        let State { flight, received, credit, rules, window, .. } = &*self.state;
        prefetch_index(std::slice::from_ref(&flight.first), 0);
        prefetch_index(std::slice::from_ref(&flight.lost_bytes), 0);
        prefetch_index(std::slice::from_ref(received), 0);
        prefetch_index(std::slice::from_ref(credit), 0);
        prefetch_index(std::slice::from_ref(rules), 0);
        prefetch_index(std::slice::from_ref(window), 0);
    }

    fn acknowledged(&self) -> u32 {
        self.state.flight.first
    }

    fn in_flight(&self) -> u32 {
        self.state.flight.next - self.state.flight.first
    }

    fn loss_counts(&self) -> LossCounts {
        self.state.loss_counts
    }

    fn control(&self) -> ControlPackets {
        self.state.control
    }

    fn gauges(&self) -> Gauges {
        let state = &*self.state;
        let phase = match () {
            () if state.flight.first == state.end => TransportPhase::Idle,
            () if state.flight.first_lost().is_some() => TransportPhase::Recovery,
            () => TransportPhase::CongestionAvoidance,
        };
        let window = state.window.as_ref().map_or(0.0, Nscc::packets);
        Gauges { phase, rate: 0.0, window, measured: state.measured, predicted: state.round_trip() }
    }
}

mod flight;
#[cfg(test)]
mod tests;
