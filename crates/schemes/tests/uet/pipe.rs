//! One Ultra Ethernet flow over a network that delays every packet differently, marks, trims and loses: sender,
//! receiver and the credit of its host, without the fabric.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use congestree_schemes::transport::uet::{Selective, Uet, UetParams};
use congestree_schemes::transport::{AnyGrants, Arrived, Grants, Header, HostLink, PathView, Role};
use congestree_schemes::{Transport, TransportParams};
use congestree_units::{Bytes, Rate, Span, Time};

use crate::chance::Chance;

pub(crate) const PACKET: u32 = 4_150;
pub(crate) const LINK: HostLink = HostLink { line: Rate::from_gbps(100), packet: Bytes(PACKET as u64) };
/// There and back.
pub(crate) const ROUND_TRIP: Span = Span::from_us(12);

/// What happens to packets: shares of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weather {
    pub lost: f64,
    pub trimmed: f64,
    pub marked: f64,
    /// The longest delay in addition to that of the path.
    pub spread: Span,
}

/// A packet on its way: to the receiver if `there`.
#[derive(Clone, Copy, Debug)]
struct Flying {
    there: bool,
    sequence: u32,
    size: u32,
    marked: bool,
    header: Header,
}

/// A flow at work.
pub(crate) struct Run {
    pub sender: Uet,
    receiver: Selective,
    grants: Option<AnyGrants>,
    asker: Option<u32>,
    weather: Weather,
    chance: Chance,
    agenda: BinaryHeap<Reverse<(Time, usize)>>,
    flying: Vec<Flying>,
    pub now: Time,
    line_free: Time,
    pub end: u32,
    last: u32,
    arrived: HashSet<u32>,
    /// Packets passed on.
    pub passed_on: u64,
    /// Data packets sent, and control packets that came back.
    pub sent: u64,
    pub answers: u64,
    ordered: bool,
}

impl Run {
    pub(crate) fn new(params: &UetParams, weather: Weather, seed: u64) -> Self {
        let mut sender = Uet::new(params);
        sender.at_path(PathView { salt: seed, round_trip: ROUND_TRIP, header: Bytes(64) });
        Self {
            sender,
            receiver: Selective::new(params),
            grants: TransportParams::Uet(params.clone()).grants(LINK.line, || ROUND_TRIP),
            asker: None,
            weather,
            chance: Chance(seed),
            agenda: BinaryHeap::new(),
            flying: Vec::new(),
            now: Time::START,
            line_free: Time::START,
            end: 0,
            last: PACKET,
            arrived: HashSet::new(),
            passed_on: 0,
            sent: 0,
            answers: 0,
            ordered: params.delivery == congestree_schemes::transport::uet::DeliveryMode::Ordered,
        }
    }

    fn fly(&mut self, flying: Flying) {
        let spread = self.weather.spread.scaled(self.chance.unit());
        self.flying.push(flying);
        let at = self.now + Span(ROUND_TRIP.0 / 2) + spread;
        self.agenda.push(Reverse((at, self.flying.len() - 1)));
    }

    /// A message of this many packets, the last of `last` bytes, until it is acknowledged. Answers whether it ever is.
    pub(crate) fn message(&mut self, packets: u32, last: u32, deadline: Time) -> bool {
        self.end += packets;
        self.last = last;
        self.sender.on_last(Bytes(last.into()));
        self.sender.on_work(self.now, self.end, LINK);
        while self.sender.acknowledged() < self.end {
            self.send();
            let turn = self.grants.as_ref().map_or(Time::NEVER, Grants::next_turn);
            let first = self.agenda.peek().map_or(Time::NEVER, |Reverse((at, _))| *at);
            let free = if self.sender.next().is_some() { self.line_free } else { Time::NEVER };
            let next = first.min(turn).min(self.sender.next_timer()).min(free).max(self.now);
            if next > deadline {
                return false;
            }
            self.now = next;
            if first <= next {
                if let Some(Reverse((_, place))) = self.agenda.pop() {
                    self.come_in(self.flying[place]);
                }
            } else if turn <= next {
                self.grant();
            } else if self.sender.next_timer() <= next {
                self.sender.on_timer(self.now, LINK);
                if let Some(header) = self.sender.request(self.now, LINK) {
                    self.control(true, header);
                }
            }
        }
        true
    }

    fn send(&mut self) {
        while let Some(next) = self.sender.next().filter(|_| self.line_free <= self.now) {
            let label = self.sender.label(self.now, LINK, 1);
            let size = if next.sequence + 1 == self.end { self.last } else { PACKET };
            self.sender.on_sent(self.now, Bytes(size.into()), LINK);
            let (flight, most) = self.sender.flight();
            assert!(most.is_none_or(|most| flight <= most.max(u64::from(PACKET))), "{flight} over {most:?}");
            self.sent += 1;
            self.line_free = self.now + LINK.line.time_for(Bytes(size.into()));
            let header = Header {
                entropy: label.entropy,
                asks: label.asks,
                again: label.again,
                quanta: label.quanta,
                ..Header::default()
            };
            let (lost, trimmed) = (self.chance.unit() < self.weather.lost, self.chance.unit() < self.weather.trimmed);
            let marked = self.chance.unit() < self.weather.marked;
            let role = if trimmed { Role::Trimmed } else { Role::Data };
            if !lost {
                let header = Header { role, ..header };
                self.fly(Flying { there: true, sequence: next.sequence, size, marked, header });
            }
        }
    }

    fn control(&mut self, there: bool, header: Header) {
        if self.chance.unit() >= self.weather.lost {
            self.fly(Flying { there, sequence: header.cause, size: 64, marked: false, header });
        }
    }

    fn come_in(&mut self, packet: Flying) {
        let Flying { there, sequence, size, marked, header } = packet;
        if !there {
            self.answers += 1;
            return self.sender.on_answer(self.now, &header, LINK);
        }
        let arrived = Arrived { sequence, size, marked, header };
        if let Some(grants) = &mut self.grants {
            grants.on_request(&mut self.asker, 0, header.quanta, header.role != Role::Data);
        }
        let answer = match header.role {
            Role::Trimmed => Some(self.receiver.on_trimmed(&arrived)),
            Role::Request => Some(self.receiver.on_request(&arrived)),
            _ => {
                let (passed_on, discarded, answer) = self.receiver.on_data(&arrived);
                assert_eq!(discarded, !self.arrived.insert(sequence), "packet {sequence} counts once");
                self.passed_on += u64::from(passed_on);
                if self.ordered {
                    assert_eq!(self.passed_on, u64::from(self.receiver.expected()));
                }
                answer
            }
        };
        if let Some(header) = answer {
            self.control(false, header);
        }
    }

    fn grant(&mut self) {
        if let Some(grant) = self.grants.as_mut().and_then(|grants| grants.turn(self.now)) {
            self.control(false, Header { role: Role::Grant, quanta: grant.quanta, ..Header::default() });
        }
    }
}
