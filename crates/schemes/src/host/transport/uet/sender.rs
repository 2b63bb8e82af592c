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

use congestree_units::{Bytes, Time};

use prefetch_index::prefetch_index;

use super::super::header::{Header, Role};
use super::super::{
    Ack, ControlPackets, Gauges, HostLink, Label, LossCounts, Next, PathView, Transport, TransportPhase,
};
use super::UetParams;
use super::nscc::Nscc;
use crate::host::paths::Paths;

mod credit;
mod flight;
mod state;

use state::SenderState;

/// The sending side of one flow.
#[derive(Clone, Debug)]
pub struct Uet {
    state: Box<SenderState>,
}

impl Uet {
    /// A flow that has nothing to send and does not know its path yet.
    pub fn new(params: &UetParams) -> Self {
        Self { state: Box::new(SenderState::new(params)) }
    }

    /// Bytes in flight, and their allowed number, if the sender limits them.
    pub fn flight(&self) -> (u64, Option<u64>) {
        (self.state.flight.on_its_way(), self.state.window.as_ref().map(Nscc::window))
    }
}

impl Transport for Uet {
    fn boxed(&self) -> usize {
        size_of::<SenderState>() + self.state.paths.boxed()
    }

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
            quanta: state.wish(link, sharers, if again { (0, size) } else { (size, 0) }),
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
        state.credit.ask_if_due(now, if state.cut { state.round_trip() } else { state.rules.params.timeout });
        let due = state.flight.oldest().filter(|&(_, at)| at + state.rules.params.timeout <= now);
        let Some((sequence, _)) = due else { return };
        let Some(size) = state.flight.lose(sequence) else { return };
        state.loss_counts.timeouts += 1;
        if let Some(window) = &mut state.window {
            window.on_timeout(u64::from(size));
        }
        state.paths.on_timeout(now);
        state.tidy(now);
        if state.rules.credit && !state.may_send(size) && state.credit.rested(now, state.round_trip()) {
            state.credit.request(now);
        }
    }

    fn request(&mut self, now: Time, link: HostLink) -> Option<Header> {
        let state = &mut *self.state;
        if !state.credit.take_request() {
            return None;
        }
        state.control.requests += 1;
        let entropy = state.paths.next(now, 0);
        Some(Header {
            role: Role::Request,
            entropy,
            quanta: state.wish(link, 1, (0, 0)),
            cause: state.flight.first,
            ..Header::default()
        })
    }

    fn next_timer(&self) -> Time {
        let oldest = self.state.flight.oldest().map_or(Time::NEVER, |(_, at)| at + self.state.rules.params.timeout);
        oldest.min(self.state.credit.ask_at())
    }

    fn next(&self) -> Option<Next> {
        let sequence = self.state.due()?;
        let may = self.state.may_send(self.state.size_of(sequence));
        may.then_some(Next::at_once(sequence, false))
    }

    fn fetch(&self) {
        let SenderState { flight, received, credit, rules, window, .. } = &*self.state;
        prefetch_index(std::slice::from_ref(&flight.first), 0);
        prefetch_index(std::slice::from_ref(&flight.lost_bytes), 0);
        prefetch_index(std::slice::from_ref(received), 0);
        prefetch_index(std::slice::from_ref(credit), 0);
        prefetch_index(std::slice::from_ref(rules), 0);
        prefetch_index(std::slice::from_ref(window), 0);
    }

    fn sent(&self) -> u32 {
        self.state.flight.next
    }

    fn acknowledged(&self) -> u32 {
        self.state.flight.first
    }

    /// At most: packets that arrived beyond a gap count too. Only windows of reactions ask, and this transport has none of
    /// these; its own windows count bytes.
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

#[cfg(test)]
mod tests;
