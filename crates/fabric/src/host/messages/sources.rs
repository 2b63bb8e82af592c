//! Sources at work: when they start and stop, and how their messages reach flows.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_traffic::{Arrivals, FlowMapping};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, HostId};

use crate::event::{Event, SourceTurn};
use crate::fabric::Fabric;
use crate::host::flow::{NONE, Supply, WindowState};
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
    pub(super) fn push_message(&mut self, flow_id: FlowId, source: u32, created: Time) {
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
