//! What one sender knows: its packets in flight, its credit, its window and its paths, and what answers change of them.

use std::sync::Arc;

use congestree_units::{Span, Time};

use super::super::super::header::Header;
use super::super::super::{ControlPackets, HostLink, LossCounts, PathView};
use super::super::nscc::{Nscc, NsccAck, NsccParams, NsccPath};
use super::super::{UetParams, product};
use super::credit::GrantedCredit;
use super::flight::Flight;
use crate::host::paths::{AnyPaths, Fared, Paths};

/// The data that every packet and every answer needs are together, and first: with a thousand flows they are in no
/// nearby cache.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct SenderState {
    pub flight: Flight,
    /// One more than the last packet that there is.
    pub end: u32,
    /// Bytes on the wire of a full packet, and of the last.
    pub full: u32,
    pub last: u32,
    pub received: u64,
    pub credit: GrantedCredit,
    /// Its source has stopped, and not all packets sent are known to have arrived.
    pub cut: bool,
    pub rules: Arc<Rules>,
    pub window: Option<Nscc>,
    pub paths: AnyPaths,
    pub control: ControlPackets,
    pub measured: Span,
    pub loss_counts: LossCounts,
    pub path: PathView,
}

/// The parameters, which all flows share.
#[derive(Debug)]
pub(super) struct Rules {
    pub params: UetParams,
    nscc: Option<Arc<NsccParams>>,
    /// Whether the receiver's credit decides what may be sent.
    pub credit: bool,
}

impl Rules {
    fn new(params: &UetParams) -> Self {
        Self { nscc: params.window().cloned().map(Arc::new), credit: params.credit().is_some(), params: params.clone() }
    }
}

impl SenderState {
    /// A flow that has nothing to send and does not know its path yet.
    pub(super) fn new(params: &UetParams) -> Self {
        Self {
            paths: params.paths.build(),
            window: None,
            path: PathView::default(),
            flight: Flight::default(),
            end: 0,
            full: 0,
            last: 0,
            received: 0,
            cut: false,
            credit: GrantedCredit::new(),
            measured: Span::ZERO,
            loss_counts: LossCounts::default(),
            control: ControlPackets::default(),
            rules: Arc::new(Rules::new(params)),
        }
    }

    pub(super) fn round_trip(&self) -> Span {
        self.rules.params.round_trip.unwrap_or(self.path.round_trip)
    }

    fn most_window(&self, link: HostLink) -> f64 {
        self.rules.params.most_window * product(link.line, self.round_trip())
    }

    pub(super) fn settle(&mut self, now: Time, link: HostLink) {
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

    pub(super) fn size_of(&self, sequence: u32) -> u32 {
        match self.flight.size_of(sequence) {
            Some(size) => size,
            None if sequence.wrapping_add(1) == self.end => self.last,
            None => self.full,
        }
    }

    /// The lost packet with the lowest number, or the next new one.
    pub(super) fn due(&self) -> Option<u32> {
        self.flight.first_lost().or((self.flight.next < self.end).then_some(self.flight.next))
    }

    pub(super) fn may_send(&self, size: u32) -> bool {
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

    /// The number up to which it could use credit when a packet with so many new or repeated bytes has left. `sharers`
    /// flows of its host have something to send, including this one.
    pub(super) fn wish(&self, link: HostLink, sharers: u32, (new, repeated): (u32, u32)) -> u32 {
        let backlog = self.backlog() - u64::from(new);
        let lost = self.flight.lost_bytes - u64::from(repeated);
        let mut bytes = (backlog + lost).min(self.most_window(link) as u64);
        if let Some(window) = &self.window {
            bytes = bytes.min(window.window() + u64::from(self.full));
        }
        let mut bytes = bytes as i64 - (self.credit.bytes - i64::from(new + repeated));
        if self.credit.speculating && backlog > 0 {
            bytes = bytes.max(i64::from(self.full));
        }
        let share = bytes.max(0) as u64 / u64::from(sharers.max(1));
        self.credit.up_to(share)
    }

    /// The round trip that an answer measures, if it is clear which transmission it answers.
    fn sample(&mut self, now: Time, header: &Header) -> Option<Span> {
        self.flight.answered(header.cause, header.again).map(|sent_at| now.since(sent_at))
    }

    pub(super) fn on_ack(&mut self, now: Time, header: &Header) {
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
        self.credit.answered();
    }

    pub(super) fn on_nack(&mut self, now: Time, header: &Header) {
        self.control.nacks += 1;
        self.credit.answered();
        let sample = self.sample(now, header);
        if let (Some(round_trip), Some(window)) = (sample, &mut self.window) {
            window.measured(round_trip);
        }
        // The window hears of the trim while its packet still counts as in flight, as in htsim.
        let in_flight = self.flight.on_its_way();
        let Some(size) = self.flight.lose(header.cause) else { return };
        self.loss_counts.losses += 1;
        let forgives = self.rules.credit && header.last_hop;
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

    pub(super) fn on_grant(&mut self, header: &Header, link: HostLink) {
        self.control.grants += 1;
        self.credit.answered();
        self.credit.grant(header.quanta, self.most_window(link) as i64);
    }

    /// Removes transmissions that no longer matter, and checks whether it is left without credit.
    pub(super) fn tidy(&mut self, now: Time) {
        let idle = self.flight.tidy();
        let stuck = self.rules.credit && self.credit.bytes <= 0 && idle && self.due().is_some();
        self.cut &= self.flight.first < self.end;
        self.credit.asks(stuck || (self.cut && !idle), now + self.round_trip());
    }
}
