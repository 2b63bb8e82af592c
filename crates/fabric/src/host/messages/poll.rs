//! Steady sources that are polled: their messages are made late, so that none waits behind a throttled one.
//!
//! They are polled when the link of their host is idle and none of its flows can send. If the host has other traffic,
//! or its lanes have priorities or weights, they take part in its turns besides: each has a message that may be sent
//! at any time, so that no other flow goes before it for ever.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_traffic::{FlowMapping, Pattern};
use congestree_units::Time;
use congestree_wire::{FlowId, HostId};

use crate::event::{Event, SourceTurn};
use crate::fabric::Fabric;
use crate::host::messages::message::Generated;
use crate::host::messages::polled_sources::Polled;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A steady source has started, or its hot host has moved: its host may have something to send.
    pub(crate) fn look_again(&mut self, id: u32) {
        let source = &self.ends.sources[id as usize];
        let (host, profile) = (HostId(source.host()), source.profile());
        if let Pattern::Moving { every, .. } = profile.pattern {
            let next = Time((self.now.0 / every.0 + 1).saturating_mul(every.0));
            if next < profile.stop {
                self.schedule(next, Event::Source { source: id, turn: SourceTurn::Message });
            }
        }
        self.ask(host.port());
    }

    /// The host chooses a flow. If its polled sources take turns, each with a message due makes it, unless its latest
    /// one may still be sent: a message waits for the link, but none for a throttled one before it.
    #[inline]
    pub(crate) fn join_turns(&mut self, host: HostId) {
        let state = &self.ends.hosts[host];
        let places = state.first_polled as usize..state.end_polled as usize;
        if places.is_empty() || !self.ends.polled[places.start].takes_turns || state.inject_at > self.now {
            return;
        }
        for place in places {
            while !self.offers(host, place) && self.wants_to_make(self.ends.polled[place], |_| false) <= self.now {
                self.make(place);
            }
        }
    }

    /// When a source that takes turns will have a message to make, if it has none now.
    fn joins_at(&self, place: usize) -> Time {
        let due = self.wants_to_make(self.ends.polled[place], |_| false);
        if due > self.now { due } else { Time::NEVER }
    }

    /// Whether the latest message of a polled source may be sent, if there is room for it.
    fn offers(&self, host: HostId, place: usize) -> bool {
        self.ends.polled[place].latest.is_some_and(|flow| {
            let slot = self.ends.flows[flow].slot;
            self.is_ready(host, slot) && !self.isolation_stops(host, flow, slot)
        })
    }

    /// The host could send, but none of its flows can: a polled source whose message is due makes it. No message is
    /// made in a lane where a packet already waits for credit. Of several sources each is chosen with a probability
    /// in proportion to its rate, so that a source that was held back does not push the others aside when it is
    /// released.
    pub(crate) fn poll(&mut self, host: HostId) -> Generated {
        let state = self.ends.hosts[host];
        let places = state.first_polled as usize..state.end_polled as usize;
        let (mut first, mut willing, mut later) = (places.end, 0, Time::NEVER);
        for place in places.clone() {
            if self.ends.polled[place].takes_turns {
                later = later.min(self.joins_at(place));
            }
            let due = self.may_be_polled(place);
            if due > self.now {
                later = later.min(due);
            } else {
                first = first.min(place);
                willing += 1;
            }
        }
        if willing == 0 {
            return Generated::Later(later);
        }
        let chosen = if willing == 1 { first } else { self.draw_polled(places, first) };
        self.make(chosen);
        Generated::Message
    }

    /// A polled source makes the message that is due.
    fn make(&mut self, place: usize) {
        let id = self.ends.polled[place].source;
        let source = &mut self.ends.sources[id as usize];
        let created = source.next_message().unwrap_or(self.now);
        let destination = HostId(source.next_destination(self.now, self.rules.hosts_len));
        let flow = match source.mapping() {
            FlowMapping::PerDestination { base } => FlowId(base) + destination.0,
            FlowMapping::InTurn { .. } => FlowId(source.flow_in_turn()),
            FlowMapping::One(flow) | FlowMapping::Each(flow) => {
                self.ends.flows[FlowId(flow)].target = destination;
                FlowId(flow)
            }
        };
        self.push_message(flow, id, created);
        self.ends.polled[place].latest = Some(flow);
    }

    /// Draws one of the sources that have a message due, weighted by their rates; the random numbers are those of the
    /// first of them.
    fn draw_polled(&mut self, places: std::ops::Range<usize>, first: usize) -> usize {
        let now = self.now;
        let willing = |fabric: &Self, place: usize| {
            let id = fabric.ends.polled[place].source;
            let willing = fabric.may_be_polled(place) <= now;
            willing.then(|| (place, fabric.ends.sources[id as usize].steady_rate()))
        };
        let total: f64 = places.clone().filter_map(|place| willing(self, place)).map(|(_, rate)| rate).sum();
        let first_source = self.ends.polled[first].source;
        let mut left = self.ends.sources[first_source as usize].draw_arrival() * total;
        let mut chosen = first;
        for (place, rate) in places.filter_map(|place| willing(self, place)) {
            chosen = place;
            left -= rate;
            if left < 0.0 {
                break;
            }
        }
        chosen
    }

    /// From when on a source may be polled: not while packets wait for credit in its lane (if its destination may be
    /// one of several, in all its lanes).
    fn may_be_polled(&self, place: usize) -> Time {
        let source = self.ends.polled[place];
        let host = HostId(self.ends.sources[source.source as usize].host());
        self.wants_to_make(source, |lane| self.links.out_lanes[self.at(host.port(), lane)].starved > 0)
    }

    /// From when on a polled source has a message to make. None after it stops, and none for a lane that `waits`. With
    /// one destination at a time, also none while its last message for that destination is still there, and none for
    /// its own host. While the throttle of its service level is closed none of its messages could go, whatever the
    /// destination.
    fn wants_to_make(&self, polled: Polled, waits: impl Fn(u8) -> bool) -> Time {
        let source = &self.ends.sources[polled.source as usize];
        let (host, profile) = (HostId(source.host()), source.profile());
        let (FlowMapping::One(any)
        | FlowMapping::Each(any)
        | FlowMapping::PerDestination { base: any }
        | FlowMapping::InTurn { base: any, .. }) = source.mapping();
        let any = FlowId(any);
        let held_back = match (&profile.pattern, source.mapping()) {
            (Pattern::Moving { to, every }, FlowMapping::PerDestination { base }) => {
                let hot = to[(self.now.0 / every.0) as usize % to.len()];
                let flow = &self.ends.flows[FlowId(base + hot)];
                HostId(hot) == host || flow.remaining > 0 || waits(flow.lane)
            }
            (_, FlowMapping::One(flow)) => {
                self.ends.flows[FlowId(flow)].remaining > 0 || waits(self.ends.flows[any].lane)
            }
            _ => (0..self.lanes() as u8).filter(|lane| polled.lanes & 1 << lane != 0).all(waits),
        };
        if self.now >= profile.stop {
            return Time::NEVER;
        }
        let due = if held_back { Time::NEVER } else { source.due() };
        match self.control.shared_throttles {
            true => due.max(self.ends.flows[self.pacer(any)].next_at),
            false => due,
        }
    }
}
