//! Sources at work: when they start and stop, and how their messages reach flows.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_traffic::{Arrivals, FlowMapping, Pattern};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, HostId};

use crate::event::{Event, SourceTurn};
use crate::fabric::Fabric;
use crate::host::ends::Generator;
use crate::host::flow::{NONE, Supply, WindowState};
use crate::host::messages::message::Generated;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// A source acts at the time it was scheduled for.
    pub(crate) fn source_turn(&mut self, id: u32, turn: SourceTurn) {
        let source = &self.ends.sources[id as usize];
        let (mapping, arrivals, stop) = (source.mapping(), source.profile().arrivals, source.profile().stop);
        match (turn, mapping, arrivals) {
            (SourceTurn::Start, FlowMapping::One(flow), Arrivals::Greedy) => self.switch_on(id, FlowId(flow), stop),
            (SourceTurn::Start, FlowMapping::One(flow), Arrivals::OnOff { on, .. }) => {
                self.switch_on(id, FlowId(flow), stop);
                let length = self.ends.sources[id as usize].next_period(on);
                self.schedule(self.now + length, Event::Source { source: id, turn: SourceTurn::Toggle });
            }
            (SourceTurn::Start, FlowMapping::One(flow), _)
                if self.ends.flows[FlowId(flow)].supply == Supply::Pushed =>
            {
                self.look_again(id);
            }
            (SourceTurn::Start, FlowMapping::One(flow), _) => {
                self.next_message(FlowId(flow));
                self.refresh(FlowId(flow));
            }
            (_, FlowMapping::PerDestination { .. } | FlowMapping::InTurn { .. }, Arrivals::Steady { .. }) => {
                self.look_again(id)
            }
            (
                SourceTurn::Start,
                FlowMapping::PerDestination { .. } | FlowMapping::InTurn { .. } | FlowMapping::Each(_),
                _,
            ) => {
                self.schedule_message(id);
            }
            (SourceTurn::Toggle, FlowMapping::One(flow), Arrivals::OnOff { on, off }) if self.now < stop => {
                self.toggle(id, FlowId(flow), (on, off), stop);
            }
            (SourceTurn::Stop, FlowMapping::One(flow), Arrivals::Greedy | Arrivals::OnOff { .. }) => {
                self.ends.flows[FlowId(flow)].supply = Supply::Greedy { on: false };
                self.refresh(FlowId(flow));
            }
            (SourceTurn::Message, FlowMapping::One(flow), _) => self.refresh(FlowId(flow)),
            (SourceTurn::Message, FlowMapping::PerDestination { base }, _) => {
                let destination = self.draw_destination(id);
                self.push_message(FlowId(base) + destination.0, id, self.now);
                self.schedule_message(id);
            }
            (SourceTurn::Message, FlowMapping::InTurn { .. }, _) => {
                let flow = self.ends.sources[id as usize].flow_in_turn();
                self.push_message(FlowId(flow), id, self.now);
                self.schedule_message(id);
            }
            (SourceTurn::Message, FlowMapping::Each(account), _) => {
                let destination = self.draw_destination(id);
                let bytes = self.ends.sources[id as usize].next_size();
                self.begin_flow(FlowId(account), destination, bytes);
                self.schedule_message(id);
            }
            _ => {}
        }
    }

    /// An ON or OFF period of a source ends, and the other kind begins.
    fn toggle(&mut self, id: u32, flow: FlowId, (on, off): (Span, Span), stop: Time) {
        let was_on = self.ends.flows[flow].supply == Supply::Greedy { on: true };
        if was_on {
            self.ends.flows[flow].supply = Supply::Greedy { on: false };
            self.refresh(flow);
        } else {
            if !self.ends.persistent {
                self.renew(flow);
            }
            self.switch_on(id, flow, stop);
        }
        let length = self.ends.sources[id as usize].next_period(if was_on { off } else { on });
        self.schedule(self.now + length, Event::Source { source: id, turn: SourceTurn::Toggle });
    }

    /// The host to which the next message of a source goes.
    #[inline]
    fn draw_destination(&mut self, source: u32) -> HostId {
        HostId(self.ends.sources[source as usize].next_destination(self.now, self.rules.hosts_len))
    }

    /// A greedy flow has packets from now on.
    fn switch_on(&mut self, source: u32, flow: FlowId, stop: Time) {
        if self.now >= stop {
            return;
        }
        if self.ends.flows[flow].remaining == 0 {
            self.begin_message(flow, source, self.now);
        }
        self.ends.flows[flow].supply = Supply::Greedy { on: true };
        self.refresh(flow);
    }

    /// Each ON period is a new flow: a fresh window and a fresh rate limit; ACKs still on their way are void. A
    /// throttle that belongs to a service level is not reset by a flow.
    fn renew(&mut self, flow_id: FlowId) {
        let now = self.now;
        let (flow, cold) = (&mut self.ends.flows[flow_id], &mut self.ends.cold[flow_id]);
        cold.epoch = cold.epoch.wrapping_add(1);
        cold.outstanding = 0;
        if flow.window != WindowState::None {
            flow.window = cold.window();
        }
        if !self.control.shared_throttles {
            flow.plain = cold.rate_limit.is_none() && !self.control.every_packet;
            flow.next_at = now;
            self.place_reaction(flow_id);
            self.tell_limit(flow_id);
        }
        self.repost(flow_id);
        self.begin_life(flow_id);
    }

    /// A steady source has started, or its hot host has moved: its host may have something to send.
    fn look_again(&mut self, id: u32) {
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

    /// The host could send, but none of its flows can: a steady source whose message is due makes it. No message is
    /// made in a lane where a packet already waits for credit. Of several sources each is chosen with a probability
    /// in proportion to its rate, so that a source that was held back does not push the others aside when it is
    /// released.
    pub(crate) fn generate(&mut self, host: HostId) -> Generated {
        let state = self.ends.hosts[host];
        let generators = state.first_generator as usize..state.end_generator as usize;
        let (mut first, mut willing, mut later) = (NONE, 0, Time::NEVER);
        for place in generators.clone() {
            let generator = self.ends.generators[place];
            let due = self.wants_to_make(generator);
            if due > self.now {
                later = later.min(due);
            } else {
                first = first.min(generator.source);
                willing += 1;
            }
        }
        if willing == 0 {
            return Generated::Later(later);
        }
        let chosen = if willing == 1 { first } else { self.draw_source(generators, first) };
        let source = &mut self.ends.sources[chosen as usize];
        let created = source.next_message().unwrap_or(self.now);
        let destination = HostId(source.next_destination(self.now, self.rules.hosts_len));
        match source.mapping() {
            FlowMapping::PerDestination { base } => self.push_message(FlowId(base) + destination.0, chosen, created),
            FlowMapping::InTurn { .. } => {
                let flow = FlowId(source.flow_in_turn());
                self.push_message(flow, chosen, created);
            }
            FlowMapping::One(flow) | FlowMapping::Each(flow) => {
                let flow = FlowId(flow);
                self.ends.flows[flow].target = destination;
                self.push_message(flow, chosen, created);
            }
        }
        Generated::Message
    }

    /// Draws one of the sources that have a message due, weighted by their rates; the random numbers are those of the
    /// first of them.
    fn draw_source(&mut self, generators: std::ops::Range<usize>, first: u32) -> u32 {
        let now = self.now;
        let willing = |fabric: &Self, place: usize| {
            let generator = fabric.ends.generators[place];
            let (id, willing) = (generator.source, fabric.wants_to_make(generator) <= now);
            willing.then(|| (id, fabric.ends.sources[id as usize].steady_rate()))
        };
        let total: f64 = generators.clone().filter_map(|place| willing(self, place)).map(|(_, rate)| rate).sum();
        let mut left = self.ends.sources[first as usize].draw_arrival() * total;
        let mut chosen = first;
        for (id, rate) in generators.filter_map(|place| willing(self, place)) {
            chosen = id;
            left -= rate;
            if left < 0.0 {
                break;
            }
        }
        chosen
    }

    /// From when on a steady source has a message to make. None after it stops, and none for a lane that waits for
    /// credit (if its destination may be one of several, none while all its lanes wait). With one destination at a
    /// time, also none while its last message for that destination is still there, and none for its own host. While
    /// the throttle of its service level is closed none of its messages could go, whatever the destination.
    fn wants_to_make(&self, generator: Generator) -> Time {
        let source = &self.ends.sources[generator.source as usize];
        let (host, profile) = (HostId(source.host()), source.profile());
        let (FlowMapping::One(any)
        | FlowMapping::Each(any)
        | FlowMapping::PerDestination { base: any }
        | FlowMapping::InTurn { base: any, .. }) = source.mapping();
        let any = FlowId(any);
        let waits = |lane: u8| self.links.out_lanes[self.at(host.port(), lane)].starved > 0;
        let held_back = match (&profile.pattern, source.mapping()) {
            (Pattern::Moving { to, every }, FlowMapping::PerDestination { base }) => {
                let hot = to[(self.now.0 / every.0) as usize % to.len()];
                let flow = &self.ends.flows[FlowId(base + hot)];
                HostId(hot) == host || flow.remaining > 0 || waits(flow.lane)
            }
            (_, FlowMapping::One(flow)) => {
                self.ends.flows[FlowId(flow)].remaining > 0 || waits(self.ends.flows[any].lane)
            }
            _ => (0..self.lanes() as u8).filter(|lane| generator.lanes & 1 << lane != 0).all(waits),
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

    /// The flow has sent its message (or has had none yet): takes the next one, if there is one.
    pub(crate) fn next_message(&mut self, flow_id: FlowId) {
        let flow = &self.ends.flows[flow_id];
        match flow.supply {
            Supply::Greedy { .. } => match self.ends.cold[flow_id].repeats {
                0 => self.begin_message(flow_id, flow.supplier, self.now),
                bytes => {
                    let flow = &mut self.ends.flows[flow_id];
                    (flow.remaining, flow.created) = (u64::from(bytes), self.now);
                    self.post_message(flow_id);
                }
            },
            Supply::Pulled => {
                let source = flow.supplier;
                if let Some(created) = self.ends.sources[source as usize].next_message() {
                    self.begin_message(flow_id, source, created);
                    if created > self.decides_at(self.ends.flows[flow_id].host) {
                        self.schedule(created, Event::Source { source, turn: SourceTurn::Message });
                    }
                }
            }
            Supply::Pushed => {
                let first = flow.supplier;
                if first != NONE {
                    let message = self.ends.messages.take(first);
                    let flow = &mut self.ends.flows[flow_id];
                    flow.supplier = message.next;
                    flow.created = message.created;
                    flow.remaining = message.bytes;
                    self.post_message(flow_id);
                }
            }
        }
    }

    /// A message of the source, made at `created`, becomes the one the flow sends.
    fn begin_message(&mut self, flow: FlowId, source: u32, created: Time) {
        let target = self.draw_destination(source);
        let bytes = self.ends.sources[source as usize].next_size();
        let state = &mut self.ends.flows[flow];
        (state.target, state.remaining, state.created) = (target, bytes, created);
        self.post_message(flow);
    }

    /// Schedules the source's next message.
    fn schedule_message(&mut self, id: u32) {
        if let Some(at) = self.ends.sources[id as usize].next_message() {
            self.schedule(at.max(self.now), Event::Source { source: id, turn: SourceTurn::Message });
        }
    }

    /// Puts a message of a source behind the others of its flow.
    fn push_message(&mut self, flow_id: FlowId, source: u32, created: Time) {
        let bytes = self.ends.sources[source as usize].next_size();
        self.push_bytes(flow_id, bytes, created);
    }

    /// Puts a message of this many bytes behind the others of its flow.
    pub(crate) fn push_bytes(&mut self, flow_id: FlowId, bytes: u64, created: Time) {
        let flow = &mut self.ends.flows[flow_id];
        if flow.remaining == 0 {
            (flow.remaining, flow.created) = (bytes, created);
            self.post_message(flow_id);
            self.refresh(flow_id);
            return;
        }
        let id = self.ends.messages.keep(created, bytes);
        let cold = &mut self.ends.cold[flow_id];
        if flow.supplier == NONE {
            flow.supplier = id;
        } else {
            self.ends.messages.link(cold.last_message, id);
        }
        cold.last_message = id;
    }
}
